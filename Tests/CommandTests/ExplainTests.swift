import Foundation
import Quartz2D
import Testing

@Suite("explain")
struct ExplainTests {
    let folder = TemporaryFolder()

    private func write(_ text: String, _ name: String) throws -> String {
        let path = folder.path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func scene(_ sublayers: String) -> String {
        #"{"size": [200, 120], "background": [1, 1, 1, 1], "root": {"class": "CALayer", "name": "desk", "#
            + #""bounds": [0, 0, 200, 120], "position": [100, 60], "sublayers": [\#(sublayers)]}}"#
    }

    private func layer(_ name: String, _ frame: (Int, Int, Int, Int), _ more: String) -> String {
        #"{"class": "CALayer", "name": "\#(name)", "bounds": [0, 0, \#(frame.2), \#(frame.3)], "anchorPoint": [0, 0], "#
            + #""position": [\#(frame.0), \#(frame.1)]\#(more.isEmpty ? "" : ", " + more)}"#
    }

    private let red = #""backgroundColor": [1, 0, 0, 1]"#
    private let blue = #""backgroundColor": [0, 0, 1, 1]"#

    @Test("A shadow whose sublayer reaches outside names layer, property and what would help")
    func shadow() throws {
        let badge = layer("badge", (50, -10, 20, 20), blue)
        let card = layer("card 3", (20, 20, 60, 40), #"\#(red), "shadowOpacity": 0.5, "sublayers": [\#(badge)]"#)
        let run = try CommandRun.run("explain", write(scene(card), "a.json"))
        #expect(run.code == 0, "\(run.errors)")
        let sentence = try #require(run.text.split(separator: "\n").first { $0.contains("shadow of \"card 3\"") })
        #expect(sentence.contains("needs a silhouette: no shadowPath, and \"badge\" ("), "\(sentence)")
        #expect(sentence.contains("reaches outside its bounds"), "\(sentence)")
        #expect(run.text.contains("try: set shadowPath"), "\(run.text)")
        #expect(run.text.contains("CALayer, shadowOpacity: "), "\(run.text)")
    }

    @Test("Every pass belongs to one effect, effects come dearest first, and the picture's own is among them")
    func order() throws {
        let inner = layer("inner", (0, 0, 40, 40), blue)
        let fade = layer("fade", (0, 0, 60, 60), #"\#(red), "opacity": 0.5, "sublayers": [\#(inner)]"#)
        let clip = layer(
            "clip", (100, 0, 60, 60),
            #"\#(red), "masksToBounds": true, "cornerRadius": 12, "sublayers": [\#(inner)]"#)
        let path = try write(scene(fade + "," + clip), "a.json")
        for extra in [[], ["--sync-passes"]] {
            let run = try CommandRun.run(["explain", path, "--json"] + extra)
            #expect(run.code == 0, "\(run.errors)")
            let report = try #require(try run.lines.first)
            let effects = try #require(report["effects"] as? [[String: Any]])
            let passes = try #require(report["passes"] as? [[String: Any]])
            #expect(
                effects.flatMap { $0["passes"] as? [Int] ?? [] }.sorted() == Array(1...passes.count),
                "\(effects.map { $0["passes"] ?? "none" })")
            let times = effects.compactMap { $0["gpu_ns"] as? Int }
            #expect(times.count == effects.count && times == times.sorted(by: >), "\(times)")
            let properties = Set(effects.map { $0["property"] as? String ?? "the picture" })
            #expect(properties == ["opacity", "masksToBounds", "the picture"])
            let needs = effects.compactMap { $0["explanation"] as? String }
            #expect(needs.contains { $0.contains("\"inner\"") && $0.contains("overlaps \"fade\"") }, "\(needs)")
            #expect(needs.contains { $0.contains("2 drawings cross the rounded rim") }, "\(needs)")
            for pass in passes {
                #expect(
                    Set(pass.keys) == [
                        "pass", "reason", "layer", "name", "class", "property", "x", "y", "width", "height", "quads",
                        "draws", "pixels", "gpu_ns",
                    ])
            }
        }
    }

    @Test("Roads that were taken without a pass are listed")
    func roads() throws {
        let path = try write(
            scene(
                layer("card", (20, 20, 60, 40), #"\#(red), "shadowOpacity": 0.5"#) + ","
                    + layer(
                        "fade", (100, 0, 60, 60),
                        #""opacity": 0.5, "sublayers": [\#(layer("a", (0, 0, 20, 20), blue)), \#(layer("b", (30, 0, 20, 20), blue))]"#
                    )), "a.json")
        let report = try #require(try CommandRun.run("explain", path, "--json").lines.first)
        let roads = try #require(report["without_pass"] as? [[String: Any]])
        #expect(roads.map { $0["name"] as? String } == ["card", "fade"])
        #expect((report["totals"] as? [String: Any])?["passes"] as? Int == 1)
        let texts = roads.compactMap { $0["text"] as? String }
        #expect(texts == ["shadow of its bounds, kept as a mask", "opacity folded into 2 quads that don't overlap"])
    }

    @Test(
        "Of several scenes the frames are told apart: the same again draws nothing, a size that changes makes masks anew"
    )
    func frames() throws {
        func card(_ width: Int) throws -> String {
            try write(
                scene(layer("card", (20, 20, width, 40), #"\#(red), "cornerRadius": 8"#)), "\(width).json")
        }
        let same = try CommandRun.run("explain", card(60), card(60), "--json")
        #expect(same.code == 0, "\(same.errors)")
        var frames = try #require(try same.lines.first?["frames"] as? [[String: Any]])
        #expect(frames.map { $0["unchanged"] as? Bool } == [false, true])
        #expect((try same.lines.first?["passes"] as? [Any])?.count == 1)

        let growing = try CommandRun.run("explain", card(60), card(62), card(64), "--json")
        frames = try #require(try growing.lines.first?["frames"] as? [[String: Any]])
        #expect(frames.count == 3)
        for frame in frames { #expect(frame["masks_made"] as? Int ?? 0 > 0, "\(frame)") }
        let thrash = try #require(try growing.lines.first?["thrash"] as? [String])
        #expect(thrash.contains { $0.contains("masks are made anew in every frame for \"card\"") }, "\(thrash)")
        let text = try CommandRun.run("explain", card(60), card(62)).text
        #expect(text.contains("from frame to frame:\n  1 "), "\(text)")
    }

    @Test("A rasterized layer that changes in every frame is named; one that only moves is found")
    func rasterized() throws {
        func scene(_ x: Int, _ green: Double) throws -> String {
            let inner = layer("inner", (10, 10, 20, 20), #""backgroundColor": [0, \#(green), 1, 1]"#)
            let kept = layer(
                "kept", (x, 20, 40, 40),
                #"\#(red), "shouldRasterize": true, "rasterizationScale": 1, "sublayers": [\#(inner)]"#)
            return try write(self.scene(kept), "\(x)-\(green).json")
        }
        let changing = try #require(
            try CommandRun.run("explain", scene(20, 0), scene(20, 0.5), scene(20, 1), "--json").lines.first)
        let thrash = try #require(changing["thrash"] as? [String])
        #expect(thrash.contains { $0.contains("\"kept\"") && $0.contains("unset shouldRasterize") }, "\(thrash)")
        let moving = try #require(
            try CommandRun.run("explain", scene(20, 0), scene(25, 0), scene(30, 0), "--json").lines.first)
        let frames = try #require(moving["frames"] as? [[String: Any]])
        #expect(frames.map { $0["pictures_made"] as? Int } == [1, 0, 0], "\(frames)")
        #expect(frames.map { $0["pictures_found"] as? Int } == [0, 1, 1], "\(frames)")
        #expect((moving["thrash"] as? [String])?.isEmpty == true)
    }

    @Test("A layer that moves between two scenes is the same layer: its contents are not sent again")
    func continuity() throws {
        func scene(_ x: Int) throws -> String {
            let inner = layer("picture", (x, 20, 40, 40), #""cornerRadius": 8, \#(red)"#)
            return try write(self.scene(layer("other", (0, 90, 20, 20), blue) + "," + inner), "\(x).json")
        }
        let report = try #require(try CommandRun.run("explain", scene(20), scene(30), "--json").lines.first)
        let frames = try #require(report["frames"] as? [[String: Any]])
        #expect(frames[1]["masks_made"] as? Int == 0, "\(frames[1])")
        #expect(frames[1]["mask_pixels_uploaded"] as? Int == 0, "\(frames[1])")
        #expect(frames[1]["image_pixels_uploaded"] as? Int == 0, "\(frames[1])")
    }

    @Test("A budget that is kept is silent; one that is broken ends with 1 and names pass and layer")
    func budget() throws {
        let inner = layer("inner", (0, 0, 40, 40), blue)
        let path = try write(
            scene(layer("fade", (0, 0, 60, 60), #"\#(red), "opacity": 0.5, "sublayers": [\#(inner)]"#)), "a.json")
        for verb in [["explain", path], ["render", path, "-o", folder.path("a.png")]] {
            let kept = try CommandRun.run(verb + ["--budget", "passes=2,offscreen-pixels=10k,draws=9,targets=2"])
            #expect(kept.code == 0, "\(kept.errors)")
            #expect(kept.errors.isEmpty)
            let broken = try CommandRun.run(verb + ["--budget", "passes=1,offscreen-pixels=10k"])
            #expect(broken.code == 1)
            #expect(
                broken.errors.hasPrefix("error: passes: 2, over the budget of 1; pass 2, root of"), "\(broken.errors)")
            #expect(broken.errors.contains("opacity of \"fade\""), "\(broken.errors)")
            #expect(!broken.errors.contains("offscreen-pixels"), "\(broken.errors)")
        }
        #expect(FileManager.default.fileExists(atPath: folder.path("a.png")))
    }

    @Test("Without a driver a scene is planned, and its times are null")
    func withoutDriver() throws {
        let run = try CommandRun.run("explain", CommandRun.demo, "--device", "device:97", "--json")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.contains("times are unknown"))
        let report = try #require(try run.lines.first)
        #expect(report["drawn"] as? Bool == false)
        let passes = try #require(report["passes"] as? [[String: Any]])
        #expect(!passes.isEmpty && passes.allSatisfy { $0["gpu_ns"] is NSNull })
    }

    // MARK: Overlays

    /// Straight RGBA of a pixel, y from the top.
    private func pixel(_ image: CGImage, _ x: Int, _ y: Int) -> [UInt8] {
        image.content.pixels.withBytes { bytes in
            let at = y * image.bytesPerRow + x * 4
            return [bytes[at + 2], bytes[at + 1], bytes[at], bytes[at + 3]]
        }
    }

    private func overlay(_ name: String, _ path: String) throws -> CGImage {
        let output = folder.path("\(name).png")
        let run = try CommandRun.run("render", path, "-o", output, "--overlay", name)
        #expect(run.code == 0, "\(run.errors)")
        return try CGImage(contentsOf: output)
    }

    @Test("Overlays color what they say and leave the rest as it is")
    func overlays() throws {
        let inner = layer("inner", (0, 0, 40, 40), blue)
        let path = try write(
            scene(
                layer("fade", (0, 0, 60, 60), #"\#(red), "opacity": 0.5, "sublayers": [\#(inner)]"#) + ","
                    + layer("solid", (100, 0, 60, 60), red) + ","
                    + layer("round", (100, 70, 40, 40), #"\#(red), "cornerRadius": 10"#)), "a.json")
        let white: [UInt8] = [255, 255, 255, 255]
        // A half of yellow (255, 255, 0) over the picture: offscreen.
        let offscreen = try overlay("offscreen", path)
        #expect(pixel(offscreen, 50, 50) == [255, 191, 64, 255], "half red, then half yellow")
        #expect(pixel(offscreen, 120, 20) == [255, 0, 0, 255])
        #expect(pixel(offscreen, 180, 100) == white)
        let blended = try overlay("blended", path)
        // 96 of 256 of green over red; of red over half-transparent red and white.
        #expect(pixel(blended, 120, 20) == [159, 96, 0, 255])
        #expect(pixel(blended, 50, 50)[1] < 128 && pixel(blended, 50, 50)[0] == 255)
        #expect(pixel(blended, 180, 100) == white)
        let misses = try overlay("misses", path)
        #expect(pixel(misses, 120, 90) == [255, 0, 0, 255])
        #expect(pixel(misses, 100, 70) == [255, 128, 128, 255], "the corner of the mask's rectangle is red, too")
        #expect(pixel(misses, 120, 20) == [255, 0, 0, 255] && pixel(misses, 180, 100) == white)
        let updates = try overlay("updates", path)
        #expect(pixel(updates, 180, 100) == [255, 255, 128, 255])
    }
}
