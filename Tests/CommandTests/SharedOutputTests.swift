import Foundation
import Glibc
import Testing

/// Two outputs that lead to one file: only one of them would be left.
@Suite("Outputs that are the same file")
struct SharedOutputTests {
    private let folder = TemporaryFolder()
    private let scene: String

    init() throws {
        scene = folder.path("scene.json")
        try Data(RenderTests.scene.utf8).write(to: URL(fileURLWithPath: scene))
        mkdir(folder.path("real"), 0o700)
        symlink("real", folder.path("link"))
        // A link to a file that is not there yet.
        symlink("a.png", folder.path("other.txt"))
        mkdir(folder.path("frames"), 0o700)
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    @Test(
        "Are an error of the line, 2, before anything is written: by any spelling, and through links",
        arguments: [
            ["-o", "a.png", "--plan", "a.png"], ["-o", "a.png", "--plan", "./a.png"],
            ["-o", "real/a.png", "--timings", "link/a.png"], ["-o", "a.png", "--plan", "other.txt"],
            ["-o", "a.png", "--trace", "real/../a.png"], ["-o", "a.png", "--timings", "t", "--plan", "t"],
            ["-o", "a.y4m", "--plan", "a.y4m", "--frames", "0"],
            ["-o", "a.mp4", "--timings", "a.mp4", "--frames", "0"],
            ["-o", "frames/", "--plan", "frames/00003.png", "--frames", "0-5"],
            ["-o", "frames/f-%02d.png", "--timings", "frames/f-01.png", "--frames", "0-5"],
            ["-o", "a.png", "--plan", "scene.json"],
        ])
    func refused(words: [String]) throws {
        let before = names
        // Relative paths count from here.
        let words = words.map { $0.hasPrefix("-") || Int($0.prefix(1)) != nil ? $0 : folder.path($0) }
        let run = try CommandRun.run(["render", scene] + words)
        #expect(run.code == 2, "\(words): \(run.errors)")
        #expect(run.errors.contains("a file of its own"), "\(words): \(run.errors)")
        #expect(names == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene)) == Data(RenderTests.scene.utf8))
    }

    @Test("Stdout that is a file, and that file, are one")
    func standardOutput() throws {
        let path = folder.path("out")
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        let command = try RunningCommand(["render", scene, "-o", "-", "--plan", path], output: descriptor)
        let run = command.wait()
        #expect(run.code == 2 && run.errors.contains("a file of its own"), "\(run.errors)")
    }

    @Test("Files of the same name in different folders, and /dev/null as often as one likes, are fine")
    func different() throws {
        for words in [
            ["-o", folder.path("a.png"), "--plan", folder.path("real/a.png")],
            ["-o", "/dev/null", "--plan", "/dev/null", "--timings", "/dev/null"],
            ["-o", folder.path("frames/"), "--plan", folder.path("frames/plan.txt"), "--frames", "0-1"],
        ] {
            let run = try CommandRun.run(["render", scene] + words)
            #expect(run.code == 0, "\(words): \(run.errors)")
        }
    }
}
