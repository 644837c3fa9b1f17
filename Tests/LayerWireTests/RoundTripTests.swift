import LayerModel
import LayerWire
import Testing

@Suite("Messages as bytes")
struct RoundTripTests {
    @Test("A client's message reads back as it was written", arguments: MessageType.ofClients)
    func client(type: MessageType) throws {
        for seed in 0..<40 {
            var random = RandomMessages(seed: seed)
            let message = random.clientMessage(type)
            #expect(message.type == type)
            #expect(try decodeClient(type, payload(message)) == message, "seed \(seed)")
        }
    }

    @Test("A server's message reads back as it was written", arguments: MessageType.ofServers)
    func server(type: MessageType) throws {
        for seed in 0..<40 {
            var random = RandomMessages(seed: seed)
            let message = random.serverMessage(type)
            #expect(message.type == type)
            #expect(try decodeServer(type, payload(message)) == message, "seed \(seed)")
        }
    }

    @Test("Transactions of random ops read back, numbers bit for bit")
    func transactions() throws {
        for seed in 0..<60 {
            var random = RandomMessages(seed: seed)
            let message = ClientMessage.commit(random.transaction(ops: 30))
            let bytes = payload(message)
            #expect(try payload(decodeClient(.commit, bytes)) == bytes, "seed \(seed)")
        }
    }

    @Test("NaN and infinity travel as they are: what they mean is the store's to say")
    func notFinite() throws {
        for number in [Double.nan, .infinity, -.infinity, .signalingNaN] {
            let message = ClientMessage.commit(Transaction(time: 0, ops: [.set(LayerID(1), .opacity, .number(number))]))
            let bytes = payload(message)
            #expect(try payload(decodeClient(.commit, bytes)) == bytes)
        }
    }

    @Test("Inline pixels are written without the padding of their rows")
    func padding() throws {
        let rows: [UInt8] = [1, 2, 3, 4, 99, 99, 99, 99, 5, 6, 7, 8]
        let padded = ImageContent(width: 1, height: 2, bytesPerRow: 8, isOpaque: false, pixels: PixelStorage(rows))
        let message = ClientMessage.commit(Transaction(time: 0, ops: [.defineImage(ImageID(1), padded)]))
        guard case .commit(let transaction) = try decodeClient(.commit, payload(message)),
            case .defineImage(_, let content) = transaction.ops[0]
        else {
            Issue.record("no image came back")
            return
        }
        #expect(content.bytesPerRow == 4)
        #expect(content.pixels.withBytes { Array($0) } == [1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test("Pixels in a descriptor are named by number, offset and count")
    func descriptors() throws {
        let image = ImageContent(
            width: 3, height: 2, bytesPerRow: 16, isOpaque: true, pixels: PixelStorage([UInt8](repeating: 7, count: 32))
        )
        let transaction = Transaction(
            time: 1, ops: [.defineImage(ImageID(1), image), .defineImage(ImageID(2), image)])
        var writer = ByteWriter()
        var next: UInt16 = 4
        ClientMessage.commit(transaction).encode(into: &writer) { _ in
            defer { next += 1 }
            return next
        }
        var asked: [String] = []
        _ = try writer.bytes.withUnsafeBytes { bytes in
            try ClientMessage.decode(.commit, bytes) { index, offset, count throws(ProtocolError) in
                asked.append("\(index) \(offset) \(count)")
                return PixelStorage([UInt8](repeating: 0, count: count))
            }
        }
        // Two rows, the last without its padding: 16 + 3 × 4.
        #expect(asked == ["4 0 28", "5 0 28"])
    }
}
