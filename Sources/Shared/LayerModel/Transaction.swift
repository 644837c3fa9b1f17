// What a commit is: a list of changes that is applied whole or not at all.

/// One change of a session's layer table.
package enum TransactionOp: Sendable, Equatable {
    /// A new layer with default properties, not yet in any tree.
    case createLayer(LayerID, LayerClass)
    /// Forgets a layer. Its sublayers stay, without a superlayer; it leaves its own superlayer.
    case destroyLayer(LayerID)
    case set(LayerID, LayerProperty, PropertyValue)
    /// The whole list of a layer's sublayers, back to front. A layer in the list leaves the superlayer it had; a layer
    /// that was in the list and is no more has no superlayer.
    case setSublayers(LayerID, [LayerID])
    /// The layer the display shows; `.none` shows nothing.
    case setRoot(LayerID)
    /// Pixels that layers may use as contents until they are released.
    case defineImage(ImageID, ImageContent)
    /// The client uses the image no more. Layers that still show it keep it until they change.
    case releaseImage(ImageID)
    /// After those the layer has. The key is for people.
    case addAnimation(LayerID, AnimationID, key: String, AnimationDescription)
    /// One that is over and gone already, or never was, is nothing to remove.
    case removeAnimation(LayerID, AnimationID)
}

/// One commit: every change of it becomes visible in the same frame.
package struct Transaction: Sendable, Equatable {
    /// The display's clock when the client committed, seconds. Stamped by the client, never by the server.
    package var time: Double
    package var ops: [TransactionOp]

    package init(time: Double, ops: [TransactionOp] = []) {
        self.time = time
        self.ops = ops
    }

    package var isEmpty: Bool { ops.isEmpty }
}

/// How a pixel is stored. All are premultiplied where they have alpha.
package enum PixelFormat: UInt8, Sendable, CaseIterable {
    /// Four bytes: blue, green, red, alpha.
    case bgra8 = 1

    package var bytesPerPixel: Int { 4 }
}

/// The pixels of an image as they are shared: rows from the top, premultiplied, encoded sRGB.
package struct ImageContent: Sendable, Equatable {
    package var width: Int
    package var height: Int
    package var bytesPerRow: Int
    package var format: PixelFormat
    /// True when every pixel's alpha is 255: such contents may hide what is behind.
    package var isOpaque: Bool
    package var pixels: PixelStorage

    package init(
        width: Int, height: Int, bytesPerRow: Int, format: PixelFormat = .bgra8, isOpaque: Bool, pixels: PixelStorage
    ) {
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.format = format
        self.isOpaque = isOpaque
        self.pixels = pixels
    }

    package var byteCount: Int { bytesPerRow * height }

    package static func == (a: ImageContent, b: ImageContent) -> Bool {
        a.width == b.width && a.height == b.height && a.format == b.format && a.isOpaque == b.isOpaque
            && a.rowsEqual(b)
    }

    private func rowsEqual(_ other: ImageContent) -> Bool {
        pixels.withBytes { mine in
            other.pixels.withBytes { theirs in
                let rowBytes = width * format.bytesPerPixel
                for row in 0..<height {
                    let a = mine[row * bytesPerRow..<row * bytesPerRow + rowBytes]
                    let b = theirs[row * other.bytesPerRow..<row * other.bytesPerRow + rowBytes]
                    guard a.elementsEqual(b) else { return false }
                }
                return true
            }
        }
    }
}

/// Bytes that nobody changes any more, wherever they live: the heap, or a mapped sealed file.
package final class PixelStorage: @unchecked Sendable {
    private let base: UnsafeRawPointer
    package let count: Int
    /// The sealed file that holds the bytes, or -1. Owned: closed by `release`.
    package let descriptor: Int32
    private let release: @Sendable () -> Void

    /// Takes over bytes that stay valid and unchanged until `release` is called, once, at the end of the object's life.
    package init(
        base: UnsafeRawPointer, count: Int, descriptor: Int32 = -1, release: @escaping @Sendable () -> Void
    ) {
        self.base = base
        self.count = count
        self.descriptor = descriptor
        self.release = release
    }

    /// A copy on the heap.
    package convenience init(copying bytes: UnsafeRawBufferPointer) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
        if bytes.count > 0 { memory.copyMemory(from: bytes) }
        nonisolated(unsafe) let owned = memory
        self.init(base: UnsafeRawPointer(owned.baseAddress!), count: bytes.count) { owned.deallocate() }
    }

    package convenience init(_ bytes: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
        memory.copyBytes(from: bytes)
        nonisolated(unsafe) let owned = memory
        self.init(base: UnsafeRawPointer(owned.baseAddress!), count: bytes.count) { owned.deallocate() }
    }

    deinit {
        release()
    }

    package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(start: base, count: count))
    }
}
