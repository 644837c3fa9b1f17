/// A layer, within one session. Given by the client, never used twice, 0 is no layer.
package struct LayerID: Hashable, Sendable, RawRepresentable, Comparable, CustomStringConvertible {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let none = LayerID(0)

    package static func < (a: LayerID, b: LayerID) -> Bool { a.rawValue < b.rawValue }

    package var description: String { "layer \(rawValue)" }
}

/// An image that a client shares, within one session. Given by the client, never used twice, 0 is no image.
package struct ImageID: Hashable, Sendable, RawRepresentable, Comparable, CustomStringConvertible {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let none = ImageID(0)

    package static func < (a: ImageID, b: ImageID) -> Bool { a.rawValue < b.rawValue }

    package var description: String { "image \(rawValue)" }
}

/// The class of a layer, as far as the server must know it.
package enum LayerClass: UInt8, Sendable, CaseIterable {
    case layer = 0
    case transformLayer = 1
    /// Draws what lies behind it, filtered.
    case backdropLayer = 2
    /// Draws a path.
    case shapeLayer = 3
    /// Draws a gradient.
    case gradientLayer = 4
    /// Shows its sublayers more than once.
    case replicatorLayer = 5
    /// Draws particles.
    case emitterLayer = 10
}
