import CLinux
import Glibc
import LayerModel
import LayerWire
import RenderServer
import TestFiles
import Testing

extension ServerTests {
    /// What a commit asks for and can't have is refused whole, and the session goes on.
    @Suite("Commits that can't be applied")
    struct RefusedCommitTests {
        let server = LiveServer.shared
        let witness: Witness

        init() throws { witness = try Witness(.shared) }

        private static let tree: [TransactionOp] =
            [
                .createLayer(LayerID(1), .layer), .createLayer(LayerID(2), .layer), .createLayer(LayerID(3), .layer),
                .set(LayerID(1), .backgroundColor, .color(Color(0, 0, 1))), .setSublayers(LayerID(1), [LayerID(2)]),
                .setSublayers(LayerID(2), [LayerID(3)]), .setRoot(LayerID(1)),
            ] + place(LayerID(1), 16, 16, at: Point(8, 8))

        /// Commits a small tree, then something that is refused; then the tree still shows and can be changed.
        private func refused(
            _ code: UInt16, op: UInt32?, layer: UInt32? = nil, _ location: SourceLocation = #_sourceLocation,
            _ attack: (RawClient) throws -> UInt32
        ) throws {
            let client = try RawClient(server)
            try client.greet()
            client.commit(Self.tree)
            let serial = try attack(client)
            let answer = try #require(client.capture(), "the session ended", sourceLocation: location)
            let fault = try #require(answer.faults.first, "nothing was refused", sourceLocation: location)
            #expect(answer.faults.count == 1, "\(answer.faults)", sourceLocation: location)
            #expect(fault.code == code, "\(fault)", sourceLocation: location)
            #expect(!fault.isFatal, sourceLocation: location)
            #expect(fault.serial == serial, "\(fault)", sourceLocation: location)
            #expect(fault.op == op, "\(fault)", sourceLocation: location)
            if let layer { #expect(fault.layer == LayerID(layer), "\(fault)", sourceLocation: location) }
            let frame = try #require(answer.frame, sourceLocation: location)
            #expect(Array(client.pixels(of: frame).prefix(4)) == [255, 0, 0, 255], sourceLocation: location)
            client.commit([.set(LayerID(1), .backgroundColor, .color(Color(1, 0, 0)))])
            client.release(frame)
            let next = try #require(client.capture(at: 1)?.frame, sourceLocation: location)
            #expect(Array(client.pixels(of: next).prefix(4)) == [0, 0, 255, 255], sourceLocation: location)
            client.vanish()
            try witness.check(location)
        }

        private func refused(
            _ code: TransactionError.Code, op: UInt32, layer: UInt32? = nil, _ ops: [TransactionOp],
            _ location: SourceLocation = #_sourceLocation
        ) throws {
            try refused(code.rawValue + 100, op: op, layer: layer, location) { $0.commit(ops) }
        }

        @Test("A layer that exists, and layer 0")
        func duplicateLayer() throws {
            try refused(
                .duplicateLayer, op: 1, layer: 2, [.destroyLayer(LayerID(3)), .createLayer(LayerID(2), .layer)])
            try refused(.duplicateLayer, op: 0, layer: 0, [.createLayer(.none, .layer)])
            try refused(.duplicateLayer, op: 1, [.createLayer(LayerID(9), .layer), .createLayer(LayerID(9), .layer)])
        }

        @Test("A layer that was destroyed, or never was, in every op that names one")
        func unknownLayer() throws {
            let gone = LayerID(3)
            for op: TransactionOp in [
                .set(gone, .opacity, .number(1)), .destroyLayer(gone), .setSublayers(gone, []),
                .setSublayers(LayerID(1), [gone]), .setRoot(gone),
            ] {
                try refused(.unknownLayer, op: 1, layer: 3, [.destroyLayer(gone), op])
            }
            for id: UInt32 in [0, 4, .max - 1, 1 << 31] {
                try refused(.unknownLayer, op: 0, layer: id, [.set(LayerID(id), .opacity, .number(1))])
            }
        }

        @Test("A layer above itself: directly, through others, in one commit")
        func cycles() throws {
            try refused(.cycle, op: 0, layer: 1, [.setSublayers(LayerID(1), [LayerID(1)])])
            try refused(.cycle, op: 0, layer: 3, [.setSublayers(LayerID(3), [LayerID(1)])])
            try refused(
                .cycle, op: 3,
                [
                    .createLayer(LayerID(8), .layer), .createLayer(LayerID(9), .layer),
                    .setSublayers(LayerID(8), [LayerID(9)]), .setSublayers(LayerID(9), [LayerID(8)]),
                ])
            try refused(.repeatedSublayer, op: 0, layer: 1, [.setSublayers(LayerID(1), [LayerID(2), LayerID(2)])])
        }

        @Test("100,000 layers one below the other: refused at the limit, without recursion, in a second")
        func depth() throws {
            let time = try seconds {
                try refused(TransactionError.Code.tooDeep.rawValue + 100, op: 197_998) { client in
                    let count: UInt32 = 99_000
                    var ops: [TransactionOp] = []
                    for id in 10..<10 + count { ops.append(.createLayer(LayerID(id), .layer)) }
                    // From the bottom up: no walk upward is long, only the whole is deep.
                    for id in (10..<9 + count).reversed() { ops.append(.setSublayers(LayerID(id), [LayerID(id + 1)])) }
                    return sendLong(ops, client)
                }
            }
            #expect(time < 8, "\(time) s")
        }

        @Test("More layers than a session may have: refused at the limit")
        func width() throws {
            try refused(TransactionError.Code.tooManyLayers.rawValue + 100, op: 99_997) { client in
                sendLong((10..<100_020).map { .createLayer(LayerID($0), .layer) }, client)
            }
        }

        @Test("A commit of more ops than allowed, in a file: refused before it is kept")
        func ops() throws {
            try refused(ProtocolError.Code.limit.rawValue, op: nil) { client in
                let count = UInt32(WireLimits.commitOps) + 1
                let payload = commitPayload([UInt8](repeating: 5, count: Int(count) * 5), count: count)
                return send(payload, inFileOf: client)
            }
        }

        /// A commit in a sealed file.
        private func sendLong(_ ops: [TransactionOp], _ client: RawClient) -> UInt32 {
            send(client.bytes(of: .commit(Transaction(time: 0, ops: ops))), inFileOf: client)
        }

        private func send(_ payload: [UInt8], inFileOf client: RawClient) -> UInt32 {
            guard let file = try? payload.withUnsafeBytes({ try SealedFile.storage(copying: $0) }) else { return 0 }
            client.send(3, bytes { $0.write(UInt32(payload.count)) }, descriptors: [file.descriptor], serial: 500)
            return 500
        }

        @Test("NaN and infinity in every property that has numbers", arguments: LayerProperty.allCases)
        func notFinite(property: LayerProperty) throws {
            for number in [Double.nan, .infinity, -.infinity] {
                let value: PropertyValue
                switch property.kind {
                case .number: value = .number(number)
                case .point: value = .point(Point(0, number))
                case .rect: value = .rect(Rect(0, 0, number, 1))
                case .color: value = .color(Color(0, 0, number))
                case .transform:
                    var elements = Transform.identity.elements
                    elements[11] = number
                    value = .transform(Transform(elements: elements)!)
                default: return
                }
                try refused(
                    .badValue, op: 1, layer: 2,
                    [.set(LayerID(1), .opacity, .number(1)), .set(LayerID(2), property, value)])
            }
        }

        @Test("A value of the wrong kind, for every property", arguments: LayerProperty.allCases)
        func wrongKind(property: LayerProperty) throws {
            let value: PropertyValue = property.kind == .bool ? .number(1) : .bool(true)
            try refused(.badValue, op: 0, layer: 2, [.set(LayerID(2), property, value)])
        }

        @Test("Codes that name nothing")
        func codes() throws {
            for property: LayerProperty in [.contentsGravity, .minificationFilter, .magnificationFilter, .cornerCurve] {
                try refused(.badValue, op: 0, layer: 2, [.set(LayerID(2), property, .code(200))])
            }
        }

        @Test("Images that do not exist, exist already, or are used after their release")
        func imageIdentifiers() throws {
            let image = ImageContent(
                width: 1, height: 1, bytesPerRow: 4, isOpaque: true, pixels: PixelStorage([0, 0, 0, 255]))
            try refused(.unknownImage, op: 0, layer: 2, [.set(LayerID(2), .contents, .image(ImageID(7)))])
            try refused(.unknownImage, op: 0, [.releaseImage(ImageID(7))])
            try refused(
                .unknownImage, op: 2,
                [.defineImage(ImageID(7), image), .releaseImage(ImageID(7)), .releaseImage(ImageID(7))])
            try refused(.duplicateImage, op: 1, [.defineImage(ImageID(7), image), .defineImage(ImageID(7), image)])
            try refused(.duplicateImage, op: 0, [.defineImage(.none, image)])
            try refused(
                .duplicateImage, op: 2,
                [.defineImage(ImageID(7), image), .releaseImage(ImageID(7)), .defineImage(ImageID(7), image)])
        }

        @Test("An image that was uploaded goes again with the commit that is refused")
        func uploadedInVain() throws {
            let image = ImageContent(
                width: 64, height: 64, bytesPerRow: 256, isOpaque: true,
                pixels: PixelStorage([UInt8](repeating: 255, count: 64 * 256)))
            try refused(.unknownLayer, op: 1, [.defineImage(ImageID(7), image), .destroyLayer(LayerID(77))])
        }

        // MARK: Descriptors

        private func refused(
            _ code: ProtocolError.Code, _ op: [UInt8], file: NamedFile, _ location: SourceLocation = #_sourceLocation
        ) throws {
            try refused(code.rawValue, op: 0, location) {
                $0.commit(raw: commitPayload(op), descriptors: [file.descriptor])
            }
            file.close()
            #expect(wait { file.openCount == 0 }, sourceLocation: location)
        }

        @Test("A file that can shrink")
        func unsealed() throws {
            try refused(.badDescriptor, imageOp(), file: NamedFile(bytes: 4_096))
        }

        @Test("A file that is shorter than its image, an offset beyond it, an offset that overflows")
        func shortFiles() throws {
            for (op, bytes) in [
                (imageOp(), 63), (imageOp(offset: 1), 64), (imageOp(offset: 4_096), 4_096),
                (imageOp(offset: .max), 4_096),
                (imageOp(offset: UInt64(Int64.max)), 4_096), (imageOp(), 0),
                (imageOp(width: 1_024, height: 1_024, row: 4_096), 4_096),
            ] {
                try refused(.badDescriptor, op, file: NamedFile(bytes: bytes, sealed: true))
            }
        }

        @Test("Rows shorter than their pixels, of half pixels, of 4 GiB; sizes of nothing and of everything")
        func rows() throws {
            for op in [
                imageOp(row: 15), imageOp(row: 12), imageOp(row: 17), imageOp(width: 0), imageOp(height: 0),
                imageOp(width: .max), imageOp(height: .max), imageOp(width: .max, height: .max, row: .max),
                imageOp(row: 0),
            ] {
                try refused(.badImage, op, file: NamedFile(bytes: 4_096, sealed: true))
            }
            try refused(.limit, imageOp(height: 1 << 20, row: .max - 3), file: NamedFile(bytes: 4_096, sealed: true))
        }

        @Test("A descriptor that did not come")
        func missing() throws {
            try refused(.missingDescriptor, imageOp(descriptor: 1), file: NamedFile(bytes: 64, sealed: true))
            try refused(.missingDescriptor, imageOp(descriptor: .max), file: NamedFile(bytes: 64, sealed: true))
        }

        @Test("Descriptors that are no files", arguments: ["/dev/null", "/dev/zero", "/proc/self/maps", "/tmp"])
        func otherDescriptors(path: String) throws {
            let fd = open(path, O_RDONLY)
            defer { close(fd) }
            try refused(ProtocolError.Code.badDescriptor.rawValue, op: 0) {
                $0.commit(raw: commitPayload(imageOp()), descriptors: [fd])
            }
        }

        @Test("An image larger than the limits: a side, the bytes of a session")
        func largeImages() throws {
            let file = NamedFile(bytes: 70_000 * 4, sealed: true)
            try refused(TransactionError.Code.imageTooLarge.rawValue + 100, op: 0) {
                $0.commit(
                    raw: commitPayload(imageOp(width: 16_385, height: 1, row: 16_385 * 4)),
                    descriptors: [file.descriptor])
            }
            try refused(TransactionError.Code.imageTooLarge.rawValue + 100, op: 0) {
                $0.commit(raw: commitPayload(imageOp(width: 1, height: 16_385, row: 4)), descriptors: [file.descriptor])
            }
            file.close()
            let large = NamedFile(bytes: 600 << 20, sealed: true)
            try refused(ProtocolError.Code.limit.rawValue, op: 0) {
                $0.commit(
                    raw: commitPayload(imageOp(width: 16_384, height: 9_600, row: 65_536)),
                    descriptors: [large.descriptor])
            }
            large.close()
        }

        @Test("One file as a thousand images: refused by the sum, before a pixel is uploaded")
        func manyImages() throws {
            let file = NamedFile(bytes: 16 << 20, sealed: true)
            let before = try #require(server.server.holdings()).graphics.imagePixelsUploaded
            let time = try seconds {
                try refused(TransactionError.Code.tooManyBytes.rawValue + 100, op: 32) { client in
                    let ops = (1...1_000).flatMap { imageOp($0, width: 2_048, height: 2_048, row: 8_192) }
                    return client.commit(raw: commitPayload(ops, count: 1_000), descriptors: [file.descriptor])
                }
            }
            let uploaded = try #require(server.server.holdings()).graphics.imagePixelsUploaded - before
            #expect(uploaded < 1 << 20, "\(uploaded) pixels")
            #expect(time < 2, "\(time) s")
            file.close()
        }

        @Test("A thousand large images, each released at once: nothing of them is uploaded")
        func releasedAtOnce() throws {
            let file = NamedFile(bytes: 16 << 20, sealed: true)
            let before = try #require(server.server.holdings()).graphics.imagePixelsUploaded
            let client = try RawClient(server)
            try client.greet()
            let ops = (1...UInt32(1_000)).flatMap { id in
                imageOp(id, width: 2_048, height: 2_048, row: 8_192) + [7] + bytes { $0.write(id) }
            }
            client.commit(raw: commitPayload(ops, count: 2_000), descriptors: [file.descriptor])
            #expect(client.capture()?.faults.isEmpty == true)
            let uploaded = try #require(server.server.holdings()).graphics.imagePixelsUploaded - before
            #expect(uploaded == 0, "\(uploaded) pixels")
            client.vanish()
            file.close()
            try witness.check()
        }

        @Test("A commit in a file that can shrink, is empty or too short")
        func commitFiles() throws {
            for (file, count) in [
                (NamedFile(bytes: 64), 12), (NamedFile(bytes: 0, sealed: true), 0),
                (NamedFile(bytes: 11, sealed: true), 12),
            ] {
                try refused(ProtocolError.Code.badDescriptor.rawValue, op: nil) { client in
                    client.send(3, bytes { $0.write(UInt32(count)) }, descriptors: [file.descriptor], serial: 9)
                    return 9
                }
                file.close()
                #expect(wait { file.openCount == 0 })
            }
            try refused(ProtocolError.Code.missingDescriptor.rawValue, op: nil) { client in
                client.send(3, bytes { $0.write(UInt32(12)) }, serial: 9)
                return 9
            }
        }

        @Test("Time that goes back is refused for the capture; the next one is drawn")
        func timeGoesBack() throws {
            let client = try RawClient(server)
            try client.greet()
            client.commit(Self.tree, time: 5)
            #expect(client.capture(at: 10)?.frame?.time == 10)
            let answer = try #require(client.capture(at: 9))
            #expect(answer.frame == nil)
            #expect(answer.faults.map(\.code) == [ProtocolError.Code.timeWentBack.rawValue])
            client.commit([.set(LayerID(1), .opacity, .number(0.5))], time: -1e300)
            #expect(client.capture(at: 10)?.frame != nil)
            #expect(client.capture(at: 1e300)?.frame != nil)
            client.vanish()
            try witness.check()
        }

        @Test("A frame that is not held can't be released")
        func unheldFrames() throws {
            let client = try RawClient(server)
            try client.greet()
            client.commit(Self.tree)
            for buffer: UInt32 in [0, 1, .max] { client.send(.releaseFrame(buffer), serial: 3) }
            let answer = try #require(client.capture())
            #expect(answer.faults.map(\.code) == [UInt16](repeating: ProtocolError.Code.badValue.rawValue, count: 3))
            let frame = try #require(answer.frame)
            client.release(frame)
            client.release(frame)
            #expect(client.capture()?.faults.count == 1)
            client.vanish()
            try witness.check()
        }
    }
}
