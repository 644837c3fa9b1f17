import Foundation
import Glibc

/// The built `rostrum` as a process: the tests see what a shell sees.
struct CommandRun {
    /// The exit code; 128 and the signal's number where a signal ended it, as shells say.
    let code: Int32
    let output: Data
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// The objects of lines of JSON.
    var lines: [[String: Any]] {
        get throws {
            try output.split(separator: UInt8(ascii: "\n")).map { line in
                guard let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
                    throw CocoaError(.propertyListReadCorrupt)
                }
                return object
            }
        }
    }

    /// Runs the command to its end.
    static func run(
        _ words: String..., environment: [String: String] = [:], input: Data? = nil
    ) throws -> CommandRun {
        try run(words, environment: environment, input: input)
    }

    static func run(_ words: [String], environment: [String: String] = [:], input: Data? = nil) throws -> CommandRun {
        try RunningCommand(words, environment: environment, input: input).wait()
    }

    /// Folder of the package.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    static let demo = root + "/Examples/Demo.ca"
}

/// A command that may still run. What it writes goes to files, so it never waits for the test.
final class RunningCommand {
    let process: pid_t
    private let folder = TemporaryFolder()
    private var outcome: CommandRun?

    /// - Parameter output: A descriptor for stdout instead of the file.
    init(_ words: [String], environment: [String: String] = [:], input: Data? = nil, output: Int32? = nil) throws {
        try (input ?? Data()).write(to: URL(fileURLWithPath: folder.path("in")))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, folder.path("in"), O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, folder.path("out"), O_WRONLY | O_CREAT, 0o600)
        }
        posix_spawn_file_actions_addopen(&actions, 2, folder.path("err"), O_WRONLY | O_CREAT, 0o600)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ROSTRUM_") }
        variables.merge(environment) { $1 }
        var arguments: [UnsafeMutablePointer<CChar>?] = ([Self.executable] + words).map { strdup($0) } + [nil]
        var pairs: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + pairs { free(pointer) } }
        var child: pid_t = 0
        let error = posix_spawn(&child, Self.executable, &actions, &attributes, &arguments, &pairs)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
        process = child
    }

    /// The product beside this test bundle.
    static let path = executable
    private static let executable =
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/rostrum"

    /// What it has written to stdout so far.
    var output: Data { (try? Data(contentsOf: URL(fileURLWithPath: folder.path("out")))) ?? Data() }

    /// Waits until stdout has a whole line; nil when it ends or half a minute passes without one.
    func firstLine() -> String? {
        for _ in 0..<3_000 {
            if let end = output.firstIndex(of: UInt8(ascii: "\n")) {
                return String(decoding: output[..<end], as: UTF8.self)
            }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                outcome = outcome(status)
                return nil
            }
            usleep(10_000)
        }
        return nil
    }

    func send(_ signal: Int32) { kill(process, signal) }

    /// Waits for the end.
    func wait() -> CommandRun {
        if let outcome { return outcome }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let outcome = outcome(status)
        self.outcome = outcome
        return outcome
    }

    private func outcome(_ status: Int32) -> CommandRun {
        let signal = status & 0x7F
        let errors = (try? String(contentsOfFile: folder.path("err"), encoding: .utf8)) ?? ""
        return CommandRun(code: signal != 0 ? 128 + signal : status >> 8 & 0xFF, output: output, errors: errors)
    }

    deinit {
        if outcome == nil {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }
}

/// A folder that goes with the object.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/rostrum-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
    }

    func path(_ name: String) -> String { path + "/" + name }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
