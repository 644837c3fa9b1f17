// What is not drawn, in words: one warning for a collection, with what it holds, and one for every image file that the
// skipped parts name and the bundle lacks.

extension CAMLReader {
    /// Reports an element that is skipped with everything in it.
    func reportSkipped(_ index: Int, _ message: @autoclosure () -> String) {
        warn(index, message())
        reportMissingFiles(in: index)
    }

    /// Reports `<modules>` or `<scriptComponents>`; an empty one says nothing.
    func reportCollection(_ index: Int) {
        let element = tree[index]
        guard element.hasChildren else { return }
        if element.name == "scriptComponents" {
            reportSkipped(index, "<scriptComponents> is ignored: scripts are not run")
        } else {
            reportSkipped(index, "<\(element.name)> is ignored: \(element.name) are not read")
        }
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

    static func list(_ names: [String], limit: Int) -> String {
        let shown = names.prefix(limit).map { String($0.prefix(80)) }.joined(separator: ", ")
        return names.count > limit ? shown + ", …" : shown
    }
}
