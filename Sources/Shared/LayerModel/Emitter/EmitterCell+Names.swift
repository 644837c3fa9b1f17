// Cells by the names that key paths have for them: NAME, or OUTER.emitterCells.INNER.

extension [EmitterCell] {
    /// The first of that name.
    func cell(named path: Substring) -> EmitterCell? {
        let (name, rest) = Self.parts(of: path)
        guard let cell = first(where: { $0.name.map { $0[...] == name } ?? false }) else { return nil }
        return rest.map { cell.cells.cell(named: $0) } ?? cell
    }

    /// Changes the first of that name; false where there is none.
    mutating func change(named path: Substring, _ body: (inout EmitterCell) -> Void) -> Bool {
        let (name, rest) = Self.parts(of: path)
        guard let index = firstIndex(where: { $0.name.map { $0[...] == name } ?? false }) else { return false }
        if let rest { return self[index].cells.change(named: rest, body) }
        body(&self[index])
        return true
    }

    /// The name of the outermost cell, and what follows `.emitterCells.`.
    private static func parts(of path: Substring) -> (name: Substring, rest: Substring?) {
        guard let dot = path.firstIndex(of: ".") else { return (path, nil) }
        let rest = path[path.index(after: dot)...]
        let key = LayerProperty.emitterCells.key + "."
        guard rest.hasPrefix(key) else { return (path, nil) }
        return (path[..<dot], rest.dropFirst(key.count))
    }
}
