import CoreAnimation
import Foundation
import LayerModel
import Rostrum
import Testing

// Semantic reference, §6.8.
@Suite("Emitters in pictures")
struct EmitterPictureTests {
    /// White, 4 by 4; of another first row where it says so.
    private func picture(firstRow: UInt8 = 255) -> CGImage {
        var bytes = [UInt8](repeating: 255, count: 64)
        for index in 0..<16 where index % 4 != 3 { bytes[index] = firstRow }
        return CGImage(
            ImageContent(width: 4, height: 4, bytesPerRow: 16, isOpaque: true, pixels: PixelStorage(bytes)))
    }

    /// One particle a second, for ten seconds, that stays where it is.
    private func still(_ change: (CAEmitterCell) -> Void = { _ in }) -> CAEmitterCell {
        let cell = CAEmitterCell()
        cell.birthRate = 1
        cell.lifetime = 10
        cell.contents = picture()
        change(cell)
        return cell
    }

    /// A display of 40 by 20, black, with an emitter of its size at (20, 10).
    private func stage(
        _ cells: [CAEmitterCell], _ change: (CAEmitterLayer) -> Void = { _ in }
    ) throws -> HeadlessDisplay {
        let display = try HeadlessDisplay(width: 40, height: 20, background: .black)
        let emitter = CAEmitterLayer()
        emitter.frame = CGRect(x: 0, y: 0, width: 40, height: 20)
        emitter.emitterPosition = CGPoint(x: 20, y: 10)
        emitter.emitterCells = cells
        change(emitter)
        display.rootLayer.addSublayer(emitter)
        return display
    }

    @Test("A particle is its picture around its place, times its color")
    func place() throws {
        let image = try stage([still { $0.color = CGColor(red: 1, green: 0.4, blue: 0, alpha: 1) }]).snapshot(at: 1.5)
        for y in 0..<20 {
            for x in 0..<40 {
                let isInside = (18..<22).contains(x) && (8..<12).contains(y)
                #expect(image.pixel(x: x, y: y) == (isInside ? (255, 102, 0, 255) : (0, 0, 0, 255)), "(\(x), \(y))")
            }
        }
    }

    @Test("The picture stands upright, and turns from x towards y")
    func upright() throws {
        let upright = try stage([still { $0.contents = self.picture(firstRow: 0) }]).snapshot(at: 1.5)
        #expect(upright.pixel(x: 20, y: 8).red == 0)
        #expect(upright.pixel(x: 20, y: 11).red == 255)
        // A quarter turn in the second since its birth: up goes to the right, where y runs down.
        let turned = try stage([
            still {
                $0.contents = self.picture(firstRow: 0)
                $0.spin = .pi / 2
                $0.duration = 1.5
            }
        ]).snapshot(at: 2)
        #expect(turned.pixel(x: 21, y: 10).red < 8)
        #expect(turned.pixel(x: 18, y: 10).red > 247)
    }

    private func pixels(_ image: CGImage) throws -> [Int] {
        (0..<20).flatMap { y in (0..<40).map { Int(image.pixel(x: $0, y: y).red) } }
    }

    @Test("Additive particles add up, with each other and with what is below")
    func additive() throws {
        let dim = still { $0.color = CGColor(red: 0.2, green: 0, blue: 0, alpha: 1) }
        let display = try stage([dim, dim]) {
            $0.renderMode = .additive
            $0.backgroundColor = CGColor(red: 0.4, green: 0, blue: 0, alpha: 1)
        }
        let image = try display.snapshot(at: 1.5)
        #expect(abs(Int(image.pixel(x: 20, y: 10).red) - 204) <= 1)
        #expect(image.pixel(x: 10, y: 10).red == 102)
    }

    @Test("Opacity is that of all particles as one")
    func opacity() throws {
        let image = try stage([still(), still()]) { $0.opacity = 0.5 }.snapshot(at: 1.5)
        #expect(abs(Int(image.pixel(x: 20, y: 10).red) - 128) <= 1)
    }

    @Test("Particles lie over the border, and reach beyond the bounds unless these are a mask")
    func bounds() throws {
        func draw(_ masks: Bool, radius: CGFloat = 0) throws -> CGImage {
            try stage([still { $0.scale = 4 }]) {
                $0.frame = CGRect(x: 0, y: 0, width: 22, height: 20)
                $0.borderWidth = 2
                $0.borderColor = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
                $0.masksToBounds = masks
                $0.cornerRadius = radius
            }.snapshot(at: 1.5)
        }
        let free = try draw(false)
        #expect(free.pixel(x: 21, y: 10) == (255, 255, 255, 255) && free.pixel(x: 26, y: 10) == (255, 255, 255, 255))
        for radius: CGFloat in [0, 6] {
            let cut = try draw(true, radius: radius)
            #expect(cut.pixel(x: 21, y: 10) == (255, 255, 255, 255) && cut.pixel(x: 22, y: 10) == (0, 0, 0, 255))
        }
        #expect(try draw(true, radius: 6).pixel(x: 21, y: 2).red < 128)
    }

    @Test("The same seed gives the same frames, jumped to or stepped to; another seed others")
    func frames() throws {
        func run(_ times: [Double], seed: UInt32 = 7) throws -> [Int] {
            let cell = still {
                $0.birthRate = 60
                $0.lifetime = 1
                $0.velocity = 12
                $0.velocityRange = 6
                $0.emissionRange = .pi
                $0.alphaSpeed = -1
                $0.name = "spark"
            }
            let display = try stage([cell]) { $0.seed = seed }
            var image = try display.snapshot(at: times[0])
            for time in times.dropFirst() { image = try display.snapshot(at: time) }
            return try pixels(image)
        }
        let jumped = try run([1.5])
        let isSame = try run((0...18).map { Double($0) / 12 }) == jumped
        let isOther = try run([1.5], seed: 8) != jumped
        #expect(isSame && isOther)
        #expect(jumped.contains { $0 > 0 })
    }

    @Test("A value of a cell is set by its name")
    func keyPaths() throws {
        let cell = still { $0.name = "spark" }
        let display = try stage([cell])
        let emitter = try #require(display.rootLayer.sublayers?.first as? CAEmitterLayer)
        cell.birthRate = 9
        #expect(emitter.value(forKeyPath: "emitterCells.spark.birthRate") as? NSNumber == 1)
        emitter.setValue(0, forKeyPath: "emitterCells.spark.birthRate")
        #expect(emitter.emitterCells?.first?.birthRate == 0)
        #expect(try display.snapshot(at: 1.5).pixel(x: 20, y: 10).red == 0)
        try display.checkFaults()
    }
}
