import LayerWire

/// What the passes of a frame took, as lines of JSON: docs/command-line.md, "Timings".
enum PassTable {
    /// A line a pass.
    ///
    /// - Parameter frame: Counted from 0.
    static func lines(_ passes: [PassRow], frame: Int) -> String {
        passes.enumerated().map { json($0.element, frame: frame, pass: $0.offset + 1).line + "\n" }.joined()
    }

    static func json(_ row: PassRow, frame: Int, pass: Int) -> JSONText {
        .object([
            ("frame", .integer(frame)), ("pass", .integer(pass)), ("label", .string(row.label)),
            ("reason", .string(row.reason)), ("layer", .integer(Int(row.layer.rawValue))),
            ("width", .integer(Int(row.width))), ("height", .integer(Int(row.height))),
            ("quads", .integer(Int(row.quads))), ("draws", .integer(Int(row.draws))), ("pixels", .unsigned(row.pixels)),
            ("cpu_ns", .unsigned(row.cpuNanoseconds)), ("gpu_ns", .optional(row.gpuNanoseconds)),
        ])
    }
}
