import LayerModel

/// What a fuzzer drives: any bytes as a message, the first byte choosing which one. Errors are answers; a trap, a hang or
/// a message that does not survive being written and read again is a find.
package func fuzzDecode(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first, let type = MessageType(rawValue: UInt16(first)) else { return }
    let payload = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    if type.rawValue < 128 {
        guard let message = try? decodeClient(type, payload) else { return }
        _ = RecordingText.lines(message, serial: 1)
        var writer = ByteWriter()
        message.encode(into: &writer)
        let again = writer.bytes.withUnsafeBytes { try? decodeClient(type, $0) }
        var rewriter = ByteWriter()
        again?.encode(into: &rewriter)
        // Compared as bytes: a NaN is not equal to itself.
        precondition(writer.bytes == rewriter.bytes, "\(message) reads back as \(String(describing: again))")
    } else {
        guard let message = try? ServerMessage.decode(type, payload) else { return }
        var writer = ByteWriter()
        message.encode(into: &writer)
        let again = writer.bytes.withUnsafeBytes { try? ServerMessage.decode(type, $0) }
        var rewriter = ByteWriter()
        again?.encode(into: &rewriter)
        precondition(writer.bytes == rewriter.bytes, "\(message) reads back as \(String(describing: again))")
    }
}

private func decodeClient(
    _ type: MessageType, _ payload: UnsafeRawBufferPointer
) throws(ProtocolError) -> ClientMessage {
    try ClientMessage.decode(type, payload) { index, offset, count throws(ProtocolError) in
        guard count <= 1 << 16 else { throw ProtocolError(.badDescriptor, "a fuzzer's file is short") }
        return PixelStorage([UInt8](repeating: UInt8(truncatingIfNeeded: offset &+ UInt64(index)), count: count))
    }
}
