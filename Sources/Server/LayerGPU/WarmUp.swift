// Before a server takes frames: draw one pixel with every common program, blend, sampling and kind of texture, so that few
// later frames wait for a compiler. llvmpipe compiles a variant for each of those (30 to 180 ms with an empty shader
// cache), and one more by whether the image's width and height are powers of two.

import LayerModel
import LayerRender

extension PassExecutor {
    /// The session of the executor's own images. The server numbers its sessions from below.
    static let ownSession = UInt32.max

    /// Compiles what most frames need. Compositing modes, operators and rare effects are compiled when first drawn. Takes
    /// seconds with an empty shader cache, about one with a warm one.
    package func warmUp() throws(GPUError) {
        let root = try makeRootTarget(size: PixelSize(width: 16, height: 16))
        let shapes = [(16, 16), (15, 16), (16, 15), (15, 15)].map { PixelSize(width: $0.0, height: $0.1) }
        var plan = FramePlan(time: 0, size: root.size)
        plan.vertices = Self.rectangle(PixelRect(x: 0, y: 0, width: 1, height: 1))
        var batches: [DrawBatch] = []
        for blend in [DrawBlend.copy, .sourceOver] {
            batches.append(Self.batch(.solid, blend))
            // Mipmapped images come last: an image that has mipmaps is another kind of texture.
            for sampling in [TextureSampling.nearest, .linear, .trilinear] {
                for (index, _) in shapes.enumerated() {
                    let number = UInt32(index + 1 + (sampling == .trilinear ? shapes.count : 0))
                    let image = ImageKey(session: Self.ownSession, image: ImageID(number))
                    for program in DrawProgram.allCases
                    where program != .solid && program != .effect && (program != .seamImage || sampling == .nearest) {
                        batches.append(Self.batch(program, blend, .image(image), sampling))
                    }
                }
            }
        }
        // Targets of surfaces never have sides that are powers of two.
        let size = PixelSize(width: 48, height: 48)
        plan.slots.append(TargetSlot(size: size))
        plan.passes.append(
            RenderPass(
                slot: 1, label: "warm-up surface", reason: .groupOpacity, layer: .none, origin: PixelPoint(x: 0, y: 0),
                size: size, load: .clear(.clear)))
        batches += Self.masks(slot: 1) + Self.effects(slot: 1, size)
        plan.uploads = [CoverageUpload(page: 0, x: 0, y: 0, width: 1, height: 1, bytes: [255])]
        for (index, shape) in (shapes + shapes).enumerated() {
            let image = ImageKey(session: Self.ownSession, image: ImageID(UInt32(index + 1)))
            try define(image: image, content: Self.gray(shape))
        }
        plan.passes.append(
            RenderPass(
                slot: 0, label: "warm-up", reason: .root, layer: .none, origin: PixelPoint(x: 0, y: 0), size: root.size,
                load: .clear(.clear), batches: batches))
        _ = try execute(plan, into: root, timing: .synchronous)
        try releaseSession(Self.ownSession)
    }

    /// A surface under another's alpha.
    private static func masks(slot: Int) -> [DrawBatch] {
        [nil, TextureSource.coverage(page: 0)].map { coverage in
            var masked = batch(.coveredImage, .sourceOver, .slot(slot))
            masked.coverage = coverage
            masked.mask = AlignedSlot(slot: slot, offset: PixelPoint(x: 0, y: 0))
            return masked
        }
    }

    /// The steps of blurs and of color filters.
    private static func effects(slot: Int, _ size: PixelSize) -> [DrawBatch] {
        let blur = DrawEffect.Kind.taps(stepX: 1, stepY: 0, weights: [1])
        let none: [Float] = [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]
        let steps: [(DrawEffect.Kind, DrawEffect.Edges, scale: Float)] = [
            (blur, .transparent, 1), (blur, .nearest, 1), (blur, .normalized, 1), (.resample, .transparent, 0.5),
            (.resample, .nearest, 0.5), (.average(width: 2, height: 2), .transparent, 2),
            (.colorMatrix(none), .transparent, 1),
        ]
        return steps.map { kind, edges, scale in
            var drawn = batch(.effect, .copy, .slot(slot))
            drawn.effect = DrawEffect(
                kind, source: PixelRect(x: 0, y: 0, width: size.width, height: size.height), edges: edges,
                scaleX: scale, scaleY: scale)
            return drawn
        }
    }

    /// An image of one color.
    static func gray(_ size: PixelSize) -> ImageContent {
        ImageContent(
            width: size.width, height: size.height, bytesPerRow: size.width * 4, isOpaque: true,
            pixels: PixelStorage([UInt8](repeating: 128, count: size.area * 4)))
    }

    /// A whole image over a rectangle: the six vertices.
    static func rectangle(_ rect: PixelRect) -> ContiguousArray<PlanVertex> {
        func corner(_ right: Bool, _ bottom: Bool) -> PlanVertex {
            PlanVertex(
                x: Float(right ? rect.maxX : rect.minX), y: Float(bottom ? rect.maxY : rect.minY), u: right ? 1 : 0,
                v: bottom ? 1 : 0, s: right ? 1 : 0, t: bottom ? 1 : 0, red: 1, green: 1, blue: 1, alpha: 1)
        }
        let (topLeft, topRight) = (corner(false, false), corner(true, false))
        let (bottomLeft, bottomRight) = (corner(false, true), corner(true, true))
        return [topLeft, topRight, bottomLeft, bottomLeft, topRight, bottomRight]
    }

    static func batch(
        _ program: DrawProgram, _ blend: DrawBlend, _ texture: TextureSource? = nil,
        _ sampling: TextureSampling = .nearest,
        firstVertex: Int = 0
    ) -> DrawBatch {
        DrawBatch(
            kind: .quads(program: program, firstVertex: firstVertex, quads: 1), blend: blend, texture: texture,
            sampling: sampling, layer: .none)
    }
}
