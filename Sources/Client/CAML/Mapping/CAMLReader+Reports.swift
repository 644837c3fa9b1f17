// What is not drawn, in words: one warning for a collection, with what it holds, and one for every image file that the
// skipped parts name and the bundle lacks.

extension CAMLReader {
    /// Reports an element that is skipped with everything in it.
    func reportSkipped(_ index: Int, _ message: @autoclosure () -> String) {
        warn(index, message())
        reportMissingFiles(in: index)
    }

    /// Reports `<animations>`, `<states>`, `<stateTransitions>`, `<modules>` or `<scriptComponents>`; an empty one says
    /// nothing.
    func reportCollection(_ index: Int) {
        let element = tree[index]
        guard element.hasChildren else { return }
        switch element.name {
        case "animations": reportSkipped(index, animationReport(index))
        case "states": reportSkipped(index, stateReport(index))
        case "stateTransitions":
            let count = tree.children(of: index).reduce(0) { total, _ in total + 1 }
            reportSkipped(index, "\(CAMLReader.count(count, "state transition")) ignored: states are not chosen yet")
        case "scriptComponents": reportSkipped(index, "<scriptComponents> is ignored: scripts are not run")
        default: reportSkipped(index, "<\(element.name)> is ignored: \(element.name) are not read")
        }
    }

    private func animationReport(_ index: Int) -> String {
        var paths: [String] = []
        var count = 0
        for animation in tree.children(of: index) {
            count += 1
            let element = tree[animation]
            let path = element.attribute("keyPath") ?? element.attribute("key") ?? element.attribute("type")
            let name = path?.value ?? element.name
            if !paths.contains(name), paths.count < 9 { paths.append(name) }
        }
        let names = CAMLReader.list(paths, limit: 8)
        return "\(CAMLReader.count(count, "animation")) ignored (\(names)): not played yet"
    }

    private func stateReport(_ index: Int) -> String {
        var names: [String] = []
        var count = 0
        for state in tree.children(of: index) {
            count += 1
            if names.count < 9 { names.append(tree[state].attribute("name")?.value ?? tree[state].name) }
        }
        var values = 0
        for element in tree.subtree(of: index) where tree[element].name == "LKStateSetValue" { values += 1 }
        let list = CAMLReader.list(names, limit: 8)
        return "\(CAMLReader.count(count, "state")) ignored (\(list); \(CAMLReader.count(values, "value"))): "
            + "not chosen yet, the base values are drawn"
    }

    /// What a skipped element is about: " (spark)", or nothing.
    func detail(of index: Int) -> String {
        var names: [String] = []
        let element = tree[index]
        if element.name == "emitterCells" {
            for child in tree.children(of: index) where names.count < 9 {
                names.append(tree[child].attribute("name")?.value ?? tree[child].name)
            }
        } else if let source = element.attribute("src") ?? element.attribute("value") {
            names.append(String(source.value.prefix(60)))
        }
        return names.isEmpty ? "" : " (\(CAMLReader.list(names, limit: 8)))"
    }

    private func reportMissingFiles(in index: Int) {
        for inner in tree.subtree(of: index) {
            let element = tree[inner]
            guard let source = element.attribute("src"), element.name != "scriptObject" else { continue }
            guard let fault = pictures.newlyMissing(source.value, from: folder) else { continue }
            warn(source, fault.message)
        }
    }

    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    static func list(_ names: [String], limit: Int) -> String {
        let shown = names.prefix(limit).map { String($0.prefix(80)) }.joined(separator: ", ")
        return names.count > limit ? shown + ", …" : shown
    }
}
