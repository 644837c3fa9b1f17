import LayerModel
import LayerRender
import Testing

@testable import LayerGPU

extension LayerGPUTests {
    @Suite("Passes") struct Passes {}
}

/// Passes that share a slot.
extension LayerGPUTests.Passes {
    @Test("A pass that keeps draws on what an earlier pass of the frame drew", arguments: [false, true])
    func keepsSlot(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let size = PixelSize(width: 30, height: 20)
        let (first, second) = (color(0.2, 0.5, 0.9, 1), color(0.6, 0.1, 0.3, 0.7))
        var plan = FramePlan(time: 0, size: bench.size)
        // Slot 2 lies between the two parts of slot 1: it must not take slot 1's target.
        plan.slots += [TargetSlot(size: size), TargetSlot(size: size)]
        plan.vertices = quad(PixelRect(x: 0, y: 0, width: 20, height: 20), first)
        plan.vertices += quad(PixelRect(x: 10, y: 0, width: 20, height: 20), second)
        plan.vertices += quad(
            PixelRect(x: 0, y: 0, width: 30, height: 20), image: { x, y in (x / 30, y / 20) })
        let all = PixelRect(x: 0, y: 0, width: 30, height: 20)
        plan.passes = [
            bench.pass([batch(.solid, blend: .copy)], slot: 1, size: size, load: .clear(.clear)),
            bench.pass(
                [copyBatch(.slot(1), from: PixelPoint(x: 0, y: 0), to: all)], slot: 2, size: size, load: .discard),
            bench.pass([batch(.solid, first: 6)], slot: 1, size: size, load: .keep),
            bench.pass(
                [
                    batch(.image, .slot(1), first: 12),
                    copyBatch(
                        .slot(2), from: PixelPoint(x: 0, y: 0), to: PixelRect(x: 32, y: 0, width: 30, height: 20)),
                ], load: .clear(.clear)),
        ]
        try bench.picture(plan).expect(within: 1.6) { x, y in
            guard y < 20 else { return Levels(.clear) }
            let below = x % 32 < 20 ? Levels(first) : Levels(.clear)
            return (10..<30).contains(x) ? Levels(second).over(below) : below
        }
        bench.expectNoErrors()
    }

    @Test("A copy between slots takes place under the copy's offset, and later drawing leaves it alone")
    func backdropCopy() throws {
        let bench = try Bench()
        let key = try bench.define(1, testPicture(64, 48))
        let image = testPicture(64, 48)
        let part = PixelRect(x: 13, y: 7, width: 20, height: 30)
        var plan = FramePlan(time: 0, size: bench.size)
        plan.slots += [TargetSlot(size: bench.size), TargetSlot(size: part.size)]
        let all = PixelRect(x: 0, y: 0, width: 64, height: 48)
        plan.vertices = quad(all, color(0, 1, 0, 1))
        plan.passes = [
            bench.pass([copyBatch(.image(key), from: PixelPoint(x: 0, y: 0), to: all)], slot: 1, load: .discard),
            bench.pass(
                [
                    copyBatch(
                        .slot(1), from: PixelPoint(x: part.minX, y: part.minY),
                        to: PixelRect(x: 0, y: 0, width: part.width, height: part.height))
                ], slot: 2, size: part.size, load: .discard),
            bench.pass([batch(.solid, blend: .copy)], slot: 1, load: .keep),
            bench.pass([copyBatch(.slot(2), from: PixelPoint(x: 0, y: 0), to: part)], load: .clear(.clear)),
        ]
        try bench.picture(plan).expect(within: 0) { x, y in
            part.contains(PixelRect(x: x, y: y, width: 1, height: 1)) ? image[x, y].levels : Levels(.clear)
        }
        bench.expectNoErrors()
    }
}
