// The text of a scene file, checked once, and the way from a byte to its line and column.
//
// Readers keep byte offsets only; a line and a column are worked out for the few that reach a message. A column counts
// characters (Unicode scalars), so the bytes that continue a character are taken off; their number before any byte comes
// from one count a block of 4 KiB, so that a message in a file of one long line costs no more than a message elsewhere.

/// Bytes that are known to be UTF-8 without control characters, and the name of the file that held them.
package final class SourceText: Sendable {
    package let file: String
    /// Without a byte order mark.
    package let bytes: [UInt8]
    /// Where each line begins, in bytes.
    private let lineStarts: [Int]
    /// How many bytes that continue a character lie before each block.
    private let continuations: [Int]

    private static let blockSize = 4096

    /// Checks `bytes`.
    ///
    /// - Throws: `SceneError` at the first byte that is not UTF-8 text: UTF-16 and UTF-32 by name, NUL and other control
    ///   characters (tab, line feed and carriage return are allowed), sequences cut short, overlong forms, surrogates.
    package init(_ bytes: [UInt8], file: String) throws {
        if let name = SourceText.foreignEncoding(bytes) {
            throw SceneError(
                file: file, line: 1, column: 1, message: "the file is \(name) text; save it as UTF-8")
        }
        var bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let scan = SourceText.scan(bytes)
        self.file = file
        self.bytes = bytes
        lineStarts = scan.lineStarts
        continuations = scan.continuations
        if let fault = scan.fault { throw error(at: fault.offset, fault.message) }
    }

    /// Line and column of a byte, both counted from 1. An offset past the end is the end.
    package func position(at offset: Int) -> (line: Int, column: Int) {
        let offset = min(max(offset, 0), bytes.count)
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        let start = lineStarts[low]
        return (low + 1, offset - start - (continuationCount(before: offset) - continuationCount(before: start)) + 1)
    }

    package func error(at offset: Int, _ message: String) -> SceneError {
        let (line, column) = position(at: offset)
        return SceneError(file: file, line: line, column: column, message: message)
    }

    /// The text of a range of bytes.
    package func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private func continuationCount(before offset: Int) -> Int {
        let block = offset / SourceText.blockSize
        guard block < continuations.count else { return continuations.last ?? 0 }
        var count = continuations[block]
        for index in block * SourceText.blockSize..<offset where bytes[index] & 0xC0 == 0x80 { count += 1 }
        return count
    }

    // MARK: Checking

    private static func foreignEncoding(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
        if bytes.count >= 2, (bytes[0] == 0) != (bytes[1] == 0) { return "UTF-16" }
        return nil
    }

    private struct Scan {
        var lineStarts = [0]
        var continuations: [Int] = []
        var fault: (offset: Int, message: String)?
    }

    private static func scan(_ bytes: [UInt8]) -> Scan {
        var scan = Scan()
        bytes.withUnsafeBufferPointer { text in
            var continuations = 0
            var index = 0
            var nextBlock = 0
            // A border inside a character: the bytes from the border on are not before it.
            func markBlocks(upTo index: Int) {
                while nextBlock <= index {
                    var before = continuations
                    for byte in text[nextBlock..<index] where byte & 0xC0 == 0x80 { before -= 1 }
                    scan.continuations.append(before)
                    nextBlock += blockSize
                }
            }
            while index < text.count {
                markBlocks(upTo: index)
                let byte = text[index]
                if byte < 0x80 {
                    if byte == 0x0A || (byte == 0x0D && !(index + 1 < text.count && text[index + 1] == 0x0A)) {
                        scan.lineStarts.append(index + 1)
                    } else if byte < 0x20, byte != 0x09, byte != 0x0D {
                        scan.fault = (index, byte == 0 ? "a NUL byte is not text" : "a control character is not text")
                        return
                    }
                    index += 1
                    continue
                }
                guard let length = sequenceLength(text, at: index) else {
                    scan.fault = (index, "this byte (0x\(hex(byte))) is not UTF-8; save the file as UTF-8")
                    return
                }
                continuations += length - 1
                index += length
            }
            markBlocks(upTo: text.count)
        }
        return scan
    }

    /// Bytes of the character that begins at `index`, which is not ASCII; nil if there is no valid one. Source: RFC 3629.
    private static func sequenceLength(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        let lead = text[index]
        var second: ClosedRange<UInt8> = 0x80...0xBF
        let length: Int
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return nil
        }
        guard index + length <= text.count, second.contains(text[index + 1]) else { return nil }
        for next in 2..<max(length, 2) where text[index + next] & 0xC0 != 0x80 { return nil }
        return length
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}
