// What a key path of an animation or a state names, and what its values look like. Source: the semantic reference, §1.12.

import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

/// What a value under a key path is.
package enum SceneValueKind: Hashable {
    case flag
    case number
    case point
    case size
    case rect
    case transform
    case color
    case path
    case image
    /// A name, or bits, of a closed set.
    case code(LayerProperty)
    case string
    /// So many numbers.
    case numbers(Int)
    /// As many numbers as there are, up to the most that the property takes.
    case list(LayerProperty)
    /// Colors of a gradient.
    case colors
}

/// What a key path of a layer means to the readers.
package enum SceneKeyPath: Equatable {
    case known(SceneValueKind, isAnimatable: Bool)
    /// Known, but not drawn yet: the feature.
    case later(String)
    case noEffect
    /// Only layers of these classes have it.
    case elsewhere([String])
    case unknown

    package init(_ keyPath: String, in layerClass: LayerClass) {
        let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let key = parts.first.map(String.init) ?? ""
        let property: LayerProperty
        switch CAMLVocabulary.meaning(of: key, in: layerClass) {
        case .property(let some): property = some
        case .backdropEnabled:
            self = parts.count == 1 ? .known(.flag, isAnimatable: false) : .unknown
            return
        case .text(let key):
            self = parts.count == 1 ? .known(key.kind, isAnimatable: key.isAnimatable) : .unknown
            return
        case .client(let key):
            self = parts.count == 1 ? .known(key.kind, isAnimatable: false) : .unknown
            return
        case .later(let feature, _):
            self = .later(feature)
            return
        case .elsewhere(let classes, _):
            self = .elsewhere(classes)
            return
        case .multiplyColor:
            self = .later("colors of contents that change")
            return
        case .noEffect:
            self = .noEffect
            return
        case .continuousCorners, .shadowPathIsBounds, .unknown:
            guard key == "contents" else {
                self = .unknown
                return
            }
            property = .contents
        }
        guard parts.count == 2 else {
            self = SceneKeyPath.kind(of: property).map { .known($0, isAnimatable: property.isAnimatable) } ?? .unknown
            return
        }
        let isAnimatable = property.isAnimatable || property == .emitterCells
        self =
            SceneKeyPath.part(parts[1], of: property).map { .known($0, isAnimatable: isAnimatable) }
            ?? .unknown
    }

    /// The class that alone has the key of a path, of those that only the client knows; nil where no such class has it.
    package static func clientOwner(of keyPath: String, in layerClass: LayerClass) -> String? {
        switch CAMLVocabulary.meaning(of: String(keyPath.prefix { $0 != "." }), in: layerClass) {
        case .text: "CATextLayer"
        case .client(let key): key.owner?.rawValue
        default: nil
        }
    }

    private static func kind(of property: LayerProperty) -> SceneValueKind? {
        switch property.kind {
        case .bool: .flag
        case .number: .number
        case .point: property.isSize ? .size : .point
        case .rect: .rect
        case .transform: .transform
        case .color: .color
        case .path: .path
        case .image: .image
        case .code: .code(property)
        case .string: .string
        case .numbers: .list(property)
        case .colors: .colors
        case .layer, .filters, .cells: nil
        }
    }

    private static func part(_ path: Substring, of property: LayerProperty) -> SceneValueKind? {
        if property.kind == .filters {
            guard let dot = path.lastIndex(of: "."), dot > path.startIndex,
                let input = LayerFilter.Input(name: String(path[path.index(after: dot)...]))
            else { return nil }
            switch FilterInputKind(input) {
            case .number: return .number
            case .flag: return .flag
            case .color: return .color
            case .matrix: return .numbers(20)
            case .size: return .size
            case .image: return nil
            }
        }
        if property.kind == .cells {
            // NAME.KEY, or through cells in cells.
            let key = path.split(separator: ".").last.flatMap { EmitterCell.Number(key: String($0)) }
            return key?.isKey == true && path.contains(".") ? .number : nil
        }
        guard let component = PropertyComponent(path: path), component.isPart(of: property.kind) else { return nil }
        switch component {
        case .origin: return .point
        case .size, .translation: return .size
        case .x, .y: return property.isSize ? nil : .number
        case .width, .height: return property.isSize ? .number : nil
        default: return .number
        }
    }

    /// What the values are that a value function makes transforms of.
    package static func kind(for function: ValueFunction) -> SceneValueKind {
        if case .numbers(let numbers) = function.neutral { return .numbers(numbers.count) }
        return .number
    }
}

extension SceneValueKind {
    /// The object that key-value access takes, from text. Images are no text; asking for one is a fault.
    package func object(_ text: String) throws(ScalarFault) -> Any {
        switch self {
        case .flag: return try ScalarSyntax.boolean(text)
        case .number: return try ScalarSyntax.number(text)
        case .point, .size: return object(of: try ScalarSyntax.numbers(text, count: 2))
        case .rect: return object(of: try ScalarSyntax.numbers(text, count: 4))
        case .transform: return CATransform3D(try TransformSyntax.transform(text))
        case .color: return CGColor(try ScalarSyntax.color(text))
        case .path: return CGPath(try PathSyntax.path(text))
        case .code(let property):
            guard case .code(let code) = try ScalarSyntax.value(of: property, text) else {
                throw ScalarFault("is not a name")
            }
            return property.object(ofCode: code)
        case .string: return text
        case .numbers(let count): return object(of: try ScalarSyntax.numbers(text, count: count))
        case .list(let property): return try ScalarSyntax.numbers(text, count: 0...property.mostValues)
        case .colors: throw ScalarFault("is not a list of CGColor elements")
        case .image: throw ScalarFault("is not the element of an image file")
        }
    }

    /// As many numbers as the kind has.
    package func object(of n: [Double]) -> Any {
        switch self {
        case .point where n.count == 2: CGPoint(x: n[0], y: n[1])
        case .size where n.count == 2: CGSize(width: n[0], height: n[1])
        case .rect where n.count == 4: CGRect(x: n[0], y: n[1], width: n[2], height: n[3])
        default: n
        }
    }

    /// True for what an animation's path can move.
    package var isMovedByPaths: Bool { self == .point || self == .size }

    /// True for numbers of any count.
    var isList: Bool {
        if case .list = self { return true }
        return false
    }

    /// True where nothing is a value.
    package var takesNull: Bool {
        switch self {
        case .color, .path, .image, .list, .colors: true
        default: false
        }
    }
}

extension LayerProperty {
    /// As key-value access takes it: a name, or bits.
    package func object(ofCode code: UInt8) -> Any {
        switch self {
        case .contentsGravity: ContentsGravity(rawValue: code)?.sceneName ?? ""
        case .minificationFilter, .magnificationFilter: ContentsFilter(rawValue: code).map { "\($0)" } ?? ""
        case .cornerCurve: CornerCurve(rawValue: code).map { "\($0)" } ?? ""
        case .compositingFilter: CompositingMode(rawValue: code)?.filterName ?? ""
        case .fillRule: FillRule(rawValue: code)?.sceneName ?? ""
        case .lineCap: LineCap(rawValue: code).map { "\($0)" } ?? ""
        case .lineJoin: LineJoin(rawValue: code).map { "\($0)" } ?? ""
        case .gradientType: GradientKind(rawValue: code).map { "\($0)" } ?? ""
        case .emitterShape: EmitterShape(rawValue: code).map { "\($0)" } ?? ""
        case .emitterMode: EmitterMode(rawValue: code).map { "\($0)" } ?? ""
        case .renderMode: EmitterRenderMode(rawValue: code).map { "\($0)" } ?? ""
        default: Int(code)
        }
    }
}
