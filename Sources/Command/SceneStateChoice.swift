import CAML

/// The state of a scene, or the way from one to another, as the command line asks for it.
struct SceneStateChoice {
    private let flag: String
    /// Nil is none.
    private let from: String?
    private let to: String?
    private let names: [String]

    /// Nil where no state is asked for.
    ///
    /// - Throws: `CommandFailure` with code `usage`.
    init?(_ arguments: Arguments) throws {
        let isTransition = arguments.isSet("transition")
        if isTransition, arguments.isSet("state") {
            throw CommandFailure.usage(
                "--state and --transition exclude each other", help: "--transition FROM:TO ends in the state TO")
        }
        if isTransition {
            let text = try arguments.required("transition")
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, text != ":" else {
                throw arguments.bad("transition", "must be two states, FROM:TO, not \"\(text)\"")
            }
            flag = "transition"
            from = parts[0].isEmpty ? nil : parts[0]
            to = parts[1].isEmpty ? nil : parts[1]
            names = parts.filter { !$0.isEmpty }
        } else if arguments.isSet("state") {
            flag = "state"
            from = nil
            to = try arguments.required("state")
            names = [to].compactMap { $0 }
        } else {
            return nil
        }
    }

    /// - Throws: `CommandFailure` that lists the states where one is not there.
    func check(_ document: SceneDocument, _ path: String) throws {
        let states = document.states
        guard let missing = names.first(where: { !states.contains($0) }) else { return }
        let list = states.prefix(30).map { "\"\($0)\"" }.joined(separator: ", ") + (states.count > 30 ? ", …" : "")
        throw CommandFailure.usage(
            "--\(flag): \(path) has no state \"\(missing)\"",
            help: states.isEmpty ? "the scene has no states at all; leave the flag out" : "its states are \(list)")
    }

    /// The first commit shows it.
    func choose(in document: SceneDocument) {
        let controller = document.stateController
        guard flag == "transition" else {
            controller.setState(to, transitionSpeed: 0)
            return
        }
        controller.setState(from, transitionSpeed: 0)
        controller.setState(to)
    }
}
