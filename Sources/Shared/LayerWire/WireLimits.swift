/// What one session, and one server, may ask for. `welcome` tells a client every number.
///
/// The defaults are where the hostile-input list starts; a server may be configured otherwise.
package struct WireLimits: Sendable, Equatable {
    /// Payload bytes of a message.
    package var messageBytes: UInt32 = 1 << 20
    /// Bytes of a commit that travels in a sealed file.
    package var commitBytes: UInt32 = 64 << 20
    /// Descriptors of a message.
    package var messageDescriptors: UInt16 = 16
    /// Commits a client may have under way.
    package var credits: UInt32 = 64
    /// Frames a client may hold or wait for.
    package var frames: UInt32 = 8
    package var layers: UInt32 = 100_000
    /// Layers above one another, root included.
    package var depth: UInt32 = 1_024
    /// Pixels along one side of an image or a display.
    package var imageSide: UInt32 = 16_384
    /// Bytes of all images of a session.
    package var imageBytes: UInt64 = 512 << 20
    /// Bytes of replies that wait because the client does not read.
    package var unreadBytes: UInt32 = 4 << 20
    /// Sessions of a server.
    package var sessions: UInt32 = 64
    /// Seconds until a handshake, or a message that has begun, must be complete.
    package var patience: Double = 10

    package init() {}

    /// Changes of a commit: some 150 MB once decoded.
    package static let commitOps = 1 << 20
    /// UTF-8 bytes of a name; longer ones are refused.
    package static let nameBytes = 4_096
    /// Verbs of a path.
    package static let pathVerbs = 1 << 17
    /// Filters of a layer, each way.
    package static let filters = 64
    /// Numbers in one input of a filter.
    package static let filterNumbers = 256
    /// What a server may send in one message: plans of large trees are long.
    package static let replyBytes = 64 << 20
}

/// Versions of the protocol this code speaks.
package enum WireVersion {
    package static let oldest: UInt16 = 1
    package static let newest: UInt16 = 1
    /// First bytes of a `hello`: "RSTM".
    package static let magic: UInt32 = 0x4D54_5352
}
