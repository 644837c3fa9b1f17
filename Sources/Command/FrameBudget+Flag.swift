import CAML
import LayerRender

extension FrameBudget {
    static let flag = Flag(
        "budget", value: "LIST",
        "Fail with exit code 1 where the frame costs more: name=number with commas between.\nNames: "
            + Measure.allCases.map(\.rawValue).joined(separator: ", ") + ". 2M is 2,000,000.")

    /// What `--budget` says; without it, no limit.
    init(_ arguments: Arguments) throws {
        guard let text = arguments.text("budget") else {
            self.init()
            return
        }
        do throws(Fault) {
            try self.init(text)
        } catch {
            let names = Measure.allCases.map(\.rawValue)
            switch error {
            case .unknown(let name):
                let near = nearestSpelling(to: name, among: names)
                throw CommandFailure.usage(
                    "--budget names \"\(name)\", which is no measure",
                    help: near.map { "did you mean \($0)?" } ?? "they are: " + names.joined(separator: ", "))
            case .badNumber(let part):
                throw arguments.bad("budget", "must be name=number, such as offscreen-pixels=2M, not \"\(part)\"")
            case .twice(let name): throw arguments.bad("budget", "names \(name) twice")
            }
        }
    }

    /// Says on stderr what was broken, and by whom.
    static func exitCode(_ breaches: [Breach]) -> ExitCode {
        for breach in breaches { Console.say("error: \(breach.text)\n") }
        if !breaches.isEmpty { Console.say("help: rostrum explain SCENE says what each pass is for\n") }
        return breaches.isEmpty ? .done : .differs
    }
}

extension FrameOverlay {
    static let flag = Flag(
        "overlay", value: "NAME",
        "Color the picture as Instruments does: offscreen, blended, hits, misses, copied,\nmisaligned or updates.")

    /// What `--overlay` says; nil without it.
    init?(_ arguments: Arguments) throws {
        guard let name = try arguments.choice("overlay", of: Self.allCases.map(\.rawValue)) else { return nil }
        self.init(rawValue: name)
    }
}
