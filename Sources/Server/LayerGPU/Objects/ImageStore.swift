import CGraphics
import LayerModel
import LayerRender

/// Textures of the images that clients share.
final class ImageStore {
    struct Texture {
        var name: GLuint
        var size: PixelSize
        var hasMipmaps = false

        var bytes: Int {
            let base = size.area * PixelOrder.bytesPerPixel
            return hasMipmaps ? base + base / 3 : base
        }
    }

    private let device: GraphicsDevice
    private let order: PixelOrder
    private var textures: [ImageKey: Texture] = [:]
    private(set) var bytes = 0
    private(set) var pixelsUploaded = 0

    var count: Int { textures.count }

    init(_ device: GraphicsDevice, _ order: PixelOrder) {
        self.device = device
        self.order = order
    }

    subscript(key: ImageKey) -> Texture? { textures[key] }

    /// Uploads pixels straight from where they lie. Replaces an image of the same key.
    func define(_ key: ImageKey, _ content: ImageContent) throws(GPUError) {
        let size = PixelSize(width: content.width, height: content.height)
        let limit = device.info.maxTextureSize
        if let reason = Self.fault(of: content) { throw .imageMalformed(key, reason: reason) }
        guard size.width <= limit, size.height <= limit else { throw .imageTooLarge(key, size, limit: limit) }

        let gl = device.gl
        gl.glActiveTexture(GLenum(GL_TEXTURE0))
        let name = content.pixels.withBytes { bytes -> GLuint in
            let base = bytes.baseAddress!
            if content.bytesPerRow % PixelOrder.bytesPerPixel == 0 {
                gl.glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(content.bytesPerRow / PixelOrder.bytesPerPixel))
                defer { gl.glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0) }
                return gl.makeTexture(size, order, pixels: base)
            }
            let name = gl.makeTexture(size, order)
            for row in 0..<size.height {
                gl.glTexSubImage2D(
                    GLenum(GL_TEXTURE_2D), 0, 0, GLint(row), GLsizei(size.width), 1, order.format,
                    GLenum(GL_UNSIGNED_BYTE), base + row * content.bytesPerRow)
            }
            return name
        }
        do {
            try device.checkErrors("\(key.image) of session \(key.session), \(size) pixels")
        } catch {
            gl.deleteTexture(name)
            throw error
        }
        release(key)
        let texture = Texture(name: name, size: size)
        textures[key] = texture
        bytes += texture.bytes
        pixelsUploaded += size.area
    }

    /// Why a content's bytes don't hold its pixels; nil where they do.
    private static func fault(of content: ImageContent) -> String? {
        let (width, height, stride) = (content.width, content.height, content.bytesPerRow)
        guard width > 0, height > 0 else { return "\(width)x\(height) pixels is not a size" }
        let (rowBytes, rowOverflow) = width.multipliedReportingOverflow(by: content.format.bytesPerPixel)
        guard !rowOverflow, stride >= rowBytes, stride <= Int(Int32.max) else {
            return "rows of \(stride) bytes for \(width) pixels"
        }
        let (before, overflow) = stride.multipliedReportingOverflow(by: height - 1)
        guard !overflow, content.pixels.count >= rowBytes, before <= content.pixels.count - rowBytes else {
            return "\(content.pixels.count) bytes for \(width)x\(height) pixels in rows of \(stride) bytes"
        }
        return nil
    }

    /// Gives an image its smaller levels. Binds it to unit 0.
    func makeMipmaps(_ key: ImageKey) throws(GPUError) {
        guard var texture = textures[key], !texture.hasMipmaps else { return }
        device.gl.glActiveTexture(GLenum(GL_TEXTURE0))
        device.gl.glBindTexture(GLenum(GL_TEXTURE_2D), texture.name)
        device.gl.glGenerateMipmap(GLenum(GL_TEXTURE_2D))
        try device.checkErrors("mipmaps of \(key.image) of session \(key.session)")
        bytes -= texture.bytes
        texture.hasMipmaps = true
        bytes += texture.bytes
        textures[key] = texture
    }

    func release(_ key: ImageKey) {
        guard let texture = textures.removeValue(forKey: key) else { return }
        bytes -= texture.bytes
        device.gl.deleteTexture(texture.name)
    }

    func releaseSession(_ session: UInt32) {
        for key in textures.keys where key.session == session { release(key) }
    }

    func removeAll() {
        for key in Array(textures.keys) { release(key) }
    }
}
