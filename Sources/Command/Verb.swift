/// A flag that a verb takes.
struct Flag: Sendable {
    /// Without the dashes.
    var name: String
    /// One letter, for `-o`.
    var letter: Character?
    /// What stands for the value in the help; nil for a switch, which has none.
    var value: String?
    var help: String

    init(_ name: String, letter: Character? = nil, value: String? = nil, _ help: String) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
    }

    /// `-o, --output FILE`
    var spelling: String {
        (letter.map { "-\($0), " } ?? "    ") + "--\(name)" + (value.map { " \($0)" } ?? "")
    }

    static let json = Flag("json", "Write the result to stdout as JSON.")
    static let help = Flag("help", letter: "h", "Show this help.")
}

/// A line of the help that can be typed as it stands, and what it does.
struct Example: Sendable {
    var line: String
    var meaning: String

    init(_ line: String, _ meaning: String) {
        self.line = line
        self.meaning = meaning
    }
}

/// One thing that `rostrum` can do. The table of them all: `Verb.all`.
struct Verb: Sendable {
    var name: String
    /// One line for the list of verbs.
    var summary: String
    /// Names of what stands without a flag, in order. `[NAME]` may be left out, `NAME…` may come more than once.
    var operands: [String]
    var flags: [Flag]
    var examples: [Example]
    /// Paragraphs between the flags and the examples.
    var notes: String
    var run: @Sendable (Arguments) throws -> ExitCode

    init(
        _ name: String, _ summary: String, operands: [String] = [], flags: [Flag] = [], notes: String = "",
        examples: [Example], run: @escaping @Sendable (Arguments) throws -> ExitCode
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.flags = flags
        self.notes = notes
        self.examples = examples
        self.run = run
    }

    /// What `--help` shows.
    var help: String {
        var text = "\(summary)\n\nUsage: rostrum \(name)"
        for operand in operands { text += " \(operand)" }
        text += " [flags]\n\nFlags:\n"
        let shown = flags + [.help]
        let width = shown.map(\.spelling.count).max() ?? 0
        for flag in shown {
            let lines = flag.help.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                let left = index == 0 ? flag.spelling : ""
                text += "  " + left + String(repeating: " ", count: width + 2 - left.count) + line + "\n"
            }
        }
        if !notes.isEmpty { text += "\n\(notes)\n" }
        text += "\nExamples:\n"
        for example in examples { text += "  \(example.line)\n      \(example.meaning)\n" }
        return text
    }
}
