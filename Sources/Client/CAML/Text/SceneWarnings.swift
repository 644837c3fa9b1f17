/// The warnings of one load, and the errors that it went on after.
package final class SceneWarnings {
    package private(set) var list: [SceneWarning] = []
    /// All of them, with those that `list` has no room for.
    package private(set) var count = 0
    private let limit: Int
    /// The first is the one that is thrown.
    package private(set) var errors: [SceneError] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// A warning at a byte of a file.
    package func add(_ text: SourceText, at offset: Int, _ message: @autoclosure () -> String) {
        count += 1
        guard list.count < limit else { return }
        let (line, column) = text.position(at: offset)
        list.append(SceneWarning(file: text.file, line: line, column: column, message: message()))
    }

    /// A warning at a known place; line 0 is the file as a whole.
    package func add(file: String, line: Int = 0, column: Int = 0, _ message: String) {
        count += 1
        guard list.count < limit else { return }
        list.append(SceneWarning(file: file, line: line, column: column, message: message))
    }

    /// Keeps an error.
    ///
    /// - Returns: False where there are enough.
    package func add(_ error: SceneError) -> Bool {
        if !errors.contains(error) { errors.append(error) }
        return errors.count < max(limit, 1)
    }

    /// Puts the warnings of each file into the order of their places; files stay in the order in which they were read.
    package func sort() {
        var order: [String: Int] = [:]
        for warning in list where order[warning.file] == nil { order[warning.file] = order.count }
        let numbered = list.enumerated().sorted { a, b in
            (order[a.element.file] ?? 0, a.element.line, a.element.column, a.offset)
                < (order[b.element.file] ?? 0, b.element.line, b.element.column, b.offset)
        }
        list = numbered.map(\.element)
    }

    /// Throws the first warning as an error that says how many there are.
    package func throwFirst() throws {
        guard let first = list.first else { return }
        let rest = count == 1 ? "" : " (the first of \(count) warnings)"
        throw SceneError(
            file: first.file, line: first.line, column: first.column,
            message: first.message + rest + "; a strict load takes none")
    }
}
