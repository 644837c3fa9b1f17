import Glibc
import Quartz2D

/// The two streams: results go to stdout, talk to stderr. Nothing is buffered, so nothing is lost at the end.
enum Console {
    /// Writes a result. Ends the process quietly when the reader has gone, as `head` does.
    static func result(_ text: String) throws {
        var text = text
        try text.withUTF8 { try result(UnsafeRawBufferPointer($0)) }
    }

    static func result(_ bytes: UnsafeRawBufferPointer) throws {
        let error = OutputPlace.write(bytes, to: STDOUT_FILENO)
        if error == EPIPE { _exit(128 + SIGPIPE) }
        guard error == 0 else {
            throw CommandFailure(
                .environment, "stdout can't be written: \(String(cString: strerror(error)))",
                help: "see where the output goes: is the disk full?")
        }
    }

    /// Says something to a person. Where nobody listens, it is lost.
    static func say(_ text: String) {
        var text = text
        _ = text.withUTF8 { OutputPlace.write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
    }

    static func warn(_ text: String) { say("warning: \(text)\n") }
}
