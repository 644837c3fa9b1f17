import CLinux
import Dispatch
import Glibc
import LayerModel
import LayerWire
import TestFiles
import Testing

@testable import RenderServer

extension ServerTests {
    /// What a client may take of the server is bounded, and comes back.
    @Suite("Clients that want too much")
    struct ResourceTests {
        let server = LiveServer.shared
        let witness: Witness

        init() throws { witness = try Witness(.shared) }

        @Test("Commits without credits end the session; those with credits are all applied")
        func credits() throws {
            let client = try RawClient(server)
            try client.greet()
            var sent = 0
            for _ in 0..<20_000 {
                client.commit([])
                sent += 1
                if let reply = client.next(seconds: 0), case .fault = reply.message { break }
                if client.isClosed { break }
            }
            let fault = client.lastWords()
            // The server may be faster than the flood: then every commit had its credit.
            if let fault {
                #expect(fault.code == ProtocolError.Code.noCredit.rawValue, "\(fault)")
                #expect(sent > 64)
            }
            client.vanish()
            try witness.check()
        }

        @Test("A flood of commits in one write is cut at the credits, and the witness draws meanwhile")
        func flood() throws {
            let client = try RawClient(server)
            try client.greet()
            // Each takes a while, so that the credits run out for certain.
            let ops: [TransactionOp] = (1...2_000).map { .createLayer(LayerID($0), .layer) }
            client.commit(ops)
            let heavy = commitPayload(
                (1...2_000).flatMap { id in [3] + bytes { $0.write(UInt32(id)) } + [11, 0, 2] + bytes { $0.write(0.5) }
                },
                count: 2_000)
            var all: [UInt8] = []
            for _ in 0..<200 { all += header(2, count: heavy.count) + heavy }
            let time = try seconds {
                client.send(raw: all)
                try witness.check(alone: false)
            }
            #expect(time < 5, "\(time) s")
            if let fault = client.lastWords(seconds: 1) { #expect(fault.code == ProtocolError.Code.noCredit.rawValue) }
            client.vanish()
            try witness.check()
        }

        @Test("A client that obeys its credits can send as much as it likes")
        func obedient() throws {
            let connection = try ClientConnection(path: server.path, hello: RawClient.hello)
            let before = clinux_resident_bytes()
            for _ in 0..<300 {
                try connection.commit(
                    Transaction(time: 0, ops: (0..<1_000).map { _ in .setRoot(.none) }))
            }
            try connection.synchronize()
            #expect(connection.takeFaults().isEmpty)
            #expect(clinux_resident_bytes() - before < 128 << 20)
            connection.close()
            try witness.check()
        }

        @Test("A client with much under way is read no further until it is worked off, and loses nothing")
        func backPressure() throws {
            let client = try RawClient(.impatient)
            client.patience = 900
            try client.greet()
            // The render thread waits; each commit is 22 MB once decoded, and 64 MiB may be under way.
            let gate = DispatchSemaphore(value: 0)
            LiveServer.impatient.server.render.jobs.put(.inspect { _ in gate.wait() })
            let ops = [UInt8]((0..<150_000).flatMap { _ in [5, 0, 0, 0, 0] as [UInt8] })
            let message =
                header(2, count: 12 + ops.count)
                + bytes {
                    $0.write(0.0); $0.write(UInt32(150_000))
                } + ops
            var commits = 0
            while commits < 10, client.send(raw: message) { commits += 1 }
            #expect((3...5).contains(commits), "\(commits) commits were read")
            // That was longer than the patience for a message that has begun: it is the server that does not read.
            let rest = Array(message[client.sent...])
            gate.signal()
            client.patience = 5_000
            #expect(client.send(raw: rest))
            for _ in 0..<4 { #expect(client.send(raw: message)) }
            let answer = try #require(client.capture())
            #expect(answer.faults.isEmpty, "\(answer.faults)")
            client.vanish()
            try witness.check()
        }

        @Test("A client that dies while it is not read is forgotten")
        func diesUnread() throws {
            let client = try RawClient(server)
            client.patience = 700
            try client.greet()
            let gate = DispatchSemaphore(value: 0)
            server.server.render.jobs.put(.inspect { _ in gate.wait() })
            let ops = [UInt8]((0..<150_000).flatMap { _ in [5, 0, 0, 0, 0] as [UInt8] })
            let message =
                header(2, count: 12 + ops.count)
                + bytes {
                    $0.write(0.0); $0.write(UInt32(150_000))
                } + ops
            while client.send(raw: message) {}
            client.vanish()
            server.waitForSessions(1)
            gate.signal()
            try witness.check()
        }

        @Test("A client that reads nothing is ended when its replies are over the limit; others are served meanwhile")
        func neverReads() throws {
            let server = try LiveServer(patience: 5) { $0.unreadBytes = 1 << 16 }
            let witness = try Witness(server)
            let client = try RawClient(server)
            try client.greet()
            client.commit([.createLayer(LayerID(1), .layer), .setRoot(LayerID(1))])
            for round in 0..<40_000 {
                // Each is refused with some hundred bytes.
                guard client.send(.releaseFrame(77)) else { break }
                if round % 512 == 0 {
                    if server.server.statistics.sessions == 1 { break }
                    if round % 4_096 == 0 { try witness.check(alone: false) }
                }
            }
            server.waitForSessions(1)
            #expect(server.takeLog().contains { $0.contains("does not read") })
            try witness.check()
        }

        @Test("Pings and captures that nobody waits for are bounded")
        func unanswered() throws {
            for (message, code) in [
                (ClientMessage.ping, ProtocolError.Code.doesNotRead), (.capture(time: 0, []), .tooManyFrames),
            ] {
                let client = try RawClient(server)
                try client.greet()
                var all: [UInt8] = []
                let one = client.bytes(of: message)
                for _ in 0..<2_000 { all += header(message.type.rawValue, count: one.count) + one }
                client.send(raw: all)
                #expect(client.lastWords()?.code == code.rawValue, "\(message.type)")
                try witness.check()
            }
        }

        @Test("A client that keeps its frames is refused more than eight, until it releases one")
        func heldFrames() throws {
            let client = try RawClient(server)
            try client.greet()
            client.commit([.createLayer(LayerID(1), .layer), .setRoot(LayerID(1))])
            var held: [FrameReply] = []
            for index in 0..<8 { held.append(try #require(client.capture(at: Double(index))?.frame)) }
            #expect(Set(held.map(\.buffer)).count == 8)
            for _ in 0..<3 {
                let answer = try #require(client.capture(at: 9))
                #expect(answer.frame == nil)
                #expect(answer.faults.map(\.code) == [ProtocolError.Code.limit.rawValue])
            }
            #expect(client.capture(at: 9, [])?.frame?.buffer == 0)
            client.release(held[3])
            #expect(client.capture(at: 9)?.frame?.buffer == held[3].buffer)
            client.vanish()
            try witness.check()
        }

        @Test("A client that keeps large frames is refused them by their bytes")
        func largeFrames() throws {
            let server = try LiveServer(patience: 5) { $0.imageBytes = 4 << 20 }
            let client = try RawClient(server)
            var hello = RawClient.hello
            (hello.width, hello.height) = (512, 512)
            try client.greet(hello)
            client.commit([.createLayer(LayerID(1), .layer), .setRoot(LayerID(1))])
            for _ in 0..<4 { #expect(client.capture()?.frame != nil) }
            #expect(client.capture()?.faults.map(\.code) == [ProtocolError.Code.limit.rawValue])
            client.vanish()
            server.waitForSessions(0)
        }

        @Test("Sessions over the limit are refused by name, and there is room again when one leaves")
        func sessions() throws {
            let before = server.server.statistics
            var clients: [RawClient] = []
            for _ in 0..<63 {
                let client = try RawClient(server)
                try client.greet()
                clients.append(client)
            }
            for overPair in [false, true, false] {
                let client = try RawClient(server, overPair: overPair)
                let fault = client.lastWords()
                #expect(fault?.code == ProtocolError.Code.tooManySessions.rawValue)
                #expect(fault?.message.contains("64") == true)
            }
            do {
                _ = try ClientConnection(path: server.path, hello: RawClient.hello)
                Issue.record("a 65th session")
            } catch {
                guard case .refused(let fault, _, _) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(fault.code == ProtocolError.Code.tooManySessions.rawValue)
            }
            clients.removeFirst().vanish()
            server.waitForSessions(63)
            try RawClient(server).greet()
            for client in clients { client.vanish() }
            #expect(server.server.statistics.accepted >= before.accepted + 68)
            try witness.check()
        }

        @Test("One file for five hundred commits; the texture of the last is what shows, and all go")
        func reusedFile() throws {
            let file = NamedFile(bytes: 64 * 64 * 4, sealed: true)
            let client = try RawClient(server)
            try client.greet()
            client.commit(
                [.createLayer(LayerID(1), .layer), .setRoot(LayerID(1))] + place(LayerID(1), 16, 16, at: Point(8, 8)))
            for id in 1...500 as ClosedRange<UInt32> {
                let pixel = UInt32(0xFF00_0000) | id
                let row = [UInt32](repeating: pixel, count: 64 * 64)
                #expect(row.withUnsafeBytes { pwrite(file.descriptor, $0.baseAddress!, $0.count, 0) } == 64 * 64 * 4)
                var ops = imageOp(id, width: 64, height: 64, row: 256)
                // set layer 1 contents to the image; release the one before.
                ops += [3, 1, 0, 0, 0, 14, 0, 8] + bytes { $0.write(id) }
                if id > 1 { ops += [7] + bytes { $0.write(id - 1) } }
                client.commit(raw: commitPayload(ops, count: id > 1 ? 3 : 2), descriptors: [file.descriptor])
                while let reply = client.next() {
                    if case .credits = reply.message { break }
                    if case .fault(let fault) = reply.message { Issue.record("\(fault)") }
                }
            }
            let frame = try #require(client.capture()?.frame)
            #expect(Array(client.pixels(of: frame).prefix(4)) == [UInt8(500 & 255), UInt8(500 >> 8), 0, 255])
            #expect(server.server.holdings()?.graphics.imagesAlive == 2)
            client.vanish()
            file.close()
            #expect(wait { file.openCount == 0 })
            try witness.check()
        }

        @Test("Pixels that a client changes while they are read, in a file that can't shrink, hurt nobody")
        func writtenMeanwhile() throws {
            let size = 256 * 256 * 4
            let file = NamedFile(bytes: size, sealed: true)
            let client = try RawClient(server)
            try client.greet()
            client.commit([.createLayer(LayerID(1), .layer), .setRoot(LayerID(1))])
            let noise = [UInt8](repeating: 255, count: size)
            for id in 1...40 as ClosedRange<UInt32> {
                client.commit(
                    raw: commitPayload(imageOp(id, width: 256, height: 256, row: 1_024)), descriptors: [file.descriptor]
                )
                #expect(pwrite(file.descriptor, noise, size, 0) == size)
                #expect(ftruncate(file.descriptor, 0) != 0)
                // A hole reads as zeros; it is no end of the file.
                #expect(clinux_punch_hole(file.descriptor, 0, Int64(size)) == 0)
            }
            #expect(client.capture()?.faults.isEmpty == true)
            client.vanish()
            file.close()
            try witness.check()
        }

        @Test("Images that are defined and never released go with the session")
        func forgotten() throws {
            for overPair in [false, true] {
                let client = try RawClient(server, overPair: overPair)
                try client.greet()
                let file = NamedFile(bytes: 1 << 20, sealed: true)
                for id in 1...50 as ClosedRange<UInt32> {
                    client.commit(
                        raw: commitPayload(imageOp(id, width: 512, height: 512, row: 2_048)),
                        descriptors: [file.descriptor])
                }
                #expect(client.capture()?.faults.isEmpty == true)
                #expect(server.server.holdings()?.graphics.imagesAlive == 51)
                client.vanish()
                file.close()
                try witness.check()
            }
        }

        @Test("Images of all sessions together are bounded")
        func allImages() throws {
            var configuration = RenderConfiguration(debug: true)
            configuration.imageBytes = 1 << 20
            let server = try RenderServer(ServerConfiguration(render: configuration))
            defer { server.stop() }
            let pixels = PixelStorage([UInt8](repeating: 255, count: 600 << 10))
            let image = ImageContent(width: 320, height: 480, bytesPerRow: 1_280, isOpaque: true, pixels: pixels)
            let (a, b) = (
                try ClientConnection(descriptor: server.connect(), hello: RawClient.hello),
                try ClientConnection(descriptor: server.connect(), hello: RawClient.hello)
            )
            try a.commit(Transaction(time: 0, ops: [.defineImage(ImageID(1), image)]))
            try a.synchronize()
            try b.commit(Transaction(time: 0, ops: [.defineImage(ImageID(1), image)]))
            try b.synchronize()
            #expect(a.takeFaults().isEmpty)
            #expect(b.takeFaults().map(\.code) == [TransactionError.Code.tooManyBytes.rawValue + 100])
            a.close()
            #expect(wait { server.statistics.sessions == 1 && server.holdings()?.graphics.imagesAlive == 0 })
            try b.commit(Transaction(time: 0, ops: [.defineImage(ImageID(1), image)]))
            try b.synchronize()
            #expect(b.takeFaults().isEmpty)
            b.close()
        }
    }
}
