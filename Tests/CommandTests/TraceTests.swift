import CLinux
import Foundation
import Testing

@Suite("Traces")
struct TraceTests {
    let folder = TemporaryFolder()

    /// The events of a trace file.
    private func events(_ path: String) throws -> [[String: Any]] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let trace = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(trace["traceEvents"] as? [[String: Any]])
    }

    private func spans(_ events: [[String: Any]], _ name: String) -> [[String: Any]] {
        events.filter { $0["ph"] as? String == "X" && $0["name"] as? String == name }
    }

    private func start(_ event: [String: Any]) -> Double { event["ts"] as? Double ?? .nan }
    private func end(_ event: [String: Any]) -> Double { start(event) + (event["dur"] as? Double ?? 0) }

    @Test(
        "A trace has the client's phases, the wire, the render thread and the passes, and a commit's arrow ends at its frame"
    )
    func render() throws {
        let (plain, traced, path) = (folder.path("plain.png"), folder.path("traced.png"), folder.path("trace.json"))
        #expect(try CommandRun.run("render", CommandRun.demo, "-o", plain).code == 0)
        let run = try CommandRun.run("render", CommandRun.demo, "-o", traced, "--trace", path)
        #expect(run.code == 0, "\(run.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: plain)) == Data(contentsOf: URL(fileURLWithPath: traced)))

        let events = try events(path)
        for name in [
            "layout", "encode", "read image files", "decode commit", "commit", "upload", "frame", "plan", "draw",
            "read",
        ] {
            #expect(spans(events, name).count == 1, "\(name)")
        }
        let frame = try #require(spans(events, "frame").first)
        for name in ["plan", "draw", "read"] {
            let inside = try #require(spans(events, name).first)
            #expect(start(inside) >= start(frame) && end(inside) <= end(frame) + 1, "\(name)")
        }
        // Examples/Demo.ca is drawn in four passes; the last one is the picture's own.
        let passes = events.filter { $0["ph"] as? String == "X" && $0["tid"] as? Int == 3 && $0["pid"] as? Int == 1 }
        #expect(passes.count == 4)
        #expect(passes.last?["name"] as? String == "root root")
        let draw = try #require(spans(events, "draw").first)
        #expect(passes.allSatisfy { start($0) >= start(draw) - 1 })

        let arrows = events.filter { $0["cat"] as? String == "commit" }
        #expect(arrows.filter { $0["ph"] as? String == "s" }.count == 1)
        let last = try #require(arrows.first { $0["ph"] as? String == "f" })
        #expect(start(last) >= start(frame) && start(last) <= end(frame))
        #expect(Set(arrows.compactMap { $0["id"] as? Int }).count == 1)
        let counters = Set(events.filter { $0["ph"] as? String == "C" }.compactMap { $0["name"] as? String })
        #expect(counters == ["masks", "targets", "bytes"])
    }

    @Test("Timings tell what the commit took, before the passes")
    func timings() throws {
        let run = try CommandRun.run("render", CommandRun.demo, "-o", folder.path("a.png"), "--timings", "-")
        let commit = try #require(try run.lines.first)
        #expect(
            Set(commit.keys) == [
                "frame", "commit", "bytes", "pixel_bytes", "layout_ns", "display_ns", "decode_ns", "encode_ns",
                "wire_ns",
                "latch_ns", "upload_ns", "apply_ns",
            ])
        for key in ["bytes", "pixel_bytes", "layout_ns", "decode_ns", "encode_ns", "upload_ns", "apply_ns"] {
            #expect(commit[key] as? Int ?? 0 > 0, "\(key)")
        }
        #expect(try run.lines.dropFirst().allSatisfy { $0["pass"] != nil })
    }

    @Test("A recording's trace has its frames, and no phases that nobody recorded")
    func replay() throws {
        let (recording, path) = (folder.path("a.rec"), folder.path("trace.json"))
        #expect(try CommandRun.run("record", CommandRun.demo, "-o", recording).code == 0)
        let run = try CommandRun.run("replay", recording, "-o", folder.path("a.png"), "--trace", path)
        #expect(run.code == 0, "\(run.errors)")
        let events = try events(path)
        #expect(spans(events, "frame").count == 1 && spans(events, "decode commit").count == 1)
        #expect(spans(events, "layout").isEmpty)
        #expect(events.filter { $0["ph"] as? String == "s" }.count == 1)
    }

    @Test("A server writes its trace when it ends, and says which deadlines were missed and by what")
    func serve() throws {
        let (socket, path) = (folder.path("s"), folder.path("trace.json"))
        // Ten thousand refreshes a second: every frame is late.
        let server = try RunningCommand(["serve", "--socket", socket, "--trace", path, "--refresh", "10000"])
        #expect(server.firstLine() != nil)
        for index in 0..<2 {
            let run = try CommandRun.run(
                "render", CommandRun.demo, "-o", folder.path("\(index).png"), "--server", socket)
            #expect(run.code == 0, "\(run.errors)")
        }
        server.send(SIGTERM)
        let ended = server.wait()
        #expect(ended.code == 143, "\(ended.errors)")
        let late = ended.errors.split(separator: "\n").filter { $0.contains("a refresh is 0.10 ms; longest: ") }
        #expect(late.count >= 2, "\(ended.errors)")
        #expect(ended.errors.contains(" deadlines: "), "\(ended.errors)")
        #expect(try spans(events(path), "frame").count >= 2)
    }

    @Test("A trace is of what this process draws")
    func server() throws {
        for verb in ["render", "replay"] {
            let run = try CommandRun.run(verb, "x", "-o", "y.png", "--server", "s", "--trace", "t")
            #expect(run.code == 2)
            #expect(run.errors.contains("--trace looks at what this process draws"), "\(run.errors)")
        }
    }
}
