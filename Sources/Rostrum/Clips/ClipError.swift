/// Why a clip can't be recorded. What the display itself can't do is a `DisplayError`.
public enum ClipError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Times, a rate or a range of frames that make no clip.
    case badTimes(String)
    /// A path whose ending names no format, or a format that can't do what is asked: an odd size, a rate, a pipe.
    case badFormat(String)
    /// More frames than a clip may have.
    case tooManyFrames(String)
    /// The program that encodes is not there.
    case noEncoder(program: String, package: String)
    /// What `ROSTRUM_FFMPEG` names is no program.
    case badEncoder(String)
    /// The encoder ended with an error, or ended early. `log` holds the last lines that it wrote.
    case encoderFailed(String, log: String)
    /// The place for the clip can't be written.
    case unwritable(path: String, String)
    /// Files of a sequence are there already.
    case alreadyThere(path: String, String)

    public var description: String {
        switch self {
        case .badTimes(let text), .badFormat(let text), .tooManyFrames(let text), .badEncoder(let text): text
        case .noEncoder(let program, let package):
            "there is no \(program) on PATH, which encodes this format; install it: apt-get install \(package)"
        case .encoderFailed(let text, let log):
            log.isEmpty ? text : text + "; it said: " + log
        case .unwritable(let path, let reason): "can't write \(path): \(reason)"
        case .alreadyThere(let path, let what): "\(path): \(what)"
        }
    }
}
