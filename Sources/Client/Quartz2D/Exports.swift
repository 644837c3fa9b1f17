// What Foundation on Linux already has of Core Graphics' geometry. Apps see it through this module, so that one import
// is enough; there is never a second type of the same name.

@_exported import struct Foundation.CGFloat
@_exported import struct Foundation.CGPoint
@_exported import struct Foundation.CGRect
@_exported import enum Foundation.CGRectEdge
@_exported import struct Foundation.CGSize
