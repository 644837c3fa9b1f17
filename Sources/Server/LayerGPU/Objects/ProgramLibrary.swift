import CGraphics
import CShaders
import LayerRender

/// One program and the values its uniforms have.
struct Program {
    var name: GLuint
    fileprivate var toClip: GLint
    fileprivate var imageScale: GLint
    fileprivate var levelBias: GLint
    fileprivate var width = 0
    fileprivate var height = 0
    fileprivate var scaleX: Float = 0
    fileprivate var scaleY: Float = 0
    fileprivate var bias: Float = 0
}

/// The programs, each compiled when it is first needed.
final class ProgramLibrary {
    private let device: GraphicsDevice
    private let order: PixelOrder
    /// Indexed by program and whether it takes a level bias.
    private var programs = [Program?](repeating: nil, count: DrawProgram.allCases.count * 2)
    /// The index of the program in use, or -1.
    private var current = -1
    private(set) var compiled = 0

    init(_ device: GraphicsDevice, _ order: PixelOrder) {
        self.device = device
        self.order = order
    }

    /// Uses a program for a target of `width` × `height` pixels.
    ///
    /// - Parameters:
    ///   - scaleX, scaleY: What image coordinates of 1 mean, as a part of the source's texture.
    ///   - bias: Mipmap levels to lean by; nil samples the first level only.
    func use(
        _ program: DrawProgram, width: Int, height: Int, scaleX: Float, scaleY: Float, bias: Float?
    ) throws(GPUError) {
        let gl = device.gl
        let index = Int(program.rawValue) * 2 + (bias == nil ? 0 : 1)
        if programs[index] == nil {
            programs[index] = try compile(program, biased: bias != nil)
            current = -1
        }
        if current != index {
            gl.glUseProgram(programs[index]!.name)
            current = index
        }
        if programs[index]!.width != width || programs[index]!.height != height {
            programs[index]!.width = width
            programs[index]!.height = height
            gl.glUniform4f(programs[index]!.toClip, 2 / Float(width), 2 / Float(height), -1, -1)
        }
        guard program != .solid else { return }
        if programs[index]!.scaleX != scaleX || programs[index]!.scaleY != scaleY {
            programs[index]!.scaleX = scaleX
            programs[index]!.scaleY = scaleY
            gl.glUniform2f(programs[index]!.imageScale, scaleX, scaleY)
        }
        if let bias, programs[index]!.bias != bias {
            programs[index]!.bias = bias
            gl.glUniform1f(programs[index]!.levelBias, bias)
        }
    }

    /// Forgets which program is in use.
    func invalidate() { current = -1 }

    func removeAll() {
        for program in programs { if let program { device.gl.glDeleteProgram(program.name) } }
        programs = programs.map { _ in nil }
        current = -1
    }

    // MARK: Compiling

    private static func words(for program: DrawProgram) -> [String] {
        switch program {
        case .solid: ["TINT"]
        case .image: ["IMAGE"]
        case .tintedImage: ["IMAGE", "TINT"]
        case .coveredImage: ["IMAGE", "PROJECTED", "COVERAGE", "TINT"]
        case .preciseImage: ["IMAGE", "PROJECTED", "BILINEAR", "COVERAGE", "TINT"]
        case .coveredAlpha, .effect: ["IMAGE", "PROJECTED", "COVERAGE", "TINT"]
        }
    }

    private func compile(_ program: DrawProgram, biased: Bool) throws(GPUError) -> Program {
        let gl = device.gl
        var words = Self.words(for: program)
        if biased { words.append("LEVEL_BIAS") }
        if order == .swapped { words.append("SWAPPED") }
        // Slots can be named from OpenGL ES 3.1 on; llvmpipe, which needs them, has it.
        let version =
            device.info.isVersion31
            ? "#version 310 es\n#define AT(n) layout(location = n)\n" : "#version 300 es\n#define AT(n)\n"
        let head = version + words.map { "#define \($0)\n" }.joined()
        let label = "\(program)" + (biased ? " with mipmaps" : "")

        let name = gl.glCreateProgram()
        do throws(GPUError) {
            for (kind, body) in [
                (GL_VERTEX_SHADER, shader_rectangle_vertex()), (GL_FRAGMENT_SHADER, shader_rectangle_fragment()),
            ] {
                let shader = try compileShader(GLenum(kind), head, body, label)
                gl.glAttachShader(name, shader)
                gl.glDeleteShader(shader)
            }
            gl.glLinkProgram(name)
            var linked: GLint = 0
            gl.glGetProgramiv(name, GLenum(GL_LINK_STATUS), &linked)
            guard linked != 0 else {
                throw GPUError.shader(program: label, log: log { gl.glGetProgramInfoLog(name, $0, $1, $2) })
            }
        } catch {
            gl.glDeleteProgram(name)
            throw error
        }
        gl.glUseProgram(name)
        // Unit 0 is what the name starts with; the coverage tile's unit is set once for all.
        let coverage = gl.glGetUniformLocation(name, "coverageTexture")
        if coverage >= 0 { gl.glUniform1i(coverage, 1) }
        compiled += 1
        try device.checkErrors("program \(label)")
        return Program(
            name: name, toClip: gl.glGetUniformLocation(name, "toClip"),
            imageScale: gl.glGetUniformLocation(name, "imageScale"),
            levelBias: gl.glGetUniformLocation(name, "levelBias"))
    }

    private func compileShader(
        _ kind: GLenum, _ head: String, _ body: UnsafePointer<CChar>, _ label: String
    ) throws(GPUError) -> GLuint {
        let gl = device.gl
        let shader = gl.glCreateShader(kind)
        head.withCString { head in
            let parts: [UnsafePointer<CChar>?] = [head, body]
            gl.glShaderSource(shader, 2, parts, nil)
        }
        gl.glCompileShader(shader)
        var compiled: GLint = 0
        gl.glGetShaderiv(shader, GLenum(GL_COMPILE_STATUS), &compiled)
        guard compiled != 0 else {
            let log = log { gl.glGetShaderInfoLog(shader, $0, $1, $2) }
            gl.glDeleteShader(shader)
            throw .shader(program: label, log: log)
        }
        return shader
    }

    private func log(_ read: (GLsizei, UnsafeMutablePointer<GLsizei>, UnsafeMutablePointer<GLchar>) -> Void) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            var length: GLsizei = 0
            read(GLsizei(buffer.count), &length, buffer.baseAddress!)
            let bytes = UnsafeRawBufferPointer(buffer).prefix(max(0, Int(length)))
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
