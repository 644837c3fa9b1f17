// What somebody meant who wrote a name that is not known: the known one that it is nearest to, and the classes of layers that have it.

import LayerModel

/// Ends of messages about names.
package enum NameHint {
    /// " (did you mean opacity?)"; nothing where no name is near.
    package static func near(_ name: some StringProtocol, among candidates: [String]) -> String {
        nearestSpelling(to: String(name), among: candidates).map { " (did you mean \($0)?)" } ?? ""
    }

    /// For the name of a compositing filter: what all blend modes end with says nothing.
    package static func compositing(_ name: String) -> String {
        let suffix = "BlendMode"
        let names = FilterVocabulary.compositingTypes
        guard name.lowercased().hasSuffix(suffix.lowercased()) else { return near(name, among: names) }
        let stems = names.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
        let stem = String(name.dropLast(suffix.count))
        return nearestSpelling(to: stem, among: stems).map { " (did you mean \($0)\(suffix)?)" } ?? ""
    }

    /// For a key of a layer, which may be one of another class.
    package static func layerKey(_ name: String, in layerClass: LayerClass) -> String {
        let own = CAMLVocabulary.names(in: layerClass)
        if let near = nearestSpelling(to: name, among: own) { return " (did you mean \(near)?)" }
        guard let near = nearestSpelling(to: name, among: CAMLVocabulary.allNames) else { return "" }
        return " (did you mean \(near), which only \(only(CAMLVocabulary.owners(of: near)))?)"
    }

    /// "a CAShapeLayer has".
    package static func only(_ classes: [String]) -> String {
        classes.map { "a \($0)" }.joined(separator: " or ") + " has"
    }

    /// For a key path: its first part, else the rest of it, spelled as something that is known.
    package static func keyPath(_ path: some StringProtocol, in layerClass: LayerClass) -> String {
        guard path.utf8.count <= 128 else { return "" }
        let parts = String(path).split(separator: Character("."), maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        guard let head = parts.first else { return "" }
        let heads = [head] + [nearestSpelling(to: head, among: CAMLVocabulary.names(in: layerClass))].compactMap { $0 }
        var rests: [String] = parts.count > 1 ? [parts[1]] : []
        if parts.count > 1, let near = nearestSpelling(to: parts[1], among: components) { rests.append(near) }
        for head in heads {
            for candidate in parts.count > 1 ? rests.map({ "\(head).\($0)" }) : [head] {
                if case .known = SceneKeyPath(candidate, in: layerClass) { return " (did you mean \(candidate)?)" }
            }
        }
        return ""
    }

    private static let components = [
        "x", "y", "width", "height", "origin", "origin.x", "origin.y", "size", "size.width", "size.height", "rotation",
        "rotation.x", "rotation.y", "rotation.z", "scale", "scale.x", "scale.y", "scale.z", "scale.xy", "translation",
        "translation.x", "translation.y", "translation.z",
    ]
}

extension CAMLVocabulary {
    /// What a layer of a class may have, in the order of the alphabet.
    static func names(in layerClass: LayerClass) -> [String] { namesByClass[layerClass] ?? allNames }

    private static let namesByClass: [LayerClass: [String]] = Dictionary(
        uniqueKeysWithValues: LayerClass.allCases.map { layerClass in
            let names = allNames.filter { name in
                switch meaning(of: name, in: layerClass) {
                case .elsewhere: false
                case .unknown: elementNames.contains(name)
                default: true
                }
            }
            return (layerClass, names)
        })

    /// What any layer may have.
    static let allNames: [String] = {
        Set(Array(table.keys) + LayerProperty.allCases.map(\.key) + elementNames + ["enabled"]).sorted()
    }()

    private static let elementNames = ["contents", "sublayers", "animations", "states", "stateTransitions"]
}
