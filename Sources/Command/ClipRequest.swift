import LayerModel
import Rostrum

/// Which frames of a scene a clip has, and how it is written, as the command line asks for them.
struct ClipRequest {
    let destination: ClipDestination
    let times: FrameTimes

    static let flags = [
        Flag("from", value: "T", "A clip's first moment, in seconds from the scene's start. Default 0."),
        Flag("to", value: "T", "A clip's end, in seconds from the scene's start: frames before it are drawn."),
        Flag("duration", value: "S", "How long a clip is, in seconds, instead of --to."),
        Flag(
            "fps", value: "N",
            "Frames a second, 29.97 and 30000/1001 too. Default 60, of a GIF 50."),
        Flag(
            "frames", value: "A-B[/N]",
            "Only the frames A to B, counted from 0 at --from; with /N every Nth of them.\nOne number is one frame."),
        Flag(
            "format", value: "F",
            "What to write where the file's ending does not say it:\n"
                + ClipFormat.allCases.map(\.rawValue).joined(separator: ", ") + "."),
        Flag("quality", value: "Q", "0 (small) to 100 (good), of .mp4, .webm and .avif (default 70) and .webp (80)."),
        Flag("lossless", "Keep every level: .webp, and .mp4 as RGB, which fewer players know. PNG always does."),
        Flag("overwrite", letter: "y", "Replace files of a sequence that are there already. Others are never touched."),
        Flag(
            "jobs", letter: "j", value: "N",
            "Threads that prepare frames for the file. The bytes don't depend on it."),
        Flag(
            "progress", value: "MODE",
            "How a clip says on stderr how far it is: bar, lines (key=value), none or auto:\na bar on a terminal, lines elsewhere."
        ),
        Flag("quiet", letter: "q", "Don't say how far a clip is."),
    ]

    /// True where a clip is asked for, not a picture.
    static func isClip(_ arguments: Arguments) -> Bool {
        let onlyClips = [
            "from", "to", "duration", "fps", "frames", "format", "quality", "lossless", "overwrite", "jobs",
        ]
        if onlyClips.contains(where: arguments.isSet) { return true }
        guard let path = arguments.text("output"), let format = ClipFormat(path: path) else { return false }
        return format != .pngSequence || path.hasSuffix("/") || path.split(separator: "/").last?.contains("%") == true
    }

    /// - Throws: `CommandFailure` with code `usage` or `limit`.
    init(_ arguments: Arguments) throws {
        let path = try arguments.required("output")
        var options = ClipOptions(
            quality: try arguments.integer("quality", in: 0...100), isLossless: arguments.isSet("lossless"),
            replacesSequence: arguments.isSet("overwrite"), jobs: try arguments.integer("jobs", in: 1...64))
        if let name = try arguments.choice("format", of: ClipFormat.allCases.map(\.rawValue) + ["raw"]) {
            options.format = name == "raw" ? .bgra : ClipFormat(rawValue: name)
        }
        guard path != "-" || options.format != nil else {
            throw CommandFailure.usage(
                "-o - does not say what to write", help: "add --format y4m, --format apng or --format bgra")
        }
        if arguments.isSet("time") {
            throw CommandFailure.usage("--time is the moment of a picture", help: "a clip begins at --from")
        }
        destination = try CommandFailure.explaining { try ClipDestination(path, options) }
        times = try Self.times(arguments, destination.format)
        try CommandFailure.explaining { try destination.check(times.playRate) }
    }

    /// Refuses a canvas that the format can't hold.
    func check(_ pixels: PixelSize) throws {
        try CommandFailure.explaining {
            try destination.check(
                ClipShape(width: pixels.width, height: pixels.height, rate: times.playRate, count: times.count))
        }
    }

    private static func times(_ arguments: Arguments, _ format: ClipFormat) throws -> FrameTimes {
        let start = try arguments.number("from", from: 0) ?? 0
        let end = try arguments.number("to")
        let duration = try arguments.number("duration", above: 0)
        let rate = try rate(arguments) ?? (format == .gif ? 50 : 60)
        if let text = arguments.text("frames") {
            guard end == nil, duration == nil else {
                throw CommandFailure.usage(
                    "--frames says which frames, and so do --to and --duration", help: "leave one of them out")
            }
            guard let (first, last, step) = range(text) else {
                throw arguments.bad("frames", "must be A-B, A-B/N or one number, such as 0-59/2, not \"\(text)\"")
            }
            return try CommandFailure.explaining {
                try FrameTimes(from: start, frames: first, through: last, step: step, rate)
            }
        }
        guard end == nil || duration == nil else {
            throw CommandFailure.usage(
                "--to and --duration both say where the clip ends", help: "leave one of them out")
        }
        guard let end = end ?? duration.map({ start + $0 }) else {
            throw CommandFailure.usage(
                "how long is the clip?", help: "add --to T, --duration S or --frames A-B")
        }
        return try CommandFailure.explaining { try FrameTimes(from: start, to: end, rate) }
    }

    private static func rate(_ arguments: Arguments) throws -> FrameRate? {
        guard let text = arguments.text("fps") else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let numerator = Int(parts[0]), let denominator = Int(parts[1]) {
            return try CommandFailure.explaining { try FrameRate(numerator, over: denominator) }
        }
        guard let number = Double(text), number.isFinite else {
            throw arguments.bad("fps", "must be a number or a fraction, such as 60 or 30000/1001, not \"\(text)\"")
        }
        return try CommandFailure.explaining { try FrameRate(number) }
    }

    /// `30`, `0-59`, `0-59/2`; nil for anything else.
    private static func range(_ text: String) -> (first: Int, last: Int, step: Int)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, ends.count <= 2, let first = Int(ends[0]), let last = Int(ends[ends.count - 1]),
            let step = parts.count == 2 ? Int(parts[1]) : 1
        else { return nil }
        return (first, last, step)
    }
}
