import LayerModel
import LayerWire

/// Pixels that a clip's writers read: premultiplied BGRA, rows from the top. They stay as they are for the object's life.
package final class ClipPixels: @unchecked Sendable {
    package let bytes: UnsafeRawBufferPointer
    package let bytesPerRow: Int
    private let release: @Sendable () -> Void

    /// - Parameter release: Called once, at the end of the object's life, on any thread.
    init(_ bytes: UnsafeRawBufferPointer, bytesPerRow: Int, release: @escaping @Sendable () -> Void) {
        self.bytes = bytes
        self.bytesPerRow = bytesPerRow
        self.release = release
    }

    /// A copy.
    package convenience init(copying bytes: UnsafeRawBufferPointer, bytesPerRow: Int) {
        self.init(PixelStorage(copying: bytes), bytesPerRow: bytesPerRow)
    }

    package convenience init(_ storage: PixelStorage, bytesPerRow: Int) {
        let bytes = storage.withBytes { $0 }
        self.init(bytes, bytesPerRow: bytesPerRow) { withExtendedLifetime(storage) {} }
    }

    deinit { release() }

    var base: UnsafePointer<UInt8> { bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) }
}

/// One frame on its way into a clip.
package struct ClipFrame: Sendable {
    /// Counted from 0, without gaps.
    package var index: Int
    /// What the frame is called in a sequence.
    package var number: Int
    package var pixels: ClipPixels
    /// The frame before it; nil for the first. The same object where nothing changed.
    package var previous: ClipPixels?

    package init(index: Int, number: Int, pixels: ClipPixels, previous: ClipPixels?) {
        self.index = index
        self.number = number
        self.pixels = pixels
        self.previous = previous
    }

    /// The picture is the last frame's.
    package var isRepeated: Bool { previous === pixels }
}

/// What every frame of a clip has in common.
package struct ClipShape: Sendable, Hashable {
    /// Pixels.
    package var width: Int
    /// Pixels.
    package var height: Int
    package var rate: FrameRate
    /// Frames.
    package var count: Int

    package init(width: Int, height: Int, rate: FrameRate, count: Int) {
        self.width = width
        self.height = height
        self.rate = rate
        self.count = count
    }
}

/// Where a clip's frames go.
///
/// `prepare` and `append` are called by a pipeline's threads. A writer that fails, or whose clip is given up, is abandoned and
/// leaves nothing behind.
package protocol ClipWriter: AnyObject, Sendable {
    /// A frame in which nothing changed is written as the frame before was: it is not prepared.
    var repeatsAlike: Bool { get }
    /// Makes of a frame what `append` writes. Called on several threads, in any order; looks at nothing but the frame.
    func prepare(_ frame: ClipFrame) throws -> PreparedFrame
    /// Writes a frame. Called by one thread at a time, in the order of the frames.
    func append(_ prepared: PreparedFrame, of frame: ClipFrame) throws
    /// Everything is appended: completes the clip and puts it in its place.
    func finish() throws
    /// Gives the clip up and takes away what was begun. May be called by any thread, while another one is in `append` or
    /// `finish`, which then end with an error soon; and once more when nobody is. Does nothing to a clip that is in its place.
    func abandon()
    /// What was not as it should be, although the clip is written.
    var warnings: [String] { get }
    /// The path at which the clip is made until it is whole; nil where it is written in place.
    var draft: String? { get }
}

extension ClipWriter {
    package var repeatsAlike: Bool { true }
    package var warnings: [String] { [] }
}

/// A frame as its writer wants it.
package struct PreparedFrame: Sendable {
    package var bytes: [UInt8]
    /// Every pixel is opaque; true where nobody looked.
    package var isOpaque = true

    package init(_ bytes: [UInt8] = [], isOpaque: Bool = true) {
        self.bytes = bytes
        self.isOpaque = isOpaque
    }
}
