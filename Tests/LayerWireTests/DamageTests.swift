import LayerModel
import LayerWire
import Testing

@Suite("Damaged messages")
struct DamageTests {
    @Test("A message cut anywhere says so, at a byte that is there", arguments: MessageType.allCases)
    func truncation(type: MessageType) {
        var random = RandomMessages(seed: 7)
        let whole = type.rawValue < 128 ? payload(random.clientMessage(type)) : payload(random.serverMessage(type))
        for count in 0..<whole.count {
            let error = faultOfDecoding(type, Array(whole[0..<count]))
            #expect(error != nil, "\(type) cut to \(count) of \(whole.count) bytes")
            #expect(error.map { $0.code == .truncated || $0.code == .badMagic } ?? false, "\(count): \(error!)")
            if let offset = error?.offset { #expect((0...count).contains(offset), "\(count): \(error!)") }
        }
    }

    @Test("A byte too many is refused, and where it is", arguments: MessageType.allCases)
    func trailing(type: MessageType) {
        var random = RandomMessages(seed: 8)
        let whole = type.rawValue < 128 ? payload(random.clientMessage(type)) : payload(random.serverMessage(type))
        let error = faultOfDecoding(type, whole + [0])
        #expect(error?.code == .trailingBytes)
        #expect(error?.offset == whole.count)
    }

    /// A commit at 0 s of one op.
    private func commit(_ op: [UInt8], count: UInt32 = 1) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(0.0)
        writer.write(count)
        op.withUnsafeBytes { writer.write(raw: $0) }
        return writer.bytes
    }

    private func bytes(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        body(&writer)
        return writer.bytes
    }

    private func image(
        width: UInt32 = 2, height: UInt32 = 2, format: UInt8 = 1, opaque: UInt8 = 1, row: UInt32 = 8, source: UInt8 = 1
    ) -> [UInt8] {
        bytes {
            $0.write(UInt8(6))
            $0.write(UInt32(1))
            $0.write(width)
            $0.write(height)
            $0.write(format)
            $0.write(opaque)
            $0.write(row)
            $0.write(source)
            $0.write(UInt64(0))
            $0.write(UInt64(0))
        }
    }

    @Test("A count that the bytes can't hold is refused before anything is kept for it")
    func counts() {
        #expect(faultOfDecoding(.commit, commit([], count: .max))?.code == .truncated)
        let sublayers = bytes {
            $0.write(UInt8(4))
            $0.write(UInt32(1))
            $0.write(UInt32.max)
        }
        let error = faultOfDecoding(.commit, commit(sublayers))
        #expect(error?.code == .truncated)
        #expect(error?.op == 0)
        #expect(faultOfDecoding(.released, bytes { $0.write(UInt32(1) << 31) })?.code == .truncated)
    }

    @Test("More ops than a commit may have are refused, although they are there")
    func tooManyOps() {
        let count = WireLimits.commitOps + 1
        var payload = commit([], count: UInt32(count))
        payload += [UInt8](repeating: 2, count: count * 5)
        #expect(faultOfDecoding(.commit, payload)?.code == .limit)
    }

    @Test(
        "A text's length is checked against its limit and the bytes",
        arguments: [(UInt32.max, ProtocolError.Code.badText), (4_097, .badText), (4_096, .truncated)])
    func textLengths(length: UInt32, code: ProtocolError.Code) {
        let name = bytes {
            $0.write(UInt8(3))
            $0.write(UInt32(1))
            $0.write(LayerProperty.name.rawValue)
            $0.write(PropertyValue.Kind.string.rawValue)
            $0.write(true)
            $0.write(length)
            $0.write(UInt64(0))
        }
        let error = faultOfDecoding(.commit, commit(name))
        #expect(error?.code == code)
        #expect(error?.op == 0)
        #expect(error?.offset != nil)
    }

    @Test(
        "Text that is no UTF-8 is refused",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func utf8(raw: [UInt8]) {
        var hello = payload(
            .hello(Hello(clientName: "abcd", width: 1, height: 1, scale: 1, isFlipped: true, background: .clear)))
        hello.replaceSubrange(8..<16, with: bytes { $0.write(UInt32(raw.count)) } + raw)
        let error = faultOfDecoding(.hello, hello)
        #expect(error?.code == .badText)
        #expect(error?.offset == 8)
    }

    @Test("Numbers that name nothing are refused, with the op and the byte")
    func unknownNumbers() {
        func expect(_ op: [UInt8], _ code: ProtocolError.Code, at offset: Int, _ what: Comment) {
            let error = faultOfDecoding(.commit, commit(op))
            #expect(error?.code == code, what)
            #expect(error?.offset == offset, what)
            #expect(error?.op == 0, what)
        }
        expect([0, 1, 0, 0, 0], .unknownOp, at: 12, "op 0")
        expect([10, 1, 0, 0, 0], .unknownOp, at: 12, "op 10")
        expect([0xFF, 1, 0, 0, 0], .unknownOp, at: 12, "op 255")
        expect([1, 1, 0, 0, 0, 200], .badValue, at: 17, "class 200")
        expect([3, 1, 0, 0, 0, 11, 0, 0], .badValue, at: 19, "kind 0")
        expect([3, 1, 0, 0, 0, 11, 0, 200], .badValue, at: 19, "kind 200")
        expect([3, 1, 0, 0, 0, 10, 0, 1, 2], .badValue, at: 20, "a boolean of 2")
        expect(image(format: 0), .badValue, at: 17, "format 0")
        expect(image(opaque: 2), .badValue, at: 26, "opaque 2")
        expect(image(source: 2), .badValue, at: 31, "pixel source 2")
    }

    private func set(_ property: LayerProperty, _ kind: PropertyValue.Kind, _ body: (inout ByteWriter) -> Void)
        -> [UInt8]
    {
        bytes {
            $0.write(UInt8(3))
            $0.write(UInt32(1))
            $0.write(property.rawValue)
            $0.write(kind.rawValue)
            body(&$0)
        }
    }

    @Test("Paths and filters that are none are refused, with the op and the byte")
    func pathsAndFilters() {
        func expect(_ op: [UInt8], _ code: ProtocolError.Code, at offset: Int?, _ what: Comment) {
            let error = faultOfDecoding(.commit, commit(op))
            #expect(error?.code == code, what)
            if let offset { #expect(error?.offset == offset, what) }
            #expect(error?.op == 0, what)
        }
        // Of a commit with one `set`, the value begins at byte 20.
        func path(_ verbs: [UInt8], points: Int = 0, count: UInt32? = nil) -> [UInt8] {
            set(.shadowPath, .path) {
                $0.write(true)
                $0.write(count ?? UInt32(verbs.count))
                for verb in verbs { $0.write(verb) }
                for _ in 0..<points * 2 { $0.write(1.0) }
            }
        }
        expect(path([0, 5], points: 9), .badValue, at: 26, "verb 5")
        expect(path([1, 1], points: 2), .badValue, at: 21, "a path that starts with a line")
        expect(path([0, 3], points: 2), .truncated, at: nil, "a cubic without its points")
        expect(path([0], points: 1, count: .max), .truncated, at: nil, "more verbs than bytes")
        expect(
            path([UInt8](repeating: 4, count: WireLimits.pathVerbs + 1)), .limit, at: 21, "a verb over the limit")

        func filters(_ count: UInt16, _ body: (inout ByteWriter) -> Void = { _ in }) -> [UInt8] {
            set(.filters, .filters) {
                $0.write(count)
                body(&$0)
            }
        }
        expect(filters(UInt16(WireLimits.filters + 1)), .limit, at: 20, "a filter too many")
        expect(filters(1), .truncated, at: nil, "no filter")
        expect(filters(1) { $0.write(UInt8(200)) }, .badValue, at: 22, "filter 200")
        func input(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
            filters(1) {
                $0.write(UInt8(1))
                $0.write(false)
                $0.write(true)
                $0.write(UInt8(1))
                body(&$0)
            }
        }
        expect(input { $0.write(UInt8(200)) }, .badValue, at: 26, "input 200")
        expect(
            input {
                $0.write(UInt8(1))
                $0.write(UInt8(7))
            }, .badValue, at: 27, "a value of kind 7")
        expect(
            input {
                $0.write(UInt8(6))
                $0.write(UInt8(4))
                $0.write(UInt16(WireLimits.filterNumbers + 1))
            }, .limit, at: 28, "a number too many")
    }

    @Test("A property that this version does not know is skipped by its kind, the rest is read")
    func unknownProperty() throws {
        let unknown: [UInt8] =
            [3, 1, 0, 0, 0, 0xFF, 0xFF, PropertyValue.Kind.point.rawValue] + [UInt8](repeating: 1, count: 16)
        let message = try decodeClient(.commit, commit(unknown + [2, 9, 0, 0, 0], count: 2))
        #expect(message == .commit(Transaction(time: 0, ops: [.destroyLayer(LayerID(9))])))
    }

    @Test("Images whose size and rows make no sense are refused as such: the session may go on")
    func images() {
        let cases: [([UInt8], Comment)] = [
            (image(width: 0), "no width"), (image(height: 0), "no height"), (image(row: 7), "a row of 7 bytes"),
            (image(row: 9), "a row of 9 bytes"), (image(row: 4), "a row shorter than its pixels"),
            (image(width: .max, height: .max, row: .max), "everything as large as can be"),
            (image(width: 1 << 21, row: 1 << 23), "two million pixels wide"),
            (image(width: 0xFFFF_FFFF, row: 8), "a negative width"),
        ]
        for (op, what) in cases {
            let error = faultOfDecoding(.commit, commit(op))
            #expect(error?.code == .badImage, what)
            #expect(error?.code.leavesSession == true, what)
            #expect(error?.op == 0, what)
        }
        // Rows of 4 GiB, a million of them: nothing is allocated, the bytes are not there.
        #expect(faultOfDecoding(.commit, commit(image(height: 1 << 20, row: .max - 3)))?.code == .truncated)
    }

    @Test("Times must be finite", arguments: [Double.nan, .infinity, -.infinity])
    func times(time: Double) {
        let capture = bytes {
            $0.write(time)
            $0.write(UInt8(1))
        }
        #expect(faultOfDecoding(.capture, capture)?.code == .badValue)
        let commit = bytes {
            $0.write(time)
            $0.write(UInt32(0))
        }
        #expect(faultOfDecoding(.commit, commit)?.code == .badValue)
    }

    @Test("A server's messages are none of a client's, and the other way round")
    func directions() {
        for type in MessageType.ofServers {
            #expect(throws: ProtocolError.self) { try decodeClient(type, []) }
        }
        for type in MessageType.ofClients {
            #expect(throws: ProtocolError.self) { try decodeServer(type, []) }
        }
    }

    @Test(
        "A version that is not spoken is said to be that, whatever follows it",
        arguments: [(0, 0), (0xFFFF, 0xFFFF), (2, 9)] as [(UInt16, UInt16)])
    func versions(oldest: UInt16, newest: UInt16) {
        let hello = bytes {
            $0.write(WireVersion.magic)
            $0.write(oldest)
            $0.write(newest)
        }
        let error = faultOfDecoding(.hello, hello)
        #expect(error?.code == .unsupportedVersion)
        #expect(error?.message.contains("this server 1 to 1") ?? false)
    }

    @Test("A version range that includes this one is spoken")
    func versionRange() {
        var random = RandomMessages(seed: 3)
        var hello = random.hello()
        hello.oldestVersion = 0
        hello.newestVersion = .max
        #expect(faultOfDecoding(.hello, payload(.hello(hello))) == nil)
    }

    @Test("Bytes changed, cut, doubled and inserted never trap, and what reads reads back", arguments: 0..<4)
    func mutations(part: Int) {
        var random = RandomMessages(seed: 100 + part)
        for _ in 0..<40 {
            for type in MessageType.allCases {
                let whole =
                    type.rawValue < 128
                    ? payload(type == .commit ? .commit(random.transaction(ops: 6)) : random.clientMessage(type))
                    : payload(random.serverMessage(type))
                for _ in 0..<6 {
                    var bytes = [UInt8(type.rawValue)] + whole
                    for _ in 0...random.below(4) { mutate(&bytes, &random) }
                    bytes.withUnsafeBytes { fuzzDecode($0) }
                }
            }
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout RandomMessages) {
        guard bytes.count > 1 else { return }
        let at = 1 + random.below(bytes.count - 1)
        switch random.below(6) {
        case 0: bytes[at] = random.integer()
        case 1: bytes[at] ^= 1 << UInt8(random.below(8))
        case 2: bytes.removeSubrange(at..<min(bytes.count, at + 1 + random.below(9)))
        case 3: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 24)], at: at)
        case 4:
            let lies: [UInt32] = [0, 1, .max, 1 << 31, 0x7FFF_FFFF, 0xFFFF]
            let lie = lies[random.below(lies.count)]
            for (index, byte) in withUnsafeBytes(of: lie.littleEndian, Array.init).enumerated()
            where at + index < bytes.count {
                bytes[at + index] = byte
            }
        default: bytes.removeLast(bytes.count - at)
        }
    }
}
