// Pixels are stored blue first, as clients share them and as readers want them. Two ways to have that:
//
// - The driver has BGRA textures (EXT_texture_format_BGRA8888): everything is as it is named. llvmpipe's fast road needs
//   this one.
// - It hasn't: RGBA textures hold the same bytes, so "red" means blue from the upload to the readback. Every step
//   between works on each channel alone (sampling, products, blending, copies), so only what comes from the plan as a
//   color, vertex and clear colors, is swapped on its way in. The bytes that come out are the same.

import CGraphics
import LayerModel

enum PixelOrder: Sendable {
    case bgra
    case swapped

    static let bytesPerPixel = 4

    var internalFormat: GLint { self == .bgra ? GL_BGRA_EXT : GL_RGBA8 }
    /// Of uploads and readbacks.
    var format: GLenum { GLenum(self == .bgra ? GL_BGRA_EXT : GL_RGBA) }

    /// A plan's color as it is stored.
    func stored(_ color: PremultipliedColor) -> PremultipliedColor {
        guard self == .swapped else { return color }
        return PremultipliedColor(red: color.blue, green: color.green, blue: color.red, alpha: color.alpha)
    }
}

extension GraphicsTable {
    /// Makes a texture in the current context, bound to the active unit: one level, clamped at its edges.
    ///
    /// - Parameter pixels: Rows of `size.width` pixels, as GL_UNPACK_ROW_LENGTH says; nil for undefined contents.
    func makeTexture(_ size: PixelSize, _ order: PixelOrder, pixels: UnsafeRawPointer? = nil) -> GLuint {
        var name: GLuint = 0
        glGenTextures(1, &name)
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
        // Samplers choose the filters; these keep the texture complete without one.
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_NEAREST)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_NEAREST)
        glTexImage2D(
            GLenum(GL_TEXTURE_2D), 0, order.internalFormat, GLsizei(size.width), GLsizei(size.height), 0, order.format,
            GLenum(GL_UNSIGNED_BYTE), pixels)
        return name
    }

    func deleteTexture(_ name: GLuint) {
        var name = name
        glDeleteTextures(1, &name)
    }

    func deleteFramebuffer(_ name: GLuint) {
        var name = name
        glDeleteFramebuffers(1, &name)
    }

    func makeFramebuffer() -> GLuint {
        var name: GLuint = 0
        glGenFramebuffers(1, &name)
        return name
    }
}
