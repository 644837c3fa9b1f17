import CGraphics
import CShaders
import LayerModel
import LayerRender

/// The programs, each compiled when it is first needed.
final class ProgramLibrary {
    private let device: GraphicsDevice
    private let builder: ProgramBuilder
    private var rectangles = [RectangleVariant: RectangleProgram]()
    private var effects = [EffectVariant: EffectProgram]()
    /// The name of the program in use, or 0.
    private var current: GLuint = 0
    private(set) var compiled = 0

    init(_ device: GraphicsDevice, _ order: PixelOrder) {
        self.device = device
        builder = ProgramBuilder(device: device, order: order)
    }

    /// Uses a program of the rectangle family.
    func use(_ variant: RectangleVariant, _ uniforms: RectangleUniforms) throws(GPUError) {
        if rectangles[variant] == nil {
            let name = try builder.build(
                vertex: shader_rectangle_vertex(), fragment: shader_rectangle_fragment(), words: variant.words,
                units: [
                    ("coverageTexture", TextureUnit.coverage.rawValue), ("maskTexture", TextureUnit.mask.rawValue),
                    ("backdropTexture", TextureUnit.backdrop.rawValue),
                ], label: variant.label)
            rectangles[variant] = RectangleProgram(name: name, device.gl)
            compiled += 1
            current = name
        }
        rectangles[variant]!.use(uniforms, device.gl, &current)
    }

    /// Uses a program of the effects for a target of `size` pixels.
    func use(_ effect: DrawEffect, target size: PixelSize) throws(GPUError) {
        let variant = EffectVariant(effect)
        if effects[variant] == nil {
            let name = try builder.build(
                vertex: shader_rectangle_vertex(), fragment: shader_effect_fragment(), words: variant.words,
                units: [("widthTexture", TextureUnit.coverage.rawValue)], label: variant.label)
            effects[variant] = EffectProgram(name: name, variant, device.gl)
            compiled += 1
            current = name
        }
        effects[variant]!.use(effect, target: size, builder.order, device.gl, &current)
    }

    /// Forgets which program is in use.
    func invalidate() { current = 0 }

    func removeAll() {
        for program in rectangles.values { device.gl.glDeleteProgram(program.name) }
        for program in effects.values { device.gl.glDeleteProgram(program.name) }
        rectangles = [:]
        effects = [:]
        current = 0
    }
}
