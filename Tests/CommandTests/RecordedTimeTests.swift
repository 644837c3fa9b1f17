import Foundation
import Glibc
import Testing

@Suite("Time in recordings", .serialized)
struct RecordedTimeTests {
    let folder = TemporaryFolder()

    /// A spring, key frames with repeats, a group there and back, a filter's input, a layer of half the speed, and a state.
    private static let scene = """
        <caml><CALayer bounds="0 0 80 60" backgroundColor="0.9 0.9 0.9"><sublayers>
        <CALayer id="a" bounds="0 0 14 14" position="12 30" backgroundColor="1 0 0" cornerRadius="3"><animations>
        <animation type="CASpringAnimation" keyPath="position.y" fromValue="8" toValue="50" damping="6" stiffness="120" duration="3"
         beginTime="1e-100"/></animations></CALayer>
        <CALayer id="b" bounds="0 0 14 14" position="34 30" backgroundColor="0 0.6 0" speed="0.5"><animations>
        <animation type="CAKeyframeAnimation" keyPath="transform.rotation.z" duration="0.4" repeatCount="inf" calculationMode="cubic"
         removedOnCompletion="0"><values><real value="0"/><real value="2"/><real value="1"/></values></animation></animations></CALayer>
        <CALayer id="c" bounds="0 0 14 14" position="56 30" backgroundColor="0 0 1"><animations>
        <animation type="CABasicAnimation" keyPath="opacity" fromValue="1" toValue="0.1" duration="0.3" autoreverses="1" repeatCount="5"/>
        </animations></CALayer>
        <CALayer id="d" bounds="0 0 10 10" position="70 10" backgroundColor="0.5 0 0.5"/></sublayers>
        <states><LKState name="Up"><elements><LKStateSetValue targetId="d" keyPath="position.y"><value type="integer" value="50"/>
        </LKStateSetValue></elements></LKState></states>
        <stateTransitions><LKStateTransition fromState="*" toState="*"><elements><LKStateTransitionElement targetId="d" key="position.y">
        <animation type="CABasicAnimation" duration="0.8"/></LKStateTransitionElement></elements></LKStateTransition></stateTransitions>
        </CALayer></caml>
        """

    private func pictures(_ name: String) throws -> [String: Data] {
        let path = folder.path(name)
        var files: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: path) {
            files[file] = try Data(contentsOf: URL(fileURLWithPath: path + "/" + file))
        }
        return files
    }

    @Test(
        "A recording of a client at its work replays to the frames it saw: those of any server, in any number of threads"
    )
    func live() throws {
        let scene = folder.path("a.caml")
        try Data(Self.scene.utf8).write(to: URL(fileURLWithPath: scene))
        let socket = folder.path("s"), recording = folder.path("a.rec")
        let clip = ["render", scene, "--fps", "20", "--to", "1.2", "--transition", ":Up", "-q"]
        let recorder = try RunningCommand(["record", "--socket", socket, "-o", recording])
        #expect(recorder.firstLine() != nil)
        let seen = try CommandRun.run(clip + ["-o", folder.path("seen/")], environment: ["ROSTRUM_SOCKET": socket])
        #expect(seen.code == 0, "\(seen.errors)")
        recorder.send(SIGTERM)
        let ended = recorder.wait()
        #expect(ended.code == 0, "\(ended.errors)")
        let replay = try CommandRun.run("replay", recording, "--frames", folder.path("replayed"))
        #expect(replay.code == 0, "\(replay.errors)")
        for jobs in [1, 3] {
            let own = try CommandRun.run(clip + ["-o", folder.path("own\(jobs)/"), "--jobs", "\(jobs)"])
            #expect(own.code == 0, "\(own.errors)")
        }
        let frames = try pictures("seen")
        #expect(frames.count == 24 && Set(frames.values).count > 20)
        for other in ["replayed", "own1", "own3"] {
            let others = try pictures(other)
            let different = frames.keys.filter { frames[$0] != others[$0] }.sorted()
            #expect(others.count == frames.count && different.isEmpty, "\(other): \(different)")
        }
    }

    @Test("A clip of chosen frames has the bytes of the whole clip's")
    func chosen() throws {
        let scene = folder.path("a.caml")
        try Data(Self.scene.utf8).write(to: URL(fileURLWithPath: scene))
        for (name, frames) in [("all", "0-23"), ("some", "5-23/4"), ("one", "17")] {
            let run = try CommandRun.run(
                ["render", scene, "--fps", "20", "--frames", frames, "-q", "-o", folder.path(name + "/")])
            #expect(run.code == 0, "\(run.errors)")
        }
        let all = try pictures("all")
        for (name, count) in [("some", 5), ("one", 1)] {
            let some = try pictures(name)
            #expect(some.count == count && some.allSatisfy { all[$0.key] == $0.value }, "\(name)")
        }
    }
}
