import LayerWire

/// What a frame's commits and passes took, as lines of JSON: docs/command-line.md, "Timings".
enum PassTable {
    /// A line a commit that the frame shows first, then a line a pass.
    static func lines(_ reply: FrameReply, frame: Int) -> String {
        reply.commits.map { json($0, frame: frame).line + "\n" }.joined() + lines(reply.passes, frame: frame)
    }

    private static func json(_ row: CommitRow, frame: Int) -> JSONText {
        .object([
            ("frame", .integer(frame)), ("commit", .integer(Int(row.serial))), ("bytes", .unsigned(row.bytes)),
            ("pixel_bytes", .unsigned(row.pixelBytes)), ("layout_ns", .optional(row.layout)),
            ("display_ns", .optional(row.display)), ("decode_ns", .optional(row.decode)),
            ("encode_ns", .optional(row.encode)), ("wire_ns", .optional(row.wire)),
            ("latch_ns", .unsigned(row.latch)), ("upload_ns", .unsigned(row.upload)),
            ("apply_ns", .unsigned(row.apply)),
        ])
    }

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
