import Foundation
import LayerModel
import LayerRender
import LayerWire
import Testing

@testable import RenderServer

@Suite("What is written down of frames")
struct ChronicleTests {
    @Test("A frame within one refresh is in time, a later one is blamed on its longest phase")
    func deadlines() {
        var deadlines = FrameDeadlines(refresh: 50)
        #expect(deadlines.interval == 20_000_000)
        #expect(deadlines.note(took: 20_000_000, [(.draw, 19_000_000)]) == nil)
        #expect(deadlines.summary == nil)
        let late = deadlines.note(took: 21_000_000, [(.draw, 5_000_000), (.upload, 12_000_000), (.plan, 1)])
        #expect(late?.phase == .upload && late?.nanoseconds == 12_000_000)
        for _ in 0..<2 { _ = deadlines.note(took: 30_000_000, [(.draw, 25_000_000)]) }
        #expect(deadlines.missed == 3)
        #expect(deadlines.summary == "missed 3 deadlines: 1 by upload, 2 by draw")
    }

    @Test("A trace keeps the last events and counts the others")
    func ring() {
        let trace = FrameTrace(limit: 3)
        for index in 0..<5 as Range<UInt64> { trace.span("\(index)", on: .wire, from: index, to: index + 1) }
        let (events, dropped) = trace.contents
        #expect(events.map(\.name) == ["2", "3", "4"] && dropped == 2)
    }

    @Test("Whatever a label holds, a trace is JSON")
    func hostileLabels() throws {
        let trace = FrameTrace()
        let label = "\"}],\\\n\u{0}\u{7F}é"
        trace.span(label, on: .passes, from: 5, to: 3, [.text(label, label), .number("n", -1)])
        trace.counters(label, [(label, 3)], at: .max)
        let object = try JSONSerialization.jsonObject(with: Data(trace.json.utf8)) as? [String: Any]
        let events = try #require(object?["traceEvents"] as? [[String: Any]])
        #expect(events.filter { $0["name"] as? String == label }.count == 2)
    }

    @Test("Phases that a client makes up don't stop the server, and a commit's row has what is known")
    func madeUpPhases() {
        var configuration = RenderConfiguration()
        configuration.trace = FrameTrace()
        var chronicle = FrameChronicle(configuration)
        let now = FrameChronicle.now
        for value in [0, 1, UInt64.max] as [UInt64] {
            var phases = CommitPhases()
            (phases.layout, phases.display, phases.decode, phases.encode, phases.sent) = (
                value, value, value, value, value
            )
            let arrival = CommitArrival(received: now, decoded: now, bytes: 7, phases: phases)
            chronicle.noteCommit(
                1, 1, Transaction(time: 0), arrival, started: now, upload: 0)
        }
        let frame = RenderedFrame(
            plan: .init(time: 0, size: PixelSize(width: 1, height: 1)), isUnchanged: true, timings: [],
            planNanoseconds: 0, executeNanoseconds: 0)
        let (commits, line) = chronicle.noteFrame(frame, 1, .init(asked: now, started: now, ended: now), nil)
        #expect(commits.count == 3 && line == nil)
        #expect(commits.map(\.wire) == [now, now - 1, nil], "a commit that was sent later than it came")
        #expect(commits.allSatisfy { $0.bytes == 7 })
    }

    @Test("A client that never captures has a bounded list of commits")
    func boundedRows() {
        var chronicle = FrameChronicle(RenderConfiguration())
        for serial in 0..<1_000 as Range<UInt32> {
            chronicle.noteCommit(
                1, serial, Transaction(time: 0), CommitArrival(), started: FrameChronicle.now, upload: 0)
        }
        let frame = RenderedFrame(
            plan: .init(time: 0, size: PixelSize(width: 1, height: 1)), isUnchanged: true, timings: [],
            planNanoseconds: 0, executeNanoseconds: 0)
        let commits = chronicle.noteFrame(frame, 1, .init(asked: 0, started: 0, ended: 0), nil).commits
        #expect(commits.count == 256 && commits.last?.serial == 999)
    }
}

@Suite("When a server refreshes")
struct RefreshGridTests {
    @Test("At whole multiples of the interval; what was missed is left out, and others get room where they wait")
    func grid() {
        var grid = RefreshGrid(rate: 100)
        #expect(grid.take(at: 1_003_000_000) == .init(nanoseconds: 1_000_000_000, time: 1))
        #expect(grid.take(at: 1_009_999_999) == nil && grid.next == 1_010_000_000)
        #expect(grid.take(at: 1_034_000_000)?.nanoseconds == 1_030_000_000)
        // It took 30 ms; half of that is left for others.
        grid.leaveRoom(after: 1_060_000_000)
        #expect(grid.next == 1_080_000_000)
        #expect(grid.take(at: 1_079_999_999) == nil && grid.take(at: 1_080_000_000)?.nanoseconds == 1_080_000_000)
        grid.leaveRoom(after: 1_082_000_000)
        #expect(grid.next == 1_090_000_000)
    }
}
