import CAML
import Glibc

/// From the words of a command line to an exit code.
enum CommandLineTool {
    /// Runs the verb that the words begin with; says on stderr what went wrong.
    static func run(_ words: [String]) -> ExitCode {
        do {
            return try dispatch(words)
        } catch let failure as CommandFailure {
            Console.say(failure.text)
            return failure.code
        } catch {
            Console.say(CommandFailure(.environment, "\(error)").text)
            return .environment
        }
    }

    private static func dispatch(_ words: [String]) throws -> ExitCode {
        guard let word = words.first else {
            Console.say(overview)
            return .usage
        }
        switch word {
        case "help", "--help", "-h": return try help(words.dropFirst().first)
        case "--version": return try run(verb(named: "version"), Array(words.dropFirst()))
        default: return try run(verb(named: word), Array(words.dropFirst()))
        }
    }

    private static func run(_ verb: Verb, _ words: [String]) throws -> ExitCode {
        // Whoever asks for help gets it, whatever else is wrong with the line.
        let flags = words.prefix { $0 != "--" }
        if flags.contains("--help") || flags.contains("-h") { return try help(verb.name) }
        return try verb.run(Arguments(words, for: verb))
    }

    private static func help(_ name: String?) throws -> ExitCode {
        try Console.result(name.map { try verb(named: $0).help } ?? overview)
        return .done
    }

    private static func verb(named name: String) throws -> Verb {
        if let verb = Verb.all.first(where: { $0.name == name }) { return verb }
        let what = name.hasPrefix("-") ? "rostrum has no flag \(name)" : "there is no verb \"\(name)\""
        let near = nearestSpelling(to: name, among: Verb.all.map(\.name) + ["help"])
        throw CommandFailure.usage(
            what, help: near.map { "did you mean rostrum \($0)?" } ?? "all verbs: rostrum --help")
    }

    /// What `rostrum --help` shows.
    static var overview: String {
        let width = (Verb.all.map(\.name.count).max() ?? 0) + 2
        var text = "rostrum: Core Animation for Linux servers.\n\nUsage: rostrum VERB [arguments]\n\nVerbs:\n"
        for verb in Verb.all {
            text += "  " + verb.name + String(repeating: " ", count: width - verb.name.count) + verb.summary + "\n"
        }
        text += """

            Examples:
              rostrum render Scene.ca -o scene.png --scale 2
              rostrum doctor
              rostrum render --help

            Exit codes: 0 done, 1 differs, 2 usage, 3 bad input, 4 environment, 5 timeout, 6 limit.

            """
        return text
    }
}
