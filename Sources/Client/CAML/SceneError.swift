/// A file that can't be read as a scene: what is wrong, where, and what would be right.
public struct SceneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file as the caller named it; inside an archive, the archive's name, a slash and the entry's name.
    public let file: String
    /// Counted from 1; 0 when the fault is the file as a whole.
    public let line: Int
    /// In characters, counted from 1; 0 when the fault is the file as a whole.
    public let column: Int
    /// What is wrong and what would be right.
    public let message: String

    package init(file: String, line: Int = 0, column: Int = 0, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// `file:line:column: message`
    public var description: String { sceneMessage(file: file, line: line, column: column, message: message) }
}

/// Something in a scene that is not drawn as it is written, or not at all.
public struct SceneWarning: Hashable, Sendable, CustomStringConvertible {
    /// The file as the caller named it; inside an archive, the archive's name, a slash and the entry's name.
    public let file: String
    /// Counted from 1; 0 when the warning is about the file as a whole.
    public let line: Int
    /// In characters, counted from 1; 0 when the warning is about the file as a whole.
    public let column: Int
    /// What is not drawn as it is written.
    public let message: String

    package init(file: String, line: Int = 0, column: Int = 0, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// `file:line:column: warning: message`
    public var description: String {
        sceneMessage(file: file, line: line, column: column, message: "warning: " + message)
    }
}

private func sceneMessage(file: String, line: Int, column: Int, message: String) -> String {
    line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)"
}
