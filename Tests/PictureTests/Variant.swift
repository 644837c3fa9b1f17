// Ways to draw a scene that must not change it, or change it in a way that can be said.
//
// Variants know no scene and scenes no variant: every scene of Tests/Goldens is drawn in every one of them.

import CAML
import CoreAnimation
import Foundation
import LayerModel
import LayerRender
import LayerWire
import Quartz2D
import ReferenceCompositor
import Rostrum
import Testing

/// One way.
struct Variant: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Draws the scene so and records what is not as it should be; the text names the folder of a failure.
    let check: @Sendable (GoldenScene, _ name: String) throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (GoldenScene, String) throws -> Void) {
        testDescription = description
        self.check = check
    }

    static let all: [Variant] =
        [quarterTurn, tightClip, looseClip, fullOpacity, fadedWithBackground, faded]
        + [recording, embedded, again, afterAnother] + [1.5, 2].map(scaled) + switchesOff

    // MARK: Round the scene

    /// Turned by 90 degrees: the turned picture, exactly where nothing is weighed by coverage or between texels.
    static let quarterTurn = Variant("turned by 90 degrees") { scene, name in
        let base = try scene.base()
        let picture = try ServedPicture.draw(
            scene.staging(isTurned: true) { canvas, root, document in
                let turned = CALayer()
                turned.bounds = canvas.bounds
                turned.position = CGPoint(x: document.size.height / 2, y: document.size.width / 2)
                turned.transform.m11 = 0
                turned.transform.m12 = 1
                turned.transform.m21 = -1
                turned.transform.m22 = 0
                turned.addSublayer(canvas)
                root.addSublayer(turned)
            })
        let isDoubtful = base.reference.isDoubtful.turnedClockwise(base.reference.size)
        let isEdge = base.reference.isEdge.turnedClockwise(base.reference.size)
        // A blur's two passes round in the other order.
        let isBlurred = base.reference.isBlurred.contains(true)
        let inside = isBlurred ? 3 : isEdge.contains(true) ? 2 : base.picture.plan.contains("linear") ? 1 : 0
        expectAlike(
            name, picture.pixels, base.picture.pixels.turnedClockwise,
            Bound(text: "within \(inside), 20 on edges") { isDoubtful[$0] ? nil : isEdge[$0] ? 20 : inside },
            of: picture)
        try expectReference(name, picture)
    }

    /// In a layer that clips to the canvas, and in one that is larger: the picture itself.
    static let tightClip = clipped("in a clip as large as the canvas", by: 0)
    static let looseClip = clipped("in a clip larger than the canvas", by: 20)

    private static func clipped(_ description: String, by margin: CGFloat) -> Variant {
        Variant(description) { scene, name in
            let base = try scene.base()
            let picture = try ServedPicture.draw(
                scene.staging { canvas, root, _ in
                    let clip = CALayer()
                    clip.frame = canvas.bounds.insetBy(dx: -margin, dy: -margin)
                    clip.bounds.origin = CGPoint(x: -margin, y: -margin)
                    clip.masksToBounds = true
                    clip.addSublayer(canvas)
                    root.addSublayer(clip)
                })
            expectAlike(name, picture.pixels, base.picture.pixels, .within(1), of: picture)
        }
    }

    static let fullOpacity = Variant("in a group of opacity 1") { scene, name in
        let base = try scene.base()
        let picture = try ServedPicture.draw(
            scene.staging { canvas, root, _ in root.addSublayer(group(of: canvas, opacity: 1)) })
        expectAlike(name, picture.pixels, base.picture.pixels, .exact, of: picture)
    }

    /// The scene with its background as one group, over black: half of each level.
    static let fadedWithBackground = Variant("with its background in a group of opacity 0.5") { scene, name in
        let base = try scene.base()
        let picture = try ServedPicture.draw(
            scene.staging(background: .some(.black)) { canvas, root, document in
                let group = group(of: canvas, opacity: 0.5)
                group.backgroundColor = document.background
                root.addSublayer(group)
            })
        expectAlike(name, picture.pixels, base.picture.pixels.faded(by: 0.5), .within(1), of: picture)
    }

    /// The scene without a background as one group, over black: half of each level of the scene over nothing.
    static let faded = Variant("in a group of opacity 0.5") { scene, name in
        let alone = try ServedPicture.draw(scene.staging(background: .some(nil)))
        let picture = try ServedPicture.draw(
            scene.staging(background: .some(.black)) { canvas, root, _ in
                root.addSublayer(group(of: canvas, opacity: 0.5))
            })
        expectAlike(name, picture.pixels, alone.pixels.faded(by: 0.5), .within(1), of: picture)
        try expectReference(name, picture)
    }

    private static func group(of canvas: CALayer, opacity: Float) -> CALayer {
        let group = CALayer()
        group.frame = canvas.bounds
        group.opacity = opacity
        group.addSublayer(canvas)
        return group
    }

    static func scaled(_ scale: Double) -> Variant {
        Variant("at scale \(scale)") { scene, name in
            try expectReference(name, ServedPicture.draw(scene.staging(scale: scale)))
        }
    }

    // MARK: Another road

    static let recording = Variant("through a recording and back") { scene, name in
        let path = NSTemporaryDirectory() + "/rostrum-\(name)-\(getpid()).rec"
        defer { unlink(path) }
        let writer = try RecordingWriter(path: path, mode: .whole)
        let failure = FirstError()
        let picture = try ServedPicture.draw(scene.staging()) { serial, message in
            failure.catching { try writer.append(message, serial: serial) }
        }
        if let error = failure.error { throw error }
        try writer.finish()
        let own = try SceneServer.running()
        let replay = try RecordingReplay(RecordingReader(path: path)) { hello in
            try ClientConnection(path: own.path, hello: hello)
        }
        var frames: [Pixels] = []
        let count = try replay.run { frame in frames.append(try Pixels(HeadlessDisplay.picture(of: frame.frame))) }
        #expect(count == 1)
        let faults = replay.takeFaults()
        #expect(faults.isEmpty, "\(faults)")
        expectAlike(name, try #require(frames.first), try scene.base().picture.pixels, .exact, of: picture)
    }

    /// By the server of this process, over a socket pair, instead of one behind a socket.
    static let embedded = Variant("by the embedded server") { scene, name in
        let picture = try ServedPicture.draw(scene.staging(), server: .embedded)
        expectAlike(name, picture.pixels, try scene.base().picture.pixels, .exact, of: picture)
    }

    static let again = Variant("again, in another session") { scene, name in
        let picture = try ServedPicture.draw(scene.staging())
        expectAlike(name, picture.pixels, try scene.base().picture.pixels, .exact, of: picture)
    }

    static let afterAnother = Variant("after another picture of the session") { scene, name in
        let picture = try ServedPicture.draw(scene.staging(), hasHistory: true)
        expectAlike(name, picture.pixels, try scene.base().picture.pixels, .exact, of: picture)
    }

    /// Without one of the optimizations, within what it may change.
    static let switchesOff = SwitchTests.bounds.map { (name, value, bound) in
        Variant("without \(name)") { scene, name in
            let base = try scene.base().picture
            let picture = try Drawing.shared.draw(
                base.transactions, on: base.display, switches: .all.subtracting(value))
            expectAlike(name, Pixels(picture.size, picture.bytes), base.pixels, .within(bound), of: base)
        }
    }

    private static func expectReference(_ name: String, _ picture: ServedPicture) throws {
        let reference = try picture.reference()
        expectAlike(name + "-reference", picture.pixels, Pixels(reference), .reference(reference), of: picture)
    }
}

/// Keeps the first error of calls that can't throw.
private final class FirstError {
    private(set) var error: (any Error)?

    func catching(_ body: () throws -> Void) {
        do { try body() } catch { self.error = self.error ?? error }
    }
}

extension Pixels {
    /// Over black: every color times the opacity.
    func faded(by opacity: Double) -> Pixels {
        var faded = self
        for index in bytes.indices {
            faded.bytes[index] = index % 4 == 3 ? 255 : UInt8((Double(bytes[index]) * opacity).rounded())
        }
        return faded
    }
}

extension [Bool] {
    /// A quarter turn clockwise of a map with one entry a pixel.
    func turnedClockwise(_ size: PixelSize) -> [Bool] {
        (0..<size.area).map { index in
            let (x, y) = (index % size.height, index / size.height)
            return self[(size.height - 1 - x) * size.width + y]
        }
    }
}
