// The parts of a value that a key path can name after the property: position.x, bounds.size.width, transform.rotation.z.
// Pure functions from values to values, for properties and for whatever else is stored in a layer.
//
// A component of a transform other than the translation is read from its decomposition, and set by decomposing, replacing
// and recomposing; angles are not wrapped. Source: semantic reference, §1.12.

import LayerModel

enum KeyPathComponents {
    /// Why a component can't be read or set.
    enum Problem: Error {
        case noComponent(String)
        case wrongType(String)
    }

    /// The part of `value` that `path` names; `value` itself when the path is empty.
    static func get(_ path: ArraySlice<Substring>, of value: Any) throws(Problem) -> Any {
        guard let name = path.first else { return value }
        let rest = path.dropFirst()
        switch (value, name) {
        case (let value as CGPoint, "x"): return try leaf(value.x, rest)
        case (let value as CGPoint, "y"): return try leaf(value.y, rest)
        case (let value as CGSize, "width"): return try leaf(value.width, rest)
        case (let value as CGSize, "height"): return try leaf(value.height, rest)
        case (let value as CGRect, "origin"): return try get(rest, of: value.origin)
        case (let value as CGRect, "size"): return try get(rest, of: value.size)
        case (let value as CATransform3D, _): return try TransformComponent(path).get(from: Transform(value))
        case (let value as [String: Any], _):
            guard let inner = value[String(name)] else { throw .noComponent(String(name)) }
            return try get(rest, of: inner)
        default: throw .noComponent(path.joined(separator: "."))
        }
    }

    /// `value` with the part that `path` names replaced.
    static func set(_ path: ArraySlice<Substring>, of value: Any, to new: Any) throws(Problem) -> Any {
        guard let name = path.first else { return new }
        let rest = path.dropFirst()
        switch (value, name) {
        case (var value as CGPoint, "x"):
            value.x = try number(new, rest)
            return value
        case (var value as CGPoint, "y"):
            value.y = try number(new, rest)
            return value
        case (var value as CGSize, "width"):
            value.width = try number(new, rest)
            return value
        case (var value as CGSize, "height"):
            value.height = try number(new, rest)
            return value
        case (var value as CGRect, "origin"):
            guard let origin = try set(rest, of: value.origin, to: new) as? CGPoint else {
                throw .wrongType("a CGPoint")
            }
            value.origin = origin
            return value
        case (var value as CGRect, "size"):
            guard let size = try set(rest, of: value.size, to: new) as? CGSize else { throw .wrongType("a CGSize") }
            value.size = size
            return value
        case (let value as CATransform3D, _):
            return CATransform3D(try TransformComponent(path).set(new, in: Transform(value)))
        case (var value as [String: Any], _):
            value[String(name)] =
                rest.isEmpty ? new : try set(rest, of: value[String(name)] ?? [String: Any](), to: new)
            return value
        default: throw .noComponent(path.joined(separator: "."))
        }
    }

    private static func leaf(_ number: CGFloat, _ rest: ArraySlice<Substring>) throws(Problem) -> Any {
        guard rest.isEmpty else { throw .noComponent(rest.joined(separator: ".")) }
        return NSNumber(value: Double(number))
    }

    private static func number(_ value: Any, _ rest: ArraySlice<Substring>) throws(Problem) -> CGFloat {
        guard rest.isEmpty else { throw .noComponent(rest.joined(separator: ".")) }
        guard let number = KeyedValue.number(value) else { throw .wrongType("a number") }
        return CGFloat(number)
    }
}

/// A part of a transform that a key path can name.
private enum TransformComponent {
    case rotation(WritableKeyPath<Vector3, Double>)
    case scale(WritableKeyPath<Vector3, Double>)
    case uniformScale
    case planarScale
    case translation(WritableKeyPath<Vector3, Double>)
    case planarTranslation

    init(_ path: ArraySlice<Substring>) throws(KeyPathComponents.Problem) {
        let name = path.joined(separator: ".")
        switch name {
        case "rotation.x": self = .rotation(\.x)
        case "rotation.y": self = .rotation(\.y)
        case "rotation.z", "rotation": self = .rotation(\.z)
        case "scale.x": self = .scale(\.x)
        case "scale.y": self = .scale(\.y)
        case "scale.z": self = .scale(\.z)
        case "scale": self = .uniformScale
        case "scale.xy": self = .planarScale
        case "translation.x": self = .translation(\.x)
        case "translation.y": self = .translation(\.y)
        case "translation.z": self = .translation(\.z)
        case "translation": self = .planarTranslation
        default: throw .noComponent(name)
        }
    }

    func get(from transform: Transform) -> Any {
        let parts = TransformDecomposition(transform)
        switch self {
        case .rotation(let axis): return NSNumber(value: parts.rotation.eulerAngles[keyPath: axis])
        case .scale(let axis): return NSNumber(value: parts.scale[keyPath: axis])
        case .uniformScale: return NSNumber(value: (parts.scale.x + parts.scale.y + parts.scale.z) / 3)
        case .planarScale: return NSNumber(value: (parts.scale.x + parts.scale.y) / 2)
        case .translation(let axis): return NSNumber(value: parts.translation[keyPath: axis])
        case .planarTranslation: return CGSize(width: parts.translation.x, height: parts.translation.y)
        }
    }

    func set(_ value: Any, in transform: Transform) throws(KeyPathComponents.Problem) -> Transform {
        if case .planarTranslation = self {
            var transform = transform
            switch value {
            case let size as CGSize: (transform.m41, transform.m42) = (Double(size.width), Double(size.height))
            case let point as CGPoint: (transform.m41, transform.m42) = (Double(point.x), Double(point.y))
            default: throw .wrongType("a CGSize")
            }
            return transform
        }
        guard let number = KeyedValue.number(value) else { throw .wrongType("a number") }
        if case .translation(let axis) = self {
            var translation = Vector3(transform.m41, transform.m42, transform.m43)
            translation[keyPath: axis] = number
            var transform = transform
            (transform.m41, transform.m42, transform.m43) = (translation.x, translation.y, translation.z)
            return transform
        }
        guard transform.isFinite else { return transform }
        var parts = TransformDecomposition(transform)
        switch self {
        case .rotation(let axis):
            var angles = parts.rotation.eulerAngles
            angles[keyPath: axis] = number
            parts.rotation.eulerAngles = angles
        case .scale(let axis): parts.scale[keyPath: axis] = number
        case .uniformScale: parts.scale = Vector3(number, number, number)
        case .planarScale: (parts.scale.x, parts.scale.y) = (number, number)
        case .translation, .planarTranslation: break
        }
        return parts.recomposed
    }
}
