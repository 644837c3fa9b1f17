// Geometry in objects, as code writes it that was first written for Objective-C. Properties, key paths and animations take
// these where they take the values themselves, and hand out the values.

import Foundation

extension NSValue {
    /// How a transform's sixteen numbers are kept: Foundation on Linux knows no other structs than its own.
    static let transformEncoding = "[16d]"

    public convenience init(cgPoint point: CGPoint) { self.init(point: point) }
    public convenience init(cgSize size: CGSize) { self.init(size: size) }
    public convenience init(cgRect rect: CGRect) { self.init(rect: rect) }

    public convenience init(caTransform3D transform: CATransform3D) {
        let t = transform
        let numbers = [
            t.m11, t.m12, t.m13, t.m14, t.m21, t.m22, t.m23, t.m24, t.m31, t.m32, t.m33, t.m34, t.m41, t.m42, t.m43,
            t.m44,
        ].map { Double($0) }
        self.init(bytes: numbers, objCType: NSValue.transformEncoding)
    }

    /// Zero where the object holds something else.
    public var cgPointValue: CGPoint { KeyedValue.unwrapped(self) as? CGPoint ?? .zero }
    /// Zero where the object holds something else.
    public var cgSizeValue: CGSize { KeyedValue.unwrapped(self) as? CGSize ?? .zero }
    /// Zero where the object holds something else.
    public var cgRectValue: CGRect { KeyedValue.unwrapped(self) as? CGRect ?? .zero }

    /// The identity where the object holds something else.
    public var caTransform3DValue: CATransform3D {
        guard String(cString: objCType) == NSValue.transformEncoding else { return CATransform3DIdentity }
        var n = [Double](repeating: 0, count: 16)
        n.withUnsafeMutableBytes { getValue($0.baseAddress!) }
        let c = n.map { CGFloat($0) }
        return CATransform3D(
            m11: c[0], m12: c[1], m13: c[2], m14: c[3], m21: c[4], m22: c[5], m23: c[6], m24: c[7], m31: c[8],
            m32: c[9], m33: c[10], m34: c[11], m41: c[12], m42: c[13], m43: c[14], m44: c[15])
    }
}
