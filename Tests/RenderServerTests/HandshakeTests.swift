import Foundation
import LayerModel
import LayerWire
import RenderServer
import Testing

extension ServerTests {
    @Suite("Clients at the door")
    struct HandshakeTests {
        let server = LiveServer.shared
        let witness: Witness

        init() throws { witness = try Witness(.shared) }

        private func hello(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
            var bytes = bytes { ClientMessage.hello(RawClient.hello).encode(into: &$0) }
            change(&bytes)
            return bytes
        }

        @Test("Random bytes end the session within 100 ms")
        func garbage() throws {
            var fastest = Double.infinity
            for seed in 0..<8 {
                let client = try RawClient(server, overPair: seed % 2 == 1)
                var generator = SeededBytes(seed: seed)
                client.send(raw: (0..<64).map { _ in generator.next() })
                var fault: Fault?
                fastest = min(fastest, seconds { fault = client.lastWords(seconds: 2) })
                #expect(client.isClosed)
                #expect(fault?.isFatal == true)
            }
            // A machine that is busy with other tests may be slow once, not always.
            #expect(fastest < 0.1, "\(fastest) s")
            try witness.check()
        }

        @Test("Twelve bytes of zero, of ones and of text are no header of a hello")
        func fixedGarbage() throws {
            for (bytes, code) in [
                ([UInt8](repeating: 0, count: 12), ProtocolError.Code.unknownMessage),
                ([UInt8](repeating: 255, count: 12), .unknownMessage),
                (Array("GET / HTTP/1.1\r\n".utf8), .unknownMessage),
            ] {
                let client = try RawClient(server)
                client.send(raw: bytes)
                #expect(client.lastWords(seconds: 1)?.code == code.rawValue)
            }
            try witness.check()
        }

        @Test("A version that is not spoken is refused with the ones that are", arguments: [0, 2, 0xFFFF] as [UInt16])
        func version(version: UInt16) throws {
            let client = try RawClient(server)
            client.send(
                1,
                hello {
                    $0.replaceSubrange(
                        4..<8,
                        with: bytes {
                            $0.write(version); $0.write(version)
                        })
                })
            let reply = try #require(client.next())
            guard case .refused(let fault, let oldest, let newest) = reply.message else {
                Issue.record("\(reply.message)")
                return
            }
            #expect(fault.code == ProtocolError.Code.unsupportedVersion.rawValue)
            #expect((oldest, newest) == (1, 1))
            #expect(fault.message.contains("\(version)"))
            #expect(client.next() == nil && client.isClosed)
            try witness.check()
        }

        @Test("A hello that comes a byte at a time is waited for as long as the patience lasts, no longer")
        func slow() throws {
            let client = try RawClient(.impatient)
            let whole = header(1, count: hello { _ in }.count) + hello { _ in }
            var fault: Fault?
            let time = seconds {
                for byte in whole {
                    client.send(raw: [byte])
                    if let reply = client.next(seconds: 0.02) {
                        if case .refused(let refusal, _, _) = reply.message { fault = refusal }
                        break
                    }
                }
            }
            #expect(fault?.code == ProtocolError.Code.tooSlow.rawValue)
            #expect(time > 0.25 && time < 2, "\(time) s")
            try witness.check()
        }

        @Test("A client that says nothing is gone after the patience")
        func silent() throws {
            let client = try RawClient(.impatient)
            var fault: Fault?
            let time = seconds { fault = client.lastWords(seconds: 4) }
            #expect(fault?.code == ProtocolError.Code.tooSlow.rawValue)
            #expect(time > 0.25 && time < 2, "\(time) s")
            try witness.check()
        }

        @Test("A hello of another program, cut short, too long or with text that is none is refused by its byte")
        func damagedHello() throws {
            let whole = hello { _ in }
            let cases: [([UInt8], ProtocolError.Code, UInt32?)] = [
                (hello { $0[0] = 0 }, .badMagic, 0), (Array(whole.dropLast()), .truncated, nil),
                (whole + [0], .trailingBytes, nil),
                ([], .truncated, 0), (hello { $0[12] = 0xFF }, .badText, 8),
                (hello { $0.replaceSubrange(8..<12, with: [255, 255, 255, 255]) }, .badText, 8),
                (hello { $0[whole.count - 33] = 2 }, .badValue, nil),
            ]
            for (bytes, code, offset) in cases {
                let client = try RawClient(server)
                client.send(1, bytes)
                let fault = client.lastWords()
                #expect(fault?.code == code.rawValue, "\(fault?.description ?? "nothing") instead of \(code)")
                if let offset { #expect(fault?.offset == offset) }
            }
            try witness.check()
        }

        @Test("A display that can't be is refused")
        func displays() throws {
            func refused(_ change: (inout Hello) -> Void) throws {
                var hello = RawClient.hello
                change(&hello)
                let client = try RawClient(server)
                client.send(.hello(hello))
                #expect(client.lastWords()?.code == ProtocolError.Code.badDisplay.rawValue, "\(hello)")
            }
            try refused { $0.width = 0 }
            try refused { $0.height = 0 }
            try refused { $0.width = .max }
            try refused { $0.height = 16_385 }
            try refused { ($0.width, $0.height) = (16_384, 16_384) }
            for scale in [0, -1, 1_001, .nan, .infinity] as [Double] { try refused { $0.scale = scale } }
            try refused { $0.background = Color(.nan, 0, 0) }
            try refused { $0.background = Color(0, 0, 0, .infinity) }
            try witness.check()
        }

        @Test("Nothing comes before the hello", arguments: MessageType.allCases.filter { $0 != .hello })
        func before(type: MessageType) throws {
            let client = try RawClient(server)
            client.send(type.rawValue)
            #expect(client.lastWords()?.code == ProtocolError.Code.unexpectedMessage.rawValue)
            try witness.check()
        }

        @Test("A second hello ends the session")
        func second() throws {
            let client = try RawClient(server)
            try client.greet()
            client.send(.hello(RawClient.hello))
            #expect(client.lastWords()?.code == ProtocolError.Code.unexpectedMessage.rawValue)
            try witness.check()
        }

        @Test(
            "A client of another user is hung up on before it is read, even where the socket's mode lets it in",
            .enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0 && access("/usr/bin/perl", X_OK) == 0)
        )
        func otherUser() throws {
            #expect(chmod(server.path, 0o666) == 0)
            defer { chmod(server.path, 0o600) }
            let before = server.server.statistics
            let client = Process()
            client.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
            // Prints what it is answered.
            let program = """
                use IO::Socket::UNIX;
                $SIG{PIPE} = "IGNORE";
                my $server = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "no connection: $!";
                syswrite $server, "hello";
                my $count = sysread $server, my $answer, 100;
                print "answered ", $count // 0, " bytes";
                """
            client.arguments = ["--reuid=65534", "--clear-groups", "/usr/bin/perl", "-e", program, server.path]
            let output = Pipe()
            client.standardOutput = output
            try client.run()
            client.waitUntilExit()
            #expect(
                String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == "answered 0 bytes"
            )
            #expect(server.server.statistics == before)
            try witness.check()
        }

        @Test("A name can't write lines of its own into the log")
        func names() throws {
            _ = server.takeLog()
            var hello = RawClient.hello
            hello.clientName = "x\nsession 1: forged\u{1B}[2J" + String(repeating: "y", count: 1_000)
            let client = try RawClient(server)
            try client.greet(hello)
            client.vanish()
            try witness.check()
            for line in server.takeLog() {
                #expect(!line.unicodeScalars.contains { $0.value < 32 }, "\(line)")
                #expect(line.count < 200)
            }
        }
    }
}

func header(_ type: UInt16, count: Int) -> [UInt8] {
    bytes {
        $0.write(UInt32(count))
        $0.write(type)
        $0.write(UInt16(0))
        $0.write(UInt32(0))
    }
}

/// SplitMix64: the same bytes on every run.
struct SeededBytes {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) }

    mutating func number() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    mutating func next() -> UInt8 { UInt8(truncatingIfNeeded: number()) }
}
