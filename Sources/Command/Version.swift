import LayerWire
import RenderServer

extension Verb {
    static let version = Verb(
        "version", "Say which version this is.",
        flags: [.json],
        examples: [
            Example("rostrum version", "Prints the version and the versions of the wire protocol it speaks."),
            Example("rostrum version --json", "The same for a machine."),
        ]
    ) { arguments in
        let (oldest, newest) = (WireVersion.oldest, WireVersion.newest)
        if arguments.isSet("json") {
            let value = JSONText.object([
                ("version", .string(serverVersion)),
                ("protocol", .object([("oldest", .integer(Int(oldest))), ("newest", .integer(Int(newest)))])),
            ])
            try Console.result(value.line + "\n")
        } else {
            let range = oldest == newest ? "\(newest)" : "\(oldest) to \(newest)"
            try Console.result("rostrum \(serverVersion) (wire protocol \(range))\n")
        }
        return .done
    }
}
