import LayerModel
import LayerRender
import Testing

@testable import LayerGPU

extension LayerGPUTests {
    @Suite("Masks, alphas and operators") struct Masks {}
}

/// Products with a mask, an alpha or a white pixel, and blends by fixed functions, against their formulas.
///
/// Two levels of tolerance: the source, what lies below and the sum of both are each rounded, and colors to whole levels.
extension LayerGPUTests.Masks {
    /// A plan whose slots 1… hold pictures, with the passes that put them there.
    static func plan(_ bench: Bench, holding pictures: [Picture]) throws -> FramePlan {
        var plan = FramePlan(time: 0, size: bench.size)
        for (index, picture) in pictures.enumerated() {
            let size = PixelSize(width: picture.width, height: picture.height)
            let key = try bench.define(100 + UInt32(index), picture)
            plan.slots.append(TargetSlot(size: size))
            plan.passes.append(
                bench.pass(
                    [
                        copyBatch(
                            .image(key), from: PixelPoint(x: 0, y: 0),
                            to: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
                    ], slot: index + 1, size: size, load: .discard))
        }
        return plan
    }

    static let all = PixelRect(x: 0, y: 0, width: 64, height: 48)

    @Test(
        "A mask's alpha multiplies under its offset, and outside its surface nothing is drawn",
        arguments: [false, true],
        [DrawProgram.coveredImage, .preciseImage, .coveredAlpha])
    func masked(rgba: Bool, program: DrawProgram) throws {
        let bench = try Bench(forceRGBA: rgba)
        let (image, mask) = (Picture.random(64, 48, seed: 1), Picture.random(40, 50, seed: 2))
        let key = try bench.define(1, image)
        let tile = Coverage(page: 0, x: 3, y: 5, width: 64, height: 48)
        let (shade, below) = (color(0.5, 0.25, 0.75, 0.8), color(0.2, 0.5, 0.9, 1))
        for offset in [PixelPoint(x: 0, y: 0), PixelPoint(x: -9, y: 4), PixelPoint(x: 7, y: -11)] {
            var plan = try Self.plan(bench, holding: [mask])
            plan.uploads = [tile.upload]
            plan.vertices = quad(Self.all, shade, image: { x, y in (x / 64, y / 48) }, tile: tile.place)
            var masked = batch(program, .image(key), coverage: 0)
            masked.mask = AlignedSlot(slot: 1, offset: offset)
            plan.passes.append(bench.pass([masked], load: .clear(below)))
            try bench.picture(plan).expect(within: 2) { x, y in
                let share = mask.alpha(x + offset.x, y + offset.y) * tile[x, y]
                let pixel = program == .coveredAlpha ? image[x, y].levels.alphas : image[x, y].levels
                return (pixel * share * shade).over(Levels(below))
            }
        }
        bench.expectNoErrors()
    }

    @Test("At a seam, an image takes of the rest of a pixel what its own alpha says", arguments: [false, true])
    func seams(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let image = Picture.random(64, 48, seed: 4)
        let key = try bench.define(1, image)
        let tile = Coverage(page: 0, x: 3, y: 5, width: 64, height: 48)
        let below = color(0.2, 0.5, 0.9, 1)
        // The color's alpha is a part of the share, its green in relation to that what of it is taken.
        for (green, alpha) in [(1.0, 1.0), (0.6, 0.6), (0.2, 0.8)] {
            var plan = FramePlan(time: 0, size: bench.size)
            plan.uploads = [tile.upload]
            plan.vertices = quad(
                Self.all, color(Float(green), Float(green), Float(green), Float(alpha)),
                image: { x, y in (x / 64, y / 48) }, tile: tile.place)
            plan.passes.append(bench.pass([batch(.seamImage, .image(key), coverage: 0)], load: .clear(below)))
            try bench.picture(plan).expect(within: 2) { x, y in
                let pixel = image[x, y].levels
                let share = tile[x, y] * (alpha * 255).rounded() / 255
                guard share > 0 else { return Levels(below) }
                let weight = share * green / alpha / max(1 - (1 - share) * pixel.alpha / 255, 0.001)
                return (pixel * weight).over(Levels(below))
            }
        }
        bench.expectNoErrors()
    }

    @Test("A covered image without an image is a white pixel", arguments: [false, true])
    func white(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let tile = Coverage(page: 0, x: 3, y: 5, width: 64, height: 48)
        let (shade, below) = (color(0.5, 0.25, 0.75, 0.8), color(0.2, 0.5, 0.9, 1))
        let mask = Picture.random(64, 48, seed: 3)
        for isMasked in [false, true] {
            var plan = try Self.plan(bench, holding: [mask])
            plan.uploads = [tile.upload]
            plan.vertices = quad(Self.all, shade, image: { x, y in (x / 640, y / 7) }, tile: tile.place)
            var white = batch(.coveredImage, coverage: 0)
            if isMasked { white.mask = AlignedSlot(slot: 1, offset: PixelPoint(x: 0, y: 0)) }
            plan.passes.append(bench.pass([white], load: .clear(below)))
            try bench.picture(plan).expect(within: 2) { x, y in
                (Levels(shade) * tile[x, y] * (isMasked ? mask.alpha(x, y) : 1)).over(Levels(below))
            }
        }
        bench.expectNoErrors()
    }

    @Test("A covered alpha is the image's alpha times coverage times color", arguments: [false, true])
    func alpha(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let image = Picture.random(64, 48, seed: 4)
        let key = try bench.define(1, image)
        let tile = Coverage(page: 0, x: 3, y: 5, width: 64, height: 48)
        let (shade, below) = (color(0.5, 0.25, 0.75, 0.8), color(0.2, 0.5, 0.9, 1))
        let vertices = quad(Self.all, shade, image: { x, y in (x / 64, y / 48) }, tile: tile.place)
        for isCovered in [false, true] {
            try bench.picture(
                [batch(.coveredAlpha, .image(key), coverage: isCovered ? 0 : nil)], vertices: vertices, clear: below,
                uploads: [tile.upload]
            ).expect(within: 2) { x, y in
                (image[x, y].levels.alphas * (isCovered ? tile[x, y] : 1) * shade).over(Levels(below))
            }
        }
        bench.expectNoErrors()
    }

    @Test("Each operator of fixed functions draws its formula, one after the other", arguments: [false, true])
    func operators(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let (image, below) = (Picture.random(64, 48, seed: 5), Picture.random(64, 48, seed: 6))
        let key = try bench.define(1, image)
        let tile = Coverage(page: 0, x: 3, y: 5, width: 64, height: 48)
        let operators: [(DrawBlend, (Levels, Levels) -> Levels)] = [
            (.copy, { s, _ in s }),
            (.sourceOver, { s, b in s + b * (1 - s.alpha / 255) }),
            (.destinationOver, { s, b in b + s * (1 - b.alpha / 255) }),
            (.sourceIn, { s, b in s * (b.alpha / 255) }),
            (.destinationIn, { s, b in b * (s.alpha / 255) }),
            (.sourceOut, { s, b in s * (1 - b.alpha / 255) }),
            (.destinationOut, { s, b in b * (1 - s.alpha / 255) }),
            (.sourceAtop, { s, b in s * (b.alpha / 255) + b * (1 - s.alpha / 255) }),
            (.destinationAtop, { s, b in b * (s.alpha / 255) + s * (1 - b.alpha / 255) }),
            (.xor, { s, b in s * (1 - b.alpha / 255) + b * (1 - s.alpha / 255) }),
            (.plusLighter, { s, b in (s + b).clamped }),
            (.screen, { s, b in s + b + (s * b) * -1 }),
        ]
        // All orders of two after each other come up; each is drawn in a column of its own.
        for step in [1, 5, 7] {
            var plan = try Self.plan(bench, holding: [below])
            plan.uploads = [tile.upload]
            var batches = [copyBatch(.slot(1), from: PixelPoint(x: 0, y: 0), to: Self.all)]
            for column in 0..<12 {
                plan.vertices += quad(
                    PixelRect(x: column * 5, y: 0, width: 5, height: 48), image: { x, y in (x / 64, y / 48) },
                    tile: tile.place)
                let blend = operators[column * step % 12].0
                batches.append(batch(.coveredImage, .image(key), blend: blend, coverage: 0, first: column * 6))
            }
            plan.passes.append(bench.pass(batches, load: .discard))
            try bench.picture(plan).expect(within: 2) { x, y in
                guard x < 60 else { return below[x, y].levels }
                return operators[x / 5 * step % 12].1(image[x, y].levels * tile[x, y], below[x, y].levels)
            }
        }
        bench.expectNoErrors()
    }
}

extension Picture {
    /// Premultiplied pixels of every alpha, a good part of them opaque or transparent, the same for the same seed.
    static func random(_ width: Int, _ height: Int, seed: UInt64) -> Picture {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(truncatingIfNeeded: state >> 33) % count
        }
        return Picture(width, height) { _, _ in
            let alpha = min(max(next(340) - 40, 0), 255)
            return Pixel(
                red: UInt8(next(alpha + 1)), green: UInt8(next(alpha + 1)), blue: UInt8(next(alpha + 1)),
                alpha: UInt8(alpha))
        }
    }

    /// 0…1; nothing outside.
    func alpha(_ x: Int, _ y: Int) -> Double { at(x, y).alpha / 255 }

    /// Nothing outside.
    func at(_ x: Int, _ y: Int) -> Levels {
        x >= 0 && y >= 0 && x < width && y < height ? self[x, y].levels : Levels(0, 0, 0, 0)
    }
}

extension Levels {
    var alphas: Levels { Levels(alpha, alpha, alpha, alpha) }

    var clamped: Levels { Levels(min(red, 255), min(green, 255), min(blue, 255), min(alpha, 255)) }

    static func * (a: Levels, b: Levels) -> Levels {
        Levels(a.red * b.red / 255, a.green * b.green / 255, a.blue * b.blue / 255, a.alpha * b.alpha / 255)
    }
}
