// The two formats that are nothing but frames one after another.

/// YUV4MPEG2: a line for the clip, a line and three planes a frame.
final class Y4MWriter: ClipWriter, @unchecked Sendable {
    private let shape: ClipShape
    private let file: DraftFile
    /// The line for the clip is there. Only `append` touches it.
    private var isBegun = false

    init(_ path: String, _ shape: ClipShape) throws {
        self.shape = shape
        file = try DraftFile(path)
    }

    /// Progressive, square pixels, chroma as MPEG-2 and H.264 place it.
    private var clipLine: String {
        "YUV4MPEG2 W\(shape.width) H\(shape.height) F\(shape.rate.numerator):\(shape.rate.denominator) Ip A1:1 C420mpeg2"
            + " XYSCSS=420MPEG2 XCOLORRANGE=LIMITED\n"
    }

    func prepare(_ frame: ClipFrame) throws -> PreparedFrame {
        try PlaneConversion.opaque420.planes(of: frame.pixels, width: shape.width, height: shape.height)
    }

    func append(_ prepared: PreparedFrame, of frame: ClipFrame) throws {
        if !isBegun { try file.append(clipLine) }
        isBegun = true
        try file.append("FRAME\n")
        try file.append(prepared.bytes)
    }

    func finish() throws { try file.publish() }

    var draft: String? { file.draft }

    func abandon() { file.abandon() }
}

/// The pixels as they are: premultiplied BGRA, rows from the top.
final class RawWriter: ClipWriter {
    private let shape: ClipShape
    private let file: DraftFile

    init(_ path: String, _ shape: ClipShape) throws {
        self.shape = shape
        file = try DraftFile(path)
    }

    func prepare(_ frame: ClipFrame) -> PreparedFrame { PreparedFrame() }

    func append(_ prepared: PreparedFrame, of frame: ClipFrame) throws {
        let pixels = frame.pixels
        let rowBytes = shape.width * 4
        if pixels.bytesPerRow == rowBytes {
            try file.append(UnsafeRawBufferPointer(rebasing: pixels.bytes[..<(rowBytes * shape.height)]))
            return
        }
        for row in 0..<shape.height {
            let start = row * pixels.bytesPerRow
            try file.append(UnsafeRawBufferPointer(rebasing: pixels.bytes[start..<start + rowBytes]))
        }
    }

    func finish() throws { try file.publish() }

    var draft: String? { file.draft }

    func abandon() { file.abandon() }
}
