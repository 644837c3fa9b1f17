import CLinux
import Foundation
import Glibc
import LayerWire
import Quartz2D
import Testing

@Suite("render")
struct RenderTests {
    let folder = TemporaryFolder()

    /// A green canvas of 8 by 6 points with a red square of 4 points in its top left corner.
    static let scene = #"""
        {"size": [8, 6], "background": [0, 1, 0, 1],
         "root": {"class": "CALayer", "bounds": [0, 0, 4, 4], "position": [2, 2], "backgroundColor": [1, 0, 0, 1]}}
        """#

    private func write(_ text: String, _ name: String) throws -> String {
        let path = folder.path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Straight RGBA of a pixel, y from the top.
    private func pixel(_ image: CGImage, _ x: Int, _ y: Int) -> [UInt8] {
        image.content.pixels.withBytes { bytes in
            let at = y * image.bytesPerRow + x * 4
            return [bytes[at + 2], bytes[at + 1], bytes[at], bytes[at + 3]]
        }
    }

    @Test("A bundle becomes a PNG of its size, stdout and stderr stay empty, and twice gives the same bytes")
    func bundle() throws {
        let (first, second) = (folder.path("1.png"), folder.path("2.png"))
        for path in [first, second] {
            let run = try CommandRun.run("render", CommandRun.demo, "-o", path, "--scale", "2")
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.isEmpty)
            #expect(run.errors.isEmpty)
        }
        // Examples/Demo.ca/index.xml: 480 by 300 points.
        let image = try CGImage(contentsOf: first)
        #expect(image.width == 960 && image.height == 600)
        #expect(try Data(contentsOf: URL(fileURLWithPath: first)) == Data(contentsOf: URL(fileURLWithPath: second)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["1.png", "2.png"])
    }

    @Test("A JSON scene from stdin goes as PNG to stdout, over its background and at its size")
    func pipes() throws {
        let run = try CommandRun.run(["render", "-", "-o", "-"], input: Data(Self.scene.utf8))
        #expect(run.code == 0, "\(run.errors)")
        let image = try CGImage(data: [UInt8](run.output))
        #expect(image.width == 8 && image.height == 6)
        #expect(pixel(image, 1, 1) == [255, 0, 0, 255])
        #expect(pixel(image, 6, 5) == [0, 255, 0, 255])
    }

    @Test("--size makes the canvas larger, the scene keeps its top left corner, --background lies behind all of it")
    func canvas() throws {
        for (scene, name) in [
            (Self.scene, "scene.json"),
            (#"<caml><CALayer bounds="0 0 4 4" backgroundColor="1 0 0"/></caml>"#, "scene.caml"),
        ] {
            let output = folder.path("canvas.png")
            let run = try CommandRun.run(
                "render", try write(scene, name), "-o", output, "--size", "10x9", "--scale", "1.5",
                "--background=#0000ff80")
            #expect(run.code == 0, "\(run.errors)")
            let image = try CGImage(contentsOf: output)
            #expect(image.width == 15 && image.height == 14)
            #expect(pixel(image, 2, 2) == [255, 0, 0, 255], "\(name)")
            // Premultiplied: half of full blue.
            #expect(pixel(image, 14, 13) == [0, 0, 128, 128], "\(name)")
        }
    }

    @Test("Timings are a line of JSON a pass with every key, and their pixels are those of a frame without")
    func timings() throws {
        let (plain, timed) = (folder.path("plain.png"), folder.path("timed.png"))
        #expect(try CommandRun.run("render", CommandRun.demo, "-o", plain).code == 0)
        for extra in [[], ["--sync-passes"]] {
            let run = try CommandRun.run(["render", CommandRun.demo, "-o", timed, "--timings", "-"] + extra)
            #expect(run.code == 0, "\(run.errors)")
            let lines = try run.lines.filter { $0["commit"] == nil }
            #expect(!lines.isEmpty)
            for (index, line) in lines.enumerated() {
                #expect(
                    Set(line.keys) == [
                        "frame", "pass", "label", "reason", "layer", "width", "height", "quads", "draws", "pixels",
                        "cpu_ns",
                        "gpu_ns",
                    ])
                #expect(line["pass"] as? Int == index + 1)
                #expect(line["frame"] as? Int == 0)
                #expect((line["pixels"] as? Int ?? 0) > 0)
            }
            #expect(lines.last?["reason"] as? String == "root")
            #expect(lines.last?["width"] as? Int == 480)
            #expect(try Data(contentsOf: URL(fileURLWithPath: plain)) == Data(contentsOf: URL(fileURLWithPath: timed)))
        }
    }

    @Test("--plan writes the plan that was drawn, as rostrum plan shows it")
    func plan() throws {
        let drawn = folder.path("plan.txt")
        let run = try CommandRun.run("render", CommandRun.demo, "-o", folder.path("a.png"), "--plan", drawn)
        #expect(run.code == 0, "\(run.errors)")
        let text = try String(contentsOfFile: drawn, encoding: .utf8)
        #expect(text.hasPrefix("frame 480x300 at 0 s: "))
        #expect(try CommandRun.run("plan", CommandRun.demo).text.hasPrefix(text))
    }

    @Test("--json says on stdout what was made")
    func json() throws {
        let output = folder.path("a.png")
        let run = try CommandRun.run(
            "render", try write(Self.scene, "scene.json"), "-o", output, "--json", "--time", "2.5")
        let result = try #require(try run.lines.first)
        #expect(result["output"] as? String == output)
        #expect(result["width"] as? Int == 8 && result["height"] as? Int == 6)
        #expect(result["time"] as? Double == 2.5)
        #expect(result["warning_count"] as? Int == 0)
    }

    @Test(
        "What can only be known when a scene is committed is an error to render and plan alike with --strict, and in the JSON"
    )
    func committedWarnings() throws {
        let one = #"{"class": "CABasicAnimation", "keyPath": "opacity", "toValue": 0, "duration": 1}"#
        let all = Array(repeating: one, count: 1_100).joined(separator: ",")
        let scene = try write(
            #"{"size": [4, 4], "root": {"bounds": [0, 0, 4, 4], "animations": [\#(all)]}}"#, "many.json")
        let run = try CommandRun.run("render", scene, "-o", folder.path("m.png"), "--json")
        let said = try #require(try run.lines.first)["drawing_warnings"] as? [String]
        #expect(
            run.code == 0 && said?.isEmpty == false && run.errors.contains(said?.first ?? "?"),
            "\(run.errors.prefix(300))")
        #expect(try CommandRun.run("render", scene, "-o", folder.path("n.png"), "--strict").code == 3)
        #expect(try CommandRun.run("plan", scene, "--strict").code == 3)
        #expect(try CommandRun.run("plan", scene).code == 0)
    }

    @Test("What is not drawn is said on stderr with file, line and column; --strict makes it an error")
    func warnings() throws {
        let scene = try write("<caml>\n  <CALayer bounds=\"0 0 4 4\" frobnicate=\"1\"/>\n</caml>", "odd.caml")
        let output = folder.path("a.png")
        let run = try CommandRun.run("render", scene, "-o", output)
        #expect(run.code == 0)
        #expect(run.errors.contains("\(scene):2:"), "\(run.errors)")
        #expect(run.errors.contains("warning: "))
        let strict = try CommandRun.run("render", scene, "-o", folder.path("b.png"), "--strict")
        #expect(strict.code == 3)
        #expect(strict.errors.hasPrefix("error: "))
        #expect(strict.errors.contains("(\(scene):2:"), "\(strict.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("b.png")))
    }

    @Test("A scene that is missing, or no scene, or shows nothing, is bad input: 3")
    func badInput() throws {
        let scenes = [
            (folder.path("missing.ca"), "missing.ca: can't be read"),
            (try write("hello", "hello.txt"), "not a scene"),
            (try write("<caml><CALayer", "broken.caml"), "broken.caml:1:"),
            (try write(#"{"size": [8, "six"]}"#, "broken.json"), "broken.json:1:"),
            (try write("<caml><CALayer/></caml>", "empty.caml"), "--size WxH"),
        ]
        for (scene, message) in scenes {
            let output = try write("kept", "kept.png")
            let run = try CommandRun.run("render", scene, "-o", output)
            #expect(run.code == 3, "\(scene): \(run.errors)")
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(run.errors.contains("\nhelp: "))
            #expect(run.output.isEmpty)
            #expect(try String(contentsOfFile: output, encoding: .utf8) == "kept")
        }
    }

    @Test("An output that can't be written is the environment's: 4")
    func badOutput() throws {
        for (output, message) in [
            (folder.path("no/such/a.png"), "there is no folder"), (folder.path, "it is a folder"),
        ] {
            let run = try CommandRun.run("render", CommandRun.demo, "-o", output)
            #expect(run.code == 4)
            #expect(run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test("A machine without a driver ends with 4 and says what to install")
    func noDriver() throws {
        let run = try CommandRun.run(
            ["render", CommandRun.demo, "-o", folder.path("a.png")],
            environment: ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"])
        #expect(run.code == 4)
        #expect(run.errors.contains("apt-get install"), "\(run.errors)")
        #expect(run.errors.contains("rostrum doctor"))
    }

    @Test("A canvas over the limits ends with 6", arguments: ["20000x10", "16384x16384", "1e300x1"])
    func tooLarge(size: String) throws {
        let run = try CommandRun.run("render", CommandRun.demo, "-o", folder.path("a.png"), "--size", size)
        #expect(run.code == 6)
        #expect(run.errors.contains("is too large"), "\(run.errors)")
    }

    @Test("No server at the socket ends with 4; a server that says nothing, with 5")
    func badServer() throws {
        let socket = folder.path("s")
        let missing = try CommandRun.run("render", CommandRun.demo, "-o", folder.path("a.png"), "--server", socket)
        #expect(missing.code == 4)
        #expect(missing.errors.contains("rostrum serve --socket \(socket)"), "\(missing.errors)")

        let listener = try ServerListener(path: socket)
        let silent = try CommandRun.run(
            "render", CommandRun.demo, "-o", folder.path("a.png"), "--server", socket, "--timeout", "0.5")
        #expect(silent.code == 5)
        #expect(silent.errors.contains("no picture within 0.5 s"), "\(silent.errors)")
        #expect(listener.path == socket)
    }

    @Test("What is written through a link takes the place of what it leads to; /dev/stdout is stdout")
    func links() throws {
        func isLink(_ path: String) -> Bool {
            var status = stat()
            return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        }
        let (target, link) = (folder.path("target.png"), folder.path("link.png"))
        #expect(FileManager.default.createFile(atPath: target, contents: Data("old".utf8)))
        symlink("target.png", link)
        #expect(try CommandRun.run("render", CommandRun.demo, "-o", link).code == 0)
        let picture = FileManager.default.contents(atPath: target)
        #expect(isLink(link) && picture?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
        let dangling = folder.path("dangling.y4m")
        symlink(folder.path("made.y4m"), dangling)
        #expect(try CommandRun.run("render", CommandRun.demo, "-o", dangling, "--to", "0.1", "-q").code == 0)
        #expect(isLink(dangling) && FileManager.default.fileExists(atPath: folder.path("made.y4m")))
        let stdout = folder.path("stdout")
        symlink("/proc/self/fd/1", stdout)
        let run = try CommandRun.run(
            "render", CommandRun.demo, "-o", stdout, "--format", "y4m", "--to", "0.1", "-q")
        let made = FileManager.default.contents(atPath: folder.path("made.y4m"))
        #expect(run.code == 0 && run.output == made && isLink(stdout), "\(run.errors)")
    }

    @Test("Ctrl-C ends a render that waits for a reader, as the signal ends any process")
    func interrupted() throws {
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let command = try RunningCommand(["render", CommandRun.demo, "-o", pipe])
        usleep(100_000)
        command.send(SIGINT)
        #expect(command.wait().code == 130)
    }

    @Test("A reader that has gone ends the command quietly, as SIGPIPE would")
    func brokenPipe() throws {
        // Closed on exec, unlike a pipe's ends: no other test's child keeps the reader alive.
        var (reader, writer): (Int32, Int32) = (-1, -1)
        #expect(clinux_socket_pair(&reader, &writer) == 0)
        close(reader)
        let command = try RunningCommand(["plan", CommandRun.demo], output: writer)
        close(writer)
        let run = command.wait()
        #expect(run.code == 141)
        #expect(run.errors.isEmpty)
    }
}
