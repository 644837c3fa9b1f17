// A text layer's own values as a scene file gives them. Source: semantic reference, §6.3 and §8.4.

import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

/// What a scene file says about a layer's text, in the order in which it is set.
package struct SceneText {
    package enum Key: String, CaseIterable, Sendable {
        case string, font, fontSize, foregroundColor, wrapped, truncationMode, alignmentMode
        case allowsFontSubpixelQuantization

        /// What its values look like; the color and the size can be animated.
        package var kind: SceneValueKind {
            switch self {
            case .string, .font, .truncationMode, .alignmentMode: .string
            case .fontSize: .number
            case .foregroundColor: .color
            case .wrapped, .allowsFontSubpixelQuantization: .flag
            }
        }

        package var isAnimatable: Bool { self == .fontSize || self == .foregroundColor }
    }

    package private(set) var values: [(key: Key, value: Any)] = []

    package init() {}

    package mutating func set(_ key: Key, _ value: Any) { values.append((key, value)) }

    package mutating func setColor(_ color: Color?) {
        if let color { set(.foregroundColor, CGColor(color)) } else { set(.foregroundColor, CGColor.clear) }
    }

    /// From an attribute.
    mutating func set(_ key: Key, from text: String) throws(ScalarFault) {
        switch key.kind {
        case .number: set(key, NSNumber(value: try ScalarSyntax.number(text)))
        case .color: setColor(try ScalarSyntax.color(text))
        case .flag: set(key, NSNumber(value: try ScalarSyntax.boolean(text)))
        default: set(key, text)
        }
    }

    func apply(to layer: CATextLayer) {
        for (key, value) in values { layer.setValue(value, forKey: key.rawValue) }
    }
}
