import LayerModel
import LayerRender
import LayerWire
import Quartz2D
import Rostrum

/// One run of `rostrum render` for a clip.
struct RenderClip {
    private let request: RenderRequest
    private let clip: ClipRequest
    private let output: OutputFile
    private let progress: ProgressDisplay

    /// Frames over their budget of which the breaches are listed; the others are only counted.
    private static let listedFrames = 10

    init(_ arguments: Arguments) throws {
        output = OutputFile(try arguments.required("output"))
        request = try RenderRequest(arguments, output: output)
        clip = try ClipRequest(arguments)
        try request.refuseSharing(output, as: clip.destination)
        progress = try ProgressDisplay(arguments)
    }

    func run() throws -> ExitCode {
        let deadline = request.seconds.map { Deadline(seconds: $0, for: "clip") }
        try request.configure()
        let others = [request.timings, request.plan, request.trace?.file].compactMap { $0 }
        for output in others { try output.check() }
        let canvas = try SceneCanvas(request.arguments.operands[0], request.arguments)
        try clip.check(canvas.pixels)
        let display = try request.display(canvas, until: deadline)
        var recorder = FrameRecorder(request, progress, deadline)
        Interruption.wait()
        deadline?.watch()
        let summary: ClipSummary
        do {
            summary = try CommandFailure.explaining { try recorder.record(clip, display) }
        } catch {
            recorder.leave()
            Interruption.end()
            // What was given up for want of time says only that.
            try deadline?.check()
            throw error
        }
        deadline?.lift()
        try request.trace?.write()
        recorder.leave()
        Interruption.end()
        warn(about: summary)
        if request.arguments.isSet("json") {
            try Console.result(json(summary, canvas, recorder).line + "\n")
        }
        return exitCode(recorder)
    }

    private func warn(about summary: ClipSummary) {
        for warning in summary.warnings { Console.warn(warning) }
        if let frame = summary.firstFrameThatLostAlpha {
            Console.warn(
                "\(summary.format.rawValue) keeps no alpha, and frame \(frame) is not opaque: black shows through; "
                    + "--background gives it another color, .webm, .mov, .webp and .png keep alpha")
        }
    }

    private func exitCode(_ recorder: FrameRecorder) -> ExitCode {
        guard recorder.framesOverBudget > 0 else { return .done }
        for (frame, breaches) in recorder.breaches {
            for breach in breaches { Console.say("error: frame \(frame): \(breach.text)\n") }
        }
        let more = recorder.framesOverBudget - recorder.breaches.count
        if more > 0 { Console.say("error: \(more) more frames are over the budget\n") }
        Console.say("help: rostrum explain SCENE says what each pass is for\n")
        return .differs
    }

    private func json(_ summary: ClipSummary, _ canvas: SceneCanvas, _ recorder: FrameRecorder) -> JSONText {
        .object(
            [
                ("output", .string(summary.path)), ("format", .string(summary.format.rawValue)),
                ("width", .integer(summary.width)), ("height", .integer(summary.height)),
                ("scale", .number(canvas.scale)), ("fps", .string("\(summary.rate)")),
                ("frames", .integer(summary.frameCount)), ("repeated", .integer(summary.repeatedFrames)),
                ("first_time", .number(clip.times.time(0))),
                ("last_time", .number(clip.times.time(clip.times.count - 1))),
                ("seconds", .number(recorder.elapsed.rounded(to: 3))),
                ("lost_alpha_at", summary.firstFrameThatLostAlpha.map { .integer($0) } ?? .null),
            ] + RenderRequest.warnings(canvas.document, drawing: recorder.said.sorted())
                + [("clip_warnings", .array(summary.warnings.map { .string($0) }))])
    }

    /// What happens to the frames of a clip besides being encoded.
    private struct FrameRecorder {
        let request: RenderRequest
        private let deadline: Deadline?
        private var progress: ProgressDisplay
        private var state: ClipProgress?
        private(set) var said: Set<String> = []
        private(set) var breaches: [(frame: Int, breaches: [FrameBudget.Breach])] = []
        private(set) var framesOverBudget = 0

        var elapsed: Double { state?.elapsed ?? 0 }

        init(_ request: RenderRequest, _ progress: ProgressDisplay, _ deadline: Deadline?) {
            self.request = request
            self.deadline = deadline
            self.progress = progress
        }

        mutating func leave() { progress.leave() }

        mutating func record(_ clip: ClipRequest, _ display: HeadlessDisplay) throws -> ClipSummary {
            // What is written beside the clip is written on this thread: a reader that doesn't read is waited for here.
            let isGivenUp = { [deadline] in Interruption.isRequested || deadline?.isOver == true }
            let timings = try request.timings.map { try DraftFile($0.path, isGivenUp: isGivenUp) }
            let plan = try request.plan.map { try DraftFile($0.path, isGivenUp: isGivenUp) }
            var recorder = self
            defer { self = recorder }
            var hooks = RecordingHooks()
            hooks.begun = { Interruption.watch(draft: $0) }
            hooks.capture = { time in try recorder.capture(display, time) }
            hooks.frame = { index, reply, pixels in
                let number = clip.times.number(index)
                try timings?.append(PassTable.lines(reply, frame: number))
                try plan?.append(reply.plan)
                recorder.check(number, reply)
                return recorder.overlaid(pixels, reply)
            }
            hooks.progress = { try recorder.show($0) }
            let summary = try display.record(clip.times, to: clip.destination, hooks)
            Interruption.watch(draft: nil)
            try timings?.publish()
            try plan?.publish()
            if let state = recorder.state { recorder.progress.end(state) }
            return summary
        }

        private mutating func capture(_ display: HeadlessDisplay, _ time: Double) throws -> CapturedFrame {
            try request.capture(display, at: time) { text in
                // What is wrong with a frame is wrong with its neighbors.
                guard said.count < 100, said.insert(text).inserted else { return }
                progress.leave()
                Console.warn(text)
            }
        }

        private mutating func check(_ number: Int, _ reply: FrameReply) {
            guard request.arguments.isSet("budget"), !reply.isUnchanged, let account = request.witness.account else {
                return
            }
            let found = request.budget.breaches(of: account)
            guard !found.isEmpty else { return }
            framesOverBudget += 1
            if breaches.count < RenderClip.listedFrames { breaches.append((number, found)) }
        }

        /// The picture with the colors of the overlay; nil where none is asked for.
        private func overlaid(_ pixels: ClipPixels, _ reply: FrameReply) -> ClipPixels? {
            guard let overlay = request.overlay, let plan = request.witness.plan else { return nil }
            // Of a frame that was not drawn, nothing was drawn anew.
            guard !(overlay == .updates && reply.isUnchanged) else { return nil }
            var bytes = [UInt8](pixels.bytes)
            bytes.withUnsafeMutableBytes { overlay.tint($0, bytesPerRow: pixels.bytesPerRow, of: plan) }
            return ClipPixels(PixelStorage(bytes), bytesPerRow: pixels.bytesPerRow)
        }

        private mutating func show(_ state: ClipProgress) throws {
            self.state = state
            try Interruption.check()
            try deadline?.check()
            progress.show(state)
        }
    }
}
