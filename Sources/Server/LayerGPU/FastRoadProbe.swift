// Is llvmpipe's fast road open? It draws axis-aligned rectangles several times faster than anything else, as long as
// formats, shaders and coordinates follow rules that nothing checks (docs/performance.md). The probe draws the same
// rectangle twice: once as plans have it, once with a corner's image coordinate a little off the plane of the others, which
// only the general road can draw. The times say which road the first one took.

import LayerModel
import LayerRender

/// What the probe found.
package struct FastRoadReport: Equatable, Sendable {
    /// Pixels of the rectangle.
    package var size: PixelSize
    /// The best time for the rectangle as plans have it.
    package var rectangleNanoseconds: UInt64
    /// The best time for the one that needs the general road.
    package var generalNanoseconds: UInt64

    /// How many times slower the general road is. Near 1 on a GPU, which has one road.
    package var ratio: Double { Double(generalNanoseconds) / Double(max(rectangleNanoseconds, 1)) }
}

extension PassExecutor {
    /// Times both roads; takes a tenth of a second on a processor.
    package func fastRoadProbe() throws(GPUError) -> FastRoadReport {
        let size = PixelSize(width: 1280, height: 720)
        let root = try makeRootTarget(size: size)
        let image = ImageKey(session: Self.ownSession, image: ImageID(1))
        try define(image: image, content: Self.gray(size))

        var plan = FramePlan(time: 0, size: size)
        plan.vertices = Self.rectangle(PixelRect(x: 0, y: 0, width: size.width, height: size.height))
        var bent = plan.vertices
        bent[bent.count - 1].v -= 0x1p-12
        plan.vertices += bent
        func pass(_ firstVertex: Int) -> RenderPass {
            RenderPass(
                slot: 0, label: "fast-road probe", reason: .root, layer: .none, origin: PixelPoint(x: 0, y: 0),
                size: size, load: .discard,
                batches: [Self.batch(.image, .sourceOver, .image(image), .linear, firstVertex: firstVertex)])
        }
        // The first rounds compile.
        plan.passes = (0..<8).flatMap { _ in [pass(0), pass(6)] }
        let times = try execute(plan, into: root, timing: .synchronous).dropFirst(4).map { $0.gpuNanoseconds ?? .max }
        try releaseSession(Self.ownSession)
        return FastRoadReport(
            size: size, rectangleNanoseconds: stride(from: 0, to: times.count, by: 2).map { times[$0] }.min() ?? .max,
            generalNanoseconds: stride(from: 1, to: times.count, by: 2).map { times[$0] }.min() ?? .max)
    }
}
