import CGraphics
import CShaders
import LayerRender

/// The programs, each compiled when it is first needed.
final class ProgramLibrary {
    private let device: GraphicsDevice
    private let builder: ProgramBuilder
    private var rectangles = [RectangleProgram?](repeating: nil, count: RectangleVariant.count)
    /// The name of the program in use, or 0.
    private var current: GLuint = 0
    private(set) var compiled = 0

    init(_ device: GraphicsDevice, _ order: PixelOrder) {
        self.device = device
        builder = ProgramBuilder(device: device, order: order)
    }

    /// Uses a program of the rectangle family.
    func use(_ variant: RectangleVariant, _ uniforms: RectangleUniforms) throws(GPUError) {
        let index = variant.index
        if rectangles[index] == nil {
            let name = try builder.build(
                vertex: shader_rectangle_vertex(), fragment: shader_rectangle_fragment(), words: variant.words,
                units: [
                    ("coverageTexture", TextureUnit.coverage.rawValue), ("maskTexture", TextureUnit.mask.rawValue),
                    ("backdropTexture", TextureUnit.backdrop.rawValue),
                ], label: variant.label)
            rectangles[index] = RectangleProgram(name: name, device.gl)
            compiled += 1
            current = name
        }
        use(rectangles[index]!.name)
        rectangles[index]!.set(uniforms, device.gl)
    }

    private func use(_ name: GLuint) {
        guard current != name else { return }
        device.gl.glUseProgram(name)
        current = name
    }

    /// Forgets which program is in use.
    func invalidate() { current = 0 }

    func removeAll() {
        for program in rectangles { if let program { device.gl.glDeleteProgram(program.name) } }
        rectangles = rectangles.map { _ in nil }
        current = 0
    }
}
