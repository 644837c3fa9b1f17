import CGraphics
import CoreAnimation
import LayerModel
import LayerWire
import Quartz2D
import RenderServer
import Rostrum
import Testing

extension ServerTests {
    /// A driver whose textures are small, so that large images are cheap.
    @Suite("Images larger than a texture", .serialized)
    struct TextureLimitTests {
        private static let hello = Hello(
            clientName: "app", width: 64, height: 48, scale: 1, isFlipped: true, background: .white)

        /// Each pixel by its place; with `alpha`, translucent.
        private static func image(_ width: Int, _ height: Int, alpha: UInt8 = 255) -> ImageContent {
            var bytes: [UInt8] = []
            for y in 0..<height {
                for x in 0..<width {
                    let levels = [(x * 5 + y) & 255, (y * 7 + x * 3) & 255, (x * y) & 255]
                    bytes += levels.map { UInt8($0 * Int(alpha) / 255) } + [alpha]
                }
            }
            return ImageContent(
                width: width, height: height, bytesPerRow: width * 4, isOpaque: alpha == 255,
                pixels: PixelStorage(bytes))
        }

        private static func turned(_ angle: Double, _ scale: Double) -> Transform {
            Transform.rotation(angle, 0, 0, 1).concatenating(.scale(scale, scale, 1))
        }

        private static let perspective: Transform = {
            var elements = Transform.rotation(0.7, 0, 1, 0).elements
            elements[3] = 0.004
            return Transform(elements: elements)!
        }()

        /// Ways to show an image: ops on layer 2, which shows it.
        private static let ways: [(String, [TransactionOp])] = {
            let layer = LayerID(2)
            func set(_ property: LayerProperty, _ value: PropertyValue) -> TransactionOp {
                .set(layer, property, value)
            }
            let exact = set(.contentsGravity, .code(ContentsGravity.topLeft.rawValue))
            let nearest = [set(.magnificationFilter, .code(1)), set(.minificationFilter, .code(1))]
            return [
                ("a texel a pixel", [exact]),
                ("a texel a pixel, from the end", [set(.contentsGravity, .code(ContentsGravity.bottomRight.rawValue))]),
                ("half a pixel off", [exact, set(.position, .point(Point(32.5, 24.25)))]),
                ("fitted", []), ("fitted, nearest", nearest),
                ("fitted by its side", [set(.contentsGravity, .code(ContentsGravity.resizeAspect.rawValue))]),
                ("enlarged", [set(.contentsRect, .rect(Rect(0.4, 0.3, 0.2, 0.3)))]),
                ("enlarged, nearest", nearest + [set(.contentsRect, .rect(Rect(0.4, 0.3, 0.2, 0.3)))]),
                ("beyond its edges", [set(.contentsRect, .rect(Rect(-0.5, -0.25, 2, 1.5)))]),
                ("in nine parts", [set(.contentsCenter, .rect(Rect(0.3, 0.2, 0.1, 0.5)))]),
                ("upside down", [.set(LayerID(1), .geometryFlipped, .bool(true))]),
                ("turned", nearest + [set(.transform, .transform(turned(0.35, 0.8)))]),
                ("turned, linear", [set(.transform, .transform(turned(-0.6, 1.3)))]),
                ("turned by a quarter", [exact, set(.transform, .transform(turned(.pi / 2, 1)))]),
                ("tilted", [set(.transform, .transform(perspective))]),
                ("rounded", [set(.cornerRadius, .number(9)), set(.masksToBounds, .bool(true))]),
                ("faded", [set(.opacity, .number(0.5))]),
            ]
        }()

        private func picture(_ client: RawClient, _ image: ImageContent, _ ops: [TransactionOp]) throws -> [UInt8] {
            try client.greet(Self.hello)
            client.commit(
                [.createLayer(LayerID(1), .layer), .createLayer(LayerID(2), .layer), .defineImage(ImageID(1), image)]
                    + place(LayerID(1), 64, 48, at: Point(32, 24)) + place(LayerID(2), 60, 40, at: Point(32, 24))
                    + [
                        .set(LayerID(1), .backgroundColor, .color(Color(0.5, 0.7, 0.9))),
                        .set(LayerID(2), .contents, .image(ImageID(1))), .setSublayers(LayerID(1), [LayerID(2)]),
                        .setRoot(LayerID(1)),
                    ] + ops)
            let answer = try #require(client.capture())
            #expect(answer.faults.isEmpty, "\(answer.faults)")
            return client.pixels(of: try #require(answer.frame))
        }

        @Test(
            "An image in tiles is the picture that one texture gives, to a level",
            arguments: [(130, 3, 255), (100, 90, 255), (100, 90, 150), (1, 200, 150)] as [(Int, Int, UInt8)])
        func tiles(width: Int, height: Int, alpha: UInt8) throws {
            let image = Self.image(width, height, alpha: alpha)
            let small = try LiveServer.faulty(.init(textureLimit: 64))
            for (name, ops) in Self.ways {
                let (whole, tiled) = (try RawClient(.shared), try RawClient(small))
                let expected = try picture(whole, image, ops)
                let found = try picture(tiled, image, ops)
                #expect(try #require(small.server.holdings()).graphics.imagesAlive > 1)
                let differences = zip(expected, found).map { abs(Int($0) - Int($1)) }
                let worst = differences.indices.max { differences[$0] < differences[$1] }!
                #expect(
                    differences[worst] <= 1,
                    "\(name): \(differences[worst]) levels at (\(worst / 4 % 64), \(worst / 256)); \(differences.count { $0 > 1 }) are off"
                )
                whole.vanish()
                tiled.vanish()
                small.waitForSessions(0)
                #expect(small.server.holdings()?.graphics.imagesAlive == 0)
            }
        }

        @Test("The smaller levels of a trilinear filter are made tile by tile: a smooth image stays smooth")
        func trilinear() throws {
            var bytes: [UInt8] = []
            for y in 0..<90 { for x in 0..<180 { bytes += [UInt8(x), UInt8(y * 2), UInt8(179 - x), 255] } }
            let image = ImageContent(
                width: 180, height: 90, bytesPerRow: 720, isOpaque: true, pixels: PixelStorage(bytes))
            let ops: [TransactionOp] = [.set(LayerID(2), .minificationFilter, .code(ContentsFilter.trilinear.rawValue))]
            let small = try LiveServer.faulty(.init(textureLimit: 64))
            let (whole, tiled) = (try RawClient(.shared), try RawClient(small))
            let expected = try picture(whole, image, ops)
            let found = try picture(tiled, image, ops)
            let worst = zip(expected, found).map { abs(Int($0) - Int($1)) }.max()
            // A pixel is three texels, and a texel a level or two.
            #expect(try #require(worst) <= 6)
            #expect(small.server.holdings()?.graphics.imagesAlive == 6)
        }

        @Test("Two images larger than a texture at once, by a display")
        func two() throws {
            let small = try LiveServer.faulty(.init(textureLimit: 64))
            func snapshot(_ server: HeadlessDisplay.Server) throws -> [UInt8] {
                let display = try HeadlessDisplay(width: 64, height: 48, server: server)
                for (index, size) in [(150, 70), (90, 400)].enumerated() {
                    let layer = CALayer()
                    layer.frame = CGRect(x: Double(index) * 20, y: 3, width: 40, height: 44)
                    layer.contents = CGImage(Self.image(size.0, size.1, alpha: 200))
                    display.rootLayer.addSublayer(layer)
                }
                return try display.snapshot().content.pixels.withBytes { Array($0) }
            }
            let (found, expected) = (
                try snapshot(.socket(path: small.path)), try snapshot(.socket(path: LiveServer.shared.path))
            )
            let isEqual = zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
            #expect(isEqual && found.count == 64 * 48 * 4)
        }

        @Test("A tile that the driver has no memory for refuses the whole image, and leaves nothing")
        func refusedTile() throws {
            let small = try LiveServer.faulty(.init(textureLimit: 64))
            let client = try RawClient(small)
            try client.greet(Self.hello)
            // The last of three tiles: 62, 62 and 6 texels, and their margins.
            FaultyDriver.plan.withLock { $0.refusedTextures = [PixelSize(width: 7, height: 20): 2] }
            client.commit([.defineImage(ImageID(1), Self.image(130, 20))])
            let answer = try #require(client.capture())
            #expect(answer.faults.map(\.code) == [TransactionError.Code.imageTooLarge.rawValue + 100])
            let held = try #require(small.server.holdings())
            #expect(held.graphics.imagesAlive == 0 && held.graphics.imageBytesAlive == 0)
        }

        @Test("A display larger than the driver can draw is an error that names both sizes; the session goes on")
        func display() throws {
            let small = try LiveServer.faulty(.init(textureLimit: 64))
            let client = try RawClient(small)
            var hello = Self.hello
            hello.width = 65
            try client.greet(hello)
            for _ in 0..<10 {
                let answer = try #require(client.capture())
                #expect(answer.frame == nil && answer.faults.map(\.code) == [ProtocolError.Code.limit.rawValue])
                let words = answer.faults.first?.message ?? ""
                #expect(words.contains("65x48") && words.contains("64x64"), "\(words)")
            }
            let other = try RawClient(small)
            #expect(try picture(other, Self.image(4, 4), []).count == 64 * 48 * 4)
        }
    }
}
