// The command from its start to the written file, as a script sees it: a process of its own each time, with the driver's
// cache of compiled shaders filled by an earlier run, and with an empty one.

import CLinux
import Foundation
import Glibc

struct BenchStart {
    /// Seconds that a start may take.
    private static let warmLimit = 0.35
    private static let emptyLimit = 1.2
    private static let rounds = 5

    static func measure(_ scene: String) throws -> BenchReport {
        var template = Array("/tmp/rostrum-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(.environment, "no folder under /tmp: \(String(cString: strerror(errno)))")
        }
        let folder = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }

        var empty: [Double] = []
        var warm: [Double] = []
        for round in 0..<rounds {
            let cache = "\(folder)/cache-\(round)"
            empty.append(try seconds(scene, folder, cache))
            warm.append(try seconds(scene, folder, cache))
        }
        let holds = warm.median <= warmLimit && empty.median <= emptyLimit
        let text =
            "start: rostrum render \(scene), from the process's start to the written file\n"
            + "  warm shader cache \(warm.median.rounded(to: 3)) s (must be at most \(warmLimit)), "
            + "empty \(empty.median.rounded(to: 3)) s (at most \(emptyLimit))\(holds ? "" : "  TOO SLOW")\n"
        let json = JSONText.object([
            ("bench", .string("start")), ("scene", .string(scene)), ("warm_s", .number(warm.median)),
            ("empty_s", .number(empty.median)), ("holds", .bool(holds)),
        ])
        return BenchReport(text: text, json: json, holds: holds)
    }

    /// One run of this same program.
    private static func seconds(_ scene: String, _ folder: String, _ cache: String) throws -> Double {
        let words = ["/proc/self/exe", "render", scene, "-o", "\(folder)/picture.png"]
        let variables =
            environmentWithout(["MESA_SHADER_CACHE_DIR", "MESA_SHADER_CACHE_DISABLE", "ROSTRUM_SOCKET"])
            + ["MESA_SHADER_CACHE_DIR=\(cache)"]
        let start = clinux_monotonic_nanoseconds()
        let status = try run(words, variables)
        let end = clinux_monotonic_nanoseconds()
        guard status == 0 else {
            throw CommandFailure(
                .badInput, "rostrum render \(scene) ended with \(status)",
                help: "run bench in the repository's folder, or name a scene with --scene")
        }
        return Double(end - start) / 1e9
    }

    private static func run(_ words: [String], _ variables: [String]) throws -> Int32 {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var child: pid_t = 0
        let error = posix_spawn(&child, words[0], nil, nil, &arguments, &environment)
        guard error == 0 else {
            throw CommandFailure(.environment, "rostrum can't be started: \(String(cString: strerror(error)))")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else {
                throw CommandFailure(.environment, "waiting for rostrum: \(String(cString: strerror(errno)))")
            }
        }
        // The exit code, or 128 and the signal's number.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    }

    private static func environmentWithout(_ names: [String]) -> [String] {
        ProcessInfo.processInfo.environment.filter { !names.contains($0.key) }.map { "\($0.key)=\($0.value)" }
    }
}
