import CGraphics
import LayerModel

extension PassExecutor {
    /// Copies a root's pixels into memory: rows from the top; blue, green, red, alpha; premultiplied. Waits for the frame.
    ///
    /// - Parameters:
    ///   - rect: Pixels of the root; must lie in it. An empty one reads nothing.
    ///   - memory: Room for `rect.height` rows. Only the rectangle's bytes are written.
    ///   - bytesPerRow: From one row's first byte to the next's; at least 4 a pixel.
    /// - Throws: `GPUError.badReadback`, `.contextLost`, `.gl`.
    package func read(
        _ root: RootTarget, _ rect: PixelRect, into memory: UnsafeMutableRawPointer, bytesPerRow: Int
    ) throws(GPUError) {
        precondition(root.registry === registry, "a root is read by the executor that made it")
        guard !rect.isEmpty else { return }
        let all = PixelRect(x: 0, y: 0, width: root.size.width, height: root.size.height)
        guard all.contains(rect) else { throw .badReadback(reason: "\(rect) is not inside \(root.size) pixels") }
        let rowBytes = rect.width * PixelOrder.bytesPerPixel
        guard bytesPerRow >= rowBytes, bytesPerRow <= Int(Int32.max) else {
            throw .badReadback(reason: "rows of \(bytesPerRow) bytes for \(rect.width) pixels")
        }
        try begin()
        gl.glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), root.target.framebuffer)
        if bytesPerRow % PixelOrder.bytesPerPixel == 0 {
            gl.glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(bytesPerRow / PixelOrder.bytesPerPixel))
            readRows(rect.minX, rect.minY, rect.width, rect.height, memory)
            gl.glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), 0)
        } else {
            for row in 0..<rect.height {
                readRows(rect.minX, rect.minY + row, rect.width, 1, memory + row * bytesPerRow)
            }
        }
        work.pixelsRead += rect.area
        try device.checkErrors("reading \(rect)")
        try device.checkReset()
    }

    private func readRows(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ memory: UnsafeMutableRawPointer) {
        gl.glReadPixels(
            GLint(x), GLint(y), GLsizei(width), GLsizei(height), order.format, GLenum(GL_UNSIGNED_BYTE), memory)
    }
}
