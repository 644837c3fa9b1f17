import Quartz2D

extension ClientWarnings {
    /// For commands to which every warning is an error, after a commit.
    ///
    /// - Throws: What the layers found worth a word, the first of it in the order of the alphabet.
    func refuse() throws {
        guard let first = messages.min() else { return }
        let text = first.hasSuffix(".") ? String(first.dropLast()) : first
        throw CommandFailure(.badInput, text, help: "without --strict this is a warning")
    }
}
