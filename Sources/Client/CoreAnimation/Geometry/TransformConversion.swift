// Where CATransform3D and the shared floor's Transform become each other; points, sizes and rectangles do so in Quartz2D.

import LayerModel

extension Rect {
    /// The smallest rectangle that holds four points.
    init(around p: (Point, Point, Point, Point)) {
        self.init(
            minX: min(min(p.0.x, p.1.x), min(p.2.x, p.3.x)), minY: min(min(p.0.y, p.1.y), min(p.2.y, p.3.y)),
            maxX: max(max(p.0.x, p.1.x), max(p.2.x, p.3.x)), maxY: max(max(p.0.y, p.1.y), max(p.2.y, p.3.y)))
    }
}

extension Transform {
    package init(_ t: CATransform3D) {
        self.init(
            Double(t.m11), Double(t.m12), Double(t.m13), Double(t.m14),
            Double(t.m21), Double(t.m22), Double(t.m23), Double(t.m24),
            Double(t.m31), Double(t.m32), Double(t.m33), Double(t.m34),
            Double(t.m41), Double(t.m42), Double(t.m43), Double(t.m44))
    }
}

extension CATransform3D {
    package init(_ t: Transform) {
        self.init(
            m11: CGFloat(t.m11), m12: CGFloat(t.m12), m13: CGFloat(t.m13), m14: CGFloat(t.m14),
            m21: CGFloat(t.m21), m22: CGFloat(t.m22), m23: CGFloat(t.m23), m24: CGFloat(t.m24),
            m31: CGFloat(t.m31), m32: CGFloat(t.m32), m33: CGFloat(t.m33), m34: CGFloat(t.m34),
            m41: CGFloat(t.m41), m42: CGFloat(t.m42), m43: CGFloat(t.m43), m44: CGFloat(t.m44))
    }
}
