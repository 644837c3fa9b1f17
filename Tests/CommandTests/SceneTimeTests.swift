import Foundation
import Quartz2D
import Testing

@Suite("Scenes over time, from the command line")
struct SceneTimeTests {
    let folder = TemporaryFolder()

    private func write(_ text: String, _ name: String) throws -> String {
        let path = folder.path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// A box of 10 points that is at y 5, or at y 35 in a state.
    private static let scene = """
        <caml><CALayer bounds="0 0 40 40"><sublayers>
        <CALayer id="box" bounds="0 0 10 10" position="5 5" backgroundColor="0 0 1"/></sublayers>
        <states><LKState name="Up"><elements><LKStateSetValue targetId="box" keyPath="position.y"><value type="integer" value="35"/></LKStateSetValue>
        </elements></LKState><LKState name="Down"><elements/></LKState></states>
        <stateTransitions><LKStateTransition fromState="*" toState="*"><elements><LKStateTransitionElement targetId="box" key="position.y">
        <animation type="CABasicAnimation" duration="2"/></LKStateTransitionElement></elements></LKStateTransition></stateTransitions>
        </CALayer></caml>
        """

    /// Rows, from the bottom, between which the picture has something.
    private func rows(_ words: [String]) throws -> ClosedRange<Int>? {
        let path = folder.path("out.png")
        let run = try CommandRun.run(["render"] + words + ["-o", path])
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        let image = try CGImage(contentsOf: path)
        let drawn = (0..<40).filter { y in image.pixel(x: 5, y: 39 - y).alpha > 127 }
        return drawn.first.map { $0...(drawn.last ?? $0) }
    }

    @Test("--state shows a state at once, --transition goes there from time 0 on")
    func states() throws {
        let scene = try write(Self.scene, "a.caml")
        #expect(try rows([scene]) == 0...9)
        #expect(try rows([scene, "--state", "Up"]) == 30...39)
        #expect(try rows([scene, "--transition", "Down:Up"]) == 0...9)
        // Half of 30 points after half of 2 s.
        #expect(try rows([scene, "--transition", "Down:Up", "--time", "1"]) == 15...24)
        #expect(try rows([scene, "--transition", ":Up", "--time", "1"]) == 15...24)
        #expect(try rows([scene, "--transition", "Up:Down", "--time", "1"]) == 15...24)
        #expect(try rows([scene, "--transition", "Down:Up", "--time", "3"]) == 30...39)
    }

    @Test("A state that is not there is a usage error with the names; so are flags that exclude each other")
    func usage() throws {
        let scene = try write(Self.scene, "a.caml")
        let plain = try write(#"{"size": [4, 4], "root": {}}"#, "a.json")
        let cases: [([String], String)] = [
            ([scene, "--state", "Sideways"], "its states are \"Up\", \"Down\""),
            ([scene, "--transition", "Up:Sideways"], "has no state \"Sideways\""),
            ([scene, "--transition", "Up"], "must be two states, FROM:TO"),
            ([scene, "--transition", ":"], "must be two states, FROM:TO"),
            ([scene, "--state", "Up", "--transition", "Up:Down"], "exclude each other"),
            ([plain, "--state", "Up"], "the scene has no states at all"),
        ]
        for (words, part) in cases {
            for verb in ["render", "plan"] {
                let run = try CommandRun.run([verb] + words + (verb == "render" ? ["-o", folder.path("x.png")] : []))
                #expect(run.code == 2 && run.errors.contains(part), "\(verb) \(words): \(run.errors)")
            }
        }
    }

    @Test("A name of a state may hold colons: the reading counts of which both states are there")
    func colons() throws {
        func scene(_ first: String, _ second: String, _ more: String = "") -> String {
            Self.scene.replacingOccurrences(of: "name=\"Up\"", with: "name=\"\(first)\"")
                .replacingOccurrences(
                    of: "<LKState name=\"Down\">", with: "\(more)<LKState name=\"\(second)\">")
        }
        let named = try write(scene("a:b", "c:d"), "a.caml")
        #expect(try rows([named, "--transition", "c:d:a:b", "--time", "3"]) == 30...39)
        #expect(try rows([named, "--transition", "a:b:c:d", "--time", "3"]) == 0...9)
        #expect(try rows([named, "--transition", ":a:b", "--time", "3"]) == 30...39)
        #expect(try rows([named, "--transition", "a:b:", "--time", "3"]) == 0...9)
        #expect(try rows([named, "--state", "a:b"]) == 30...39)
        let none = try CommandRun.run("plan", named, "--transition", "a:b:x")
        #expect(none.code == 2 && none.errors.contains("its states are \"a:b\", \"c:d\""), "\(none.errors)")

        // From a to b:c, or from a:b to c.
        let twice = try write(
            scene("a", "b:c", "<LKState name=\"a:b\"><elements/></LKState><LKState name=\"c\"><elements/></LKState>"),
            "b.caml")
        let run = try CommandRun.run("plan", twice, "--transition", "a:b:c")
        #expect(run.code == 2, "\(run.errors)")
        #expect(run.errors.contains("from \"a\" to \"b:c\", or from \"a:b\" to \"c\""), "\(run.errors)")
    }

    @Test(
        "A key path into a filter that is not there is a warning with its place; --strict makes it an error of every verb"
    )
    func missingParts() throws {
        let animation =
            #"{"class": "CABasicAnimation", "keyPath": "filters.nosuch.inputRadius", "toValue": 4, "duration": 1}"#
        let scene = try write(moving(animation), "a.json")
        for (verb, words) in [("plan", []), ("render", ["-o", folder.path("x.png")]), ("explain", [])] {
            let lenient = try CommandRun.run([verb, scene] + words)
            #expect(lenient.code == 0, "\(verb): \(lenient.errors)")
            #expect(lenient.errors.components(separatedBy: "has no filters").count == 2, "said once: \(lenient.errors)")
            #expect(lenient.errors.contains("a.json:1:"), "\(lenient.errors)")
            let strict = try CommandRun.run([verb, scene, "--strict"] + words)
            #expect(strict.code == 3, "\(verb): \(strict.errors)")
        }
    }

    @Test("What only the layers warn of is an error of plan, render and explain under --strict alike")
    func clientWarnings() throws {
        // No font has the character: it is seen when the text is laid out.
        let scene = try write(
            #"{"size": [40, 40], "root": {"class": "CATextLayer", "string": "\uE456", "bounds": [0, 0, 40, 40]}}"#,
            "t.json")
        for (verb, words) in [("plan", []), ("render", ["-o", folder.path("x.png")]), ("explain", [])] {
            let lenient = try CommandRun.run([verb, scene] + words)
            #expect(lenient.code == 0 && lenient.errors.contains("U+E456"), "\(verb): \(lenient.errors)")
            let strict = try CommandRun.run([verb, scene, "--strict"] + words)
            #expect(strict.code == 3, "\(verb): \(strict.errors)")
        }
    }

    @Test("An animation with too many values is warned of once, where it is written")
    func tooManyValues() throws {
        let values = Array(repeating: "0", count: (1 << 17) + 1).joined(separator: ",")
        let scene = try write(
            moving(#"{"class": "CAKeyframeAnimation", "keyPath": "opacity", "values": [\#(values)], "duration": 1}"#),
            "v.json")
        let run = try CommandRun.run("plan", scene)
        #expect(run.code == 0, "\(run.errors.prefix(500))")
        let lines = run.errors.split(separator: "\n")
        #expect(
            lines.count == 1 && lines.first?.contains("more than 131072 values") == true,
            "\(lines.map { $0.prefix(200) })")
    }

    private func moving(_ animations: String) -> String {
        #"{"size": [40, 40], "root": {"sublayers": [{"name": "box", "bounds": [0, 0, 10, 10], "position": [5, 5], "#
            + #""backgroundColor": [1, 0, 0, 1], "animations": [\#(animations)]}]}}"#
    }

    private let growth =
        #"{"class": "CABasicAnimation", "keyPath": "bounds.size.width", "fromValue": 10, "toValue": 40, "duration": 3}"#

    @Test("plan, explain and a recording show the moment that --time names")
    func otherVerbs() throws {
        let scene = try write(moving(growth), "a.json")
        let still = try write(moving("").replacingOccurrences(of: "[0, 0, 10, 10]", with: "[0, 0, 20, 10]"), "b.json")
        let at = ["--time", "1"]
        // What comes after the moment, with the pixels.
        func plan(_ words: [String]) throws -> String {
            let run = try CommandRun.run(["plan"] + words)
            #expect(run.code == 0, "\(run.errors)")
            return String(run.text.drop { $0 != ":" })
        }
        #expect(try plan([scene] + at) == plan([still] + at) && plan([scene]) != plan([still]))
        func picture(_ verb: [String], _ name: String) throws -> Data {
            let run = try CommandRun.run(verb + ["-o", folder.path(name)])
            #expect(run.code == 0, "\(run.errors)")
            return try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
        }
        let expected = try picture(["render", still], "1.png")
        #expect(try picture(["render", scene] + at, "2.png") == expected)
        #expect(try picture(["explain", scene] + at, "3.png") == expected)
        _ = try picture(["record", scene] + at, "4.rec")
        #expect(try picture(["replay", folder.path("4.rec")], "5.png") == expected)
        let dump = try CommandRun.run("dump", folder.path("4.rec"))
        #expect(dump.text.contains("bounds.size.width"), "\(dump.text.prefix(2_000))")
    }

    @Test("Scenes in a row: a layer keeps the animations that it has in both")
    func sequence() throws {
        let scene = try write(moving(growth), "a.json")
        let other = try write(moving(growth.replacingOccurrences(of: "40", with: "30")), "b.json")
        let first = ["--time", "1"]
        func picture(_ scenes: [String]) throws -> Data {
            let path = folder.path("out.png")
            let run = try CommandRun.run(["explain"] + scenes + first + ["-o", path])
            #expect(run.code == 0, "\(run.errors)")
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        // The second frame is a sixtieth of a second later.
        let later = ["--time", "\(1 + 1.0 / 60)"]
        func frame(_ scene: String) throws -> Data {
            let path = folder.path("frame.png")
            #expect(try CommandRun.run(["render", scene, "-o", path] + later).code == 0)
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        #expect(try picture([scene, scene]) == frame(scene))
        #expect(try picture([scene, other]) == frame(other))
        #expect(try picture([other, scene]) == frame(scene))
    }
}
