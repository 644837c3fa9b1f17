// Draws a clip's frames and hands them to a pipeline. Frames stay where the server put them: the memory is lent until the last
// writer has looked at it, and given back before the next frame is asked for. Where the server lends too few, they are copied.
//
// A frame that the server says is unchanged is the last one again: nothing is drawn, read or converted for it. That holds only
// while nobody else has taken a picture of the display in between.

import CLinux
import CoreAnimation
import Foundation
import LayerWire

/// What a recording asks others on its way.
package struct RecordingHooks {
    /// Hears where the clip is made until it is whole.
    package var begun: ((_ draft: String) -> Void)?
    /// Called before a frame with its index and its time, while the clock still shows the time of the frame before.
    package var update: ((Int, CFTimeInterval) throws -> Void)?
    /// Takes a frame with its pixels; nil asks for nothing else.
    package var capture: ((CFTimeInterval) throws -> CapturedFrame)?
    /// Sees each frame; may put other pixels in its place.
    package var frame: ((Int, FrameReply, ClipPixels) throws -> ClipPixels?)?
    /// Called after each frame, and several times a second while the encoder is waited for.
    package var progress: ((ClipProgress) throws -> Void)?

    package init() {}
}

final class ClipRecording {
    private let display: HeadlessDisplay
    private let times: FrameTimes
    private let hooks: RecordingHooks
    private let writer: any ClipWriter
    private let pipeline: ClipPipeline
    private let copies: Bool
    private let started = clinux_monotonic_nanoseconds()
    private let returned = ReturnedFrames()

    private var rendered = 0
    private var repeated = 0
    /// What the server gave last, and what the clip got, which is something else where a hook made it so.
    private var lastCaptured: ClipPixels?
    private var last: ClipPixels?
    private var lastCapture = (session: 0, frame: 0)

    init(_ display: HeadlessDisplay, _ times: FrameTimes, _ writer: any ClipWriter, jobs: Int?, _ hooks: RecordingHooks)
        throws
    {
        self.display = display
        self.times = times
        self.hooks = hooks
        self.writer = writer
        if let draft = writer.draft { hooks.begun?(draft) }
        let jobs = jobs ?? ClipPipeline.usualJobs
        let limits = display.serverLimits
        let frameBytes = max(display.pixelWidth * display.pixelHeight * 4, 1)
        // One is being drawn, one is the last frame of what the pipeline's first is compared with.
        let lent = min(Int(limits.frames), Int(clamping: limits.imageBytes) / frameBytes) - 2
        copies = lent < 2
        pipeline = try ClipPipeline(writer, jobs: jobs, depth: min(jobs + 2, copies ? 4 : lent))
    }

    /// Draws and writes every frame.
    func run() throws {
        do {
            for index in 0..<times.count { try draw(index) }
            try pipeline.finish(whileWaiting: sayProgress)
            try sayProgress()
        } catch {
            pipeline.abandon()
            end()
            throw error
        }
        end()
    }

    private func end() {
        (last, lastCaptured) = (nil, nil)
        giveBack()
    }

    func summary(_ path: String, _ format: ClipFormat) -> ClipSummary {
        ClipSummary(
            path: path, format: format, width: display.pixelWidth, height: display.pixelHeight, rate: times.playRate,
            frameCount: times.count, repeatedFrames: repeated,
            firstFrameThatLostAlpha: format.keepsAlpha ? nil : pipeline.transparentFrame.map(times.number),
            warnings: writer.warnings)
    }

    private func draw(_ index: Int) throws {
        try Task.checkCancellation()
        let time = times.time(index)
        if let update = hooks.update { try display.perform { try update(index, time) } }
        giveBack()
        let frame = try hooks.capture?(time) ?? display.capture(at: time, .pixels)
        let pixels = try self.pixels(of: frame)
        lastCaptured = pixels
        let clipFrame = ClipFrame(
            index: index, number: times.number(index),
            pixels: try hooks.frame?(index, frame.reply, pixels) ?? pixels, previous: last)
        if clipFrame.isRepeated { repeated += 1 }
        rendered += 1
        last = clipFrame.pixels
        try pipeline.submit(clipFrame, whileWaiting: sayProgress)
        try sayProgress()
    }

    /// Where a frame's pixels lie; those of the last frame where nothing changed since.
    private func pixels(of frame: CapturedFrame) throws -> ClipPixels {
        let capture = display.lastCapture
        defer { lastCapture = capture }
        guard let buffer = frame.buffer else { throw DisplayError.server("the server sent no pixels") }
        let follows = capture == (lastCapture.session, lastCapture.frame + 1)
        if frame.reply.isUnchanged, follows, let lastCaptured {
            display.release([buffer], of: capture.session)
            return lastCaptured
        }
        let bytes = UnsafeRawBufferPointer(start: buffer.memory, count: buffer.count)
        let rowBytes = Int(frame.reply.bytesPerRow)
        guard !copies else {
            defer { display.release([buffer], of: capture.session) }
            return ClipPixels(copying: bytes, bytesPerRow: rowBytes)
        }
        return ClipPixels(bytes, bytesPerRow: rowBytes) { [returned] in returned.put(buffer, capture.session) }
    }

    private func giveBack() {
        for (buffer, session) in returned.takeAll() { display.release([buffer], of: session) }
    }

    private func sayProgress() throws {
        try hooks.progress?(
            ClipProgress(
                rendered: rendered, repeated: repeated, encoded: pipeline.written, total: times.count,
                elapsed: Double(clinux_monotonic_nanoseconds() - started) / 1e9))
    }
}

/// Frames' memory that nobody reads any more. The connection belongs to the recording's thread, so it is kept until that comes by.
private final class ReturnedFrames: @unchecked Sendable {
    private let lock = NSLock()
    private var buffers: [(FrameBuffer, Int)] = []

    func put(_ buffer: FrameBuffer, _ session: Int) { lock.withLock { buffers.append((buffer, session)) } }

    func takeAll() -> [(FrameBuffer, Int)] {
        lock.withLock {
            defer { buffers.removeAll(keepingCapacity: true) }
            return buffers
        }
    }
}
