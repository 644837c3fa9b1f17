import CGraphics
import LayerRender

/// Where the programs look for their textures.
enum TextureUnit: GLint, CaseIterable {
    case image = 0
    case coverage = 1
    case mask = 2
    case backdrop = 3

    var name: GLenum { GLenum(GL_TEXTURE0 + rawValue) }
}

/// What the context was last told, so that it is told only what changes.
struct DrawState {
    var blend = DrawBlend.copy
    /// The factors of `blend` or of an earlier one: `copy` leaves them alone.
    var factors = DrawBlend.sourceOver
    var isScissored = false
    /// By unit.
    var textures: [4 of GLuint] = [0, 0, 0, 0]
    /// Bytes of each.
    var bytes: [4 of Int] = [0, 0, 0, 0]
    /// Of the image's unit.
    var sampler: GLuint = 0
}

extension DrawBlend {
    /// Factors of source and destination.
    var factors: (source: GLenum, destination: GLenum) {
        let factors: (Int32, Int32) =
            switch self {
            case .copy: (GL_ONE, GL_ZERO)
            case .sourceOver: (GL_ONE, GL_ONE_MINUS_SRC_ALPHA)
            case .destinationOver: (GL_ONE_MINUS_DST_ALPHA, GL_ONE)
            case .sourceIn: (GL_DST_ALPHA, GL_ZERO)
            case .destinationIn: (GL_ZERO, GL_SRC_ALPHA)
            case .sourceOut: (GL_ONE_MINUS_DST_ALPHA, GL_ZERO)
            case .destinationOut: (GL_ZERO, GL_ONE_MINUS_SRC_ALPHA)
            case .sourceAtop: (GL_DST_ALPHA, GL_ONE_MINUS_SRC_ALPHA)
            case .destinationAtop: (GL_ONE_MINUS_DST_ALPHA, GL_SRC_ALPHA)
            case .xor: (GL_ONE_MINUS_DST_ALPHA, GL_ONE_MINUS_SRC_ALPHA)
            case .plusLighter: (GL_ONE, GL_ONE)
            case .screen: (GL_ONE, GL_ONE_MINUS_SRC_COLOR)
            }
        return (GLenum(factors.0), GLenum(factors.1))
    }
}
