import CAML
import Glibc
import LayerGPU
import LayerRender
import RenderServer
import Rostrum

/// How to render, from the environment and, above it, the flags.
enum RenderingChoices {
    static let flags = [
        Flag(
            "device", value: "D",
            "What draws: auto, device, device:N, gbm, gbm:/dev/dri/renderDN or surfaceless.\nDefault: ROSTRUM_DEVICE, else auto."
        ),
        disable,
    ]
    static let disable = Flag(
        "disable", value: "LIST",
        "Optimizations to leave out, with commas between, or all. Added to ROSTRUM_DISABLE.\nrostrum doctor lists them."
    )

    /// The configuration for a server of this process.
    ///
    /// - Throws: `CommandFailure` for names that are none.
    static func configuration(_ arguments: Arguments) throws -> RenderConfiguration {
        var configuration = EmbeddedServer.configuration
        configuration.switches = try switches(arguments)
        if let text = arguments.text("device") {
            do {
                configuration.device = try DeviceChoice(text)
            } catch {
                throw arguments.bad(
                    "device", "must be auto, device[:N], gbm[:/dev/dri/renderDN] or surfaceless, not \"\(text)\"")
            }
        } else {
            do {
                configuration.device = try DeviceChoice.fromEnvironment()
            } catch {
                throw CommandFailure(
                    .environment, "ROSTRUM_DEVICE: \(error)", help: "unset ROSTRUM_DEVICE, or set it to one of these")
            }
        }
        return configuration
    }

    /// The switches that are on. A name in `ROSTRUM_DISABLE` that is none is only warned about: it may be another version's.
    static func switches(_ arguments: Arguments) throws -> Switches {
        let fromEnvironment = Switches.disabling(environment("ROSTRUM_DISABLE") ?? "")
        for name in fromEnvironment.unknown {
            Console.warn("ROSTRUM_DISABLE names \"\(name)\", which is no switch; rostrum doctor lists them")
        }
        let fromFlag = Switches.disabling(arguments.text("disable") ?? "")
        if let name = fromFlag.unknown.first {
            let near = nearestSpelling(to: name, among: Switches.names.map(\.name))
            throw CommandFailure.usage(
                "--disable names \"\(name)\", which is no switch",
                help: near.map { "did you mean \($0)?" } ?? "they are: "
                    + Switches.names.map(\.name).joined(separator: ", "))
        }
        return fromEnvironment.switches.intersection(fromFlag.switches)
    }
}

/// The value of a variable of the environment; nil where it is unset or empty.
func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
}
