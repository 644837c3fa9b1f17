// Values of layers that stay with the client: how a layer scrolls, is tiled, or follows its superlayer's size. A scroll or a
// tiled layer is a plain one for the server. Source: semantic reference, §1.1, §6.6 and §6.7.

import CoreAnimation
import Foundation
import LayerModel

/// A layer class that only the client knows.
package enum SceneClientClass: String, CaseIterable, Sendable {
    case scrollLayer = "CAScrollLayer"
    case tiledLayer = "CATiledLayer"

    package func makeLayer() -> CALayer {
        switch self {
        case .scrollLayer: CAScrollLayer()
        case .tiledLayer: CATiledLayer()
        }
    }
}

/// A key of such a value.
package enum SceneClientKey: String, CaseIterable, Sendable {
    case autoresizingMask
    case scrollMode
    case tileSize, levelsOfDetail, levelsOfDetailBias

    /// The class that alone has it; nil: every layer has.
    package var owner: SceneClientClass? {
        switch self {
        case .autoresizingMask: nil
        case .scrollMode: .scrollLayer
        case .tileSize, .levelsOfDetail, .levelsOfDetailBias: .tiledLayer
        }
    }

    /// What its values look like.
    package var kind: SceneValueKind {
        switch self {
        case .scrollMode: .string
        case .tileSize: .size
        case .autoresizingMask, .levelsOfDetail, .levelsOfDetailBias: .number
        }
    }

    /// - Throws: What is wrong with the value.
    package func value(of number: Double) throws(ScalarFault) -> Any {
        let range = self == .autoresizingMask ? 0.0...63 : -64.0...64
        guard number == number.rounded(), range.contains(number) else {
            throw ScalarFault("is not a whole number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return NSNumber(value: Int(number))
    }

    package func value(of name: String) throws(ScalarFault) -> Any {
        let names = ["none", "vertically", "horizontally", "both"]
        guard names.contains(name) else { throw ScalarFault("is not one of: \(names.joined(separator: ", "))") }
        return name
    }

    package func value(of size: [Double]) throws(ScalarFault) -> Any {
        guard size.count == 2, size.allSatisfy({ $0 > 0 }) else { throw ScalarFault("is not a size above 0") }
        return CGSize(width: size[0], height: size[1])
    }

    /// From an attribute.
    package func value(from text: String) throws(ScalarFault) -> Any {
        switch kind {
        case .string: try value(of: String(ScalarSyntax.trim(text)))
        case .size: try value(of: ScalarSyntax.numbers(text, count: 2))
        default: try value(of: ScalarSyntax.number(text))
        }
    }
}

/// What a scene file says of such values.
package struct SceneClientValues {
    /// Nil for a layer of another class.
    package var layerClass: SceneClientClass?
    /// In the order in which they are set.
    package private(set) var values: [(key: SceneClientKey, value: Any)] = []

    package init() {}

    package mutating func set(_ key: SceneClientKey, _ value: Any) { values.append((key, value)) }

    /// True where a layer of this class has the key.
    package func has(_ key: SceneClientKey) -> Bool { key.owner == nil || key.owner == layerClass }

    func apply(to layer: CALayer) {
        for (key, value) in values { layer.setValue(value, forKey: key.rawValue) }
    }
}
