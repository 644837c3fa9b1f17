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
        func plan(_ words: [String]) throws -> [Substring] {
            let run = try CommandRun.run(["plan"] + words)
            #expect(run.code == 0, "\(run.errors)")
            return Array(run.text.split(separator: "\n").dropFirst())
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
