import LayerModel
import LayerRender
import Testing

@testable import LayerGPU

extension LayerGPUTests {
    @Suite("Blends that read the destination") struct Composites {}
}

extension LayerGPUTests.Composites {
    @Test(
        "Each compositing mode draws its formula of backdrop and source, transparent ones too",
        arguments: [false, true])
    func modes(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let (image, below) = (Picture.random(64, 48, seed: 11), Picture.random(64, 48, seed: 12))
        let key = try bench.define(1, image)
        for mode in CompositingMode.allCases {
            let picture = try draw(
                bench, batch(.coveredImage, .image(key), blend: .copy), .mode(mode), below, PixelPoint(x: 0, y: 0))
            picture.expect(within: 1, "\(mode)") { x, y in
                Blending(mode).composited(below[x, y].levels, image[x, y].levels)
            }
        }
        bench.expectNoErrors()
    }

    @Test(
        "Coverage, color and mask are part of the source, the backdrop lies under its offset", arguments: [false, true])
    func source(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let (image, below) = (Picture.random(64, 48, seed: 13), Picture.random(50, 60, seed: 14))
        let mask = Picture.random(64, 48, seed: 15)
        let key = try bench.define(1, image)
        let tile = Coverage(page: 0, x: 3, y: 5, width: 64, height: 48)
        let shade = color(0.5, 0.25, 0.75, 0.8)
        let offset = PixelPoint(x: -5, y: 8)
        let modes: [CompositingMode] = [.multiply, .colorBurn, .luminosity, .sourceAtop, .plusDarker]
        for (program, mode, isMasked) in [
            (DrawProgram.coveredImage, modes[0], false), (.preciseImage, modes[1], true),
            (.coveredAlpha, modes[2], true),
            (.coveredImage, modes[3], true), (.preciseImage, modes[4], false),
        ] {
            var drawn = batch(program, .image(key), blend: .copy, coverage: 0)
            if isMasked { drawn.mask = AlignedSlot(slot: 2, offset: PixelPoint(x: 0, y: 0)) }
            let picture = try draw(bench, drawn, .mode(mode), below, offset, mask, tile, shade)
            picture.expect(within: 1, "\(program), \(mode)") { x, y in
                let pixel = program == .coveredAlpha ? image[x, y].levels.alphas : image[x, y].levels
                let source = pixel * shade * tile[x, y] * (isMasked ? mask.alpha(x, y) : 1)
                return Blending(mode).composited(below.at(x + offset.x, y + offset.y), source)
            }
        }
        bench.expectNoErrors()
    }

    @Test(
        "An operator that reaches beyond its source acts where the mask is, or the source where that is more",
        arguments: [.copy, .clear, .sourceIn, .destinationIn, .sourceOut, .destinationAtop] as [CompositingMode])
    func shaped(mode: CompositingMode) throws {
        let bench = try Bench()
        let (image, below) = (Picture.random(64, 48, seed: 16), Picture.random(64, 48, seed: 17))
        let mask = Picture.random(64, 48, seed: 18)
        let key = try bench.define(1, image)
        var drawn = batch(.coveredImage, .image(key), blend: .copy)
        drawn.mask = AlignedSlot(slot: 2, offset: PixelPoint(x: 0, y: 0))
        let picture = try draw(bench, drawn, .mode(mode), below, PixelPoint(x: 0, y: 0), mask)
        picture.expect(within: 1, "\(mode)") { x, y in
            let (backdrop, source) = (below[x, y].levels, image[x, y].levels)
            let share = max(mask.alpha(x, y), source.alpha / 255)
            guard share > 0 else { return backdrop }
            return backdrop * (1 - share) + Blending(mode).composited(backdrop, source * (1 / share)) * share
        }
        bench.expectNoErrors()
    }

    @Test(
        "Replacing takes the source where it is covered and the backdrop where it isn't", arguments: [false, true],
        [false, true])
    func replace(rgba: Bool, isMasked: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let (image, below) = (Picture.random(64, 48, seed: 16), Picture.random(64, 48, seed: 17))
        let mask = Picture.random(64, 48, seed: 18)
        let key = try bench.define(1, image)
        let tile = Coverage(page: 0, x: 3, y: 5, width: 64, height: 48)
        var drawn = batch(.coveredImage, .image(key), blend: .copy, coverage: 0)
        if isMasked { drawn.mask = AlignedSlot(slot: 2, offset: PixelPoint(x: 0, y: 0)) }
        // Red, green and blue of the color don't count.
        let shade = color(0.1, 0.2, 0.3, 0.6)
        let picture = try draw(bench, drawn, .replace, below, PixelPoint(x: 0, y: 0), mask, tile, shade)
        picture.expect(within: 1) { x, y in
            let share = tile[x, y] * (isMasked ? mask.alpha(x, y) : 1) * 0.6
            return image[x, y].levels * share + below[x, y].levels * (1 - share)
        }
        bench.expectNoErrors()
    }

    @Test("A mode may take a plain color, and a picture's mipmaps")
    func otherSources() throws {
        let bench = try Bench()
        let below = Picture.random(64, 48, seed: 19)
        let shade = color(0.5, 0.25, 0.75, 0.8)
        let plain = try draw(
            bench, batch(.coveredImage, blend: .copy), .mode(.softLight), below, PixelPoint(x: 0, y: 0), shade: shade)
        plain.expect(within: 1) { x, y in Blending(.softLight).composited(below[x, y].levels, Levels(shade)) }
        let image = testPicture(256, 192)
        let key = try bench.define(1, image)
        let small = try draw(
            bench, batch(.coveredImage, .image(key), blend: .copy, .trilinear), .mode(.multiply), below,
            PixelPoint(x: 0, y: 0))
        // Two halvings, each rounded to a level; see the trilinear test.
        small.expect(within: 4) { x, y in
            Blending(.multiply).composited(below[x, y].levels, image.mean(x * 4, y * 4, 4))
        }
        bench.expectNoErrors()
    }

    @Test("Programs that no frame uses any more go where there are too many, and come back when they are needed")
    func programs() throws {
        let bench = try Bench()
        bench.executor.programs.kept = 6
        let below = Picture.random(64, 48, seed: 20)
        let shade = color(0.5, 0.25, 0.75, 0.8)
        func check(_ mode: CompositingMode) throws {
            let picture = try draw(
                bench, batch(.coveredImage, blend: .copy), .mode(mode), below, PixelPoint(x: 0, y: 0), shade: shade)
            picture.expect(within: 1, "\(mode)") { x, y in
                Blending(mode).composited(below[x, y].levels, Levels(shade))
            }
        }
        let modes: [CompositingMode] = [
            .multiply, .darken, .lighten, .difference, .exclusion, .linearBurn, .subtract, .linearDodge,
        ]
        for mode in modes { try check(mode) }
        let most = bench.executor.counters.programsAlive
        for _ in 0...ProgramLibrary.idleFrames { try check(.multiply) }
        #expect(most > 6)
        #expect(bench.executor.counters.programsAlive == 6)
        let compiled = bench.executor.counters.programsCompiled
        for mode in modes { try check(mode) }
        #expect(bench.executor.counters.programsCompiled > compiled)
        bench.expectNoErrors()
    }

    /// One batch over a backdrop in slot 1, with a mask in slot 2.
    private func draw(
        _ bench: Bench, _ batch: DrawBatch, _ operation: DrawComposite.Operation, _ below: Picture,
        _ offset: PixelPoint, _ mask: Picture? = nil, _ tile: Coverage? = nil,
        _ shade: PremultipliedColor = .white
    ) throws -> Picture {
        let all = LayerGPUTests.Masks.all
        var plan = try LayerGPUTests.Masks.plan(bench, holding: [below] + (mask.map { [$0] } ?? []))
        plan.uploads = tile.map { [$0.upload] } ?? []
        plan.vertices = quad(
            all, shade, image: { x, y in (x / 64, y / 48) }, tile: { x, y in tile?.place(x, y) ?? (0, 0) })
        var batch = batch
        batch.composite = DrawComposite(operation, backdrop: AlignedSlot(slot: 1, offset: offset))
        // What is in the target does not count: only the backdrop does.
        plan.passes.append(bench.pass([batch], load: .clear(color(0.3, 0.6, 0.9, 1))))
        return try bench.picture(plan)
    }

    private func draw(
        _ bench: Bench, _ batch: DrawBatch, _ operation: DrawComposite.Operation, _ below: Picture,
        _ offset: PixelPoint, shade: PremultipliedColor
    ) throws -> Picture {
        try draw(bench, batch, operation, below, offset, nil, nil, shade)
    }
}
