// The definition of right: the layer tree drawn by a plain walk on the CPU, one 8-bit draw after the other, with no
// planner, no cache and no fast path. Each step of a layer's paint order is one function; a new effect is one more.
//
// The order inside one layer (semantic reference, §1.6): background, contents, sublayers, border; then the filters on
// that result, the shadow behind it, the mask times the clip of the whole, the bitmap of a rasterized layer, opacity,
// and the compositing mode onto what is drawn so far in the nearest enclosing group.
//
// What the reference leaves open is settled in docs/layer-order.md; the rules stand beside the code of their step:
// LayerPainter.swift (the parts), LayerPainter+Groups.swift (groups, clips, opacity, modes), +Shadow, +Filters,
// +Backdrop, +Rasterization.

import LayerModel

package enum ReferenceCompositor {
    /// The picture of a scene.
    ///
    /// - Complexity: A 160×120 scene with a dozen layers takes some milliseconds in a debug build, with shadows, masks and
    ///   filters about a tenth of a second. Each shadow draws what is below it twice.
    package static func render(_ scene: ReferenceScene) -> ReferenceImage {
        let canvas = LayerPainter(scene.display.bounds, probe: nil).paint(scene)
        return ReferenceImage(
            size: scene.display.pixelSize, pixels: canvas.bytes, isEdge: canvas.map(of: .edge),
            isDoubtful: canvas.map(of: .doubtful), isBlurred: canvas.map(of: .blurred),
            slack: canvas.slackLevels)
    }

    /// Everything that is drawn at a pixel, in drawing order, for a message to a person.
    package static func drawings(at x: Int, _ y: Int, in scene: ReferenceScene) -> [ReferenceDrawing] {
        let painter = LayerPainter(scene.display.bounds, probe: (x, y))
        _ = painter.paint(scene)
        return painter.drawings
    }
}

/// One draw that touches a pixel.
package struct ReferenceDrawing: Sendable, CustomStringConvertible {
    package enum Part: String, Sendable {
        case background, gradient, contents, shape, border, particle, shadow, backdrop, group
    }

    package var layer: LayerID
    package var name: String?
    package var part: Part
    package var coverage: Double
    package var opacity: Double

    package var description: String {
        func short(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
        return "\(part.rawValue) of \(layer)" + (name.map { " '\($0)'" } ?? "")
            + ", coverage \(short(coverage)), opacity \(short(opacity))"
    }
}
