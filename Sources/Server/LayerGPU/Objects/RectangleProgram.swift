import CGraphics
import LayerModel
import LayerRender

/// A variant of the rectangle's program: what is drawn, and the words that a batch adds.
struct RectangleVariant: Equatable {
    var program: DrawProgram
    /// The image has mipmaps, and the batch leans to some level.
    var isBiased = false
    var isMasked = false
    /// The result replaces the target's pixel, a copy of which is read.
    var isComposite = false

    static let count = DrawProgram.allCases.count * 8

    var index: Int {
        Int(program.rawValue) * 8 + (isBiased ? 1 : 0) + (isMasked ? 2 : 0) + (isComposite ? 4 : 0)
    }

    var words: [String] {
        var words: [String]
        switch program {
        case .solid: words = ["TINT"]
        case .image: words = ["IMAGE"]
        case .tintedImage: words = ["IMAGE", "TINT"]
        case .coveredImage: words = ["IMAGE", "PROJECTED", "COVERAGE", "TINT"]
        case .preciseImage: words = ["IMAGE", "PROJECTED", "BILINEAR", "COVERAGE", "TINT"]
        case .coveredAlpha: words = ["IMAGE", "PROJECTED", "ALPHA", "COVERAGE", "TINT"]
        case .effect: preconditionFailure("effects have programs of their own")
        }
        if isBiased { words.append("LEVEL_BIAS") }
        if isMasked { words.append("MASKED") }
        if isComposite {
            words.append("COMPOSITE")
            words += CompositingMode.allCases.map { "MODE_\($0) \($0.rawValue)" }
        }
        return words
    }

    var label: String {
        "\(program)" + (isBiased ? " with mipmaps" : "") + (isMasked ? " with a mask" : "")
            + (isComposite ? " on a backdrop" : "")
    }
}

/// What a rectangle's program is told besides its textures.
struct RectangleUniforms {
    /// Pixels of the target.
    var width: Int
    var height: Int
    /// What image coordinates of 1 mean, as a part of the source's texture.
    var imageScale = SIMD2<Float>(1, 1)
    /// Mipmap levels to lean by.
    var bias: Float = 0
    /// Offset and size of the mask's slot, and of the backdrop's, pixels.
    var mask = SIMD4<Int32>(repeating: 0)
    var backdrop = SIMD4<Int32>(repeating: 0)
    /// A compositing mode's raw value, or `replace`.
    var mode: Int32 = replace

    static let replace: Int32 = -1
}

/// One program, and the values its uniforms have.
struct RectangleProgram {
    let name: GLuint
    private let toClip: GLint
    private let imageScale: GLint
    private let levelBias: GLint
    private let maskPlace: GLint
    private let backdropPlace: GLint
    private let mode: GLint
    /// GL starts every uniform at 0.
    private var values = RectangleUniforms(width: 0, height: 0, imageScale: SIMD2(0, 0), mode: 0)

    /// - Parameter name: A linked program.
    init(name: GLuint, _ gl: GraphicsTable) {
        self.name = name
        toClip = gl.glGetUniformLocation(name, "toClip")
        imageScale = gl.glGetUniformLocation(name, "imageScale")
        levelBias = gl.glGetUniformLocation(name, "levelBias")
        maskPlace = gl.glGetUniformLocation(name, "maskPlace")
        backdropPlace = gl.glGetUniformLocation(name, "backdropPlace")
        mode = gl.glGetUniformLocation(name, "mode")
    }

    /// Tells the program, which is in use, what differs from the last time. Where a uniform isn't, its place is -1, and
    /// GL ignores the value.
    mutating func set(_ new: RectangleUniforms, _ gl: GraphicsTable) {
        if values.width != new.width || values.height != new.height {
            gl.glUniform4f(toClip, 2 / Float(new.width), 2 / Float(new.height), -1, -1)
        }
        if values.imageScale != new.imageScale { gl.glUniform2f(imageScale, new.imageScale.x, new.imageScale.y) }
        if values.bias != new.bias { gl.glUniform1f(levelBias, new.bias) }
        if values.mask != new.mask {
            gl.glUniform4i(maskPlace, new.mask.x, new.mask.y, new.mask.z, new.mask.w)
        }
        if values.backdrop != new.backdrop {
            gl.glUniform4i(backdropPlace, new.backdrop.x, new.backdrop.y, new.backdrop.z, new.backdrop.w)
        }
        if values.mode != new.mode { gl.glUniform1i(mode, new.mode) }
        values = new
    }
}
