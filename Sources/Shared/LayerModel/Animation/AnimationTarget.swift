// What an animation changes: a property, a part of one, or an input of a filter. Source: semantic reference, §1.12.

/// A part of a point, rectangle or transform that a key path can name after the property.
package enum PropertyComponent: UInt8, Sendable, CaseIterable {
    case x = 1
    case y = 2
    case width = 3
    case height = 4
    case origin = 5
    case originX = 6
    case originY = 7
    case size = 8
    case sizeWidth = 9
    case sizeHeight = 10
    case rotationX = 11
    case rotationY = 12
    case rotationZ = 13
    case scale = 14
    case scaleX = 15
    case scaleY = 16
    case scaleZ = 17
    case scaleXY = 18
    case translation = 19
    case translationX = 20
    case translationY = 21
    case translationZ = 22

    /// As in a key path.
    package var path: String {
        switch self {
        case .x: "x"
        case .y: "y"
        case .width: "width"
        case .height: "height"
        case .origin: "origin"
        case .originX: "origin.x"
        case .originY: "origin.y"
        case .size: "size"
        case .sizeWidth: "size.width"
        case .sizeHeight: "size.height"
        case .rotationX: "rotation.x"
        case .rotationY: "rotation.y"
        case .rotationZ: "rotation.z"
        case .scale: "scale"
        case .scaleX: "scale.x"
        case .scaleY: "scale.y"
        case .scaleZ: "scale.z"
        case .scaleXY: "scale.xy"
        case .translation: "translation"
        case .translationX: "translation.x"
        case .translationY: "translation.y"
        case .translationZ: "translation.z"
        }
    }

    /// `rotation` alone is about z.
    package init?(path: Substring) {
        if path == "rotation" {
            self = .rotationZ
            return
        }
        guard let component = Self.byPath[String(path)] else { return nil }
        self = component
    }

    private static let byPath = Dictionary(uniqueKeysWithValues: allCases.map { ($0.path, $0) })

    /// The kind of the values the part has.
    package var kind: PropertyValue.Kind {
        switch self {
        case .origin, .size, .translation: .point
        default: .number
        }
    }

    /// True for the parts that a value of a kind has. A point stands for a size too.
    package func isPart(of kind: PropertyValue.Kind) -> Bool {
        switch self {
        case .x, .y, .width, .height: kind == .point
        case .origin, .originX, .originY, .size, .sizeWidth, .sizeHeight: kind == .rect
        default: kind == .transform
        }
    }
}

/// What an animation changes.
package enum AnimationTarget: Hashable, Sendable {
    case property(LayerProperty)
    case component(LayerProperty, PropertyComponent)
    /// An input of the filter that has that name or, where none has, is of that type; in `filters` or `backgroundFilters`.
    case filter(LayerProperty, name: String, LayerFilter.Input)
    /// A number of the emitter cell of that name; of one in another, `OUTER.emitterCells.INNER`.
    case cell(name: String, EmitterCell.Number)

    /// Nil for a key path that names nothing that can be animated.
    package init?(keyPath: String) {
        let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, parts[0] == LayerProperty.emitterCells.key {
            guard let dot = parts[1].lastIndex(of: "."), dot > parts[1].startIndex,
                let number = EmitterCell.Number(key: String(parts[1][parts[1].index(after: dot)...])), number.isKey
            else { return nil }
            self = .cell(name: String(parts[1][..<dot]), number)
            return
        }
        guard let key = parts.first, let property = LayerProperty(key: String(key)), property.isAnimatable else {
            return nil
        }
        guard parts.count == 2 else {
            self = .property(property)
            return
        }
        if property == .filters || property == .backgroundFilters {
            guard let dot = parts[1].lastIndex(of: "."),
                let input = LayerFilter.Input(name: String(parts[1][parts[1].index(after: dot)...]))
            else { return nil }
            self = .filter(property, name: String(parts[1][..<dot]), input)
            return
        }
        guard let component = PropertyComponent(path: parts[1]), component.isPart(of: property.kind) else { return nil }
        self = .component(property, component)
    }

    package var keyPath: String {
        switch self {
        case .property(let property): property.key
        case .component(let property, let component): "\(property.key).\(component.path)"
        case .filter(let property, let name, let input): "\(property.key).\(name).\(input)"
        case .cell(let name, let number): "\(LayerProperty.emitterCells.key).\(name).\(number.key)"
        }
    }

    package var property: LayerProperty {
        switch self {
        case .property(let property), .component(let property, _), .filter(let property, _, _): property
        case .cell: .emitterCells
        }
    }

    /// The kind of the values; nil where an input takes several.
    package var kind: PropertyValue.Kind? {
        switch self {
        case .property(let property): property.kind
        case .component(_, let component): component.kind
        case .filter: nil
        case .cell: .number
        }
    }
}
