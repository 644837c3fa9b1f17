import LayerModel

/// The key paths that a dotted attribute may name.
package enum KeyPathSyntax {
    /// True for a path to one number of a point, rectangle or transform of a layer, and for the translation of a transform.
    /// Source: the semantic reference, §1.12.
    package static func isSettable(_ keyPath: String) -> Bool {
        guard let dot = keyPath.firstIndex(of: "."), let property = LayerProperty(key: String(keyPath[..<dot])) else {
            return false
        }
        let rest = String(keyPath[keyPath.index(after: dot)...])
        switch property.kind {
        case .point where property.isSize: return ["width", "height"].contains(rest)
        case .point: return ["x", "y"].contains(rest)
        case .rect: return ["origin.x", "origin.y", "size.width", "size.height"].contains(rest)
        case .transform: return transformComponents.contains(rest)
        default: return false
        }
    }

    private static let transformComponents: Set<String> = [
        "rotation", "rotation.x", "rotation.y", "rotation.z", "scale", "scale.x", "scale.y", "scale.z", "scale.xy",
        "translation", "translation.x", "translation.y", "translation.z",
    ]
}
