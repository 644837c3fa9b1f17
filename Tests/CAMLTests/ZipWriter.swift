import Foundation

/// Writes small zip archives, also wrong ones, by hand. Source: PKWARE's APPNOTE, 4.3.
struct ZipWriter {
    private(set) var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count: UInt16 = 0

    /// Adds a file. `declaredSize` may lie; `flags` 1 says encrypted; `mode` is a Unix file mode.
    mutating func add(
        _ name: String, _ content: [UInt8], declaredSize: UInt32? = nil, flags: UInt16 = 0, mode: UInt32 = 0o100644
    ) {
        let offset = UInt32(bytes.count)
        // Method 8 (deflate) with stored blocks, so that the declared size may differ from the real one.
        var packed: [UInt8] = []
        var rest = content[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(block.count)
            packed.append(rest.isEmpty ? 1 : 0)
            append(UInt16(block.count), to: &packed)
            append(~UInt16(block.count), to: &packed)
            packed += block
        } while !rest.isEmpty
        var common: [UInt8] = []
        for field in [20, flags | 0x800, 8, 0, 0x21] as [UInt16] { append(field, to: &common) }
        for field in [crc32(content), UInt32(packed.count), declaredSize ?? UInt32(content.count)] {
            append(field, to: &common)
        }
        append(UInt16(name.utf8.count), to: &common)
        append(UInt16(0), to: &common)

        append(UInt32(0x0403_4B50), to: &bytes)
        bytes += common + Array(name.utf8) + packed
        append(UInt32(0x0201_4B50), to: &directory)
        append(UInt16(3 << 8 | 20), to: &directory)
        directory += common
        for field in [0, 0, 0] as [UInt16] { append(field, to: &directory) }
        append(mode << 16, to: &directory)
        append(offset, to: &directory)
        directory += Array(name.utf8)
        count += 1
    }

    mutating func add(_ name: String, _ text: String) { add(name, Array(text.utf8)) }

    /// The archive, closed.
    func finished() -> [UInt8] {
        var result = bytes + directory
        append(UInt32(0x0605_4B50), to: &result)
        for field in [0, 0, count, count] { append(field, to: &result) }
        append(UInt32(directory.count), to: &result)
        append(UInt32(bytes.count), to: &result)
        append(UInt16(0), to: &result)
        return result
    }

    private func append<T: FixedWidthInteger>(_ value: T, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    private func crc32(_ content: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in content {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
