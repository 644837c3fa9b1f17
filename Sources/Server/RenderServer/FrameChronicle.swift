// What the render thread writes down of commits and frames: rows for the frame that shows a commit first, the trace, missed
// deadlines.

import CLinux
import LayerGPU
import LayerModel
import LayerRender
import LayerWire

struct FrameChronicle {
    let trace: FrameTrace?
    private(set) var deadlines: FrameDeadlines?
    /// Commits that no frame has shown yet.
    private var waiting: [UInt32: [CommitRow]] = [:]
    /// Commits that a refresh has shown and no capture yet: a client hears of them with its next frame.
    private var refreshed: [UInt32: [CommitRow]] = [:]
    /// A client that commits and never captures does not fill the memory: the oldest rows go.
    private static let rowLimit = 256

    init(_ configuration: RenderConfiguration) {
        trace = configuration.trace
        deadlines = configuration.refresh.map { FrameDeadlines(refresh: $0) }
    }

    static var now: UInt64 { clinux_monotonic_nanoseconds() }

    mutating func close(_ session: UInt32) {
        waiting[session] = nil
        refreshed[session] = nil
    }

    /// When a commit was dealt with, applied or refused.
    mutating func noteCommit(
        _ session: UInt32, _ serial: UInt32, _ transaction: Transaction, _ arrival: CommitArrival, started: UInt64,
        upload: UInt64
    ) {
        let ended = Self.now
        var pixelBytes = 0
        for case .defineImage(_, let content) in transaction.ops { pixelBytes += content.byteCount }
        let sent = arrival.phases?.sent
        let row = CommitRow(
            serial: serial, bytes: UInt64(arrival.bytes), pixelBytes: UInt64(pixelBytes), phases: arrival.phases,
            // A client's clock is its own claim.
            wire: sent.flatMap { $0 <= arrival.decoded ? arrival.decoded - $0 : nil },
            latch: started - min(arrival.decoded, started), upload: upload,
            apply: ended - started - min(upload, ended - started))
        waiting[session, default: []].append(row)
        if waiting[session]!.count > Self.rowLimit { waiting[session]!.removeFirst() }
        guard let trace else { return }
        traceCommit(row, session, arrival, ops: transaction.ops.count, started, ended, trace)
    }

    private func traceCommit(
        _ row: CommitRow, _ session: UInt32, _ arrival: CommitArrival, ops: Int, _ started: UInt64, _ ended: UInt64,
        _ trace: FrameTrace
    ) {
        let details: [TraceEvent.Detail] = [
            .number("serial", Int(row.serial)), .number("bytes", arrival.bytes), .number("ops", ops),
            .number("pixel bytes", Int(clamping: row.pixelBytes)),
        ]
        let flow = FrameTrace.flow(session, row.serial)
        if let phases = arrival.phases, phases.sent <= arrival.decoded {
            // They are told as lengths; they came one after the other, the last one when the commit was sent.
            var end = phases.sent
            for (name, length) in [
                ("encode", phases.encode), ("display", phases.display), ("layout", phases.layout),
            ] where length > 0 && length <= end {
                trace.span(name, on: .client(session: session), from: end - length, to: end, details)
                if name == "encode" {
                    trace.flow(.flowStart(flow), on: .client(session: session), at: end - length)
                }
                end -= length
            }
            if phases.decode > 0, phases.decode <= end {
                trace.span("read image files", on: .decoding(session: session), from: end - phases.decode, to: end)
            }
        }
        let hasStart =
            arrival.phases.map { $0.encode > 0 && $0.encode <= $0.sent && $0.sent <= arrival.decoded } ?? false
        trace.span("decode commit", on: .wire, from: arrival.received, to: arrival.decoded, details)
        trace.flow(hasStart ? .flowStep(flow) : .flowStart(flow), on: .wire, at: arrival.received)
        trace.span("commit", on: .render, from: started, to: ended, details + [.number("session", Int(session))])
        trace.flow(.flowStep(flow), on: .render, at: started)
        if row.upload > 0 { trace.span("upload", on: .render, from: started, to: min(started + row.upload, ended)) }
    }

    /// What is noted of a frame when it is answered.
    struct FrameTimes {
        /// The message that asked for it was whole.
        var asked: UInt64
        /// The render thread took it up.
        var started: UInt64
        /// Reading the pixels back began; nil where none were asked for.
        var readStarted: UInt64?
        var ended: UInt64
    }

    /// - Parameter isRefresh: Nobody asked for it.
    /// - Returns: The commits that a client sees first in the frame, and a line for the log where it missed its deadline.
    mutating func noteFrame(
        _ frame: RenderedFrame, _ session: UInt32, _ times: FrameTimes, _ counters: GPUCounters?,
        isRefresh: Bool = false
    ) -> (commits: [CommitRow], line: String?) {
        let commits = waiting.removeValue(forKey: session) ?? []
        // A display that stands still would fill the trace.
        if let trace, !(isRefresh && frame.isUnchanged) {
            let name = isRefresh ? "refresh" : frame.isUnchanged ? "frame (unchanged)" : "frame"
            traceFrame(name, frame, session, times, commits, counters, trace)
        }
        let line = missed(frame, session, times, commits)
        guard isRefresh else { return ((refreshed.removeValue(forKey: session) ?? []) + commits, line) }
        if !commits.isEmpty {
            refreshed[session] = Array(((refreshed[session] ?? []) + commits).suffix(Self.rowLimit))
        }
        return ([], line)
    }

    private mutating func missed(
        _ frame: RenderedFrame, _ session: UInt32, _ times: FrameTimes, _ commits: [CommitRow]
    ) -> String? {
        guard deadlines != nil else { return nil }
        var phases: [(phase: FramePhase, nanoseconds: UInt64)] = [
            (.plan, frame.planNanoseconds), (.draw, frame.executeNanoseconds),
        ]
        if let start = times.readStarted { phases.append((.read, times.ended - min(start, times.ended))) }
        for commit in commits { phases += commit.phases }
        let took = times.ended - min(times.asked, times.ended)
        guard let longest = deadlines!.note(took: took, phases) else { return nil }
        return "session \(session): the frame at \(frame.plan.time) s took \(AccountText.milliseconds(took)), "
            + "a refresh is \(AccountText.milliseconds(deadlines!.interval)); "
            + "longest: \(longest.phase.rawValue), \(AccountText.milliseconds(longest.nanoseconds))"
    }

    private func traceFrame(
        _ name: String, _ frame: RenderedFrame, _ session: UInt32, _ times: FrameTimes, _ commits: [CommitRow],
        _ counters: GPUCounters?, _ trace: FrameTrace
    ) {
        trace.span(
            name, on: .render, from: times.started, to: times.ended,
            [
                .number("session", Int(session)), .text("time", "\(frame.plan.time) s"),
                .number("passes", frame.isUnchanged ? 0 : frame.plan.passes.count),
                .number("commits", commits.count),
            ])
        for commit in commits {
            trace.flow(.flowEnd(FrameTrace.flow(session, commit.serial)), on: .render, at: times.started)
        }
        let planned = frame.started + frame.planNanoseconds
        trace.span("plan", on: .render, from: frame.started, to: planned)
        if !frame.isUnchanged {
            trace.span("draw", on: .render, from: planned, to: planned + frame.executeNanoseconds)
            tracePasses(frame, from: planned, trace)
        }
        if let start = times.readStarted { trace.span("read", on: .render, from: start, to: times.ended) }
        trace.counters(
            "masks", [("found", frame.work.masksFound), ("made", frame.work.masksMade)], at: times.ended)
        guard let counters else { return }
        trace.counters(
            "targets", [("alive", counters.targetsAlive), ("made", frame.work.targetsMade)], at: times.ended)
        trace.counters(
            "bytes", [("targets", counters.targetBytesAlive), ("images", counters.imageBytesAlive)], at: times.ended)
    }

    /// Passes one after the other from the start of drawing: their lengths are measured, the gaps between them are not.
    private func tracePasses(_ frame: RenderedFrame, from start: UInt64, _ trace: FrameTrace) {
        var time = start
        for row in frame.timings {
            guard let length = row.gpuNanoseconds else { continue }
            let cause = frame.plan.passes[row.pass].cause
            trace.span(
                "\(row.reason.rawValue) \(row.label)", on: .passes, from: time, to: time + length,
                [
                    .number("pass", row.pass + 1), .number("layer", Int(row.layer.rawValue)),
                    .text("property", cause.property?.key ?? "none"), .number("pixels", row.pixels),
                    .number("draws", row.draws), .text("size", "\(row.size)"),
                ])
            time += length
        }
    }
}
