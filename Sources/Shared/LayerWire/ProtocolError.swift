/// What is wrong with a message, and where. Decoding throws nothing else.
package struct ProtocolError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Raw values travel on the wire: never renumber, only append. 100 and above are `TransactionError`'s plus 100.
    package enum Code: UInt16, Sendable, CaseIterable {
        /// The bytes end before the field does.
        case truncated = 1
        /// Bytes are left after the last field.
        case trailingBytes = 2
        case unknownMessage = 3
        /// A message that does not belong here: a second hello, a commit before it.
        case unexpectedMessage = 4
        case badMagic = 5
        case unsupportedVersion = 6
        case messageTooLong = 7
        case tooManyDescriptors = 8
        case missingDescriptor = 9
        /// The descriptor is no file sealed against shrinking, or is shorter than it is said to be.
        case badDescriptor = 10
        case badValue = 11
        case badText = 12
        case unknownOp = 13
        case noCredit = 14
        case tooManyFrames = 15
        case tooManySessions = 16
        case wrongUser = 17
        case tooSlow = 18
        case doesNotRead = 19
        case timeWentBack = 20
        case badDisplay = 21
        /// The server's graphics failed.
        case graphics = 22
        case badRecording = 23
        case limit = 24
        /// An image's size, rows and bytes do not go together.
        case badImage = 25
        /// What a layer shows went with a graphics context that the server lost. The client still has it.
        case contentsLost = 26

        /// True where a commit is refused and the session goes on: what is wrong is with what the commit brings along, not
        /// with how it is written.
        package var leavesSession: Bool {
            switch self {
            case .missingDescriptor, .badDescriptor, .badImage, .limit: true
            default: false
            }
        }
    }

    package var code: Code
    /// Byte offset in the payload, where it is known.
    package var offset: Int?
    /// Change of the transaction, from 0, where it is one.
    package var op: Int?
    package var message: String

    package init(_ code: Code, offset: Int? = nil, op: Int? = nil, _ message: String) {
        self.code = code
        self.offset = offset
        self.op = op
        self.message = message
    }

    package var description: String {
        var place = ""
        if let op { place += "op \(op)" }
        if let offset { place += (place.isEmpty ? "" : ", ") + "byte \(offset)" }
        return place.isEmpty ? message : "\(place): \(message)"
    }
}
