// Every message of the protocol as a value. Field by field: docs/wire-protocol.md.

import LayerModel

/// Numbers of the messages: a client's below 128, a server's from 128 on. Never renumber, only append.
package enum MessageType: UInt16, Sendable, CaseIterable {
    case hello = 1
    case commit = 2
    case commitInFile = 3
    case attach = 4
    case capture = 5
    case releaseFrame = 6
    case ping = 7
    case goodbye = 8
    case phases = 9
    case live = 10
    case welcome = 128
    case refused = 129
    case credits = 130
    case released = 131
    case frame = 132
    case fault = 133
    case pong = 134

    /// Descriptors may come with it.
    package var takesDescriptors: Bool {
        switch self {
        case .commit, .commitInFile, .attach, .frame: true
        default: false
        }
    }
}

/// Who is there and what it wants to draw on.
package struct Hello: Sendable, Equatable {
    package var oldestVersion = WireVersion.oldest
    package var newestVersion = WireVersion.newest
    package var clientName: String
    /// Device pixels.
    package var width: UInt32
    package var height: UInt32
    /// Pixels a point.
    package var scale: Double
    /// y runs down from the top.
    package var isFlipped: Bool
    /// Straight; what lies behind every layer.
    package var background: Color

    package init(
        clientName: String, width: UInt32, height: UInt32, scale: Double, isFlipped: Bool, background: Color
    ) {
        self.clientName = clientName
        self.width = width
        self.height = height
        self.scale = scale
        self.isFlipped = isFlipped
        self.background = background
    }
}

package struct Welcome: Sendable, Equatable {
    package var version: UInt16
    package var limits: WireLimits
    /// Which server this is, for people.
    package var serverName: String

    package init(version: UInt16 = WireVersion.newest, limits: WireLimits, serverName: String) {
        self.version = version
        self.limits = limits
        self.serverName = serverName
    }
}

/// What a capture brings.
package struct CaptureOptions: OptionSet, Sendable, Hashable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let pixels = CaptureOptions(rawValue: 1)
    package static let timings = CaptureOptions(rawValue: 2)
    package static let plan = CaptureOptions(rawValue: 4)
    /// Wait for each pass to end, so that its time is the truth.
    package static let synchronous = CaptureOptions(rawValue: 8)
}

/// What one pass was and took.
package struct PassRow: Sendable, Equatable {
    package var label: String
    package var reason: String
    package var layer: LayerID
    package var width: UInt32
    package var height: UInt32
    package var quads: UInt32
    package var draws: UInt32
    package var pixels: UInt64
    package var cpuNanoseconds: UInt64
    /// Nil where it can't be known.
    package var gpuNanoseconds: UInt64?

    package init(
        label: String, reason: String, layer: LayerID, width: UInt32, height: UInt32, quads: UInt32, draws: UInt32,
        pixels: UInt64, cpuNanoseconds: UInt64, gpuNanoseconds: UInt64?
    ) {
        self.label = label
        self.reason = reason
        self.layer = layer
        self.width = width
        self.height = height
        self.quads = quads
        self.draws = draws
        self.pixels = pixels
        self.cpuNanoseconds = cpuNanoseconds
        self.gpuNanoseconds = gpuNanoseconds
    }
}

/// A drawn frame. Its pixels are in the buffer; the descriptor comes with the buffer's first frame.
package struct FrameReply: Sendable, Equatable {
    package var time: Double
    package var width: UInt32
    package var height: UInt32
    package var bytesPerRow: UInt32
    /// 0 when no pixels were asked for. The server writes there again after `releaseFrame`.
    package var buffer: UInt32
    /// The picture is the last frame's: no pass was drawn.
    package var isUnchanged: Bool
    package var passesDrawn: UInt32
    package var planNanoseconds: UInt64
    /// From the first bind to the last fence.
    package var drawNanoseconds: UInt64
    package var plan: String
    package var passes: [PassRow]
    /// What is not as it should be, because a limit was reached.
    package var degradations: [String]
    /// What the commits that this frame shows first took; empty unless timings were asked for.
    package var commits: [CommitRow]

    package init(
        time: Double, width: UInt32, height: UInt32, bytesPerRow: UInt32, buffer: UInt32, isUnchanged: Bool,
        passesDrawn: UInt32, planNanoseconds: UInt64, drawNanoseconds: UInt64, plan: String, passes: [PassRow],
        degradations: [String], commits: [CommitRow] = []
    ) {
        self.time = time
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.buffer = buffer
        self.isUnchanged = isUnchanged
        self.passesDrawn = passesDrawn
        self.planNanoseconds = planNanoseconds
        self.drawNanoseconds = drawNanoseconds
        self.plan = plan
        self.passes = passes
        self.degradations = degradations
        self.commits = commits
    }
}

/// Something a client asked for that can't be, or is not allowed.
package struct Fault: Sendable, Equatable, CustomStringConvertible {
    /// `ProtocolError.Code`, or `TransactionError.Code` plus 100.
    package var code: UInt16
    /// The session ends with it.
    package var isFatal: Bool
    /// Serial of the message at fault; 0 when it is none's.
    package var serial: UInt32
    package var op: UInt32?
    package var offset: UInt32?
    package var layer: LayerID?
    package var message: String

    package init(
        code: UInt16, isFatal: Bool, serial: UInt32, op: UInt32? = nil, offset: UInt32? = nil, layer: LayerID? = nil,
        message: String
    ) {
        self.code = code
        self.isFatal = isFatal
        self.serial = serial
        self.op = op
        self.offset = offset
        self.layer = layer
        self.message = message
    }

    package init(_ error: ProtocolError, serial: UInt32, isFatal: Bool) {
        self.init(
            code: error.code.rawValue, isFatal: isFatal, serial: serial, op: error.op.map { UInt32(clamping: $0) },
            offset: error.offset.map { UInt32(clamping: $0) }, message: error.message)
    }

    package init(_ error: TransactionError, serial: UInt32) {
        self.init(
            code: error.code.rawValue + 100, isFatal: false, serial: serial, op: UInt32(clamping: error.opIndex),
            layer: error.layer, message: error.message)
    }

    package var description: String {
        var place = "message \(serial)"
        if let op { place += ", op \(op)" }
        if let offset { place += ", byte \(offset)" }
        if let layer { place += ", \(layer)" }
        return "\(place): \(message)"
    }
}

package enum ClientMessage: Sendable, Equatable {
    case hello(Hello)
    case commit(Transaction)
    /// The transaction is `byteCount` bytes at the start of the first descriptor.
    case commitInFile(byteCount: UInt32)
    /// Descriptors that the next commit's images refer to, before its own.
    case attach
    /// Moves the session's clock to a time and draws what shows then.
    case capture(time: Double, CaptureOptions)
    case releaseFrame(UInt32)
    case ping
    case goodbye
    /// What the client did for the next commit.
    case phases(CommitPhases)
    /// The session's clock is the machine's monotonic one: a server that refreshes by itself draws it at each refresh.
    case live
}

package enum ServerMessage: Sendable, Equatable {
    case welcome(Welcome)
    case refused(Fault, oldest: UInt16, newest: UInt16)
    /// That many more commits may be sent.
    case credits(UInt32)
    /// The server reads the pixels of these images no more.
    case released([ImageID])
    case frame(FrameReply)
    case fault(Fault)
    case pong
}
