/// Plays a recording to a server, message by message, as the client that sent it did.
package final class RecordingReplay {
    package let hello: Hello
    private let reader: RecordingReader
    private let connection: ClientConnection
    /// Where each message that the server may find fault with stands in the recording.
    private var places: [UInt32: Int] = [:]
    private var lastTime = 0.0
    private var lastCapture = 0.0

    /// One frame of the recording.
    package struct Frame: Sendable {
        package var frame: CapturedFrame
        /// Which frame, from 0.
        package var index: Int
    }

    /// Reads the hello and connects with it.
    /// - Parameter connect: Makes the session: with the embedded server, or one at a socket.
    /// - Throws: `ProtocolError` for the recording, or what `connect` throws.
    package init(_ reader: RecordingReader, connect: (Hello) throws -> ClientConnection) throws {
        guard let first = try reader.next(), case .hello(let hello) = first.message else {
            throw ProtocolError(.badRecording, "the recording has no message")
        }
        self.hello = hello
        self.reader = reader
        connection = try connect(hello)
    }

    /// Sends everything and hands out the frames as they come; their memory is the server's again when `body` returns.
    ///
    /// A recording without a capture shows one frame: that after its last commit.
    /// - Parameter options: What to ask of each frame, instead of what the recording says.
    /// - Returns: Number of frames.
    /// - Throws: `ProtocolError` for damage, after the frames before it; `ConnectionError`; what `body` throws.
    package func run(options: CaptureOptions = .pixels, frame body: (Frame) throws -> Void) throws -> Int {
        var frames = 0
        while let message = try reader.next() {
            switch message.message {
            case .commit(let transaction):
                places[try connection.commit(transaction)] = message.index
                lastTime = max(lastTime, transaction.time)
            case .capture(let time, _):
                guard time >= lastCapture else {
                    throw ProtocolError(
                        .badRecording,
                        "message \(message.index) captures at \(time) s, after one at \(lastCapture) s: time goes on")
                }
                lastCapture = time
                try show(at: time, frames, options, body)
                frames += 1
            default: break
            }
        }
        if frames == 0 {
            try show(at: max(lastTime, 0), 0, options, body)
            frames = 1
        }
        return frames
    }

    private func show(
        at time: Double, _ index: Int, _ options: CaptureOptions, _ body: (Frame) throws -> Void
    ) throws {
        let frame = try connection.capture(at: time, options)
        defer { if let buffer = frame.buffer { connection.release(buffer) } }
        try body(Frame(frame: frame, index: index))
    }

    /// What the server refused, as it did when the recording was made: a line each.
    package func takeFaults() -> [String] {
        connection.takeFaults().map { fault in
            places[fault.serial].map { "message \($0) of the recording: \(fault.message)" } ?? fault.description
        }
    }
}
