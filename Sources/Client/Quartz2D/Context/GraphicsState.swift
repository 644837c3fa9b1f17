// What `saveGState` saves. The current path and the text matrix are not part of it, as in Core Graphics.

import CCairo
import Foundation
import LayerModel

/// How pictures are sampled.
public enum CGInterpolationQuality: Int32, Sendable {
    case `default` = 0
    case none = 1
    case low = 2
    case high = 3
    case medium = 4
}

/// How colors outside a gamut would be brought into it. Without effect here.
public enum CGColorRenderingIntent: Int32, Sendable {
    case defaultIntent = 0
    case absoluteColorimetric = 1
    case relativeColorimetric = 2
    case perceptual = 3
    case saturation = 4
}

/// What is done with a path.
public enum CGPathDrawingMode: Int32, Sendable {
    case fill = 0
    case eoFill = 1
    case stroke = 2
    case fillStroke = 3
    case eoFillStroke = 4
}

/// What is done with glyphs.
public enum CGTextDrawingMode: Int32, Sendable {
    case fill = 0
    case stroke = 1
    case fillStroke = 2
    case invisible = 3
    case fillClip = 4
    case strokeClip = 5
    case fillStrokeClip = 6
    case clip = 7
}

struct GraphicsState {
    /// What areas and lines are painted with.
    enum Ink {
        case color(Color)
        case pattern(CGPattern, tint: Color, phase: CGSize)
    }

    struct Shadow {
        /// In base space; y up in a bitmap context.
        var offset: CGSize
        /// Twice the Gaussian's standard deviation, in base space.
        var blur: CGFloat
        var color: Color
    }

    /// User space to base space.
    var ctm: CGAffineTransform
    var fill = Ink.color(.black)
    var stroke = Ink.color(.black)
    var fillSpace = CGColorSpace.gray
    var strokeSpace = CGColorSpace.gray
    var patternPhase = CGSize.zero
    var alpha = 1.0
    var blendMode = CGBlendMode.normal
    var shadow: Shadow?
    var lineWidth: CGFloat = 1
    var lineCap = CGLineCap.butt
    var lineJoin = CGLineJoin.miter
    var miterLimit: CGFloat = 10
    var dashPhase: CGFloat = 0
    var dashLengths: [CGFloat] = []
    var flatness: CGFloat = 0
    var interpolationQuality = CGInterpolationQuality.default
    var shouldAntialias = true
    var renderingIntent = CGColorRenderingIntent.defaultIntent
    /// Coverage of the whole target that everything is multiplied by, besides cairo's own clip.
    var softMask: SoftMask?

    var font: CTFont?
    var fontSize: CGFloat = 0
    var characterSpacing: CGFloat = 0
    var textDrawingMode = CGTextDrawingMode.fill
}

/// The alpha of a picture that was clipped to.
final class SoftMask {
    let surface: OpaquePointer

    /// Takes over the reference to `surface`, an A8 image.
    init(_ surface: OpaquePointer) { self.surface = surface }

    deinit { cairo_surface_destroy(surface) }
}
