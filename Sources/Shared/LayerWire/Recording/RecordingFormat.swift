// A session as a file: what a client sent, so that the same frames can be drawn again, elsewhere and later.
//
// Twelve bytes of header, then messages as on the wire, 12 bytes and a payload each, in the order in which they were sent.
// Pixels lie inline and no message has descriptors, so the file stands alone. Only what shapes frames is in it: one hello,
// commits and captures. A file that was cut off gives every whole message before the cut. Field by field:
// docs/wire-protocol.md, "Recordings".

/// What a recording begins with, and how large its messages may be.
package enum RecordingFormat {
    /// "ROSTRUM" and a line feed.
    package static let magic: [UInt8] = [0x52, 0x4F, 0x53, 0x54, 0x52, 0x55, 0x4D, 0x0A]
    package static let version: UInt16 = 1
    /// Magic, version as u16, 16 zero bits.
    package static let headerBytes = 12
    /// Payload of one message: the longest commit and every image a session may keep.
    package static let messageBytes = 640 << 20
}

/// A message of a recording, and where it is.
package struct RecordedMessage: Sendable, Equatable {
    /// As the client counted: faults name it.
    package var serial: UInt32
    /// A hello, a commit or a capture.
    package var message: ClientMessage
    /// Of its header, in the file.
    package var offset: Int
    /// From 0.
    package var index: Int

    package init(serial: UInt32, message: ClientMessage, offset: Int, index: Int) {
        self.serial = serial
        self.message = message
        self.offset = offset
        self.index = index
    }
}

extension ClientMessage {
    /// True for what a recording keeps: the rest shapes no frame.
    package var isRecorded: Bool {
        switch self {
        case .hello, .commit, .capture: true
        case .commitInFile, .attach, .releaseFrame, .ping, .goodbye, .phases, .live: false
        }
    }
}
