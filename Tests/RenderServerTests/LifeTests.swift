import CLinux
import Foundation
import LayerModel
import LayerWire
import RenderServer
import Testing

extension ServerTests {
    /// Servers and clients that end.
    @Suite("Beginnings and ends")
    struct LifeTests {
        @Test("A server that stops ends its sessions; clients hear of it at once, whatever they are waiting for")
        func stopped() throws {
            let server = try LiveServer(patience: 5)
            let connection = try ClientConnection(path: server.path, hello: RawClient.hello)
            connection.patience = 30
            _ = try connection.capture(at: 0, .pixels)
            server.server.stop()
            let time = seconds {
                #expect(throws: ConnectionError.self) {
                    for time in 1...1_000 { _ = try connection.capture(at: Double(time), .pixels) }
                }
            }
            #expect(time < 1, "\(time) s")
            do {
                try connection.commit(Transaction(time: 0, ops: [.setRoot(.none)]))
                Issue.record("a commit to nobody")
            } catch {
                guard case .closed = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }

        @Test("A stopped server takes no new clients: an error at once, by pair and by path; its socket is gone")
        func afterStop() throws {
            let server = try LiveServer(patience: 5)
            server.server.stop()
            #expect(wait { access(server.path, F_OK) != 0 })
            let time = seconds {
                #expect(throws: ServerError.self) { try server.server.connect() }
                #expect(throws: ConnectionError.self) {
                    try ClientConnection(path: server.path, hello: RawClient.hello)
                }
            }
            #expect(time < 1, "\(time) s")
            #expect(server.server.holdings() == nil)
        }

        /// A server that shakes hands, then hangs up at the first message of a kind.
        private func hangUp(at type: MessageType, saying words: ServerMessage? = nil) throws -> ClientConnection {
            var (mine, theirs): (Int32, Int32) = (-1, -1)
            try #require(clinux_socket_pair(&mine, &theirs) == 0)
            let end = mine
            Thread.detachNewThread {
                let channel = MessageChannel(descriptor: end)
                while let progress = try? channel.receive(), case .moved = progress {
                    while let message = try? channel.next(maximumBytes: 1 << 20, maximumDescriptors: 16) {
                        if message.type == .hello, type != .hello {
                            channel.enqueue(.welcome(Welcome(limits: WireLimits(), serverName: "fake")), serial: 0)
                            _ = channel.send()
                        }
                        if message.type == type {
                            if let words {
                                channel.enqueue(words, serial: message.serial)
                                _ = channel.send()
                            }
                            return
                        }
                    }
                }
            }
            return try ClientConnection(descriptor: theirs, hello: RawClient.hello)
        }

        @Test("A server that dies before it answers a capture is an error within a second")
        func diesInCapture() throws {
            let connection = try hangUp(at: .capture)
            let time = seconds {
                do throws(ConnectionError) {
                    _ = try connection.capture(at: 0, .pixels)
                    Issue.record("a frame of a dead server")
                } catch {
                    guard case .closed = error else {
                        Issue.record("\(error)")
                        return
                    }
                }
            }
            #expect(time < 1, "\(time) s")
        }

        @Test("A server that dies before the welcome, or with words, is an error that says them")
        func dies() throws {
            #expect(throws: ConnectionError.self) { try hangUp(at: .hello) }
            let fault = Fault(code: 22, isFatal: true, serial: 1, message: "the graphics are gone")
            let connection = try hangUp(at: .ping, saying: .fault(fault))
            do throws(ConnectionError) {
                try connection.synchronize()
                Issue.record("an answer of a dead server")
            } catch {
                #expect("\(error)".contains("the graphics are gone"))
            }
        }

        @Test("A server that answers with frames that can't be is an error, not a crash")
        func confusedServer() throws {
            func reply(_ change: (inout FrameReply) -> Void) -> ServerMessage {
                var reply = FrameReply(
                    time: 0, width: 4, height: 4, bytesPerRow: 16, buffer: 1, isUnchanged: false, passesDrawn: 1,
                    planNanoseconds: 0, drawNanoseconds: 0, plan: "", passes: [], degradations: [])
                change(&reply)
                return .frame(reply)
            }
            for words in [
                reply { _ in }, reply { $0.bytesPerRow = 15 }, reply { $0.height = 0 }, reply { $0.bytesPerRow = 0 },
                reply { ($0.bytesPerRow, $0.height, $0.width) = (.max, .max, .max) },
                .welcome(Welcome(limits: WireLimits(), serverName: "again")),
            ] {
                let connection = try hangUp(at: .capture, saying: words)
                do throws(ConnectionError) {
                    _ = try connection.capture(at: 0, .pixels)
                    Issue.record("a frame from \(words)")
                } catch {
                    guard case .confused = error else {
                        Issue.record("\(error) for \(words)")
                        continue
                    }
                }
            }
            let connection = try hangUp(at: .ping, saying: .credits(.max))
            #expect(throws: ConnectionError.self) { try connection.synchronize() }
        }

        @Test("A socket that a dead server left is taken over; one that answers is not, nor is a file")
        func staleSocket() throws {
            let server = try LiveServer(patience: 5)
            #expect(throws: SystemError.self) { try ServerListener(path: server.path) }
            let stale = server.path + ".stale"
            let fd = clinux_listen(stale, 1)
            close(fd)
            do {
                let listener = try ServerListener(path: stale)
                #expect(listener.accept() == nil)
            }
            #expect(access(stale, F_OK) != 0)
            let file = server.path + ".file"
            try Data().write(to: URL(fileURLWithPath: file))
            defer { try? FileManager.default.removeItem(atPath: file) }
            #expect(throws: SystemError.self) { try ServerListener(path: file) }
            var info = stat()
            #expect(stat(server.path, &info) == 0 && info.st_mode & 0o777 == 0o600)
        }

        @Test("Five hundred clients that come and go leave no descriptors, no memory, nothing on the GPU")
        func comeAndGo() async {
            await #expect(processExitsWith: .success) {
                let server = try LiveServer(patience: 5)
                defer { server.server.stop() }
                let witness = try Witness(server)
                func visit(_ index: Int) throws {
                    let client = try RawClient(server, overPair: index % 3 == 0)
                    switch index % 5 {
                    case 0: break
                    case 1: client.send(raw: [1, 2, 3])
                    case 2: try client.greet()
                    default:
                        try client.greet()
                        let image = ImageContent(
                            width: 32, height: 32, bytesPerRow: 128, isOpaque: true,
                            pixels: PixelStorage([UInt8](repeating: UInt8(index % 256), count: 4_096)))
                        client.commit(
                            [
                                .createLayer(LayerID(1), .layer), .setRoot(LayerID(1)), .defineImage(ImageID(1), image),
                                .set(LayerID(1), .contents, .image(ImageID(1))),
                            ] + place(LayerID(1), 16, 16, at: Point(8, 8)))
                        guard client.capture()?.frame != nil else { throw ServerError("no frame for client \(index)") }
                    }
                    client.vanish()
                }
                func settle() throws {
                    server.waitForSessions(1)
                    _ = server.server.holdings()
                }
                for index in 0..<60 { try visit(index) }
                try settle()
                var descriptors = Int32.max
                _ = wait {
                    defer { descriptors = clinux_open_descriptors() }
                    return clinux_open_descriptors() == descriptors
                }
                let resident = clinux_resident_bytes()
                for index in 0..<500 { try visit(index) }
                try settle()
                // A session's end is noticed before its last descriptor is closed.
                _ = wait { clinux_open_descriptors() == descriptors }
                let (after, grown) = (clinux_open_descriptors(), clinux_resident_bytes() - resident)
                try witness.check()
                guard after == descriptors, grown < 8 << 20 else {
                    throw ServerError("\(descriptors) descriptors became \(after); \(grown) bytes more")
                }
            }
        }

        @Test("A server without descriptors left turns clients away and goes on when there are some again")
        func noDescriptors() async {
            await #expect(processExitsWith: .success) {
                let server = try LiveServer(patience: 5)
                defer { server.server.stop() }
                let witness = try Witness(server)
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let client = clinux_connect(server.path)
                let used = clinux_open_descriptors() + 2
                var low = limit
                low.rlim_cur = rlim_t(used)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
                var taken: [Int32] = []
                while true {
                    let fd = open("/dev/null", O_RDONLY)
                    guard fd >= 0 else { break }
                    taken.append(fd)
                }
                close(taken.removeLast())
                let late = clinux_connect(server.path)
                // The server has none for it: it is hung up on, not left waiting.
                guard late >= 0, clinux_poll(late, CLINUX_READABLE, 2_000) & (CLINUX_READABLE | CLINUX_HUNG_UP) != 0
                else {
                    throw ServerError("a client waits for a server without descriptors")
                }
                for fd in taken + [late, client] { close(fd) }
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                try witness.check()
                _ = try ClientConnection(path: server.path, hello: RawClient.hello)
            }
        }
    }
}
