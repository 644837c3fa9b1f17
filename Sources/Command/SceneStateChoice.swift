import CAML

/// The state of a scene, or the way from one to another, as the command line asks for it.
struct SceneStateChoice {
    private let isTransition: Bool
    private let text: String
    /// Nil is none; known once the scene is.
    private var from: String?
    private var to: String?

    /// Nil where no state is asked for.
    ///
    /// - Throws: `CommandFailure` with code `usage`.
    init?(_ arguments: Arguments) throws {
        isTransition = arguments.isSet("transition")
        if isTransition, arguments.isSet("state") {
            throw CommandFailure.usage(
                "--state and --transition exclude each other", help: "--transition FROM:TO ends in the state TO")
        }
        if isTransition {
            text = try arguments.required("transition")
            guard text.contains(":"), text != ":" else {
                throw arguments.bad("transition", "must be two states, FROM:TO, not \"\(text)\"")
            }
        } else if arguments.isSet("state") {
            text = try arguments.required("state")
            to = text
        } else {
            return nil
        }
    }

    /// The choice with the states that it means. A name may hold colons: of the ways to read FROM:TO the one counts of which the
    /// scene has both states.
    ///
    /// - Throws: `CommandFailure` that lists the states where one is not there, and the ways to read it where several are.
    func found(in document: SceneDocument, _ path: String) throws -> SceneStateChoice {
        let states = document.states
        func isThere(_ name: String) -> Bool { name.isEmpty || states.contains(name) }
        func missing(_ what: String, in flag: String) -> CommandFailure {
            let list = states.prefix(30).map { "\"\($0)\"" }.joined(separator: ", ") + (states.count > 30 ? ", …" : "")
            return CommandFailure.usage(
                "--\(flag): \(path) has no \(what)",
                help: states.isEmpty ? "the scene has no states at all; leave the flag out" : "its states are \(list)")
        }
        guard isTransition else {
            guard isThere(text) else { throw missing("state \"\(text)\"", in: "state") }
            return self
        }
        let readings = text.indices.filter { text[$0] == ":" }.map { colon in
            (from: String(text[..<colon]), to: String(text[text.index(after: colon)...]))
        }
        let possible = readings.filter { isThere($0.from) && isThere($0.to) }
        guard let reading = possible.first else {
            guard readings.count == 1 else { throw missing("two states that \"\(text)\" names", in: "transition") }
            let name = isThere(readings[0].from) ? readings[0].to : readings[0].from
            throw missing("state \"\(name)\"", in: "transition")
        }
        guard possible.count == 1 else {
            let ways = possible.map { "from \"\($0.from)\" to \"\($0.to)\"" }.joined(separator: ", or ")
            throw CommandFailure.usage(
                "--transition: \"\(text)\" may mean \(ways)", help: "give one of the states a name without a colon")
        }
        var choice = self
        choice.from = reading.from.isEmpty ? nil : reading.from
        choice.to = reading.to.isEmpty ? nil : reading.to
        return choice
    }

    /// The first commit shows it.
    func choose(in document: SceneDocument) {
        let controller = document.stateController
        guard isTransition else {
            controller.setState(to, transitionSpeed: 0)
            return
        }
        controller.setState(from, transitionSpeed: 0)
        controller.setState(to)
    }
}
