import LayerModel
import LayerRender
import LayerWire
import Quartz2D
import RenderServer

extension Verb {
    static let explain = Verb(
        "explain", "Say why a scene needs its passes, what each costs, and what would be cheaper.",
        operands: ["SCENE…"],
        flags: SceneCanvas.flags + [
            Flag("sync-passes", "Wait for the end of each pass, so that times are true on every driver."),
            FrameBudget.flag,
            Flag("output", letter: "o", value: "FILE", "Write the last frame, with --overlay, as a PNG file."),
            FrameOverlay.flag,
        ] + RenderingChoices.flags + [.json],
        notes: """
            Several scenes are consecutive commits of one session, a sixtieth of a second apart: the last frame is explained,
            and what each frame had to make anew is told. What costs most comes first; docs/explain.md lists the reasons.
            """,
        examples: [
            Example("rostrum explain Scene.ca", "Every pass, who asked for it, what it took, what to do about it."),
            Example("rostrum explain 1.json 2.json 3.json", "What is made anew from frame to frame, too."),
            Example(
                "rostrum explain Scene.ca --budget passes=1", "Fails where the scene goes offscreen, and says why."),
            Example(
                "rostrum explain Scene.ca --json | jq '.effects[] | .explanation, .advice[0]'",
                "The reasons, dearest first, each with what would help most."),
        ]
    ) { try Explain($0).run() }
}

/// One run of `rostrum explain`.
private struct Explain {
    let arguments: Arguments
    let budget: FrameBudget
    let picture: OutputFile?
    let overlay: FrameOverlay?

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        budget = try FrameBudget(arguments)
        overlay = try FrameOverlay(arguments)
        picture = try arguments.isSet("output") ? OutputFile(arguments.required("output")) : nil
        if overlay != nil, picture == nil {
            throw CommandFailure.usage("--overlay colors the picture of --output", help: "add -o FILE")
        }
        guard arguments.operands.count(where: { $0 == "-" }) <= 1 else {
            throw CommandFailure.usage("- is stdin, which can be read once", help: "give files for all scenes but one")
        }
        if picture?.isStandardOutput == true {
            throw CommandFailure.usage("explain writes its account to stdout", help: "give -o a file")
        }
    }

    /// The planner of a frame may go as deep as the tree does.
    func run() throws -> ExitCode { try PlanningThread.run(explain) }

    private func explain() throws -> ExitCode {
        let configuration = try RenderingChoices.configuration(arguments)
        try picture?.check()
        let canvases = try arguments.operands.map { try SceneCanvas($0, arguments) }
        let session = ExplainedSession(
            canvases[0], configuration, isSynchronous: arguments.isSet("sync-passes"))
        let frames = try session.frames(of: canvases)
        if let picture { try write(session, frames[frames.count - 1].plan, to: picture) }
        let report = ExplainedReport(frames: frames, scenes: arguments.operands, isDrawn: session.isDrawn)
        let breaches = budget.breaches(of: report.account)
        try Console.result(arguments.isSet("json") ? report.json(breaches).line + "\n" : report.text)
        return FrameBudget.exitCode(breaches)
    }

    private func write(_ session: ExplainedSession, _ plan: FramePlan, to picture: OutputFile) throws {
        var pixels = try session.pixels()
        let rowBytes = plan.size.width * 4
        if let overlay {
            pixels.withUnsafeMutableBytes { overlay.tint($0, bytesPerRow: rowBytes, of: plan) }
        }
        let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
        let image = CGImage(
            ImageContent(
                width: plan.size.width, height: plan.size.height, bytesPerRow: rowBytes, isOpaque: isOpaque,
                pixels: PixelStorage(pixels)))
        try picture.write(try CommandFailure.explaining { try image.pngData() })
    }
}
