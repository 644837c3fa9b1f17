import CAML
import LayerModel
import LayerRender
import LayerWire
import Quartz2D
import Rostrum

extension Verb {
    static let render = Verb(
        "render", "Draw a scene into a PNG file or a clip.",
        operands: ["SCENE"],
        flags: [
            Flag(
                "output", letter: "o", value: "FILE",
                "The file to write; its ending says what: .png a picture, anything else a clip; - is stdout. Needed.")
        ] + SceneCanvas.flags + ClipRequest.flags + RenderRequest.flags,
        notes: """
            SCENE is a .ca bundle, a zip of one, a wallpaper (.tendies), a .caml file or a JSON scene; - is stdin.
            A picture holds straight alpha in sRGB. A clip is .mp4, .webm, .mov, .gif, .webp or .avif (by ffmpeg), .apng,
            .y4m or .bgra, or a PNG file a frame: frames/, frame-%05d.png. Files are replaced only when they are whole;
            Ctrl-C leaves nothing. What of the scene is not drawn is said on stderr with file, line and column.
            """,
        examples: [
            Example(
                "rostrum render Scene.ca -o scene.png",
                "Draws a bundle at one pixel a point, transparent where nothing is."),
            Example(
                "rostrum render Scene.ca -o scene.png --scale 2 --background white",
                "For a screen of two pixels a point, on white."),
            Example(
                "rostrum render Scene.ca -o scene.mp4 --to 2 --background white",
                "Two seconds at 60 frames a second."),
            Example(
                "rostrum render Scene.ca -o frames/ --fps 30 --frames 30-59",
                "The frames of the second second, as frames/00030.png to frames/00059.png."),
            Example(
                "make-scene | rostrum render - -o - > scene.png",
                "From a program that writes a JSON scene, through pipes."),
            Example(
                "rostrum render Scene.ca -o scene.png --timings - --sync-passes", "Also prints what each pass took."),
            Example(
                "rostrum render Scene.ca -o scene.png --overlay offscreen", "Colors yellow what went offscreen."),
            Example(
                "rostrum render Scene.ca -o scene.png --budget passes=3,offscreen-pixels=200k",
                "Fails with exit code 1 where the scene takes more."),
        ]
    ) { arguments in
        try ClipRequest.isClip(arguments) ? RenderClip(arguments).run() : Render(arguments).run()
    }
}

/// One run of `rostrum render` for a picture.
private struct Render {
    let request: RenderRequest
    let picture: OutputFile

    init(_ arguments: Arguments) throws {
        picture = OutputFile(try arguments.required("output"))
        request = try RenderRequest(arguments, output: picture)
    }

    func run() throws -> ExitCode {
        let deadline = request.seconds.map { Deadline(seconds: $0, for: "picture") }
        try request.configure()
        for output in [picture, request.timings, request.plan, request.trace?.file] { try output?.check() }
        let canvas = try SceneCanvas(request.arguments.operands[0], request.arguments)
        let display = try request.display(canvas, until: nil)
        var said: [String] = []
        let frame = try CommandFailure.explaining {
            try request.capture(display, at: canvas.time) { text in
                said.append(text)
                Console.warn(text)
            }
        }
        let image = try overlaid(CommandFailure.explaining { try display.image(of: frame) }, request.witness.plan)
        deadline?.lift()
        try write(image, frame.reply)
        if request.arguments.isSet("json") { try Console.result(summary(canvas, frame.reply, said).line + "\n") }
        return FrameBudget.exitCode(request.witness.account.map(request.budget.breaches) ?? [])
    }

    /// The picture with the colors of the overlay, where one is asked for.
    private func overlaid(_ image: CGImage, _ plan: FramePlan?) -> CGImage {
        guard let overlay = request.overlay, let plan else { return image }
        var content = image.content
        var bytes = content.pixels.withBytes { [UInt8]($0) }
        bytes.withUnsafeMutableBytes { overlay.tint($0, bytesPerRow: content.bytesPerRow, of: plan) }
        content.pixels = PixelStorage(bytes)
        return CGImage(content)
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
        try request.timings?.write(PassTable.lines(reply, frame: 0))
        try request.trace?.write()
        try request.plan?.write(reply.plan)
    }

    private func summary(_ canvas: SceneCanvas, _ reply: FrameReply, _ said: [String]) -> JSONText {
        let said = said.filter { !reply.degradations.contains($0) }
        return .object(
            [
                ("output", .string(picture.path)), ("width", .integer(Int(reply.width))),
                ("height", .integer(Int(reply.height))), ("scale", .number(canvas.scale)),
                ("time", .number(reply.time)),
                ("passes", .integer(Int(reply.passesDrawn))), ("plan_ns", .unsigned(reply.planNanoseconds)),
                ("draw_ns", .unsigned(reply.drawNanoseconds)),
            ] + RenderRequest.warnings(canvas.document, drawing: said)
                + [("degradations", .array(reply.degradations.map { .string($0) }))])
    }
}
