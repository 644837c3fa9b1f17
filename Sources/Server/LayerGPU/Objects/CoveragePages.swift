import CGraphics
import LayerModel
import LayerRender

/// The coverage atlas of one display: square pages whose pixels hold a coverage in all four channels, so that a tile
/// multiplies an image by the ordinary product of two textures.
///
/// Pages stay between frames: what a plan uploaded once, later plans of the same display may draw.
final class CoveragePages {
    private let device: GraphicsDevice
    private let order: PixelOrder
    private var pages: [GLuint] = []
    /// One upload's pixels; kept for the next.
    private var expanded: [UInt32] = []
    private(set) var pixelsUploaded = 0

    static let side = FramePlan.coveragePageSide
    static let bytesPerPage = side * side * PixelOrder.bytesPerPixel

    var count: Int { pages.count }

    init(_ device: GraphicsDevice, _ order: PixelOrder) {
        self.device = device
        self.order = order
    }

    /// The texture of a page; 0 for one that nothing was uploaded to.
    subscript(page: Int) -> GLuint { page < pages.count ? pages[page] : 0 }

    /// Puts tiles into their pages. Changes what unit 0 is bound to.
    func upload(_ uploads: [CoverageUpload]) throws(GPUError) {
        guard !uploads.isEmpty else { return }
        let gl = device.gl
        gl.glActiveTexture(GLenum(GL_TEXTURE0))
        var bound = -1
        for upload in uploads {
            let count = upload.width * upload.height
            precondition(
                upload.page >= 0 && upload.x >= 0 && upload.y >= 0 && upload.width > 0 && upload.height > 0
                    && upload.x + upload.width <= Self.side && upload.y + upload.height <= Self.side
                    && upload.bytes.count >= count,
                "a coverage tile of \(upload.width)x\(upload.height) at (\(upload.x), \(upload.y)) leaves its page")
            if bound != upload.page {
                try bind(upload.page)
                bound = upload.page
            }
            expand(upload.bytes, count)
            gl.glTexSubImage2D(
                GLenum(GL_TEXTURE_2D), 0, GLint(upload.x), GLint(upload.y), GLsizei(upload.width),
                GLsizei(upload.height), order.format, GLenum(GL_UNSIGNED_BYTE), expanded)
            pixelsUploaded += count
        }
        try device.checkErrors("\(uploads.count) coverage tiles")
    }

    private func expand(_ bytes: [UInt8], _ count: Int) {
        if expanded.count < count {
            expanded += [UInt32](repeating: 0, count: count - expanded.count)
        }
        expanded.withUnsafeMutableBufferPointer { pixels in
            bytes.withUnsafeBufferPointer { bytes in
                for index in 0..<count { pixels[index] = UInt32(bytes[index]) &* 0x0101_0101 }
            }
        }
    }

    private func bind(_ page: Int) throws(GPUError) {
        while pages.count <= page {
            let name = device.gl.makeTexture(PixelSize(width: Self.side, height: Self.side), order)
            do {
                try device.checkErrors("coverage page \(pages.count)")
            } catch {
                device.gl.deleteTexture(name)
                throw error
            }
            pages.append(name)
        }
        device.gl.glBindTexture(GLenum(GL_TEXTURE_2D), pages[page])
    }

    func removeAll() {
        for page in pages { device.gl.deleteTexture(page) }
        pages = []
    }
}
