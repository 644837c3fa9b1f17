// What `import CoreAnimation` brings along, as Apple's QuartzCore does: Foundation's geometry types and Quartz2D.
@_exported import Foundation
@_exported import Quartz2D

/// Seconds.
public typealias CFTimeInterval = Double
