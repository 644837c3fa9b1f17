import CoreAnimation
import LayerWire

extension HeadlessDisplay {
    /// Records a stretch of time as a clip: a movie, an animated picture, or a picture file a frame.
    ///
    ///     try display.record("card.mp4", from: 0, to: 2, fps: 60)
    ///     try display.record("frames/card-%04d.png", to: 2, fps: 30)
    ///
    /// Frame n shows what `snapshot(at: start + n / fps)` shows, to the byte; each frame's time is computed from n alone, so
    /// nothing drifts. A frame in which nothing changed is not drawn again. While a frame is encoded the next ones are drawn; a
    /// few frames at a time are in memory, however long the clip is. The file appears when it is whole: whatever goes wrong
    /// before leaves no part of it, and what was at the path stays.
    ///
    /// - Parameters:
    ///   - path: Where the clip goes. Its ending says the format: `ClipFormat`.
    ///   - start: Seconds of the display's clock, not before `currentTime`; nil is `currentTime`.
    ///   - end: Seconds. Frames that begin before it are shown: from 0 to 2 at 60 frames a second has 120.
    ///   - fps: Frames a second; 29.97 and its kin are the broadcast rates.
    ///   - options: The format, where the path's ending does not say it, and how good, how many threads.
    ///   - update: Called before each frame with its index and its time, for what moves without an animation. It may change layers. The clock
    ///     still shows the frame before.
    ///   - progress: Called after each frame, and several times a second while the encoder is waited for, on this thread. What it
    ///     throws gives the clip up.
    /// - Returns: What was written.
    /// - Throws: `ClipError`; `DisplayError` as `snapshot` does; `CancellationError` in a task that is cancelled; what `update` and
    ///   `progress` throw.
    ///
    /// The clock is at the last frame's time afterwards, also after an error. `mp4`, `webm`, `mov`, `gif`, `webp` and `avif`
    /// need ffmpeg on PATH, or where `ROSTRUM_FFMPEG` says: `apt-get install ffmpeg`.
    @discardableResult
    public func record(
        _ path: String, from start: CFTimeInterval? = nil, to end: CFTimeInterval, fps: FrameRate = 60,
        options: ClipOptions = ClipOptions(), update: ((_ frame: Int, _ time: CFTimeInterval) throws -> Void)? = nil,
        progress: ((ClipProgress) throws -> Void)? = nil
    ) throws -> ClipSummary {
        var hooks = RecordingHooks()
        hooks.update = update
        hooks.progress = progress
        return try record(
            FrameTimes(from: start ?? currentTime, to: end, fps), to: ClipDestination(path, options), hooks)
    }

    /// Records the frames of given times.
    package func record(
        _ times: FrameTimes, to destination: ClipDestination, _ hooks: RecordingHooks
    ) throws -> ClipSummary {
        guard clock.queue == nil else {
            throw ClipError.badTimes(
                "a display with a live clock can't be recorded: its time does not wait for frames; give it a manual clock"
            )
        }
        let now = currentTime
        guard times.time(0) >= now else { throw DisplayError.timeWentBack(from: now, to: times.time(0)) }
        let shape = ClipShape(width: pixelWidth, height: pixelHeight, rate: times.playRate, count: times.count)
        let writer = try destination.writer(shape, numbers: (0..<times.count).map(times.number))
        return try record(times, with: writer, jobs: destination.options.jobs, hooks)
            .summary(destination.path, destination.format)
    }

    /// Records with any writer.
    func record(
        _ times: FrameTimes, with writer: any ClipWriter, jobs: Int?, _ hooks: RecordingHooks
    ) throws -> ClipRecording {
        let recording: ClipRecording
        do {
            recording = try ClipRecording(self, times, writer, jobs: jobs, hooks)
        } catch {
            writer.abandon()
            throw error
        }
        try recording.run()
        return recording
    }
}
