import Foundation
import LayerModel
import LayerWire
import RenderServer
import Testing

extension ServerTests {
    @Suite("Recordings of sessions")
    final class RecordingServerTests {
        private let folder: URL

        init() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("rostrum-sessions-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        private func connect(_ server: RenderServer, _ hello: Hello = RawClient.hello) throws -> ClientConnection {
            try ClientConnection(descriptor: server.connect(), hello: hello)
        }

        private func pixels(_ frame: CapturedFrame) throws -> [UInt8] {
            let buffer = try #require(frame.buffer)
            return Array(UnsafeRawBufferPointer(start: buffer.memory, count: buffer.count))
        }

        /// A session with images, groups, several frames and a commit that is refused.
        private func session(_ connection: ClientConnection, color: Color) throws -> [[UInt8]] {
            let image = ImageContent(
                width: 4, height: 4, bytesPerRow: 20, isOpaque: false,
                pixels: PixelStorage((0..<80).map { UInt8($0) | 0x80 }))
            try connection.commit(
                Transaction(
                    time: 0,
                    ops: [
                        .createLayer(LayerID(1), .layer), .createLayer(LayerID(2), .layer),
                        .defineImage(ImageID(1), image),
                        .set(LayerID(1), .backgroundColor, .color(color)),
                        .set(LayerID(2), .contents, .image(ImageID(1))),
                        .set(LayerID(2), .cornerRadius, .number(3)), .set(LayerID(1), .opacity, .number(0.5)),
                        .setSublayers(LayerID(1), [LayerID(2)]), .setRoot(LayerID(1)),
                    ] + place(LayerID(1), 16, 16, at: Point(8, 8)) + place(LayerID(2), 8, 8, at: Point(6, 9))))
            var frames: [[UInt8]] = []
            for index in 0..<3 {
                try connection.commit(
                    Transaction(
                        time: Double(index),
                        ops: [.set(LayerID(2), .position, .point(Point(6 + Double(index), 9)))]))
                let frame = try connection.capture(at: Double(index) + 0.5, .pixels)
                frames.append(try pixels(frame))
                if let buffer = frame.buffer { connection.release(buffer) }
            }
            try connection.commit(Transaction(time: 4, ops: [.destroyLayer(LayerID(9))]))
            try connection.synchronize()
            #expect(connection.takeFaults().count == 1)
            return frames
        }

        @Test("A server records each session into its own file; replayed, each draws the same frames byte for byte")
        func sessions() throws {
            let path = folder.appendingPathComponent("a.rec").path
            let log = LogLines()
            let recorder = SessionRecorder(path: path, log: { log.add($0) })
            let server = try RenderServer(
                ServerConfiguration(
                    render: RenderConfiguration(debug: true),
                    observe: { recorder.observe(session: $0, serial: $1, message: $2) }))
            defer { server.stop() }
            let first = try connect(server)
            let second = try connect(server)
            let frames = [try session(first, color: Color(1, 0, 0)), try session(second, color: Color(0, 0, 1))]
            first.close()
            // The second one only breaks off.
            #expect(wait { server.statistics.sessions == 1 })
            recorder.finish()
            #expect(recorder.files == [path, path + ".2"])
            #expect(recorder.failures == 0 && log.take().isEmpty)

            let other = try RenderServer(ServerConfiguration(render: RenderConfiguration(debug: true)))
            defer { other.stop() }
            for (file, expected) in zip(recorder.files, frames) {
                let replay = try RecordingReplay(RecordingReader(path: file)) { try connect(other, $0) }
                var drawn: [[UInt8]] = []
                let count = try replay.run { drawn.append(try pixels($0.frame)) }
                #expect(count == 3)
                #expect(drawn == expected)
                let faults = replay.takeFaults()
                #expect(faults.count <= 1)
            }
            second.close()
        }

        @Test("What a client watches itself send is what the server records")
        func observer() throws {
            let path = folder.appendingPathComponent("b.rec").path
            let recorder = SessionRecorder(path: path, log: { _ in })
            let server = try RenderServer(
                ServerConfiguration(
                    render: RenderConfiguration(debug: true),
                    observe: { recorder.observe(session: $0, serial: $1, message: $2) }))
            defer { server.stop() }
            var sent: [String] = []
            let connection = try ClientConnection(descriptor: server.connect(), hello: RawClient.hello) {
                serial, message in
                sent += RecordingText.lines(message, serial: serial)
            }
            _ = try session(connection, color: .white)
            connection.close()
            #expect(wait { server.statistics.sessions == 0 })
            recorder.finish()
            var recorded: [String] = []
            try RecordingText.write(RecordingReader(path: path)) { recorded.append($0) }
            #expect(recorded.dropFirst() == sent[...])
        }

        @Test(
            "A recording without a capture shows what is there after its last commit; one that breaks off, what came before"
        )
        func shortRecordings() throws {
            let path = folder.appendingPathComponent("c.rec").path
            let writer = try RecordingWriter(path: path, mode: .whole)
            try writer.append(.hello(RawClient.hello), serial: 0)
            try writer.append(
                .commit(
                    Transaction(
                        time: 3,
                        ops: [
                            .createLayer(LayerID(1), .layer), .setRoot(LayerID(1)),
                            .set(LayerID(1), .backgroundColor, .color(Color(0, 1, 0))),
                        ] + place(LayerID(1), 16, 16, at: Point(8, 8)))), serial: 1)
            try writer.finish()
            let server = try RenderServer(ServerConfiguration())
            defer { server.stop() }
            var first: [UInt8] = []
            let replay = try RecordingReplay(RecordingReader(path: path)) { try connect(server, $0) }
            #expect(try replay.run { first = Array(try pixels($0.frame).prefix(4)) } == 1)
            #expect(first == [0, 255, 0, 255])

            let all = try Data(contentsOf: URL(fileURLWithPath: path))
            try all.dropLast(3).write(to: URL(fileURLWithPath: path))
            let broken = try RecordingReplay(RecordingReader(path: path)) { try connect(server, $0) }
            #expect(throws: ProtocolError.self) { try broken.run { _ in } }
        }

        @Test(
            "A session that can't be recorded is served all the same, and said once: no folder, a full disk, a folder itself",
            arguments: ["none/a.rec", "/dev/full", "."])
        func noPlace(file: String) throws {
            let log = LogLines()
            let path = file.hasPrefix("/") ? file : folder.appendingPathComponent(file).path
            let recorder = SessionRecorder(path: path, log: { log.add($0) })
            let server = try RenderServer(
                ServerConfiguration(
                    render: RenderConfiguration(debug: true),
                    observe: { recorder.observe(session: $0, serial: $1, message: $2) }))
            defer { server.stop() }
            let connection = try connect(server)
            #expect(try session(connection, color: .black).count == 3)
            connection.close()
            #expect(wait { server.statistics.sessions == 0 })
            let lines = log.take()
            #expect(lines.count == 1 && lines[0].contains("is recorded no further"), "\(lines)")
            #expect(recorder.failures == 1)
            recorder.finish()
            #expect(recorder.failures == 1)
        }

        @Test("A disk that fills up while a session is recorded: what came before is whole, what comes after is served")
        func fullDisk() async throws {
            let path = folder.appendingPathComponent("cut.rec").path
            try await #require(processExitsWith: .success) { [path = path as String] in
                // The kernel's stand-in for a full disk: no file grows over 4 KiB.
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                let recorder = SessionRecorder(path: path, log: { _ in })
                let server = try RenderServer(
                    ServerConfiguration(observe: { recorder.observe(session: $0, serial: $1, message: $2) }))
                let connection = try ClientConnection(descriptor: server.connect(), hello: RawClient.hello)
                for index in 0..<20 {
                    let id = LayerID(UInt32(index + 1))
                    try connection.commit(
                        Transaction(
                            time: 0,
                            ops: [
                                .createLayer(id, .layer), .set(id, .name, .string(String(repeating: "n", count: 500))),
                                .setRoot(id),
                            ]))
                    let frame = try connection.capture(at: Double(index), [])
                    guard frame.reply.time == Double(index) else { throw ServerError("frame \(index)") }
                }
                connection.close()
                guard wait(until: { server.statistics.sessions == 0 }), recorder.failures == 1 else {
                    throw ServerError("\(recorder.failures) failures")
                }
                server.stop()
            }
            let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            #expect((2_000...4_096).contains(size), "\(size) bytes")
            let reader = try RecordingReader(path: path)
            var captures = 0
            // What lies beyond the cut is a located error; what lies before it can be read.
            do {
                while let entry = try reader.next() { if case .capture = entry.message { captures += 1 } }
            } catch {
                #expect(error.code == .badRecording, "\(error)")
            }
            #expect(captures >= 3)
        }
    }
}
