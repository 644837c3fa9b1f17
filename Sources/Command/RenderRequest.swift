import CAML
import LayerModel
import LayerRender
import LayerWire
import Quartz2D
import RenderServer
import Rostrum

/// What a picture and a clip are asked for alike: who draws, and what is written down beside the output.
struct RenderRequest {
    let arguments: Arguments
    let timings: OutputFile?
    let plan: OutputFile?
    let budget: FrameBudget
    let overlay: FrameOverlay?
    let trace: TraceOutput?
    let server: HeadlessDisplay.Server
    let seconds: Double?
    let witness = FrameWitness()

    static let flags =
        [
            Flag("timings", value: "FILE", "Write what commits and passes took, a line of JSON each; - is stdout."),
            Flag("sync-passes", "Wait for the end of each pass, so that --timings are true on every driver."),
            TraceOutput.flag,
            FrameBudget.flag,
            FrameOverlay.flag,
            Flag("plan", value: "FILE", "Write what was drawn in which passes, as rostrum plan does; - is stdout."),
            Flag(
                "server", value: "SOCKET",
                "Have it drawn by the rostrum serve at this socket.\nDefault: ROSTRUM_SOCKET, else by this process."
            ),
            Flag("timeout", value: "S", "Give up after this many seconds."),
        ] + RenderingChoices.flags + [.json]

    /// - Parameter output: Where the result goes.
    init(_ arguments: Arguments, output: OutputFile) throws {
        self.arguments = arguments
        timings = try arguments.isSet("timings") ? OutputFile(arguments.required("timings")) : nil
        plan = try arguments.isSet("plan") ? OutputFile(arguments.required("plan")) : nil
        seconds = try arguments.number("timeout", above: 0)
        budget = try FrameBudget(arguments)
        overlay = try FrameOverlay(arguments)
        trace = try TraceOutput(arguments)
        if arguments.isSet("sync-passes"), timings == nil {
            throw CommandFailure.usage("--sync-passes is about --timings", help: "add --timings FILE, or leave it out")
        }
        let toStandardOutput =
            [output, timings, plan, trace?.file].compactMap { $0 }.filter(\.isStandardOutput).count
            + (arguments.isSet("json") ? 1 : 0)
        guard toStandardOutput <= 1 else {
            throw CommandFailure.usage(
                "-o -, --timings -, --plan -, --trace - and --json all want stdout",
                help: "give all but one of them a file")
        }
        server = try Self.server(arguments)
        try OutputFile.refuseSharing([OutputFile.Named("-o", output)] + besides, input: arguments.operands.first)
    }

    /// What is written beside the picture or the clip.
    private var besides: [OutputFile.Named?] {
        [
            timings.map { OutputFile.Named("--timings", $0) }, plan.map { OutputFile.Named("--plan", $0) },
            trace.map { OutputFile.Named("--trace", $0.file) },
        ]
    }

    /// - Throws: `CommandFailure` where something else is called like a picture of a sequence.
    func refuseSharing(_ output: OutputFile, as clip: ClipDestination) throws {
        guard clip.format == .pngSequence else { return }
        let names = try CommandFailure.explaining {
            try SequenceNames(output.path, isFolder: ClipDestination.isFolder(output.path))
        }
        try OutputFile.refuseSharing(besides, with: names)
    }

    /// Flags win over the environment; two flags that exclude each other are an error.
    private static func server(_ arguments: Arguments) throws -> HeadlessDisplay.Server {
        if arguments.isSet("server"), let name = ["overlay", "budget", "trace"].first(where: arguments.isSet) {
            throw CommandFailure.usage(
                "--\(name) looks at what this process draws, --server has another one draw",
                help: "leave one of them out")
        }
        let isOwn = ["device", "disable", "overlay", "budget", "trace"].contains(where: arguments.isSet)
        guard arguments.isSet("server") else { return isOwn ? .embedded : .automatic }
        guard !isOwn else {
            throw CommandFailure.usage(
                "--device and --disable say how this process draws, --server that another one does",
                help: "give them to rostrum serve")
        }
        return .socket(path: try arguments.required("server"))
    }

    /// How this process draws, where it does. Before the first display.
    func configure() throws {
        var configuration = try RenderingChoices.configuration(arguments)
        configuration.recordsDrawings = overlay != nil
        configuration.observeFrame = { [witness] in witness.see($0, $1) }
        configuration.trace = trace?.trace
        EmbeddedServer.configuration = configuration
    }

    /// A display that shows a canvas.
    ///
    /// - Parameter deadline: Waiting for the server ends with it; a signal ends it anyway.
    func display(_ canvas: SceneCanvas, until deadline: Deadline?) throws -> HeadlessDisplay {
        let display = try CommandFailure.explaining {
            try HeadlessDisplay(
                width: canvas.size.width, height: canvas.size.height, scale: CGFloat(canvas.scale),
                background: CGColor(canvas.background), server: server, observer: nil,
                isGivenUp: { Interruption.isRequested || deadline?.isOver == true })
        }
        canvas.show(under: display.rootLayer)
        return display
    }

    /// A frame; what single layers were asked to do and could not is warned about, what spoils the frame is thrown.
    ///
    /// - Parameter warn: Called with what is not drawn as it should be.
    func capture(
        _ display: HeadlessDisplay, at time: Double, warn: (String) -> Void = Console.warn
    ) throws -> CapturedFrame {
        var options: CaptureOptions = .pixels
        if timings != nil { options.insert(.timings) }
        if arguments.isSet("sync-passes") { options.insert(.synchronous) }
        if plan != nil { options.insert(.plan) }
        let frame: CapturedFrame
        do {
            frame = try display.capture(at: time, options)
        } catch {
            guard case .faults(let faults) = error, !arguments.isSet("strict"), !faults.contains(where: \.isServers)
            else {
                throw error
            }
            for fault in faults { warn("\(fault)") }
            frame = try display.capture(at: time, options)
        }
        let degradations = frame.reply.degradations
        if arguments.isSet("strict") { try ClientWarnings.shared.refuse() }
        if arguments.isSet("strict"), let first = degradations.first {
            throw CommandFailure(.limit, first, help: "without --strict this is a warning")
        }
        for degradation in degradations { warn(degradation) }
        return frame
    }

    /// The warnings about a scene as JSON, and what was said when it was drawn.
    ///
    /// - Parameter drawing: What single layers were asked to do and could not.
    static func warnings(_ document: SceneDocument, drawing: [String]) -> [(key: String, value: JSONText)] {
        [
            ("drawing_warnings", .array((drawing + ClientWarnings.shared.messages.sorted()).map { .string($0) })),
            (
                "warnings",
                .array(
                    document.warnings.map { warning in
                        .object([
                            ("file", .string(warning.file)), ("line", .integer(warning.line)),
                            ("column", .integer(warning.column)), ("message", .string(warning.message)),
                        ])
                    })
            ),
            ("warning_count", .integer(document.warningCount)),
        ]
    }
}

extension LayerFault {
    /// The server refused a commit: nothing of it shows.
    fileprivate var isServers: Bool { key == "server" || key == "limit" }
}
