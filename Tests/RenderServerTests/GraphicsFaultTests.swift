import CGraphics
import CoreAnimation
import LayerModel
import LayerWire
import Quartz2D
import RenderServer
import Rostrum
import Testing

extension ServerTests {
    /// What the driver does to a server: it loses its context, it has no memory, it is gone.
    @Suite("A driver that fails")
    struct GraphicsFaultTests {
        /// A rounded group at half opacity over a color: coverage tiles, a surface, no image.
        private static func tree(_ opacity: Double = 0.5) -> [TransactionOp] {
            let (root, group, circle) = (LayerID(1), LayerID(2), LayerID(3))
            var ops: [TransactionOp] = [root, group, circle].map { .createLayer($0, .layer) }
            ops += place(root, 40, 24, at: Point(20, 12)) + place(group, 30, 20, at: Point(20, 12))
            ops += place(circle, 16, 16, at: Point(20, 10))
            for (layer, color) in [(root, Color(1, 0.9, 0.2)), (group, Color(0.2, 0.4, 0.9)), (circle, Color(1, 0, 0))]
            {
                ops.append(.set(layer, .backgroundColor, .color(color)))
            }
            ops.append(.set(group, .cornerRadius, .number(6)))
            ops.append(.set(circle, .cornerRadius, .number(8)))
            ops.append(.set(group, .opacity, .number(opacity)))
            return ops + [.setSublayers(group, [circle]), .setSublayers(root, [group]), .setRoot(root)]
        }

        private static let hello = Hello(
            clientName: "app", width: 40, height: 24, scale: 1, isFlipped: true, background: .white)

        /// A client that shows the tree, and its picture.
        private func client(_ server: LiveServer) throws -> (client: RawClient, picture: [UInt8]) {
            let client = try RawClient(server)
            try client.greet(Self.hello)
            client.commit(Self.tree())
            return (client, try picture(client))
        }

        /// Draws something else, then the tree again; returns its pixels.
        private func picture(_ client: RawClient, _ location: SourceLocation = #_sourceLocation) throws -> [UInt8] {
            client.commit([.set(LayerID(1), .hidden, .bool(true))])
            let other = client.capture()
            if let frame = other?.frame { client.release(frame) }
            client.commit([.set(LayerID(1), .hidden, .bool(false))])
            let answer = client.capture()
            let frame = try #require(answer?.frame, "\(answer?.faults ?? [])", sourceLocation: location)
            defer { client.release(frame) }
            return client.pixels(of: frame)
        }

        private func image(_ level: UInt8, _ width: Int = 8, _ height: Int = 8) -> ImageContent {
            ImageContent(
                width: width, height: height, bytesPerRow: width * 4, isOpaque: true,
                pixels: PixelStorage(
                    (0..<width * height * 4).map { (index: Int) -> UInt8 in index % 4 == 3 ? 255 : level }))
        }

        // MARK: Lost contexts

        @Test(
            "A context lost at any moment of a frame: the picture comes all the same, and every other session's stays",
            arguments: 0..<9)
        func lost(answers: Int) throws {
            let server = try LiveServer.faulty()
            let (client, picture) = try client(server)
            let (other, otherPicture) = try self.client(server)
            FaultyDriver.plan.withLock { ($0.losses, $0.answersBeforeLoss) = (1, answers) }
            #expect(try self.picture(client) == picture)
            #expect(try self.picture(other) == otherPicture)
            #expect(try self.picture(client) == picture)
            let held = try #require(server.server.holdings())
            #expect(held.contextsLost == 1 && held.sessions == 2)
            #expect(held.graphics.rootsAlive == 2)
            #expect(server.takeLog().contains { $0.contains("graphics: ") && $0.contains("lost") })
        }

        @Test("A context lost while a commit's images are uploaded: the commit is applied, once")
        func lostInUpload() throws {
            let server = try LiveServer.faulty()
            let (client, _) = try client(server)
            FaultyDriver.plan.withLock { $0.losses = 1 }
            client.commit([.defineImage(ImageID(1), image(80)), .set(LayerID(1), .contents, .image(ImageID(1)))])
            client.commit([.set(LayerID(2), .hidden, .bool(true))])
            let answer = try #require(client.capture())
            #expect(answer.faults.isEmpty, "\(answer.faults)")
            let frame = try #require(answer.frame)
            #expect(Array(client.pixels(of: frame).prefix(4)) == [80, 80, 80, 255])
            let held = server.server.holdings()
            #expect(held?.contextsLost == 1 && held?.graphics.imagesAlive == 1)
        }

        @Test("An image that went with the context is named with its layer until the client defines it again")
        func contentsLost() throws {
            let server = try LiveServer.faulty()
            let (client, _) = try client(server)
            let (other, otherPicture) = try self.client(server)
            let show: [TransactionOp] = [
                .defineImage(ImageID(4), image(80)), .defineImage(ImageID(5), image(90)),
                .set(LayerID(3), .contents, .image(ImageID(4))),
            ]
            client.commit(show)
            let before = try picture(client)
            FaultyDriver.plan.withLock { $0.losses = 1 }
            #expect(try picture(other) == otherPicture)
            for _ in 0..<10 {
                let answer = try #require(client.capture())
                #expect(answer.frame == nil && answer.faults.count == 1)
                let fault = try #require(answer.faults.first)
                #expect(fault.code == ProtocolError.Code.contentsLost.rawValue && !fault.isFatal)
                #expect(fault.layer == LayerID(3) && fault.message.contains("image 4"), "\(fault)")
            }
            // What is not shown is no fault.
            client.commit([.set(LayerID(3), .hidden, .bool(true))])
            #expect(client.capture()?.frame != nil)
            client.commit([
                .set(LayerID(3), .hidden, .bool(false)), .defineImage(ImageID(6), image(80)),
                .set(LayerID(3), .contents, .image(ImageID(6))), .releaseImage(ImageID(4)), .releaseImage(ImageID(5)),
            ])
            #expect(try picture(client) == before)
            #expect(server.server.holdings()?.graphics.imagesAlive == 1)
            client.vanish()
            server.waitForSessions(1)
            #expect(server.server.holdings()?.graphics.imagesAlive == 0)
        }

        @Test("A display's snapshot after a lost context is the one before it: the display sends its images again")
        func display() throws {
            let server = try LiveServer.faulty()
            let display = try HeadlessDisplay(width: 40, height: 24, server: .socket(path: server.path))
            let layer = CALayer()
            layer.frame = CGRect(x: 4, y: 4, width: 16, height: 16)
            layer.contents = CGImage(image(120))
            layer.cornerRadius = 5
            display.rootLayer.addSublayer(layer)
            let before = try display.snapshot()
            for round in 1...3 {
                FaultyDriver.plan.withLock { $0.losses = 1 }
                CATransaction.begin()
                CATransaction.setDisableActions(true)
                layer.opacity = 0.5
                CATransaction.commit()
                _ = try display.snapshot(at: Double(round))
                layer.opacity = 1
                let after = try display.snapshot(at: Double(round) + 0.5)
                #expect(pixels(of: after) == pixels(of: before))
                #expect(server.server.holdings()?.contextsLost == round)
            }
            #expect(server.server.holdings()?.sessions == 1)
        }

        private func pixels(of image: CGImage) -> [UInt8] { image.content.pixels.withBytes { Array($0) } }

        @Test("Contexts that are lost one after the other are an error of each frame, and no end of the session")
        func lostAgainAndAgain() throws {
            let server = try LiveServer.faulty()
            let (client, picture) = try client(server)
            FaultyDriver.plan.withLock { $0.losses = .max }
            client.commit([.set(LayerID(1), .opacity, .number(0.5))])
            for _ in 0..<12 {
                let answer = try #require(client.capture())
                #expect(answer.frame == nil)
                #expect(answer.faults.map(\.code) == [ProtocolError.Code.graphics.rawValue], "\(answer.faults)")
            }
            FaultyDriver.plan.withLock { $0 = .init() }
            client.commit([.set(LayerID(1), .opacity, .number(1))])
            #expect(try self.picture(client) == picture)
        }

        @Test("A driver that is gone after a loss is an error that says so, until it is back")
        func gone() throws {
            let server = try LiveServer.faulty()
            let (client, picture) = try client(server)
            FaultyDriver.plan.withLock { ($0.losses, $0.isMissing) = (1, true) }
            client.commit([.set(LayerID(1), .opacity, .number(0.5))])
            for _ in 0..<3 {
                let answer = try #require(client.capture())
                #expect(answer.faults.map(\.code) == [ProtocolError.Code.graphics.rawValue])
                #expect(answer.faults.first?.message.contains("eglCreateContext") == true, "\(answer.faults)")
            }
            FaultyDriver.plan.withLock { $0 = .init() }
            client.commit([.set(LayerID(1), .opacity, .number(1))])
            #expect(try self.picture(client) == picture)
        }

        @Test("Pixels that can't be read are an error of the frame; its memory serves the next one")
        func unreadable() throws {
            let server = try LiveServer.faulty()
            let (client, picture) = try client(server)
            FaultyDriver.plan.withLock { $0.refusedReads = 30 }
            for turn in 1...30 {
                // What has not changed is not read again.
                client.commit([.set(LayerID(1), .opacity, .number(1 / Double(turn + 1)))])
                let answer = try #require(client.capture())
                #expect(answer.faults.map(\.code) == [ProtocolError.Code.graphics.rawValue])
            }
            #expect(server.server.holdings()?.frameBuffers == 1)
            client.commit([.set(LayerID(1), .opacity, .number(1))])
            #expect(try self.picture(client) == picture)
        }

        // MARK: No memory

        /// What is made when a client's first frame is drawn: the root, the surface of the group, a page of coverage.
        private static let made = [
            PixelSize(width: 40, height: 24), PixelSize(width: 80, height: 80), PixelSize(width: 1_024, height: 1_024),
        ]

        @Test("A texture that the driver has no memory for is asked for once more, and counted", arguments: made)
        func refusedOnce(size: PixelSize) throws {
            let picture = try self.client(LiveServer.faulty()).picture
            let server = try LiveServer.faulty(.init(refusedTextures: [size: 1]))
            #expect(try client(server).picture == picture)
            #expect(server.server.holdings()?.outOfMemory == 1)
        }

        @Test(
            "A texture that the driver never has memory for is an error of that session, which goes on; others draw",
            arguments: made)
        func refusedAlways(size: PixelSize) throws {
            let server = try LiveServer.faulty()
            let (other, otherPicture) = try client(server)
            // Nothing in reserve, so that the client's must be made.
            let client = try RawClient(server)
            var hello = Self.hello
            if size.width == 40 { hello.width = 41 }
            try client.greet(hello)
            let refused = PixelSize(width: Int(hello.width), height: 24)
            FaultyDriver.plan.withLock { $0.refusedTextures[size.width == 40 ? refused : size] = 1_000_000 }
            client.commit(Self.tree())
            var faults: [Fault] = []
            for _ in 0..<12 {
                // A surface that another session gave back may serve this one.
                guard let answer = client.capture(), answer.frame == nil else { break }
                faults += answer.faults
            }
            if size.width != 80 { #expect(faults.count == 12) }
            #expect(faults.allSatisfy { $0.code == ProtocolError.Code.graphics.rawValue && !$0.isFatal })
            #expect(
                faults.allSatisfy { $0.message.contains("ran out of memory") }, "\(faults.first.map { "\($0)" } ?? "")")
            FaultyDriver.plan.withLock { $0.refusedTextures = [:] }
            #expect(client.capture()?.frame != nil)
            #expect(try picture(other) == otherPicture)
        }

        @Test("Gradients of frames that the driver had no memory for do not stay behind")
        func refusedGradient() throws {
            let server = try LiveServer.faulty()
            let client = try RawClient(server)
            try client.greet(Self.hello)
            FaultyDriver.plan.withLock { $0.refusedTextures = [PixelSize(width: 80, height: 80): 1_000_000] }
            let gradient = LayerID(4)
            client.commit(
                Self.tree() + [.createLayer(gradient, .gradientLayer)] + place(gradient, 12, 10, at: Point(9, 9)) + [
                    .set(gradient, .colors, .colors([Color(1, 0, 0), Color(0, 0, 1)])),
                    .set(gradient, .endPoint, .point(Point(1, 1))), .setSublayers(LayerID(2), [LayerID(3), gradient]),
                ])
            for _ in 0..<3 { #expect(client.capture()?.frame == nil) }
            FaultyDriver.plan.withLock { $0.refusedTextures = [:] }
            client.commit([.setSublayers(LayerID(2), [LayerID(3)])])
            #expect(client.capture()?.frame != nil)
            #expect(server.server.holdings()?.graphics.imagesAlive == 0)
        }

        @Test("An image that the driver has no memory for is refused with its op; nothing of the commit stays")
        func refusedImage() throws {
            let server = try LiveServer.faulty()
            let (client, picture) = try client(server)
            FaultyDriver.plan.withLock { $0.refusedTextures = [PixelSize(width: 7, height: 5): 2] }
            let commit: [TransactionOp] = [
                .defineImage(ImageID(1), image(1)), .set(LayerID(1), .hidden, .bool(true)),
                .defineImage(ImageID(2), image(2, 7, 5)),
            ]
            client.commit(commit)
            let answer = try #require(client.capture())
            #expect(answer.faults.map(\.code) == [TransactionError.Code.imageTooLarge.rawValue + 100])
            #expect(answer.faults.first?.op == 2)
            #expect(answer.faults.first?.message.contains("7x5 pixels") == true, "\(answer.faults)")
            #expect(try self.picture(client) == picture)
            var held = try #require(server.server.holdings())
            #expect(held.graphics.imagesAlive == 0 && held.images == 0 && held.outOfMemory == 1)
            client.commit(commit)
            #expect(client.capture()?.faults.isEmpty == true)
            held = try #require(server.server.holdings())
            #expect(held.graphics.imagesAlive == 2)
        }
    }
}
