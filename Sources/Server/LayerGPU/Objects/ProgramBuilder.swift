import CGraphics

/// Compiles and links programs: a head of the language's version and the words that choose a variant, then a source of
/// Shaders/.
struct ProgramBuilder {
    let device: GraphicsDevice
    let order: PixelOrder

    /// - Parameters:
    ///   - words: Defined before the source; one with a value holds a blank between the two.
    ///   - units: Names of samplers and their units.
    ///   - label: For messages.
    /// - Returns: The name of a program, which is in use now.
    /// - Throws: `GPUError.shader` with the compiler's own words; `.outOfMemory`, `.contextLost`, `.gl`.
    func build(
        vertex: UnsafePointer<CChar>, fragment: UnsafePointer<CChar>, words: [String], units: [(String, GLint)],
        label: String
    ) throws(GPUError) -> GLuint {
        let gl = device.gl
        // Slots can be named from OpenGL ES 3.1 on; llvmpipe, which needs them, has it.
        let version =
            device.info.isVersion31
            ? "#version 310 es\n#define AT(n) layout(location = n)\n" : "#version 300 es\n#define AT(n)\n"
        let all = order == .swapped ? words + ["SWAPPED"] : words
        let head = version + all.map { "#define \($0)\n" }.joined()

        let name = gl.glCreateProgram()
        var shaders: [GLuint] = []
        do throws(GPUError) {
            for (kind, body) in [(GL_VERTEX_SHADER, vertex), (GL_FRAGMENT_SHADER, fragment)] {
                let shader = try compileShader(GLenum(kind), head, body, label)
                gl.glAttachShader(name, shader)
                gl.glDeleteShader(shader)
                shaders.append(shader)
            }
            gl.glLinkProgram(name)
            // What stays attached stays in memory: in Mesa more than a megabyte of the compiler's trees a program.
            for shader in shaders { gl.glDetachShader(name, shader) }
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
        for (sampler, unit) in units {
            let location = gl.glGetUniformLocation(name, sampler)
            if location >= 0 { gl.glUniform1i(location, unit) }
        }
        try device.checkErrors("program \(label)")
        return name
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
