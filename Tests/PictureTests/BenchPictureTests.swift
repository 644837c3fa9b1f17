import CoreAnimation
import LayerModel
import LayerWire
import Quartz2D
import ReferenceCompositor
import Testing

@testable import RostrumCommand

/// The bench's scenes are worth measuring only if their pictures are right: cuttings of them, after some frames of motion.
@Suite("Pictures of the bench")
struct BenchPictureTests {
    private static let pictures = Result { try BenchPictures() }

    /// A scene and the part of it that is looked at.
    struct Case: Sendable, CustomTestStringConvertible {
        var scene: BenchScene
        var isTold = false
        var stage: BenchStage
        /// Mean difference from what cairo draws, levels.
        var nearness: Double

        var testDescription: String { scene.rawValue + (isTold ? ", told" : "") }
    }

    private static let cases = [
        Case(scene: .cards, stage: BenchStage(width: 220, height: 240, x: 180, y: 90), nearness: 0.3),
        Case(scene: .stars, stage: BenchStage(width: 240, height: 200, x: 90, y: 30), nearness: 0.3),
        Case(scene: .panel, stage: BenchStage(width: 160, height: 140, x: 40, y: 180), nearness: 0.4),
        Case(scene: .panel, isTold: true, stage: BenchStage(width: 160, height: 140, x: 40, y: 180), nearness: 0.4),
        Case(scene: .pane, stage: BenchStage(width: 90, height: 70, x: 320, y: 150), nearness: 0.5),
        Case(scene: .spinner, stage: BenchStage(width: 120, height: 110, x: 900, y: 490), nearness: 0.6),
        Case(scene: .photo, stage: BenchStage(width: 120, height: 80, x: 300, y: 200), nearness: 0.05),
    ]

    private final class Sent: @unchecked Sendable {
        var transactions: [Transaction] = []
    }

    @Test(
        "Frame 37 of a scene, with what is kept from the frames before, is what the reference and cairo draw",
        arguments: cases)
    func frame(c: Case) throws {
        let pictures = try Self.pictures.get()
        let sent = Sent()
        let own = try SceneServer.running()
        let layers = try BenchLayers(
            c.scene, pictures, isTold: c.isTold, stage: c.stage, server: .socket(path: own.path)
        ) { _, message in
            if case .commit(let transaction) = message { sent.transactions.append(transaction) }
        }
        for frame in 32..<37 { try layers.draw(frame) }
        layers.move(to: 37)
        let size = PixelSize(width: c.stage.width, height: c.stage.height)
        let (pixels, plan) = try layers.display.withFrame(
            at: layers.display.currentTime + 1.0 / 60, [.pixels, .plan]
        ) { reply, bytes in (Pixels(size, bytes, bytesPerRow: Int(reply.bytesPerRow)), reply.plan) }
        #expect(own.graphicsErrors.isEmpty, "the driver reports \(own.graphicsErrors)")
        let display = ReferenceDisplay(
            pixelSize: size, scale: 1, isFlipped: true, background: BenchScene.ground.cgColor.color)
        let picture = ServedPicture(pixels: pixels, plan: plan, transactions: sent.transactions, display: display)
        let reference = ReferenceCompositor.render(try ReferenceScene(sent.transactions, display: display))
        expectAlike(
            "bench-\(c.testDescription)", pixels, Pixels(reference), .reference(reference), of: picture)

        let cairo = try BenchCairo(c.scene, pictures, stage: c.stage).picture(37)
        let comparison = ImageComparison.compare(pixels.image, cairo, tolerance: 2)
        #expect(
            !comparison.sizesDiffer && comparison.meanDifference <= c.nearness,
            "mean difference from cairo \(comparison.meanDifference), largest \(comparison.maximumDifference)")
    }
}
