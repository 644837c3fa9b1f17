// ffmpeg as a process of its own: its license stays apart, and what makes it crash does not reach us. Frames go through a pipe of
// 1 MiB; what it says goes to a file in memory that grows while nobody reads it, so neither side ever waits for the other to
// listen. It runs in a process group of its own, so that Ctrl-C in a terminal reaches us first. When our end of the pipe closes,
// whatever the reason, it comes to its end by itself.

import CLinux
import Foundation
import Glibc
import Quartz2D

package final class FFmpegProcess: @unchecked Sendable {
    /// Debian's package.
    package static let package = "ffmpeg"

    private let lock = NSLock()
    /// 0 once it has ended and was waited for.
    private var process: pid_t
    private var input: Int32
    private let log: Int32
    private var wasKilled = false

    /// The ffmpeg that `ROSTRUM_FFMPEG` names, else the first on PATH.
    ///
    /// - Throws: `ClipError.noEncoder`, `.badEncoder`.
    package static func path() throws(ClipError) -> String {
        let environment = ProcessInfo.processInfo.environment
        if let named = environment["ROSTRUM_FFMPEG"], !named.isEmpty {
            if let problem = problem(with: named) {
                throw .badEncoder("ROSTRUM_FFMPEG names \(named), which \(problem)")
            }
            return named
        }
        // Without a PATH there is nowhere to look: what a shell would put there is not ours to guess.
        for folder in (environment["PATH"] ?? "").split(separator: ":") where isProgram("\(folder)/ffmpeg") {
            return "\(folder)/ffmpeg"
        }
        throw .noEncoder(program: "ffmpeg", package: package)
    }

    private static func isProgram(_ path: String) -> Bool { problem(with: path) == nil }

    /// Why a path is no program; nil where it is one.
    private static func problem(with path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return "can't be found: \(OutputFault.text(errno))" }
        guard status.st_mode & S_IFMT == S_IFREG else { return "is no file" }
        return access(path, X_OK) == 0 ? nil : "can't be executed: \(OutputFault.text(errno))"
    }

    /// Starts it.
    ///
    /// - Parameter words: What stands behind the program's name.
    package init(_ program: String, _ words: [String]) throws(ClipError) {
        var reading: Int32 = -1
        var writing: Int32 = -1
        let failure = clinux_pipe(&reading, &writing, 1 << 20)
        guard failure == 0 else { throw Self.failed("no pipe to ffmpeg", -failure) }
        defer { close(reading) }
        let log = clinux_memfd("ffmpeg-log")
        guard log >= 0 else {
            close(writing)
            throw Self.failed("no memory for what ffmpeg says", -log)
        }
        do throws(ClipError) {
            process = try Self.spawn(program, words, input: reading, log: log)
        } catch {
            close(writing)
            close(log)
            throw error
        }
        input = writing
        self.log = log
    }

    deinit {
        end()
        close(log)
    }

    private static func failed(_ what: String, _ error: Int32) -> ClipError {
        .encoderFailed("\(what): \(OutputFault.text(error))", log: "")
    }

    private static func spawn(
        _ program: String, _ words: [String], input: Int32, log: Int32
    ) throws(ClipError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO)

        // What this process does about signals is not ffmpeg's.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
        // Messages in English, no colors, no report file.
        var variables = ProcessInfo.processInfo.environment
        variables.merge(["LC_ALL": "C", "AV_LOG_FORCE_NOCOLOR": "1"]) { $1 }
        variables["FFREPORT"] = nil
        var pairs: [UnsafeMutablePointer<CChar>?] =
            variables.map { (key: $0, value: $1) }.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
            + [nil]
        defer { for text in arguments + pairs { free(text) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, program, &actions, &attributes, &arguments, &pairs)
        guard error == 0 else { throw failed("\(program) can't be started", error) }
        return process
    }

    // MARK: Frames

    /// Writes to its stdin. The calling thread must have SIGPIPE blocked.
    ///
    /// - Throws: `ClipError.encoderFailed` with its last words where it has ended.
    package func write(_ bytes: [UInt8]) throws(ClipError) {
        let error = bytes.withUnsafeBytes { OutputPlace.write($0, to: input) }
        guard error != 0 else { return }
        guard error == EPIPE else { throw Self.failed("writing to ffmpeg", error) }
        // Nobody reads its stdin any more. What has not ended by itself is broken.
        let status = waitForEnd(milliseconds: 2_000)
        throw .encoderFailed("ffmpeg ended \(Self.meaning(status)) before the last frame", log: lastWords)
    }

    /// Says that there are no more frames and waits for the end.
    ///
    /// - Throws: `ClipError.encoderFailed` where it ends with an error.
    package func finish() throws(ClipError) {
        closeInput()
        let status = waitForEnd(milliseconds: nil)
        guard status == .exited(0) else {
            throw .encoderFailed("ffmpeg ended \(Self.meaning(status))", log: lastWords)
        }
    }

    private func closeInput() {
        lock.lock()
        defer { lock.unlock() }
        if input >= 0 { close(input) }
        input = -1
    }

    /// Ends it at once. Any thread may call it; a write or wait under way ends with an error.
    package func kill() {
        lock.lock()
        defer { lock.unlock() }
        wasKilled = true
        // With whatever it started: it leads a group.
        if process > 0 { Glibc.kill(-process, SIGKILL) }
    }

    /// Ends it at once and waits until it is gone: the object itself may live on in a thread that is about to end. Its end of the
    /// pipe stays, since a write may be under way.
    func killAndWait() {
        kill()
        _ = waitForEnd(milliseconds: nil)
    }

    private func end() {
        kill()
        closeInput()
        _ = waitForEnd(milliseconds: nil)
    }

    // MARK: The end

    private enum Ending: Equatable {
        case exited(Int32)
        case signal(Int32)
        /// Somebody else waited for it, or this process ignores SIGCHLD.
        case unknown
    }

    private static func meaning(_ ending: Ending) -> String {
        switch ending {
        case .exited(let code): "with exit code \(code)"
        case .signal(let number): "by signal \(number)"
        case .unknown: "in a way that can't be known, as this process ignores SIGCHLD"
        }
    }

    private var ending: Ending?

    /// - Parameter milliseconds: After this long it is killed; nil waits for ever.
    private func waitForEnd(milliseconds: Int?) -> Ending {
        if let ending = lock.withLock({ ending }) { return ending }
        var waited = 0
        while true {
            // Leaves it to be reaped below, under the lock: until then `kill` can't hit another process of that number.
            var info = siginfo_t()
            let options = WEXITED | WNOWAIT | (milliseconds == nil ? 0 : WNOHANG)
            let result = waitid(P_PID, id_t(process), &info, options)
            if result != 0 {
                if errno == EINTR { continue }
                break
            }
            if info.si_signo != 0 { break }
            if waited >= milliseconds ?? .max { kill() }
            usleep(5_000)
            waited += 5
        }
        lock.lock()
        defer { lock.unlock() }
        if let ending { return ending }
        var status: Int32 = 0
        let reaped = waitpid(process, &status, 0) == process
        process = 0
        let signal = status & 0x7F
        let result: Ending = !reaped ? .unknown : signal != 0 ? .signal(signal) : .exited(status >> 8 & 0xFF)
        ending = result
        return result
    }

    /// The last lines it wrote, on one line.
    package var lastWords: String {
        let size = max(Int(clamping: clinux_file_size(log)), 0)
        let count = min(size, 4_096)
        var bytes = [UInt8](repeating: 0, count: count)
        let got = pread(log, &bytes, count, off_t(size - count))
        let text = String(decoding: bytes.prefix(max(got, 0)), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).suffix(6).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }.joined(separator: " | ")
    }
}
