import CGraphics
import LayerModel
import LayerRender

/// A variant of the rectangle's program: what is drawn, and the words that a batch adds.
///
/// Each compositing mode makes a variant of its own: llvmpipe computes both sides of every branch, so that one program
/// for all modes takes four times as long.
struct RectangleVariant: Hashable {
    var program: DrawProgram
    /// The image has mipmaps, and the batch leans to some level.
    var isBiased = false
    var isMasked = false
    /// The result replaces the target's pixel, a copy of which is read.
    var operation: DrawComposite.Operation?
    /// Without one, the image is white. Plain covered draws have a white texture instead, to have one variant less.
    var hasImage = true
    /// As `hasImage`.
    var hasCoverage = true

    init(program: DrawProgram) { self.program = program }

    /// With a mask or a backdrop, what isn't there is left out.
    mutating func leaveOut(image: Bool, coverage: Bool) {
        guard isMasked || operation != nil else { return }
        hasImage = !image
        hasCoverage = !coverage
    }

    var words: [String] {
        var words: [String]
        switch program {
        case .solid: return ["TINT"]
        case .image: return ["IMAGE"] + (isBiased ? ["LEVEL_BIAS"] : [])
        case .tintedImage: return ["IMAGE", "TINT"] + (isBiased ? ["LEVEL_BIAS"] : [])
        case .coveredImage: words = ["TINT"]
        case .preciseImage: words = ["BILINEAR", "TINT"]
        case .coveredAlpha: words = ["ALPHA", "TINT"]
        case .seamImage: words = ["SEAM", "TINT"]
        case .effect: preconditionFailure("effects have programs of their own")
        }
        if hasImage { words += ["IMAGE", "PROJECTED"] }
        if hasCoverage { words.append("COVERAGE") }
        if isBiased { words.append("LEVEL_BIAS") }
        if isMasked { words.append("MASKED") }
        switch operation {
        case .replace: words.append("REPLACE")
        case .mode(let mode):
            words += ["MODE \(mode.rawValue)"] + Self.modeNames
            if isMasked, mode.reachesBeyondSource { words.append("SHAPED") }
        case nil: break
        }
        return words
    }

    private static let modeNames = CompositingMode.allCases.map { "MODE_\($0) \($0.rawValue)" }

    var label: String {
        var label = "\(program)"
        if !hasImage { label += " without image" }
        if !hasCoverage { label += " without tile" }
        if isBiased { label += " with mipmaps" }
        if isMasked { label += " with a mask" }
        switch operation {
        case .replace: label += " replacing"
        case .mode(let mode): label += " as \(mode)"
        case nil: break
        }
        return label
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
}

/// One program, and the values its uniforms have.
struct RectangleProgram {
    let name: GLuint
    /// The frame that last drew with it.
    var lastFrame = 0
    private let toClip: GLint
    private let imageScale: GLint
    private let levelBias: GLint
    private let maskPlace: GLint
    private let backdropPlace: GLint
    /// GL starts every uniform at 0.
    private var values = RectangleUniforms(width: 0, height: 0, imageScale: SIMD2(0, 0))

    /// - Parameter name: A linked program.
    init(name: GLuint, _ gl: GraphicsTable) {
        self.name = name
        toClip = gl.glGetUniformLocation(name, "toClip")
        imageScale = gl.glGetUniformLocation(name, "imageScale")
        levelBias = gl.glGetUniformLocation(name, "levelBias")
        maskPlace = gl.glGetUniformLocation(name, "maskPlace")
        backdropPlace = gl.glGetUniformLocation(name, "backdropPlace")
    }

    /// Uses the program, and tells it what differs from the last time. Where a uniform isn't, its place is -1, and GL
    /// ignores the value.
    ///
    /// - Parameter current: The name of the program in use.
    mutating func use(_ new: RectangleUniforms, _ gl: GraphicsTable, _ current: inout GLuint) {
        if current != name {
            gl.glUseProgram(name)
            current = name
        }
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
        values = new
    }
}
