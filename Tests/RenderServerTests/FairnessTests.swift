import Dispatch
import Foundation
import LayerModel
import LayerRender
import LayerWire
import Testing

@testable import RenderServer

extension ServerTests {
    /// Whose job is next. Told by the order of service, never by the clock.
    @Suite("Fairness between sessions")
    struct FairnessTests {
        private func commit(_ session: UInt32, _ serial: UInt32) -> RenderJob {
            .commit(session, serial: serial, Transaction(time: 0, ops: []))
        }

        private func capture(_ session: UInt32, _ serial: UInt32) -> RenderJob {
            .capture(session, serial: serial, time: 0, [])
        }

        /// The session and serial of a commit, capture or ping.
        private func name(_ job: RenderJob?) -> String {
            switch job {
            case .commit(let session, let serial, _, _)?, .capture(let session, let serial, _, _, _)?,
                .ping(let session, let serial)?:
                "\(session).\(serial)"
            case .close(let session)?: "\(session) ends"
            case .inspect?: "inspect"
            case nil: "nothing"
            default: "another"
            }
        }

        @Test("Sessions take turns, a job each; a session's own jobs stay in order")
        func turns() {
            var queue = JobQueue()
            for serial in 1...4 as ClosedRange<UInt32> { queue.add(commit(7, serial)) }
            for serial in 1...2 as ClosedRange<UInt32> { queue.add(commit(3, serial)) }
            queue.add(capture(9, 1))
            let order = (0..<8).map { _ in name(queue.next()) }
            #expect(order == ["7.1", "3.1", "9.1", "7.2", "3.2", "7.3", "7.4", "nothing"])
            #expect(queue.isEmpty)
        }

        @Test("Who comes while a flooder's job is being done is next, before the flooder's next job")
        func next() {
            var queue = JobQueue()
            for serial in 1...100 as ClosedRange<UInt32> { queue.add(commit(1, serial)) }
            #expect(name(queue.next()) == "1.1")
            queue.add(capture(2, 1))
            #expect(name(queue.next()) == "2.1")
            #expect(name(queue.next()) == "1.2")
            queue.add(commit(2, 2))
            queue.add(capture(2, 3))
            let order = (0..<4).map { _ in name(queue.next()) }
            #expect(order == ["2.2", "1.3", "2.3", "1.4"])
        }

        @Test("The end of a session goes ahead of what waits of it, and it keeps its place in the turn")
        func ends() {
            var queue = JobQueue()
            for serial in 1...50 as ClosedRange<UInt32> { queue.add(commit(1, serial)) }
            queue.add(capture(2, 1))
            queue.add(.close(1))
            let order = (0..<3).map { _ in name(queue.next()) }
            #expect(order == ["1 ends", "2.1", "nothing"])
        }

        @Test("Who asks what the server holds waits for all that came before, and for nothing that comes later")
        func inspections() {
            var queue = JobQueue()
            for serial in 1...3 as ClosedRange<UInt32> { queue.add(commit(1, serial)) }
            queue.add(.inspect { _ in })
            for serial in 1...2 as ClosedRange<UInt32> { queue.add(commit(2, serial)) }
            queue.add(commit(1, 4))
            let order = (0..<8).map { _ in name(queue.next()) }
            #expect(order == ["1.1", "2.1", "1.2", "2.2", "1.3", "inspect", "1.4", "nothing"])
        }

        @Test("Any number of sessions: in each round every session that has something left is served once")
        func manySessions() {
            var queue = JobQueue()
            for session in 1...64 as ClosedRange<UInt32> {
                for serial in 1...session { queue.add(commit(session, serial)) }
            }
            var order: [String] = []
            while let job = queue.next() { order.append(name(job)) }
            let rounds = (1...64).flatMap { round in (round...64).map { "\($0).\(round)" } }
            #expect(order == rounds)
        }

        /// Ops that take a while to present and to draw.
        private static let heavyTree: [TransactionOp] = {
            var ops: [TransactionOp] = [.createLayer(LayerID(1), .layer)] + place(LayerID(1), 16, 16, at: Point(8, 8))
            for id in 2...500 as ClosedRange<UInt32> {
                ops.append(.createLayer(LayerID(id), .layer))
                ops += place(LayerID(id), 9, 9, at: Point(8, 8))
                ops.append(.set(LayerID(id), .cornerRadius, .number(Double(id) / 100)))
                ops.append(.set(LayerID(id), .backgroundColor, .color(Color(0, Double(id % 9) / 9, 1, 0.5))))
            }
            ops.append(.setSublayers(LayerID(1), (2...500).map { LayerID($0) }))
            ops.append(.setRoot(LayerID(1)))
            return ops
        }()

        @Test(
            "A client that floods with heavy commits and captures delays a witness's capture by one of its jobs at most"
        )
        func flood() throws {
            let replies = try Mailbox<RenderReply>()
            let thread = try RenderThread(
                RenderConfiguration(debug: true), frameLimit: 8, frameBytes: 1 << 20, replies: replies, log: { _ in })
            let display = DisplayGeometry(
                size: PixelSize(width: 16, height: 16), scale: 1, isFlipped: true, background: .white)
            let (flooder, witness): (UInt32, UInt32) = (1, 2)
            thread.jobs.put(.open(flooder, display))
            thread.jobs.put(.commit(flooder, serial: 1, Transaction(time: 0, ops: Self.heavyTree)))
            for serial in 2...20 as ClosedRange<UInt32> {
                let moved = Transaction(
                    time: 0,
                    ops: (2...500).map { .set(LayerID($0), .position, .point(Point(8, Double(serial) / 8))) })
                thread.jobs.put(.commit(flooder, serial: serial, moved))
                thread.jobs.put(.capture(flooder, serial: 100 + serial, time: 0, []))
            }
            thread.jobs.put(.open(witness, display))
            for serial in 1...3 as ClosedRange<UInt32> {
                thread.jobs.put(capture(witness, serial))
            }
            let done = DispatchSemaphore(value: 0)
            thread.jobs.put(.inspect { _ in done.signal() })
            Thread.detachNewThread { thread.run() }
            done.wait()
            thread.jobs.put(.stop)
            let served = replies.takeAll().filter { reply in
                if case .credits = reply.message { return true }
                return reply.answersCapture
            }
            #expect(served.count == 20 + 19 + 3)
            // The opening and the captures each let one job of the flooder's go first.
            let places = served.indices.filter { served[$0].session == witness }
            #expect(places.count == 3 && zip(places, [1, 3, 5]).allSatisfy { $0 <= $1 }, "served at \(places)")
        }

        @Test("Through the socket as well: of a flooder's hundred jobs that wait, one goes before a witness's")
        func floodThroughSocket() throws {
            let server = try LiveServer(patience: 20)
            let jobs = server.server.render.jobs
            let (flooder, other) = (try RawClient(server), try RawClient(server))
            try flooder.greet()
            try other.greet()
            _ = try #require(server.server.holdings())
            _ = server.takeLog()
            let gate = DispatchSemaphore(value: 0)
            let begun = DispatchSemaphore(value: 0)
            jobs.put(
                .inspect { _ in
                    begun.signal()
                    gate.wait()
                })
            begun.wait()
            // Refused, and so logged, in the order in which they are done.
            for _ in 0..<60 { flooder.commit([.destroyLayer(LayerID(9))]) }
            #expect(wait { jobs.count == 60 })
            for _ in 0..<3 { other.commit([.destroyLayer(LayerID(9))]) }
            #expect(wait { jobs.count == 63 })
            gate.signal()
            #expect(other.capture()?.frame != nil)
            #expect(flooder.capture()?.frame != nil)
            let order = server.takeLog().compactMap { line in
                line.hasPrefix("session 1:") ? 1 : line.hasPrefix("session 2:") ? 2 : nil
            }
            #expect(order.count == 63)
            let places = order.indices.filter { order[$0] == 2 }
            #expect(places == [1, 3, 5], "served at \(places)")
        }

        @Test("What one session can have waiting is bounded: commits, captures and pings each by their own count")
        func boundedMailbox() throws {
            let server = try LiveServer(patience: 20)
            let jobs = server.server.render.jobs
            let client = try RawClient(server)
            try client.greet()
            _ = try #require(server.server.holdings())
            let gate = DispatchSemaphore(value: 0)
            let begun = DispatchSemaphore(value: 0)
            jobs.put(
                .inspect { _ in
                    begun.signal()
                    gate.wait()
                })
            begun.wait()
            for _ in 0..<64 { client.commit([.setRoot(.none)]) }
            for serial in 1...16 as ClosedRange<UInt32> { client.send(.capture(time: 0, []), serial: serial) }
            for serial in 1...64 as ClosedRange<UInt32> { client.send(.ping, serial: serial) }
            #expect(wait { jobs.count == 64 + 16 + 64 }, "\(jobs.count) jobs")
            // Source: docs/wire-protocol.md, "Back-pressure" and "Limits". One more of each ends the session.
            client.commit([])
            #expect(client.lastWords()?.code == ProtocolError.Code.noCredit.rawValue)
            // Its end is the last job that it ever adds.
            #expect(jobs.count == 64 + 16 + 64 + 1)
            gate.signal()
            #expect(wait { server.server.holdings()?.sessions == 0 })
        }
    }
}
