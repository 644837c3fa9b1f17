import Foundation
import Glibc
import Quartz2D
import Testing

@Suite("plan, compare, doctor")
struct VerbTests {
    let folder = TemporaryFolder()

    private func render(_ name: String, _ flags: String...) throws -> String {
        let path = folder.path(name)
        let scene = Data(RenderTests.scene.utf8)
        let run = try CommandRun.run(["render", "-", "-o", path] + flags, input: scene)
        #expect(run.code == 0, "\(run.errors)")
        return path
    }

    // MARK: plan

    @Test("plan needs no graphics: it works where render can't")
    func planWithoutGraphics() throws {
        let broken = ["ROSTRUM_DEVICE": "gbm:/none", "__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"]
        #expect(
            try CommandRun.run(["render", CommandRun.demo, "-o", folder.path("a.png")], environment: broken).code == 4)
        let run = try CommandRun.run(["plan", CommandRun.demo], environment: broken)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.text == (try CommandRun.run("plan", CommandRun.demo).text))
    }

    @Test("plan says why each pass is there")
    func planReasons() throws {
        // Two overlapping layers under an opacity: the group needs a pass of its own.
        let scene = """
            <caml><CALayer bounds="0 0 40 40"><sublayers><CALayer name="Group" bounds="0 0 40 40" position="20 20" opacity="0.5">
            <sublayers><CALayer bounds="0 0 20 20" position="15 15" backgroundColor="1 0 0"/>
            <CALayer bounds="0 0 20 20" position="25 25" backgroundColor="0 1 0"/></sublayers></CALayer></sublayers></CALayer></caml>
            """
        let run = try CommandRun.run(["plan", "-"], input: Data(scene.utf8))
        #expect(run.text.contains("pass 1 group-opacity \"Group\""), "\(run.text)")
        #expect(run.text.contains("why: group-opacity, 1 pass: "))
        let json = try CommandRun.run(["plan", "-", "--json"], input: Data(scene.utf8))
        let passes = try #require(try json.lines.first?["passes"] as? [[String: Any]])
        #expect(passes.map { $0["reason"] as? String } == ["group-opacity", "root"])
    }

    @Test("--lines cuts a plan short and says so")
    func planLines() throws {
        let run = try CommandRun.run("plan", CommandRun.demo, "--lines", "2")
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.last?.hasPrefix("… and ") == true)
    }

    // MARK: compare

    @Test("The same picture: 0, and a line that says so")
    func same() throws {
        let a = try render("a.png")
        let run = try CommandRun.run("compare", a, a)
        #expect(run.code == 0)
        #expect(run.text == "the pictures are equal\n")
    }

    @Test("Another background: 1, with count, largest difference, box, and a picture of it")
    func different() throws {
        let (a, b) = (try render("a.png"), try render("b.png", "--background", "#00f000"))
        let diff = folder.path("diff.png")
        let run = try CommandRun.run("compare", a, b, "-o", diff, "--json")
        #expect(run.code == 1)
        let result = try #require(try run.lines.first)
        // All of 8 by 6 but the red 4 by 4; 255 and 240 levels of green.
        #expect(result["match"] as? Bool == false)
        #expect(result["differing_pixels"] as? Int == 32)
        #expect(result["maximum_difference"] as? Int == 15)
        #expect(result["bounding_box"] as? [String: Int] == ["x": 0, "y": 0, "width": 8, "height": 6])
        let picture = try CGImage(contentsOf: diff)
        #expect(picture.width == 8 && picture.height == 6)
        #expect(try CommandRun.run("compare", a, b).text.contains("32 of 48 pixels differ"))
        #expect(try CommandRun.run("compare", a, b, "--tolerance", "15").code == 0)
    }

    @Test("Another size: 1, and both sizes")
    func sizes() throws {
        let run = try CommandRun.run("compare", try render("a.png"), try render("b.png", "--scale", "2"))
        #expect(run.code == 1)
        #expect(run.text.contains("8 x 6 and 16 x 12"), "\(run.text)")
    }

    @Test("What is no picture: 3, and its name")
    func noPicture() throws {
        let text = folder.path("text.png")
        try Data("hello".utf8).write(to: URL(fileURLWithPath: text))
        for path in [text, folder.path("missing.png")] {
            let run = try CommandRun.run("compare", try render("a.png"), path)
            #expect(run.code == 3)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains(path), "\(run.errors)")
        }
    }

    // MARK: doctor

    @Test("doctor finds the driver and says 0; its JSON has what a machine needs")
    func doctor() throws {
        let run = try CommandRun.run("doctor", "--json", "--disable", "pooling")
        #expect(run.code == 0, "\(run.text)")
        let report = try #require(try run.lines.first)
        #expect(report["ok"] as? Bool == true)
        let graphics = try #require(report["graphics"] as? [String: Any])
        #expect((graphics["max_target_size"] as? Int ?? 0) >= 2048)
        let switches = try #require(report["switches"] as? [String: Bool])
        #expect(switches["pooling"] == false && switches["batching"] == true)
        let text = try CommandRun.run("doctor").text
        #expect(text.contains("renderer: \(graphics["renderer"] as? String ?? "?")"))
        #expect(text.hasSuffix("Pictures are drawn, and right.\n"))
    }

    @Test("Without a driver doctor says 4, what was tried and what to install")
    func sick() throws {
        let run = try CommandRun.run(["doctor"], environment: ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"])
        #expect(run.code == 4)
        #expect(run.text.contains("Devices not taken:"))
        #expect(run.text.contains("apt-get install"), "\(run.text)")
    }

    @Test("A device in the environment that is none ends with 4 and names the variable")
    func badVariable() throws {
        let run = try CommandRun.run(["doctor"], environment: ["ROSTRUM_DEVICE": "gpu"])
        #expect(run.code == 4)
        #expect(run.errors.contains("ROSTRUM_DEVICE"), "\(run.errors)")
    }
}
