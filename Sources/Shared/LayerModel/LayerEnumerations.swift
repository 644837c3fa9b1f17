// The closed sets among the layer's properties. Raw values are the wire's: never renumber, only append.

/// Where contents sit in the bounds. `top` is the layer's max y, `bottom` its min y, as in Core Animation.
package enum ContentsGravity: UInt8, Sendable, CaseIterable {
    case resize = 0
    case resizeAspect = 1
    case resizeAspectFill = 2
    case center = 3
    case top = 4
    case bottom = 5
    case left = 6
    case right = 7
    case topLeft = 8
    case topRight = 9
    case bottomLeft = 10
    case bottomRight = 11
}

/// How contents are sampled.
package enum ContentsFilter: UInt8, Sendable, CaseIterable {
    case linear = 0
    case nearest = 1
    case trilinear = 2
}

package enum CornerCurve: UInt8, Sendable, CaseIterable {
    case circular = 0
    case continuous = 1
}

/// Which corners are rounded: the layer's own min and max of x and y.
package struct CornerMask: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let minXMinY = CornerMask(rawValue: 1)
    package static let maxXMinY = CornerMask(rawValue: 2)
    package static let minXMaxY = CornerMask(rawValue: 4)
    package static let maxXMaxY = CornerMask(rawValue: 8)
    package static let all = CornerMask(rawValue: 15)
}

/// Which edges of a layer are antialiased: left and right are min and max x, bottom and top min and max y.
package struct EdgeMask: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let left = EdgeMask(rawValue: 1)
    package static let right = EdgeMask(rawValue: 2)
    package static let bottom = EdgeMask(rawValue: 4)
    package static let top = EdgeMask(rawValue: 8)
    package static let all = EdgeMask(rawValue: 15)
}

/// What of a path is its inside.
package enum FillRule: UInt8, Sendable, CaseIterable {
    /// Where the contours' turns don't cancel out.
    case nonZero = 0
    /// Where a ray crosses an odd number of edges.
    case evenOdd = 1
}

/// How lines end.
package enum LineCap: UInt8, Sendable, CaseIterable {
    /// At the end of the path.
    case butt = 0
    /// With half a disc.
    case round = 1
    /// Half a width beyond.
    case square = 2
}

/// How lines turn at corners.
package enum LineJoin: UInt8, Sendable, CaseIterable {
    case miter = 0
    case round = 1
    case bevel = 2
}
