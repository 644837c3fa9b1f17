/// Reads fields, little-endian, from bytes that somebody else sent. Nothing is read, and nothing allocated, that the
/// bytes do not back.
package struct ByteReader: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    package private(set) var offset = 0

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package var remaining: Int { bytes.count - offset }

    private func missing(_ count: Int) -> ProtocolError {
        ProtocolError(
            .truncated, offset: offset, "the message ends here; \(count - remaining) more bytes are needed")
    }

    package mutating func read<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(ProtocolError) -> T {
        let size = MemoryLayout<T>.size
        guard remaining >= size else { throw missing(size) }
        defer { offset += size }
        return T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    package mutating func readDouble() throws(ProtocolError) -> Double {
        Double(bitPattern: try read(UInt64.self))
    }

    package mutating func readBool() throws(ProtocolError) -> Bool {
        let start = offset
        switch try read(UInt8.self) {
        case 0: return false
        case 1: return true
        case let other: throw ProtocolError(.badValue, offset: start, "\(other) is neither 0 nor 1")
        }
    }

    /// A count of things of at least `size` bytes each, which must be there.
    package mutating func readCount(ofAtLeast size: Int) throws(ProtocolError) -> Int {
        let start = offset
        let count = Int(try read(UInt32.self))
        guard count <= remaining / max(size, 1) else {
            throw ProtocolError(.truncated, offset: start, "\(count) entries do not fit into \(remaining) bytes")
        }
        return count
    }

    package mutating func readText(limit: Int) throws(ProtocolError) -> String {
        let start = offset
        let length = Int(try read(UInt32.self))
        guard length <= limit else {
            throw ProtocolError(.badText, offset: start, "text of \(length) bytes; at most \(limit) are allowed")
        }
        let raw = try readRaw(length)
        guard let text = String(validating: raw, as: UTF8.self) else {
            throw ProtocolError(.badText, offset: start, "text is no UTF-8")
        }
        return text
    }

    package mutating func readRaw(_ count: Int) throws(ProtocolError) -> UnsafeRawBufferPointer {
        guard count >= 0, remaining >= count else { throw missing(count) }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// The message must end here.
    package func finish() throws(ProtocolError) {
        guard remaining == 0 else {
            throw ProtocolError(.trailingBytes, offset: offset, "\(remaining) bytes too many")
        }
    }
}
