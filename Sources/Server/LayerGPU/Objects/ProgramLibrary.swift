import CGraphics
import CShaders
import LayerModel
import LayerRender

/// The programs, each compiled when it is first needed.
///
/// Their number is bounded: with every compositing mode, with and without image, tile and mask, there could be a thousand, and
/// on llvmpipe each holds about a megabyte.
final class ProgramLibrary {
    private let device: GraphicsDevice
    private let builder: ProgramBuilder
    private var rectangles = [RectangleVariant: RectangleProgram]()
    private var effects = [EffectVariant: EffectProgram]()
    /// The name of the program in use, or 0.
    private var current: GLuint = 0
    private(set) var compiled = 0
    private var frame = 0

    /// Programs that are kept though no frame uses them.
    var kept = 96
    /// What this many frames in a row did not use may go.
    static let idleFrames = 8

    var count: Int { rectangles.count + effects.count }

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
        rectangles[variant]!.lastFrame = frame
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
        effects[variant]!.lastFrame = frame
        effects[variant]!.use(effect, target: size, builder.order, device.gl, &current)
    }

    /// Notes that a frame is over. Where there are too many programs, those go that were not used for longest.
    func endFrame() {
        frame += 1
        let excess = count - kept
        guard excess > 0 else { return }
        let idle = frame - Self.idleFrames
        var old: [(frame: Int, name: GLuint)] = []
        for program in rectangles.values where program.lastFrame < idle {
            old.append((program.lastFrame, program.name))
        }
        for program in effects.values where program.lastFrame < idle { old.append((program.lastFrame, program.name)) }
        old.sort { $0 < $1 }
        let gone = Set(old.prefix(excess).map(\.name))
        guard !gone.isEmpty else { return }
        if gone.contains(current) {
            device.gl.glUseProgram(0)
            current = 0
        }
        for name in gone { device.gl.glDeleteProgram(name) }
        rectangles = rectangles.filter { !gone.contains($0.value.name) }
        effects = effects.filter { !gone.contains($0.value.name) }
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
