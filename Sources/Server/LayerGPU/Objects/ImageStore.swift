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
    /// One an image, or one a tile of it.
    private var textures: [ImageKey: Texture] = [:]
    private(set) var bytes = 0
    private(set) var pixelsUploaded = 0

    var count: Int { textures.count }

    init(_ device: GraphicsDevice, _ order: PixelOrder) {
        self.device = device
        self.order = order
    }

    subscript(key: ImageKey) -> Texture? { textures[key] }

    /// Uploads pixels straight from where they lie; in tiles where they don't fit one texture. Replaces an image of the
    /// same key.
    func define(_ key: ImageKey, _ content: ImageContent) throws(GPUError) {
        let size = PixelSize(width: content.width, height: content.height)
        if let reason = Self.fault(of: content) { throw .imageMalformed(key, reason: reason) }
        let tiling = ImageTiling(size, limit: device.info.maxTextureSize)
        var made: [Texture] = []
        do {
            for tile in 0..<tiling.count {
                made.append(try upload(tiling.texels(of: tile), of: content, key))
            }
        } catch {
            for texture in made { device.gl.deleteTexture(texture.name) }
            throw error
        }
        if key.isRaster { free(key) } else { release(key) }
        for (tile, texture) in made.enumerated() {
            let place = key.isRaster ? key : ImageKey(session: key.session, image: key.image, tile: tile)
            textures[place] = texture
            bytes += texture.bytes
            pixelsUploaded += texture.size.area
        }
    }

    private func upload(
        _ texels: PixelRect, of content: ImageContent, _ key: ImageKey
    ) throws(GPUError) -> Texture {
        let size = PixelSize(width: texels.width, height: texels.height)
        let gl = device.gl
        gl.glActiveTexture(GLenum(GL_TEXTURE0))
        let name = content.pixels.withBytes { bytes -> GLuint in
            let base =
                bytes.baseAddress! + texels.minY * content.bytesPerRow + texels.minX * PixelOrder.bytesPerPixel
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
        return Texture(name: name, size: size)
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

    /// Frees an image with all its tiles.
    func release(_ key: ImageKey) {
        var tile = 0
        while free(ImageKey(session: key.session, image: key.image, tile: tile)) { tile += 1 }
    }

    /// Uploads a picture that the planner worked out.
    func define(_ raster: RasterUpload) throws(GPUError) {
        let content = ImageContent(
            width: raster.size.width, height: raster.size.height, bytesPerRow: raster.size.width * 4, isOpaque: false,
            pixels: PixelStorage(raster.pixels))
        try define(raster.key, content)
    }

    /// Frees one texture.
    /// - Returns: False where there is none.
    @discardableResult
    func free(_ key: ImageKey) -> Bool {
        guard let texture = textures.removeValue(forKey: key) else { return false }
        bytes -= texture.bytes
        device.gl.deleteTexture(texture.name)
        return true
    }

    func releaseSession(_ session: UInt32) {
        for key in Array(textures.keys) where key.session == session { free(key) }
    }

    /// Frees the pictures that a session's planner worked out.
    func releaseRasters(of session: UInt32) {
        for key in Array(textures.keys) where key.session == session && key.isRaster { free(key) }
    }

    func removeAll() {
        for key in Array(textures.keys) { free(key) }
    }
}
