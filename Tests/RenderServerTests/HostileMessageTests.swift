import CLinux
import Glibc
import LayerModel
import LayerWire
import RenderServer
import TestFiles
import Testing

extension ServerTests {
    /// What is wrong with the writing ends the session, with the place.
    @Suite("Messages that can't be read")
    struct HostileMessageTests {
        let server = LiveServer.shared
        let witness: Witness

        init() throws { witness = try Witness(.shared) }

        /// Sends something, then looks for the fatal fault, for the witness, and for what the server holds.
        private func ends(
            _ code: ProtocolError.Code, op: UInt32? = nil, offset: UInt32? = nil, serial: UInt32? = nil,
            _ location: SourceLocation = #_sourceLocation, _ attack: (RawClient) throws -> Void
        ) throws {
            let client = try RawClient(server)
            try client.greet()
            try attack(client)
            let fault = try #require(client.lastWords(), "no fault, or the session goes on", sourceLocation: location)
            #expect(fault.code == code.rawValue, "\(fault)", sourceLocation: location)
            #expect(fault.isFatal, sourceLocation: location)
            if let op { #expect(fault.op == op, "\(fault)", sourceLocation: location) }
            if let offset { #expect(fault.offset == offset, "\(fault)", sourceLocation: location) }
            if let serial { #expect(fault.serial == serial, "\(fault)", sourceLocation: location) }
            try witness.check(location)
        }

        @Test(
            "A length of 4 GiB, of 2 GiB, of one byte over the limit",
            arguments: [UInt32.max, 1 << 31, (1 << 20) + 1] as [UInt32])
        func hugeLength(length: UInt32) throws {
            let resident = clinux_resident_bytes()
            try ends(.messageTooLong) { $0.send(2, [0, 0, 0, 0], serial: 9, length: length) }
            #expect(clinux_resident_bytes() - resident < 64 << 20)
        }

        @Test("A length that is smaller than the fields")
        func shortLength() throws {
            try ends(.truncated, serial: 5) { $0.send(5, [UInt8](repeating: 0, count: 9), serial: 5, length: 8) }
            try ends(.truncated) { $0.send(9, [UInt8](repeating: 0, count: 39)) }
        }

        @Test("Bytes after the last field")
        func trailing() throws {
            try ends(.trailingBytes, offset: 12, serial: 1) { $0.commit(raw: commitPayload([0], count: 0)) }
            try ends(.trailingBytes, offset: 0) { $0.send(7, [1]) }
            try ends(.trailingBytes, offset: 0) { $0.send(4, [1]) }
            try ends(.trailingBytes, offset: 4) { $0.send(6, [0, 0, 0, 0, 0]) }
            try ends(.trailingBytes, offset: 40) { $0.send(9, [UInt8](repeating: 0, count: 41)) }
            try ends(.trailingBytes, offset: 0) { $0.send(10, [1]) }
        }

        @Test("A message that no client sends", arguments: [0, 11, 127, 135, 0x8000, 0xFFFF] as [UInt16])
        func unknownMessage(type: UInt16) throws {
            try ends(.unknownMessage) { $0.send(type) }
        }

        @Test("A message of a server's", arguments: [128, 129, 130, 131, 132, 133, 134] as [UInt16])
        func serverMessage(type: UInt16) throws {
            try ends(.unexpectedMessage) { $0.send(type, [UInt8](repeating: 0, count: 64)) }
        }

        @Test("Ops that there are none of", arguments: [0, 10, 0xFF] as [UInt8])
        func unknownOp(code: UInt8) throws {
            let ops: [UInt8] = [5, 0, 0, 0, 0, code, 0, 0, 0, 0]
            try ends(.unknownOp, op: 1, offset: 17, serial: 1) { $0.commit(raw: commitPayload(ops, count: 2)) }
        }

        @Test("Counts that promise more than there is")
        func counts() throws {
            try ends(.truncated, offset: 8) { $0.commit(raw: commitPayload([], count: .max)) }
            try ends(.truncated, op: 0, offset: 17) {
                $0.commit(raw: commitPayload([4, 1, 0, 0, 0, 255, 255, 255, 127]))
            }
        }

        @Test("Classes, kinds and booleans that there are none of")
        func unknownNumbers() throws {
            try ends(.badValue, op: 0) { $0.commit(raw: commitPayload([1, 1, 0, 0, 0, 9])) }
            try ends(.badValue, op: 0) { $0.commit(raw: commitPayload([3, 1, 0, 0, 0, 11, 0, 99])) }
            try ends(.badValue, op: 0) { $0.commit(raw: commitPayload([3, 1, 0, 0, 0, 10, 0, 1, 7])) }
            try ends(.badValue, op: 0) { $0.commit(raw: commitPayload(imageOp(format: 200))) }
        }

        @Test("Names that are no UTF-8, and names that are too long")
        func names() throws {
            let start: [UInt8] = [3, 1, 0, 0, 0, 31, 0, 9, 1]
            try ends(.badText, op: 0) { $0.commit(raw: commitPayload(start + [2, 0, 0, 0, 0xC3, 0x28])) }
            let long = bytes { $0.write(String(repeating: "x", count: 4_097)) }
            try ends(.badText, op: 0) { $0.commit(raw: commitPayload(start + long)) }
        }

        @Test("Times that are none", arguments: [Double.nan, .infinity, -.infinity])
        func times(time: Double) throws {
            try ends(.badValue, offset: 0) { $0.commit(raw: commitPayload([], count: 0, time: time)) }
            try ends(.badValue, offset: 0) { client in
                client.send(
                    5,
                    bytes {
                        $0.write(time); $0.write(UInt8(1))
                    })
            }
        }

        @Test("A commit in a file: longer than allowed, without one")
        func commitInFile() throws {
            try ends(.messageTooLong) { client in
                client.send(3, bytes { $0.write(UInt32.max) })
            }
            try ends(.messageTooLong) { client in
                client.send(3, bytes { $0.write(UInt32(64 << 20) + 1) })
            }
            try ends(.truncated) { $0.send(3) }
        }

        @Test("A commit in a file is read like any other: what is wrong in it has its op and byte")
        func damagedFile() throws {
            let payload = commitPayload([5, 0, 0, 0, 0, 99, 0, 0, 0, 0], count: 2)
            let storage = try payload.withUnsafeBytes { try SealedFile.storage(copying: $0) }
            try ends(.unknownOp, op: 1, offset: 17, serial: 3) { client in
                client.send(3, bytes { $0.write(UInt32(payload.count)) }, descriptors: [storage.descriptor], serial: 3)
            }
        }

        @Test("Half a message, then nothing: the session ends after the patience")
        func half() throws {
            var fault: Fault?
            let client = try RawClient(.impatient)
            try client.greet()
            client.send(2, [1, 2, 3], length: 100)
            let time = seconds { fault = client.lastWords(seconds: 4) }
            #expect(fault?.code == ProtocolError.Code.tooSlow.rawValue)
            #expect(time > 0.25 && time < 2, "\(time) s")
            try witness.check()
        }

        @Test("A client that keeps finishing messages may go on for longer than the patience, whatever has just begun")
        func steadyStream() throws {
            let client = try RawClient(.impatient)
            try client.greet()
            let commit = header(2, count: 12) + commitPayload([], count: 0)
            // Always half a message ahead; the server would see one that has begun at every look.
            client.send(raw: Array(commit[..<10]))
            let start = clinux_monotonic_nanoseconds()
            while clinux_monotonic_nanoseconds() - start < 600_000_000 {
                client.send(raw: Array(commit[10...]) + Array(commit[..<10]))
                guard client.next(seconds: 1) != nil else { break }
                usleep(5_000)
            }
            #expect(!client.isClosed)
            client.vanish()
            try witness.check()
        }

        @Test("A client that is killed in the middle of a message leaves nothing behind")
        func killed() throws {
            for count in [1, 11, 12, 13, 40] {
                let client = try RawClient(server)
                try client.greet()
                let whole = header(2, count: 5_000) + [UInt8](repeating: 0, count: 5_000)
                client.send(raw: Array(whole[..<count]))
                client.vanish()
            }
            try witness.check()
        }

        @Test("More descriptors in a message than allowed, and more than can be received: all closed")
        func descriptorFlood() throws {
            let file = NamedFile()
            try ends(.tooManyDescriptors) {
                $0.send(4, descriptors: [Int32](repeating: file.descriptor, count: 17))
            }
            try ends(.tooManyDescriptors) {
                $0.send(4, descriptors: [Int32](repeating: file.descriptor, count: 60), announced: 16)
            }
            try ends(.tooManyDescriptors) { $0.send(7, descriptors: [file.descriptor]) }
            try ends(.missingDescriptor) { $0.send(4, announced: 3) }
            file.close()
            #expect(wait { file.openCount == 0 }, "\(file.openCount) descriptors are still open")
        }

        @Test("Descriptors for a commit that never comes: at most 256 wait")
        func parkedDescriptors() throws {
            let file = NamedFile()
            try ends(.tooManyDescriptors) { client in
                for _ in 0..<1_000 {
                    guard client.send(4, descriptors: [Int32](repeating: file.descriptor, count: 16)) else { break }
                    #expect(file.openCount < 400)
                }
            }
            file.close()
            #expect(wait { file.openCount == 0 }, "\(file.openCount) descriptors are still open")
        }

        @Test("Descriptors that no message announces")
        func strayDescriptors() throws {
            let file = NamedFile()
            try ends(.tooManyDescriptors) { client in
                for _ in 0..<10 {
                    guard client.send(7, descriptors: [Int32](repeating: file.descriptor, count: 16), announced: 0)
                    else { break }
                }
            }
            file.close()
            #expect(wait { file.openCount == 0 }, "\(file.openCount) descriptors are still open")
        }

        @Test("Seeded random changes of valid messages never hurt the witness")
        func mutations() throws {
            var random = SeededBytes(seed: 42)
            let valid = header(2, count: 0) + commitPayload(imageOp() + [1, 1, 0, 0, 0, 0, 5, 1, 0, 0, 0], count: 3)
            for _ in 0..<150 {
                let client = try RawClient(server)
                client.send(.hello(RawClient.hello))
                var bytes = valid
                bytes[0] = UInt8(bytes.count - 12)
                for _ in 0..<3 { bytes[Int(random.number() % UInt64(bytes.count))] = random.next() }
                client.send(raw: bytes + bytes)
                client.vanish()
            }
            try witness.check()
        }
    }
}
