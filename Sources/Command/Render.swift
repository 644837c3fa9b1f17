import CAML
import LayerModel
import LayerRender
import LayerWire
import Quartz2D
import Rostrum

extension Verb {
    static let render = Verb(
        "render", "Draw a scene into a PNG file.",
        operands: ["SCENE"],
        flags: [Flag("output", letter: "o", value: "FILE", "The PNG file to write; - is stdout. Needed.")]
            + SceneCanvas.flags + [
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
            ] + RenderingChoices.flags + [.json],
        notes: """
            SCENE is a .ca bundle, a zip of one, a wallpaper (.tendies), a .caml file or a JSON scene; - is stdin.
            The file holds straight alpha in sRGB and is replaced only when it is whole. What of the scene is not
            drawn is said on stderr with file, line and column.
            """,
        examples: [
            Example(
                "rostrum render Scene.ca -o scene.png",
                "Draws a bundle at one pixel a point, transparent where nothing is."),
            Example(
                "rostrum render Scene.ca -o scene.png --scale 2 --background white",
                "For a screen of two pixels a point, on white."),
            Example(
                "make-scene | rostrum render - -o - > scene.png",
                "From a program that writes a JSON scene, through pipes."),
            Example(
                "rostrum render Scene.ca -o scene.png --timings - --sync-passes", "Also prints what each pass took."),
            Example(
                "rostrum render Scene.ca -o scene.png --overlay offscreen", "Colours yellow what went offscreen."),
            Example(
                "rostrum render Scene.ca -o scene.png --budget passes=3,offscreen-pixels=200k",
                "Fails with exit code 1 where the scene takes more."),
        ]
    ) { try Render($0).run() }
}

/// One run of `rostrum render`.
private struct Render {
    let arguments: Arguments
    let picture: OutputFile
    let timings: OutputFile?
    let plan: OutputFile?
    let budget: FrameBudget
    let overlay: FrameOverlay?
    let trace: TraceOutput?
    let server: HeadlessDisplay.Server
    let seconds: Double?

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        picture = OutputFile(try arguments.required("output"))
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
            [picture, timings, plan, trace?.file].compactMap { $0 }.filter(\.isStandardOutput).count
            + (arguments.isSet("json") ? 1 : 0)
        guard toStandardOutput <= 1 else {
            throw CommandFailure.usage(
                "-o -, --timings -, --plan -, --trace - and --json all want stdout",
                help: "give all but one of them a file")
        }
        server = try Self.server(arguments)
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

    func run() throws -> ExitCode {
        let deadline = seconds.map { Deadline(seconds: $0, for: "picture") }
        let witness = FrameWitness()
        var configuration = try RenderingChoices.configuration(arguments)
        configuration.recordsDrawings = overlay != nil
        configuration.observeFrame = { witness.see($0, $1) }
        configuration.trace = trace?.trace
        EmbeddedServer.configuration = configuration
        for output in [picture, timings, plan, trace?.file] { try output?.check() }
        let canvas = try SceneCanvas(arguments.operands[0], arguments)
        let display = try CommandFailure.explaining {
            try HeadlessDisplay(
                width: canvas.size.width, height: canvas.size.height, scale: CGFloat(canvas.scale),
                background: CGColor(canvas.background), server: server)
        }
        canvas.show(under: display.rootLayer)
        let frame = try CommandFailure.explaining { try capture(display, at: canvas.time) }
        let image = try overlaid(CommandFailure.explaining { try display.image(of: frame) }, witness.plan)
        deadline?.lift()
        try write(image, frame.reply)
        if arguments.isSet("json") { try Console.result(summary(canvas, frame.reply).line + "\n") }
        return FrameBudget.exitCode(witness.account.map(budget.breaches) ?? [])
    }

    /// The picture with the colours of the overlay, where one is asked for.
    private func overlaid(_ image: CGImage, _ plan: FramePlan?) -> CGImage {
        guard let overlay, let plan else { return image }
        var content = image.content
        var bytes = content.pixels.withBytes { [UInt8]($0) }
        bytes.withUnsafeMutableBytes { overlay.tint($0, bytesPerRow: content.bytesPerRow, of: plan) }
        content.pixels = PixelStorage(bytes)
        return CGImage(content)
    }

    /// A frame; what single layers were asked to do and could not is warned about, what spoils the frame is thrown.
    private func capture(_ display: HeadlessDisplay, at time: Double) throws -> CapturedFrame {
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
            for fault in faults { Console.warn("\(fault)") }
            frame = try display.capture(at: time, options)
        }
        let degradations = frame.reply.degradations
        if arguments.isSet("strict"), let first = degradations.first {
            throw CommandFailure(.limit, first, help: "without --strict this is a warning")
        }
        for degradation in degradations { Console.warn(degradation) }
        return frame
    }

    private func write(_ image: CGImage, _ reply: FrameReply) throws {
        let bytes: [UInt8]
        do {
            bytes = try image.pngData()
        } catch {
            throw CommandFailure(
                .limit, "the picture can't be packed: \(error)", help: "choose a smaller --size or --scale")
        }
        try picture.write(bytes)
        try timings?.write(PassTable.lines(reply, frame: 0))
        try trace?.write()
        try plan?.write(reply.plan)
    }

    private func summary(_ canvas: SceneCanvas, _ reply: FrameReply) -> JSONText {
        .object([
            ("output", .string(picture.path)), ("width", .integer(Int(reply.width))),
            ("height", .integer(Int(reply.height))), ("scale", .number(canvas.scale)), ("time", .number(reply.time)),
            ("passes", .integer(Int(reply.passesDrawn))), ("plan_ns", .unsigned(reply.planNanoseconds)),
            ("draw_ns", .unsigned(reply.drawNanoseconds)),
            ("warnings", .array(canvas.document.warnings.map(Self.json))),
            ("warning_count", .integer(canvas.document.warningCount)),
            ("degradations", .array(reply.degradations.map { .string($0) })),
        ])
    }

    private static func json(_ warning: SceneWarning) -> JSONText {
        .object([
            ("file", .string(warning.file)), ("line", .integer(warning.line)), ("column", .integer(warning.column)),
            ("message", .string(warning.message)),
        ])
    }
}

extension LayerFault {
    /// The server refused a commit: nothing of it shows.
    fileprivate var isServers: Bool { key == "server" || key == "limit" }
}
