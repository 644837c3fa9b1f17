// Animated PNG, as https://www.w3.org/TR/png-3/ has it: a PNG file whose first picture is frame 0, with a chunk acTL that counts the
// frames, a chunk fcTL before each that says where it lies and how long it shows, and the data of later frames in fdAT.
//
// A later frame holds the smallest rectangle that differs from the frame before, laid over it without blending; one in which
// nothing differs holds its first pixel again. So a player that counts frames counts all of them. Frames are packed by libpng,
// each as a file of its own whose data chunks are taken over.

import CImageCodecs

final class APNGWriter: ClipWriter, @unchecked Sendable {
    private let shape: ClipShape
    private let file: DraftFile
    private let delay: (numerator: UInt16, denominator: UInt16)
    /// Counts the chunks fcTL and fdAT. Only `append` touches it.
    private var sequence: UInt32 = 0

    init(_ path: String, _ shape: ClipShape) throws {
        self.shape = shape
        // `ClipDestination` lets no other rate come here.
        delay = (UInt16(clamping: shape.rate.denominator), UInt16(clamping: shape.rate.numerator))
        file = try DraftFile(path)
    }

    /// What a frame says besides its data: x, y, width, height.
    private struct Part {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
    }

    var repeatsAlike: Bool { false }

    func prepare(_ frame: ClipFrame) throws -> PreparedFrame {
        var part = Part(width: shape.width, height: shape.height)
        if let previous = frame.previous {
            var changed: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 1, 1)
            if !frame.isRepeated {
                withUnsafeMutableBytes(of: &changed) { numbers in
                    // Where nothing differs, the one pixel stays.
                    _ = codec_changed_part(
                        previous.base, previous.bytesPerRow, frame.pixels.base, frame.pixels.bytesPerRow,
                        UInt32(shape.width), UInt32(shape.height),
                        numbers.baseAddress!.assumingMemoryBound(to: UInt32.self))
                }
            }
            part = Part(x: Int(changed.0), y: Int(changed.1), width: Int(changed.2), height: Int(changed.3))
        }
        let png = try PNGPacking.file(
            of: frame.pixels, x: part.x, y: part.y, width: part.width, height: part.height)
        var bytes: [UInt8] = []
        for number in [part.width, part.height, part.x, part.y] { bytes.append(bigEndian: UInt32(number)) }
        return PreparedFrame(bytes + png)
    }

    func append(_ prepared: PreparedFrame, of frame: ClipFrame) throws {
        let place = prepared.bytes[..<16]
        var output: [UInt8] = []
        var isBegun = false
        for chunk in PNGChunks(prepared.bytes[16...]) {
            switch chunk.name {
            case "IDAT":
                if !isBegun {
                    control(place, into: &output)
                    isBegun = true
                }
                if frame.index == 0 {
                    output += chunk.whole
                } else {
                    var data: [UInt8] = []
                    data.append(bigEndian: nextNumber())
                    data += chunk.data
                    output.append(chunk: "fdAT", data)
                }
            case "IEND": break
            default:
                // The first frame's header is the clip's.
                guard frame.index == 0 else { continue }
                if chunk.name == "IHDR" { output += PNGChunks.signature }
                output += chunk.whole
                if chunk.name == "IHDR" {
                    var counts: [UInt8] = []
                    counts.append(bigEndian: UInt32(shape.count))
                    // Plays for ever.
                    counts.append(bigEndian: 0)
                    output.append(chunk: "acTL", counts)
                }
            }
        }
        try file.append(output)
    }

    private func nextNumber() -> UInt32 {
        defer { sequence += 1 }
        return sequence
    }

    private func control(_ place: ArraySlice<UInt8>, into output: inout [UInt8]) {
        var data: [UInt8] = []
        data.append(bigEndian: nextNumber())
        data += place
        for number in [delay.numerator, delay.denominator] { data += [UInt8(number >> 8), UInt8(number & 0xFF)] }
        // Stays for the next frame; takes the place of what is below.
        data += [0, 0]
        output.append(chunk: "fcTL", data)
    }

    func finish() throws {
        var end: [UInt8] = []
        end.append(chunk: "IEND", [])
        try file.append(end)
        try file.publish()
    }

    var draft: String? { file.draft }

    func abandon() { file.abandon() }
}

/// The chunks of a PNG file that libpng has just made.
struct PNGChunks: Sequence, IteratorProtocol {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    struct Chunk {
        var name: String
        var data: ArraySlice<UInt8>
        /// With length, name and checksum.
        var whole: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ file: ArraySlice<UInt8>) {
        rest = file.dropFirst(Self.signature.count)
    }

    mutating func next() -> Chunk? {
        guard rest.count >= 12 else { return nil }
        let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard rest.count >= 12 + length else { return nil }
        let whole = rest.prefix(12 + length)
        rest = rest.dropFirst(12 + length)
        return Chunk(
            name: String(decoding: whole.dropFirst(4).prefix(4), as: UTF8.self), data: whole.dropFirst(8).dropLast(4),
            whole: whole)
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: UInt32) {
        self += [UInt8(number >> 24), UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }

    /// Length, name, data and the checksum of the last two.
    fileprivate mutating func append(chunk name: String, _ data: [UInt8]) {
        append(bigEndian: UInt32(data.count))
        let start = count
        self += Array(name.utf8) + data
        append(bigEndian: withUnsafeBufferPointer { codec_crc32($0.baseAddress! + start, $0.count - start) })
    }
}
