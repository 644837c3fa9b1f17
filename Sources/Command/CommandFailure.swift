/// What a run of the command ends with. Scripts rely on the numbers: docs/command-line.md, "Exit codes".
enum ExitCode: Int32, Sendable {
    case done = 0
    /// A comparison found a difference, a frame is over its budget, or a scene has errors.
    case differs = 1
    /// The command line is not right.
    case usage = 2
    /// A file that was given can't be read as what it should be.
    case badInput = 3
    /// The machine: no driver, no server at the socket, a folder that can't be written to.
    case environment = 4
    case timeout = 5
    /// Larger or more than is allowed.
    case limit = 6
    case hungUp = 129
    case interrupted = 130
    case terminated = 143
}

/// Why a verb can't do what it was asked to: the two lines that people read, and the number that scripts read.
struct CommandFailure: Error, Sendable {
    var code: ExitCode
    /// What is wrong, with the place in round brackets where there is one.
    var message: String
    /// What to do about it.
    var help: String?

    init(_ code: ExitCode, _ message: String, help: String? = nil) {
        self.code = code
        self.message = message
        self.help = help
    }

    static func usage(_ message: String, help: String? = nil) -> CommandFailure {
        CommandFailure(.usage, message, help: help)
    }

    /// `error: …` and `help: …`, a line each.
    var text: String {
        "error: \(message)\n" + (help.map { "help: \($0)\n" } ?? "")
    }
}
