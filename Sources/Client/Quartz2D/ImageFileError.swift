import Foundation

/// Why pixels could not be read, made or written: which file, what is wrong with it, what would be right.
public struct ImageFileError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// The file's path as it was given; `"image data"` for bytes without a file.
    public let file: String

    /// What is wrong, without the file's name.
    public let problem: String

    /// What would be right, or what to do. May be empty.
    public let expected: String

    /// An error of a reader or writer of the app's own.
    public init(file: String, problem: String, expected: String = "") {
        self.file = file
        self.problem = problem
        self.expected = expected
    }

    public var description: String {
        "\(file): \(problem)" + (expected.isEmpty ? "" : " (\(expected))")
    }

    /// The same as `description`.
    public var errorDescription: String? { description }

    /// The name that stands for bytes without a file.
    static let unnamed = "image data"
}
