import RenderServer

/// A file for what happened when, as `--trace` asks for one.
struct TraceOutput {
    static let flag = Flag(
        "trace", value: "FILE",
        "Write what happened when, as Chrome trace JSON: ui.perfetto.dev opens it; - is stdout.")

    let trace = FrameTrace()
    let file: OutputFile

    /// Nil without the flag.
    init?(_ arguments: Arguments) throws {
        guard arguments.isSet("trace") else { return nil }
        file = OutputFile(try arguments.required("trace"))
    }

    func write() throws { try file.write(trace.json) }
}
