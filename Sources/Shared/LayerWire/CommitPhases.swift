// What a commit took, on both sides of the socket: so that a slow frame can be blamed on layout, drawing, decoding, sending,
// uploading or the GPU.

import CLinux

/// What a client did before it sent a commit. Travels ahead of it.
package struct CommitPhases: Sendable, Equatable {
    /// Nanoseconds of layout passes.
    package var layout: UInt64 = 0
    /// Of display: delegates and subclasses draw contents.
    package var display: UInt64 = 0
    /// Of reading image files, in the whole process since its last commit.
    package var decode: UInt64 = 0
    /// Of collecting the changes and writing them down.
    package var encode: UInt64 = 0
    /// The machine's monotonic clock when the commit was sent, nanoseconds.
    package var sent: UInt64 = 0

    package init() {}
}

/// What one commit took until the frame that shows it first. Nanoseconds; nil where the client did not say.
package struct CommitRow: Sendable, Equatable {
    package var serial: UInt32
    /// Of the message.
    package var bytes: UInt64
    /// Of the images it defines.
    package var pixelBytes: UInt64
    package var layout: UInt64?
    package var display: UInt64?
    package var decode: UInt64?
    package var encode: UInt64?
    /// From being sent to being decoded and checked by the server.
    package var wire: UInt64?
    /// From there until the render thread took it up.
    package var latch: UInt64
    /// Of giving images to the driver.
    package var upload: UInt64
    /// Of changing the layers.
    package var apply: UInt64

    package init(
        serial: UInt32, bytes: UInt64, pixelBytes: UInt64, phases: CommitPhases?, wire: UInt64?, latch: UInt64,
        upload: UInt64, apply: UInt64
    ) {
        self.serial = serial
        self.bytes = bytes
        self.pixelBytes = pixelBytes
        layout = phases?.layout
        display = phases?.display
        decode = phases?.decode
        encode = phases?.encode
        self.wire = wire
        self.latch = latch
        self.upload = upload
        self.apply = apply
    }
}

extension CommitPhases {
    func encode(into writer: inout ByteWriter) {
        for value in [layout, display, decode, encode, sent] { writer.write(value) }
    }

    init(_ reader: inout ByteReader) throws(ProtocolError) {
        layout = try reader.read()
        display = try reader.read()
        decode = try reader.read()
        encode = try reader.read()
        sent = try reader.read()
    }
}

extension CommitRow {
    /// Bytes of a row.
    static let byteCount = 84

    func encode(into writer: inout ByteWriter) {
        writer.write(serial)
        writer.write(bytes)
        writer.write(pixelBytes)
        for value in [layout, display, decode, encode, wire] { writer.write(value ?? .max) }
        for value in [latch, upload, apply] { writer.write(value) }
    }

    init(_ reader: inout ByteReader) throws(ProtocolError) {
        func optional(_ value: UInt64) -> UInt64? { value == .max ? nil : value }
        self.init(
            serial: try reader.read(), bytes: try reader.read(), pixelBytes: try reader.read(), phases: nil, wire: nil,
            latch: 0, upload: 0, apply: 0)
        layout = optional(try reader.read())
        display = optional(try reader.read())
        decode = optional(try reader.read())
        encode = optional(try reader.read())
        wire = optional(try reader.read())
        latch = try reader.read()
        upload = try reader.read()
        apply = try reader.read()
    }
}

/// The machine's clock that both ends of a socket read.
package enum MonotonicClock {
    /// Nanoseconds since some moment before the processes began.
    package static var now: UInt64 { clinux_monotonic_nanoseconds() }
}
