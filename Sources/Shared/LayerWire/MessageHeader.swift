/// The twelve bytes before every payload, on a socket and in a recording.
package struct MessageHeader: Sendable, Equatable {
    /// Of the payload.
    package var length: Int
    package var type: UInt16
    package var descriptors: Int
    package var serial: UInt32

    /// - Parameter bytes: At least twelve.
    package init(_ bytes: UnsafeRawBufferPointer) {
        length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)))
        type = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self))
        descriptors = Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self)))
        serial = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }
}
