import Glibc
import LayerModel
import LayerRender
import Testing

@testable import LayerGPU

extension LayerGPUTests {
    @Suite("Effects") struct Effects {}
}

private let allEdges: [DrawEffect.Edges] = [.transparent, .nearest, .normalized]

/// Each effect against its formula, to the rounding of the result.
extension LayerGPUTests.Effects {
    /// Within the slot of 50x40 pixels, not reaching its edges: what lies around it must not count.
    static let source = PixelRect(x: 6, y: 4, width: 37, height: 31)

    private func check(
        _ effect: DrawEffect, rgba: Bool, mask: Picture? = nil, size: (Int, Int) = (64, 48),
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let bench = try Bench(size.0, size.1, forceRGBA: rgba)
        let picture = Picture.random(50, 40, seed: 21)
        if let mask { try bench.define(7, mask) }
        var plan = try LayerGPUTests.Masks.plan(bench, holding: [picture])
        plan.vertices = quad(LayerGPUTests.Masks.all, color(0.1, 0.2, 0.3, 0.4))
        var drawn = batch(.effect, .slot(1), blend: .copy)
        drawn.effect = effect
        plan.passes.append(bench.pass([drawn], load: .clear(.white)))
        let filtering = Filtering(effect: effect, picture: picture, mask: mask)
        try bench.picture(plan).expect(within: 0.6, "\(effect.kind)", step: 5, location) { x, y in
            filtering.result(x, y)
        }
        bench.expectNoErrors()
    }

    @Test(
        "Taps of whole steps weigh pixels along an axis, and what lies outside counts as the edges say",
        arguments: [false, true], allEdges)
    func wholeTaps(rgba: Bool, edges: DrawEffect.Edges) throws {
        for (x, y, count) in [(1, 0, 1), (1, 0, 4), (0, 1, 16), (0, 2, 9), (-3, 0, 64)] as [(Float, Float, Int)] {
            try check(
                DrawEffect(
                    .taps(stepX: x, stepY: y, weights: gaussian(count)), source: Self.source, edges: edges, offsetX: -3,
                    offsetY: 2), rgba: rgba)
        }
    }

    @Test(
        "Taps between pixels weigh four each", arguments: [false, true], allEdges)
    func fractionalTaps(rgba: Bool, edges: DrawEffect.Edges) throws {
        for (x, y, scale, offset) in [
            (1.25, 0, 1, 0), (0, 1.625, 1, -3), (0.75, -0.5, 1, 0.5), (1, 0, 2, 0), (0, 1, 0.5, 0.25),
        ] as [(Float, Float, Float, Float)] {
            try check(
                DrawEffect(
                    .taps(stepX: x, stepY: y, weights: gaussian(6)), source: Self.source, edges: edges, scaleX: scale,
                    scaleY: scale, offsetX: offset, offsetY: -offset), rgba: rgba)
        }
    }

    @Test("Resampling weighs the four nearest pixels", arguments: [false, true], allEdges)
    func resample(rgba: Bool, edges: DrawEffect.Edges) throws {
        for (scaleX, scaleY, x, y) in [
            (1, 1, 0, 0), (1, 1, 5, -2), (1, 1, 0.25, 0.5), (1, 2, 3, 0), (1.5, 1, 0.125, -1), (0.5, 0.5, 0, 0),
            (1.75, 0.375, -4, 3),
        ] as [(Float, Float, Float, Float)] {
            try check(
                DrawEffect(
                    .resample, source: Self.source, edges: edges, scaleX: scaleX, scaleY: scaleY, offsetX: x,
                    offsetY: y), rgba: rgba)
        }
    }

    @Test(
        "An average is the mean of its cell, part of it outside or all", arguments: [false, true],
        allEdges)
    func average(rgba: Bool, edges: DrawEffect.Edges) throws {
        for (width, height) in [(1, 1), (4, 3), (2, 60)] {
            let (cellX, cellY) = (Float(width), Float(height))
            try check(
                DrawEffect(
                    .average(width: width, height: height), source: Self.source, edges: edges, scaleX: cellX,
                    scaleY: cellY, offsetX: -cellX / 2 - 3, offsetY: -cellY / 2 + 1), rgba: rgba)
        }
    }

    @Test(
        "A cell larger than the source is right, too",
        arguments: allEdges)
    func largeAverage(edges: DrawEffect.Edges) throws {
        try check(
            DrawEffect(
                .average(width: 300, height: 200), source: Self.source, edges: edges, scaleX: 300, scaleY: 200,
                offsetX: -310, offsetY: -210), rgba: false, size: (4, 3))
    }

    @Test(
        "A color matrix acts on straight red, green, blue and alpha; nothing stays nothing", arguments: [false, true],
        allEdges)
    func colorMatrix(rgba: Bool, edges: DrawEffect.Edges) throws {
        let matrices: [[Float]] = [
            [0.2, 0.7, 0.1, 0, 0, 0.5, -0.3, 0.6, 0, 0.2, 0, 0, -1, 0, 1, 0, 0, 0, 1, 0],
            [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0.3, 0.3, 0.3, 0.1, -0.1, 0.2126, 0.7152, 0.0722, 0, 0],
            [-1, 0, 0, 0, 1, 0, 2, 0, 0, -0.25, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0.75, 0.25],
        ]
        for matrix in matrices {
            try check(
                DrawEffect(.colorMatrix(matrix), source: Self.source, edges: edges, offsetX: 4, offsetY: -6),
                rgba: rgba)
        }
    }

    @Test("From the threshold on, alpha is 1 and the straight color stays", arguments: [false, true])
    func alphaThreshold(rgba: Bool) throws {
        for level in [0, 1, 2, 100, 127, 128, 254, 255] as [Float] {
            try check(
                DrawEffect(.alphaThreshold(level / 255), source: Self.source, offsetX: 4, offsetY: -6), rgba: rgba)
        }
        try check(DrawEffect(.alphaThreshold(1.01), source: Self.source), rgba: rgba)
    }

    @Test(
        "A variable blur is as wide as the image over the source says", arguments: [false, true],
        allEdges)
    func variableTaps(rgba: Bool, edges: DrawEffect.Edges) throws {
        let mask = Picture(9, 5) { x, y in
            Pixel(red: 0, green: 0, blue: 0, alpha: UInt8(min(255, x * 32 + y * 7)))
        }
        let key = ImageKey(session: 1, image: ImageID(7))
        for (x, y, sigma, offset) in [
            (1, 0, 2.5, 0), (0, 1, 20, 0), (0, 1.5, 1.2, 0.5), (1, 0, 0, 0),
        ] as [(Float, Float, Float, Float)] {
            try check(
                DrawEffect(
                    .variableTaps(
                        stepX: x, stepY: y, sigma: sigma, mask: key, map: DrawEffect.PlaneMap(unitOf: Self.source)),
                    source: Self.source, edges: edges,
                    offsetX: offset), rgba: rgba, mask: mask)
        }
    }

    @Test("A plan whose effect names a released image is refused before it draws")
    func releasedMask() throws {
        let bench = try Bench()
        let key = ImageKey(session: 1, image: ImageID(7))
        var plan = try LayerGPUTests.Masks.plan(bench, holding: [Picture.random(50, 40, seed: 1)])
        plan.vertices = quad(LayerGPUTests.Masks.all)
        var drawn = batch(.effect, .slot(1), blend: .copy)
        drawn.effect = DrawEffect(
            .variableTaps(
                stepX: 1, stepY: 0, sigma: 2, mask: key, map: DrawEffect.PlaneMap(unitOf: Self.source)),
            source: Self.source)
        plan.passes.append(bench.pass([drawn], load: .clear(.white)))
        #expect(throws: GPUError.imageUnknown(key, pass: "root")) { try bench.picture(plan) }
    }

    @Test("What an effect makes can be blended, and goes on to the next step in a slot", arguments: [false, true])
    func chain(rgba: Bool) throws {
        let bench = try Bench(forceRGBA: rgba)
        let size = PixelSize(width: 50, height: 40)
        let picture = Picture.random(50, 40, seed: 22)
        let all = PixelRect(x: 0, y: 0, width: 50, height: 40)
        let steps = [
            DrawEffect(.taps(stepX: 1, stepY: 0, weights: gaussian(5)), source: all, edges: .nearest),
            DrawEffect(.taps(stepX: 0, stepY: 1, weights: gaussian(5)), source: all, edges: .nearest),
        ]
        var plan = try LayerGPUTests.Masks.plan(bench, holding: [picture])
        plan.slots.append(TargetSlot(size: size))
        plan.vertices = quad(all)
        for (index, step) in steps.enumerated() {
            var drawn = batch(.effect, .slot(index + 1), blend: index == 0 ? .copy : .sourceOver)
            drawn.effect = step
            plan.passes.append(
                index == 0
                    ? bench.pass([drawn], slot: 2, size: size, load: .discard)
                    : bench.pass([drawn], load: .clear(color(0, 0, 1, 1))))
        }
        let first = Filtering(effect: steps[0], picture: picture)
        let between = Picture(50, 40) { x, y in
            let levels = first.result(x, y)
            return Pixel(
                red: UInt8(levels.red.rounded()), green: UInt8(levels.green.rounded()),
                blue: UInt8(levels.blue.rounded()), alpha: UInt8(levels.alpha.rounded()))
        }
        let second = Filtering(effect: steps[1], picture: between)
        // One level for the first step's rounding, one for the second's and the blend's.
        try bench.picture(plan).expect(within: 2) { x, y in
            let below = Levels(0, 0, 255, 255)
            return x < 50 && y < 40 ? second.result(x, y).over(below) : below
        }
        bench.expectNoErrors()
    }
}

/// Weights that fall off and sum to 1 with their mirror images; the last ones matter too.
private func gaussian(_ count: Int) -> [Float] {
    let weights = (0..<count).map { exp(-Double($0 * $0) / Double(count * count)) }
    let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
    return weights.map { Float($0 / sum) }
}
