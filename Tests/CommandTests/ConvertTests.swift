import Foundation
import Testing

@Suite("Convert and lint")
struct ConvertTests {
    private let folder = TemporaryFolder()

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static let box = """
        {"size": [40, 30], "root": {"anchorPoint": [0, 0], "bounds": [0, 0, 40, 30], "sublayers": [
          {"bounds": [0, 0, 10, 8], "position": [12, 9], "backgroundColor": [1, 0, 0, 0.5], "cornerRadius": 2}]}}
        """

    @Test("A scene goes through every form and draws the same picture, byte for byte")
    func everyForm() throws {
        let source = try file("box.json", Self.box)
        var last = source
        for name in ["A.ca", "b.caml", "c.json", "D.ca"] {
            let run = try CommandRun.run("convert", last, folder.path(name))
            #expect(run.code == 0 && run.errors.isEmpty && run.output.isEmpty, "\(name): \(run.errors)")
            last = folder.path(name)
            for (scene, picture) in [(source, "one.png"), (last, "other.png")] {
                #expect(try CommandRun.run("render", scene, "-o", folder.path(picture)).code == 0)
            }
            let pictures = try ["one.png", "other.png"].map {
                try Data(contentsOf: URL(fileURLWithPath: folder.path($0)))
            }
            let isSame = pictures[0] == pictures[1]
            #expect(isSame, "\(name)")
        }
    }

    @Test("What is there is replaced with --overwrite only; endings, places and scenes that are none have their codes")
    func faults() throws {
        let source = try file("box.json", Self.box)
        let target = folder.path("A.ca")
        #expect(try CommandRun.run("convert", source, target).code == 0)
        let again = try CommandRun.run("convert", source, target)
        #expect(again.code == 4 && again.errors.contains("it is there already") && again.errors.contains("--overwrite"))
        #expect(try CommandRun.run("convert", source, target, "-y").code == 0)
        let ending = try CommandRun.run("convert", source, folder.path("a.png"))
        #expect(ending.code == 2 && ending.errors.contains("is none of .ca, .caml and .json"))
        #expect(try CommandRun.run("convert", folder.path("none.ca"), folder.path("b.ca")).code == 3)
        #expect(try CommandRun.run("convert", source, folder.path("none/b.ca")).code == 4)
        #expect(try CommandRun.run("convert", source).code == 2)
    }

    @Test("What a form can't say is a warning on stderr, with --strict an error, and then nothing is written")
    func warnings() throws {
        let caml = """
            <caml><CALayer id="a" bounds="0 0 9 9"><states><LKState name="S"><elements/></LKState></states></CALayer></caml>
            """
        let source = try file("a.caml", caml)
        let run = try CommandRun.run("convert", source, folder.path("a.json"), "--json")
        #expect(
            run.code == 0 && run.errors.contains("states are left out (1)") && run.errors.contains("1 ids are left out")
        )
        let line = try #require(try run.lines.first)
        #expect(line["format"] as? String == "json" && (line["warnings"] as? [String])?.count == 2)
        let strict = try CommandRun.run("convert", source, folder.path("b.json"), "--strict")
        #expect(strict.code == 3 && !FileManager.default.fileExists(atPath: folder.path("b.json")))
    }

    @Test("A scene on stdin is converted, too")
    func standardInput() throws {
        let run = try CommandRun.run("convert", "-", folder.path("A.ca"), input: Data(Self.box.utf8))
        #expect(run.code == 0 && FileManager.default.fileExists(atPath: folder.path("A.ca/main.caml")), "\(run.errors)")
    }

    // MARK: Lint

    @Test("A sound scene is no line and code 0; a warning is a line, and code 1 only with --strict")
    func lint() throws {
        #expect(try CommandRun.run("lint", CommandRun.demo).code == 0)
        let source = try file("a.caml", "<caml>\n <CALayer bounds=\"0 0 9 9\" opacty=\"1\"/></caml>")
        let expected =
            "\(source):2:28: warning: the attribute opacty is not known (did you mean opacity?); it is ignored\n"
        for (words, code) in [(["lint", source], Int32(0)), (["lint", source, "--strict"], 1)] {
            let run = try CommandRun.run(words)
            #expect(run.code == code && run.text == expected && run.errors.isEmpty, "\(run.text)")
        }
    }

    @Test("An error is a line after the warnings before it, and code 1; every file of a line is looked at")
    func errors() throws {
        let broken = try file("broken.json", "{\"size\": [9, 9], \"wobble\": 1, \"root\": {\"opacity\": \"x\"}}")
        let other = try file("other.caml", "<caml><CALayer></caml>")
        let run = try CommandRun.run("lint", broken, other, CommandRun.demo)
        #expect(run.code == 1)
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 3, "\(run.text)")
        #expect(lines.first?.hasPrefix("\(broken):1:18: warning: the key wobble") == true)
        #expect(
            lines.dropFirst().first?.hasPrefix("\(broken):1:51: error: root.opacity is a string") == true, "\(run.text)"
        )
        #expect(lines.last?.hasPrefix("\(other):1:") == true && lines.last?.contains(": error: ") == true)
    }

    @Test("Every bad value of a JSON scene is an error of its own; faults of JSON itself end the reading")
    func allErrors() throws {
        let source = try file(
            "bad.json",
            """
            {"size": [9], "scale": 0, "root": {"opacity": "x", "bounds": [1, 2],
              "sublayers": [{"cornerRadius": "big"}, 7, {"class": 3, "mask": {"hidden": 1}, "filters": 2}]}}
            """)
        let run = try CommandRun.run("lint", source)
        #expect(run.code == 1)
        for message in [
            "1:10: error: size is", "1:24: error: scale is not above 0", "1:47: error: root.opacity is a string",
            "1:62: error: root.bounds is", "2:34: error: root.sublayers[0].cornerRadius",
            "2:42: error: root.sublayers[1]",
            "2:55: error: root.sublayers[2].class", "2:77: error: root.sublayers[2].mask.hidden",
            "2:92: error: root.sublayers[2].filters",
        ] { #expect(run.text.contains("\(source):\(message)"), "\(message)\n\(run.text)") }
        #expect(run.text.split(separator: "\n").count == 9, "\(run.text)")
        let broken = try CommandRun.run("lint", try file("c.json", "{\"size\": [9, 9], \"root\": {\"opacity\": \"x\""))
        #expect(broken.text.split(separator: "\n").count == 1, "\(broken.text)")
    }

    @Test("--json is one object a file; a file that is not there is code 3")
    func json() throws {
        let source = try file("a.caml", "<caml><CALayer wobble=\"1\"/></caml>")
        let run = try CommandRun.run("lint", source, "--json")
        let object = try #require(try run.lines.first)
        #expect(object["errors"] as? Int == 0 && object["warnings"] as? Int == 2)
        let finding = try #require((object["findings"] as? [[String: Any]])?.last)
        #expect(
            finding["severity"] as? String == "warning" && finding["line"] as? Int == 1
                && finding["column"] as? Int == 16)
        let none = try CommandRun.run("lint", folder.path("none.ca"))
        #expect(none.code == 3 && none.errors.contains("No such file"))
    }
}
