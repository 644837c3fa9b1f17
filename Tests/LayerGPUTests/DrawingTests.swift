import LayerModel
import LayerRender
import Testing

@testable import LayerGPU

extension LayerGPUTests {
    @Suite("Drawing") struct Drawing {}
}

/// Pictures against their formulas, with BGRA formats and without.
extension LayerGPUTests.Drawing {
    @Test("A clear fills the target with its color", arguments: [false, true])
    func clear(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let shade = color(0.2, 0.4, 0.1, 0.6)
        try bench.picture([], clear: shade).expect(within: 1) { _, _ in Levels(shade) }
        bench.expectNoErrors()
    }

    @Test("Row 0 of the plan is row 0 of the pixels read, and nothing leaves its rectangle", arguments: [false, true])
    func orientation(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let rect = PixelRect(x: 3, y: 5, width: 20, height: 7)
        let shade = color(1, 0.5, 0, 1)
        let picture = try bench.picture([batch(.solid, blend: .copy)], vertices: quad(rect, shade))
        picture.expect(within: 1) { x, y in
            rect.contains(PixelRect(x: x, y: y, width: 1, height: 1)) ? Levels(shade) : Levels(0, 0, 0, 0)
        }
        bench.expectNoErrors()
    }

    @Test("A solid rectangle blends as premultiplied source-over", arguments: [false, true])
    func solidBlended(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let below = color(0.8, 0.3, 0.1, 1)
        for step in 0..<8 {
            let alpha = Float(step) / 7
            let shade = color(0.1, 0.9, 0.5, 1) * alpha
            let picture = try bench.picture(
                [batch(.solid)], vertices: quad(PixelRect(x: 0, y: 0, width: 64, height: 48), shade), clear: below)
            picture.expect(within: 1) { _, _ in Levels(shade).over(Levels(below)) }
        }
        bench.expectNoErrors()
    }

    @Test(
        "An image at its own size shows its own bytes", arguments: [TextureSampling.nearest, .linear], [false, true])
    func imageUnscaled(sampling: TextureSampling, rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let image = testPicture(64, 48)
        let key = try bench.define(1, image)
        let vertices = quad(PixelRect(x: 0, y: 0, width: 64, height: 48), image: { x, y in (x / 64, y / 48) })
        let picture = try bench.picture([batch(.image, .image(key), blend: .copy, sampling)], vertices: vertices)
        picture.expect(within: sampling == .nearest ? 0 : 1) { x, y in image[x, y].levels }
        bench.expectNoErrors()
    }

    @Test(
        "Magnifying by nearest repeats pixels, linear mixes neighbors", arguments: [TextureSampling.nearest, .linear])
    func imageScaled(sampling: TextureSampling) throws {
        let bench = try Bench()
        let image = testPicture(16, 12)
        let key = try bench.define(1, image)
        let vertices = quad(PixelRect(x: 0, y: 0, width: 64, height: 48), image: { x, y in (x / 64, y / 48) })
        let picture = try bench.picture([batch(.image, .image(key), blend: .copy, sampling)], vertices: vertices)
        // Drivers may weigh with 8 bits, cut off: up to 255/256 of a level in each direction, and rounding.
        picture.expect(within: sampling == .nearest ? 0 : 2.5) { x, y in
            image.sample((Double(x) + 0.5) / 4, (Double(y) + 0.5) / 4, sampling)
        }
        bench.expectNoErrors()
    }

    @Test("An image under a rotated mapping is sampled where the mapping says", arguments: [false, true])
    func imageRotated(exact: Bool) throws {
        let bench = try Bench()
        let image = testPicture(64, 64).smoothed()
        let key = try bench.define(1, image)
        let grid = 0x1p20
        func place(_ x: Double, _ y: Double) -> (u: Double, v: Double) {
            let u = (0.8 * x - 0.6 * y + 30) / 64
            let v = (0.6 * x + 0.8 * y - 10) / 64
            return (u, v)
        }
        let rect = PixelRect(x: 0, y: 0, width: 64, height: 48)
        let vertices = quad(
            rect,
            image: { x, y in
                let (u, v) = place(x, y)
                return exact ? ((u * grid).rounded() / grid, (v * grid).rounded() / grid) : (u, v)
            })
        let picture = try bench.picture([batch(.image, .image(key), blend: .copy, .linear)], vertices: vertices)
        picture.expect(within: 2) { x, y in
            let (u, v) = place(Double(x) + 0.5, Double(y) + 0.5)
            return image.sample(u * 64, v * 64, .linear)
        }
        bench.expectNoErrors()
    }

    @Test("A tinted image is the image times the color", arguments: [false, true])
    func tinted(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let image = testPicture(64, 48)
        let key = try bench.define(1, image)
        let shade = color(0.5, 0.25, 0.75, 0.8)
        let below = color(0.2, 0.5, 0.9, 1)
        let vertices = quad(
            PixelRect(x: 0, y: 0, width: 64, height: 48), shade, image: { x, y in (x / 64, y / 48) })
        let picture = try bench.picture([batch(.tintedImage, .image(key))], vertices: vertices, clear: below)
        picture.expect(within: 1.6) { x, y in (image[x, y].levels * shade).over(Levels(below)) }
        bench.expectNoErrors()
    }

    @Test("A coverage tile times a color covers by its bytes", arguments: [false, true])
    func coverageTile(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let tile = Coverage(page: 1, x: 100, y: 37, width: 32, height: 20)
        let rect = PixelRect(x: 10, y: 20, width: 32, height: 20)
        let shade = color(0.7, 0.2, 0.1, 0.9)
        let below = color(0, 0.4, 0.4, 0.5)
        let vertices = quad(
            rect, shade,
            image: { x, y in
                let place = tile.place(x - 10, y - 20)
                return (place.s, place.t)
            })
        let picture = try bench.picture(
            [batch(.tintedImage, .coverage(page: 1))], vertices: vertices, clear: below, uploads: [tile.upload])
        picture.expect(within: 1.6) { x, y in
            guard rect.contains(PixelRect(x: x, y: y, width: 1, height: 1)) else { return Levels(below) }
            return (Levels(shade) * tile[x - 10, y - 20]).over(Levels(below))
        }
        bench.expectNoErrors()
    }

    @Test("A covered image is image times coverage times color", arguments: [false, true])
    func covered(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let image = testPicture(64, 48)
        let key = try bench.define(1, image)
        let tile = Coverage(page: 0, x: 64, y: 992, width: 32, height: 32)
        let rect = PixelRect(x: 16, y: 8, width: 32, height: 32)
        let shade = color(1, 1, 1, 1) * 0.75
        let below = color(0.9, 0.9, 0.1, 1)
        let vertices = quad(
            rect, shade, image: { x, y in (x / 64, y / 48) }, tile: { x, y in tile.place(x - 16, y - 8) })
        let picture = try bench.picture(
            [batch(.coveredImage, .image(key), coverage: 0)], vertices: vertices, clear: below, uploads: [tile.upload])
        picture.expect(within: 2) { x, y in
            guard rect.contains(PixelRect(x: x, y: y, width: 1, height: 1)) else { return Levels(below) }
            return (image[x, y].levels * tile[x - 16, y - 8] * shade).over(Levels(below))
        }
        bench.expectNoErrors()
    }

    @Test("A projected image is divided by q in each pixel", arguments: [false, true])
    func projected(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let image = testPicture(64, 48).smoothed()
        let key = try bench.define(1, image)
        func q(_ x: Double, _ y: Double) -> Double { 1 + x / 80 + y / 200 }
        let vertices = quad(
            PixelRect(x: 0, y: 0, width: 64, height: 48), .white * 0.5, image: { x, y in (x / 50, y / 40) }, q: q)
        let picture = try bench.picture(
            [batch(.coveredImage, .image(key), blend: .copy, .linear)], vertices: vertices)
        picture.expect(within: 2) { x, y in
            let (x, y) = (Double(x) + 0.5, Double(y) + 0.5)
            return image.sample(x / 50 / q(x, y) * 64, y / 40 / q(x, y) * 48, .linear) * 0.5
        }
        bench.expectNoErrors()
    }

    @Test("Trilinear sampling at a quarter reads the level of 4x4 means")
    func trilinear() throws {
        let bench = try Bench(16, 16)
        let image = testPicture(64, 64)
        let key = try bench.define(1, image)
        let before = bench.executor.counters.imageBytesAlive
        let vertices = quad(PixelRect(x: 0, y: 0, width: 16, height: 16), image: { x, y in (x / 16, y / 16) })
        let picture = try bench.picture([batch(.image, .image(key), blend: .copy, .trilinear)], vertices: vertices)
        // Two halvings, each rounded to a level; a level may lean to its neighbor by the driver's choice of lambda.
        picture.expect(within: 3) { x, y in image.mean(x * 4, y * 4, 4) }
        #expect(bench.executor.counters.imageBytesAlive == before + before / 3)
        bench.expectNoErrors()
    }

    @Test("A level bias of 1 reads the next smaller level")
    func levelBias() throws {
        let bench = try Bench(16, 16)
        let image = testPicture(64, 64)
        let key = try bench.define(1, image)
        // At half size the level of 2x2 means is chosen; one more is the level of 4x4 means, magnified by two.
        let vertices = quad(PixelRect(x: 0, y: 0, width: 16, height: 16), image: { x, y in (x / 32, y / 32) })
        let picture = try bench.picture(
            [batch(.image, .image(key), blend: .copy, .trilinear, bias: 1)], vertices: vertices)
        let small = Picture(16, 16) { x, y in
            let mean = image.mean(x * 4, y * 4, 4)
            return Pixel(
                red: UInt8(mean.red.rounded()), green: UInt8(mean.green.rounded()), blue: UInt8(mean.blue.rounded()),
                alpha: UInt8(mean.alpha.rounded()))
        }
        picture.expect(within: 3) { x, y in small.sample((Double(x) + 0.5) / 2, (Double(y) + 0.5) / 2, .linear) }
        bench.expectNoErrors()
    }

    @Test("A copy moves whole pixels and stays inside its source and its pass", arguments: [false, true])
    func copy(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let image = testPicture(40, 30)
        let key = try bench.define(1, image)
        let below = color(0, 0.2, 0, 1)
        // Asks for more than the image and the root have: 40 - 8 columns and 48 - 25 rows are there.
        let to = PixelRect(x: 12, y: 25, width: 100, height: 100)
        let picture = try bench.picture(
            [copyBatch(.image(key), from: PixelPoint(x: 8, y: 3), to: to)], clear: below)
        picture.expect(within: 1) { x, y in
            x >= 12 && x < 12 + 32 && y >= 25 ? image[x - 12 + 8, y - 25 + 3].levels : Levels(below)
        }
        bench.expectNoErrors()
    }

    @Test("Forced RGBA formats give the same bytes as BGRA ones")
    func sameBytes() throws {
        func draw(_ bench: Bench) throws -> Picture {
            let key = try bench.define(1, testPicture(64, 48))
            let tile = Coverage(page: 0, x: 0, y: 0, width: 64, height: 48)
            let all = PixelRect(x: 0, y: 0, width: 64, height: 48)
            let left = PixelRect(x: 0, y: 0, width: 31, height: 48)
            var vertices = quad(all, color(0.3, 0.1, 0.2, 0.4))
            vertices += quad(left, image: { x, y in (x / 64, y / 48) }, tile: tile.place)
            return try bench.picture(
                [
                    copyBatch(
                        .image(key), from: PixelPoint(x: 0, y: 0), to: PixelRect(x: 32, y: 0, width: 32, height: 48)),
                    batch(.solid), batch(.coveredImage, .image(key), coverage: 0, first: 6),
                ], vertices: vertices, clear: color(0.9, 0.5, 0.1, 1), uploads: [tile.upload])
        }
        let bgra = try Bench()
        let rgba = try Bench(forceRGBA: true)
        try #require(bgra.executor.usesBGRA, "this driver has no BGRA formats")
        #expect(!rgba.executor.usesBGRA)
        let (a, b) = (try draw(bgra), try draw(rgba))
        // llvmpipe's two roads round differently by a level.
        a.expect(within: 1) { x, y in b[x, y].levels }
    }
}

/// A tile of coverage bytes for a test.
struct Coverage {
    var page: Int
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    private func byte(_ x: Int, _ y: Int) -> UInt8 { UInt8((x * 29 + y * 83) % 256) }

    /// 0…1.
    subscript(x: Int, y: Int) -> Double { Double(byte(x, y)) / 255 }

    var upload: CoverageUpload {
        CoverageUpload(
            page: page, x: x, y: y, width: width, height: height,
            bytes: (0..<width * height).map { byte($0 % width, $0 / width) })
    }

    /// Atlas coordinates of a point of the tile, pixels.
    func place(_ px: Double, _ py: Double) -> (s: Double, t: Double) {
        let side = Double(FramePlan.coveragePageSide)
        return ((Double(x) + px) / side, (Double(y) + py) / side)
    }
}

extension Picture {
    /// The value at a point, pixels; edges repeat.
    func sample(_ x: Double, _ y: Double, _ sampling: TextureSampling) -> Levels {
        func at(_ x: Int, _ y: Int) -> Levels {
            self[min(max(x, 0), width - 1), min(max(y, 0), height - 1)].levels
        }
        guard sampling != .nearest else { return at(Int(x.rounded(.down)), Int(y.rounded(.down))) }
        let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
        let (fx, fy) = (x - 0.5 - left, y - 0.5 - top)
        let (column, row) = (Int(left), Int(top))
        let upper = at(column, row) * (1 - fx) + at(column + 1, row) * fx
        let lower = at(column, row + 1) * (1 - fx) + at(column + 1, row + 1) * fx
        return upper * (1 - fy) + lower * fy
    }

    /// The mean of a square of pixels.
    func mean(_ x: Int, _ y: Int, _ side: Int) -> Levels {
        var sum = Levels(0, 0, 0, 0)
        for row in y..<y + side {
            for column in x..<x + side { sum = sum + self[column, row].levels }
        }
        return sum * (1 / Double(side * side))
    }

    /// Without steep steps, so that a small error of place stays a small error of level.
    func smoothed() -> Picture {
        Picture(width, height) { x, y in
            Pixel(
                red: UInt8(x * 3 % 192), green: UInt8(y * 4 % 192), blue: UInt8((x + y) * 2 % 224), alpha: 224)
        }
    }
}
