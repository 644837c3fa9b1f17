/// Appends fields, little-endian, without padding.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var count: Int { bytes.count }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Takes back what was written after a length.
    package mutating func truncate(to count: Int) {
        bytes.removeLast(bytes.count - count)
    }

    package mutating func write<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ value: Double) {
        write(value.bitPattern)
    }

    package mutating func write(_ value: Float) {
        write(value.bitPattern)
    }

    package mutating func write(_ value: Bool) {
        bytes.append(value ? 1 : 0)
    }

    /// Length as u32, then UTF-8.
    package mutating func write(_ text: String) {
        var text = text
        text.withUTF8 {
            write(UInt32($0.count))
            bytes.append(contentsOf: $0)
        }
    }

    package mutating func write(raw: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: raw)
    }

    package mutating func overwrite(_ value: UInt32, at offset: Int) {
        withUnsafeBytes(of: value.littleEndian) { source in
            for (index, byte) in source.enumerated() { bytes[offset + index] = byte }
        }
    }
}
