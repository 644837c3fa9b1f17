import Foundation
import Glibc
import Testing

/// `rostrum render` for clips, as a shell sees it.
@Suite("render, clips", .serialized)
struct ClipTests {
    private let folder = TemporaryFolder()
    private let scene: String

    private static let ffmpeg: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/ffmpeg" }.first { access($0, X_OK) == 0 }
    private static var hasFFmpeg: Bool { ffmpeg != nil }

    init() throws {
        scene = folder.path("scene.json")
        try Data(RenderTests.scene.utf8).write(to: URL(fileURLWithPath: scene))
        mkdir(folder.path("out"), 0o700)
    }

    private func out(_ name: String) -> String { folder.path("out/" + name) }

    /// Everything in the output folder, hidden files too.
    private var outputs: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("out"))) ?? []).sorted()
    }

    private func script(_ text: String) throws -> String {
        let path = folder.path("encoder")
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o700)
        return path
    }

    private func render(_ words: String..., environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun.run(["render", scene] + words, environment: environment)
    }

    @Test("A clip is written, says on a pipe how far it is in key=value lines, and as JSON what it is")
    func writes() throws {
        let run = try render("-o", out("a.y4m"), "--to", "0.5", "--fps", "30", "--json")
        #expect(run.code == 0, "\(run.errors)")
        let last = run.errors.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("frame=15 frames=15 rendered=15 repeated=14 fps="), "\(run.errors)")
        #expect(last.hasSuffix("progress=end"))
        let json = try run.lines[0]
        #expect(json["frames"] as? Int == 15 && json["repeated"] as? Int == 14 && json["format"] as? String == "y4m")
        #expect(json["last_time"] as? Double == 14.0 / 30)
        #expect(outputs == ["a.y4m"])
        // A line, then frames of 8 x 6 luma and twice 4 x 3 chroma.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: out("a.y4m")))
        let line = bytes.prefix { $0 != 10 }
        #expect(bytes.count == line.count + 1 + 15 * (6 + 48 + 24))
    }

    @Test("--quiet says nothing; a clip through a pipe is the file's bytes")
    func quietAndPiped() throws {
        let file = try render("-o", out("a.y4m"), "--to", "0.1", "-q")
        #expect(file.code == 0 && file.errors.isEmpty, "\(file.errors)")
        let piped = try render("-o", "-", "--format", "y4m", "--to", "0.1", "-q")
        #expect(piped.code == 0, "\(piped.errors)")
        let isSame = try piped.output == Data(contentsOf: URL(fileURLWithPath: out("a.y4m")))
        #expect(isSame)
    }

    @Test("A sequence goes to a folder or a pattern, --frames picks frames by their numbers")
    func sequence() throws {
        #expect(try render("-o", out("f/"), "--fps", "10", "--frames", "2-8/3", "-q").code == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: out("f")).sorted() == [
                "00002.png", "00005.png", "00008.png",
            ])
        #expect(try render("-o", out("f/x%03d.png"), "--frames", "7", "-q").code == 0)
        #expect(FileManager.default.fileExists(atPath: out("f/x007.png")))
        let one = try CommandRun.run("render", scene, "-o", out("one.png"))
        #expect(one.code == 0)
        let isSame =
            try Data(contentsOf: URL(fileURLWithPath: out("one.png")))
            == Data(contentsOf: URL(fileURLWithPath: out("f/00005.png")))
        #expect(isSame, "a frame's file is not the picture's")
        let taken = try render("-o", out("f/"), "--frames", "5-6", "-q")
        #expect(
            taken.code == 4 && taken.errors.contains("00005.png") && taken.errors.contains("--overwrite"),
            "\(taken.errors)")
        #expect(try render("-o", out("f/"), "--frames", "5-6", "-q", "-y").code == 0)
        #expect(outputs == ["f", "one.png"])
    }

    @Test("--timings, --plan, --trace and --budget are about every frame")
    func accounts() throws {
        let run = try render(
            "-o", out("a.bgra"), "--frames", "3-6", "--timings", out("t"), "--plan", out("p"), "--trace", out("r"),
            "--budget",
            "passes=1", "-q")
        #expect(run.code == 0, "\(run.errors)")
        let rows = try String(contentsOfFile: out("t"), encoding: .utf8).split(separator: "\n")
        #expect(rows.contains { $0.hasPrefix("{\"frame\":3,\"pass\":1") }, "\(rows)")
        let plan = try String(contentsOfFile: out("p"), encoding: .utf8)
        #expect(plan.split(separator: "\n").filter { $0.hasPrefix("frame 8x6 at ") }.count == 4)
        #expect(plan.contains("frame 8x6 at 0.05 s"))
        #expect(outputs == ["a.bgra", "p", "r", "t"])
        let over = try render("-o", out("b.bgra"), "--frames", "3-6", "--budget", "draws=0", "-q")
        #expect(over.code == 1 && over.errors.contains("error: frame 3: draws"), "\(over.errors)")
        // The clip is there all the same.
        #expect(outputs.contains("b.bgra"))
    }

    @Test(
        "Lines that make no clip are refused with what would be right",
        arguments: [
            (["-o", "a.y4m"], 2, "how long is the clip?"), (["-o", "a.y4m", "--to", "nan"], 2, "must be a number"),
            (["-o", "a.y4m", "--from", "2", "--to", "1"], 2, "before its start"),
            (["-o", "a.y4m", "--to", "0"], 2, "has no frame"), (["-o", "a.y4m", "--duration", "0"], 2, "above 0"),
            (["-o", "a.y4m", "--from", "-1", "--to", "1"], 2, "0 or more"),
            (["-o", "a.y4m", "--to", "1e9"], 6, "60000000000 frames"),
            (["-o", "a.y4m", "--frames", "0-999999999"], 6, "1000000000 frames"),
            (["-o", "a.y4m", "--frames", "5-1"], 2, "not before it"),
            (["-o", "a.y4m", "--frames", "a-b"], 2, "--frames must be"),
            (["-o", "a.y4m", "--frames", "0-9", "--to", "3"], 2, "leave one"),
            (["-o", "a.y4m", "--to", "1", "--duration", "3"], 2, "leave one"),
            (["-o", "a.y4m", "--to", "1", "--fps", "0"], 2, "from 0.001 to 1000"),
            (["-o", "a.y4m", "--to", "1", "--fps", "1/0"], 2, "from 0.001 to 1000"),
            (["-o", "a.y4m", "--to", "1", "--fps", "fast"], 2, "--fps must be"),
            (["-o", "a.y4m", "--to", "1", "--time", "1"], 2, "--from"),
            (["-o", "a.mkv", "--to", "1"], 2, "names no format"),
            (["-o", "a.png", "--to", "1"], 2, "one place for the number"), (["-o", "-", "--to", "1"], 2, "--format"),
            (["-o", "a.gif", "--to", "1", "--fps", "60"], 2, "at most 50"),
            (["-o", "-", "--format", "mp4", "--to", "1"], 2, "not a pipe"),
            (["-o", "a.apng", "--to", "1", "--quality", "5"], 2, "no quality"),
            (["-o", "a.mp4", "--to", "1", "--quality", "500"], 2, "0 to 100"),
            (["-o", "a.webm", "--to", "1", "--lossless"], 2, "can't be lossless"),
            (["-o", "a.mp4", "--to", "1", "--size", "7x6"], 2, "even width and height"),
            (["-o", "no/such/folder/a.y4m", "--to", "1"], 4, "there is no folder"),
        ])
    func refused(_ words: [String], _ code: Int32, _ message: String) throws {
        var words = words
        if words[1] != "-" { words[1] = out(words[1]) }
        let run = try CommandRun.run(["render", scene] + words)
        #expect(run.code == code, "\(run.errors)")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.contains("\nhelp: "), "\(run.errors)")
        #expect(outputs.isEmpty)
    }

    @Test("Without ffmpeg, what needs it ends with 4 and names the package; what doesn't is written")
    func missing() throws {
        let run = try render("-o", out("a.mp4"), "--to", "1", environment: ["PATH": ""])
        #expect(run.code == 4)
        #expect(
            run.errors.contains("error: there is no ffmpeg") && run.errors.contains("apt-get install ffmpeg"),
            "\(run.errors)")
        #expect(outputs.isEmpty)
        #expect(try render("-o", out("a.apng"), "--to", "0.1", "-q", environment: ["PATH": ""]).code == 0)
        let doctor = try CommandRun.run("doctor", environment: ["PATH": ""])
        #expect(doctor.text.contains("no ffmpeg: clips can't be mp4, webm, mov, gif, webp, avif"), "\(doctor.text)")
    }

    @Test("An encoder that is named and can't be run is an error that says why: 4; doctor says it too")
    func badEncoder() throws {
        mkdir(folder.path("folder"), 0o700)
        let words = ["-o", out("a.mp4"), "--to", "0.1", "--size", "16x16"]
        for (path, reason) in [
            (scene, "can't be executed: Permission denied"), (folder.path("folder"), "is no file"),
            (folder.path("none"), "can't be found: No such file"),
        ] {
            let run = try CommandRun.run(["render", scene] + words, environment: ["ROSTRUM_FFMPEG": path])
            #expect(run.code == 4 && run.errors.contains("\(path), which \(reason)"), "\(run.errors)")
            let doctor = try CommandRun.run("doctor", environment: ["ROSTRUM_FFMPEG": path])
            #expect(doctor.text.contains(reason) || doctor.errors.contains(reason), "\(doctor.text)")
        }
        #expect(outputs.isEmpty)
    }

    @Test(
        "What a format can't say is an error of the line, 2, before a frame is drawn",
        arguments: [
            ("a.avif", ["--fps", "0.5"], "avif shows a frame for at most 1.0 s"),
            ("a.avif", ["--fps", "1.5", "--frames", "0-10/2"], "avif shows a frame for at most 1.0 s"),
            ("a.gif", ["--fps", "0.001"], "gif shows a frame for at most 655.35 s"),
            ("a.webp", ["--fps", "0.001", "--frames", "0-34/2"], "webp shows a frame for at most 1000.0 s"),
            ("a.mp4", ["--fps", "0.001", "--frames", "0-34/2"], "mp4 shows a frame for at most 1000.0 s"),
            ("a.apng", ["--fps", "100000/1001"], "a fraction of numbers up to 65535"),
            ("a.apng", ["--fps", "29.97", "--frames", "0-200/67"], "a fraction of numbers up to 65535"),
            ("a.webp", ["--size", "16384x2", "--frames", "0"], "webp has at most 16383 pixels a side"),
        ])
    func limits(name: String, words: [String], message: String) throws {
        let frames = words.contains("--frames") ? [] : ["--frames", "0-1"]
        // No server is asked.
        let run = try CommandRun.run(
            ["render", scene, "-o", out(name), "--server", folder.path("nobody")] + words + frames)
        #expect(run.code == 2 && run.errors.contains(message), "\(run.errors)")
        #expect(outputs.isEmpty)
    }

    @Test("The warning of lost alpha names the frame by its number in the whole clip")
    func lostAlpha() throws {
        let path = folder.path("clear.json")
        try Data(#"{"size": [8, 6], "root": {}}"#.utf8).write(to: URL(fileURLWithPath: path))
        let run = try CommandRun.run(
            "render", path, "-o", out("a.y4m"), "--fps", "10", "--frames", "3-7/2", "-q", "--json")
        #expect(run.code == 0 && run.errors.contains("frame 3 is not opaque"), "\(run.errors)")
        #expect(try run.lines.first?["lost_alpha_at"] as? Int == 3)
    }

    @Test("doctor lists the encoders there are", .enabled(if: hasFFmpeg))
    func doctor() throws {
        let run = try CommandRun.run("doctor", "--json")
        let clips = try run.lines[0]["clips"] as? [String: Any]
        #expect(clips?["ffmpeg"] as? String == Self.ffmpeg)
        #expect(clips?["apng"] as? Bool == true)
        #expect(clips?["mp4"] as? Bool == true)
    }

    @Test(
        "An encoder that ends early is an error with its last words, and leaves no file",
        arguments: [
            ("head -c 100000 >/dev/null; echo 'x264 [error]: boom' >&2; exit 9", "with exit code 9", "boom"),
            ("head -c 100000 >/dev/null; echo 'the last line' >&2; kill -9 $$", "by signal 9", "the last line"),
            ("exit 1", "with exit code 1", ""),
            ("cat >/dev/null; echo 'trailer' >&2; exit 3", "with exit code 3", "trailer"),
            ("cat >/dev/null; exit 0", "wrote nothing", ""),
            // Of a full disk some formats only say a word at their end.
            (
                "cat >/dev/null; for f; do :; done; echo x >\"${f#file:}\"; echo 'trailer: No space left on device' >&2",
                "No space left on device", ""
            ),
            ("exec </dev/null; sleep 60", "by signal 9", ""),
        ])
    func ends(_ text: String, _ how: String, _ words: String) throws {
        let encoder = try script(text)
        let started = Date()
        let run = try render(
            "-o", out("a.mp4"), "--to", "100", "--size", "64x64", "-q", environment: ["ROSTRUM_FFMPEG": encoder])
        #expect(run.code == 4, "\(run.errors)")
        #expect(
            run.errors.contains(how) && (words.isEmpty || run.errors.contains(words)) && run.errors.contains("a.mp4"),
            "\(run.errors)")
        #expect(outputs.isEmpty)
        #expect(Date().timeIntervalSince(started) < 30)
    }

    @Test("ffmpeg killed in mid-run is an error that says so, and leaves no file", .enabled(if: hasFFmpeg))
    func killed() throws {
        let run = try RunningCommand(["render", scene, "-o", out("a.webm"), "--to", "3000", "--size", "320x240"])
        let child = try #require(encoder(of: run))
        usleep(200_000)
        kill(child, SIGKILL)
        let result = run.wait()
        #expect(result.code == 4, "\(result.errors)")
        #expect(result.errors.contains("ffmpeg ended by signal 9"), "\(result.errors)")
        #expect(outputs.isEmpty)
    }

    @Test(
        "Ctrl-C and SIGTERM leave no file and no encoder, and end as the signal would", .enabled(if: hasFFmpeg),
        arguments: [("a.mp4", SIGINT), ("f/", SIGTERM), ("a.y4m", SIGINT)])
    func interrupted(_ name: String, _ signal: Int32) throws {
        let run = try RunningCommand(["render", scene, "-o", out(name), "--to", "10000", "--size", "320x240"])
        for _ in 0..<1_000 where outputs.isEmpty { usleep(10_000) }
        #expect(!outputs.isEmpty, "nothing was begun")
        let child = name.hasSuffix(".mp4") ? try #require(encoder(of: run)) : 0
        usleep(300_000)
        run.send(signal)
        let result = run.wait()
        #expect(result.code == 128 + signal, "\(result.errors)")
        #expect(outputs.isEmpty, "\(outputs)")
        if child > 0 { #expect(kill(child, 0) != 0, "the encoder goes on") }
    }

    @Test("Ctrl-C ends a clip whose reader does not read")
    func interruptedPipe() throws {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        let run = try RunningCommand(
            ["render", scene, "-o", "-", "--format", "bgra", "--to", "100", "--size", "640x480"], output: ends[1])
        sleep(1)
        run.send(SIGINT)
        #expect(run.wait().code == 130)
        for end in ends { close(end) }
    }

    @Test(
        "Ctrl-C ends a clip that writes to a named pipe which nobody reads, or beside one; --timeout does, too",
        arguments: [["-o", "PIPE", "--format", "y4m"], ["-o", "PIPE", "--format", "apng"], ["--plan", "PIPE"]])
    func unreadNamedPipe(_ words: [String]) throws {
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let words = words.map { $0 == "PIPE" ? pipe : $0 }
        let output = words.contains("-o") ? [] : ["-o", out("a.apng")]
        let line = ["render", scene, "--to", "1", "--size", "64x64"] + words + output
        let run = try RunningCommand(line)
        sleep(1)
        run.send(SIGINT)
        #expect(run.wait().code == 130)
        let late = try CommandRun.run(line + ["--timeout", "1", "-q"])
        #expect(late.code == 5 && late.errors.contains("no clip within 1.0 s"), "\(late.errors)")
        #expect(outputs.isEmpty)
    }

    @Test("A reader that comes later to a named pipe gets all of the clip")
    func lateReader() throws {
        let (pipe, copy) = (folder.path("pipe"), folder.path("copy"))
        try #require(mkfifo(pipe, 0o600) == 0)
        let line = ["render", scene, "--to", "0.2", "--size", "64x64", "-q"]
        let run = try RunningCommand(line + ["-o", pipe, "--format", "y4m"])
        usleep(500_000)
        // `Data(contentsOf:)` takes regular files only.
        let bytes = try #require(FileHandle(forReadingAtPath: pipe)).readToEnd() ?? Data()
        #expect(run.wait().code == 0)
        #expect(try CommandRun.run(line + ["-o", copy, "--format", "y4m"]).code == 0)
        let isSame = try bytes == Data(contentsOf: URL(fileURLWithPath: copy))
        #expect(isSame && bytes.count > 64 * 64, "\(bytes.count) bytes")
    }

    @Test("An encoder that hangs ends with --timeout: 5, no file, no encoder")
    func hangs() throws {
        let encoder = try script("echo $$ >\(folder.path("pid")); exec sleep 600")
        let run = try render(
            "-o", out("a.mp4"), "--to", "100", "--size", "640x480", "--timeout", "1.5", "-q",
            environment: ["ROSTRUM_FFMPEG": encoder])
        #expect(run.code == 5, "\(run.errors)")
        #expect(run.errors.contains("no clip within 1.5 s"), "\(run.errors)")
        #expect(outputs.isEmpty)
        let process = try pid_t(String(contentsOfFile: folder.path("pid"), encoding: .utf8).filter(\.isNumber))
        #expect(kill(try #require(process), 0) != 0, "the encoder goes on")
    }

    @Test(
        "A file that may not grow, as on a full disk, is an error with the reason, and no file stays",
        arguments: ["a.y4m", "f/", "a.mov"])
    func fileSize(_ name: String) throws {
        if name == "a.mov", !Self.hasFFmpeg { return }
        // `ulimit -f` counts blocks of 1024 bytes in bash, and the limit is passed on to ffmpeg.
        let command = RunningCommand.path
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = [
            "-c", "ulimit -f 1; exec \"$0\" \"$@\" 2>/dev/null", command, "render", CommandRun.demo, "-o", out(name),
            "--to", "1", "-q",
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationReason == .exit && shell.terminationStatus == 4, "\(shell.terminationStatus)")
        #expect(outputs.isEmpty, "\(outputs)")
    }

    @Test("A folder that can't be written to is the environment's", .enabled(if: geteuid() != 0))
    func unwritable() throws {
        chmod(folder.path("out"), 0o500)
        let run = try render("-o", out("a.y4m"), "--to", "1")
        #expect(run.code == 4 && run.errors.contains("Permission denied"), "\(run.errors)")
        chmod(folder.path("out"), 0o700)
    }

    /// The command's child, once it is there.
    private func encoder(of run: RunningCommand) -> pid_t? {
        for _ in 0..<1_000 {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(run.process)/task")) ?? []
            for task in tasks {
                let text = try? String(contentsOfFile: "/proc/\(run.process)/task/\(task)/children", encoding: .utf8)
                if let child = text?.split(separator: " ").first.flatMap({ pid_t($0) }) { return child }
            }
            usleep(10_000)
        }
        return nil
    }
}
