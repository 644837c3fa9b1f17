import Foundation
import Testing

/// Scenes whose effects have no measure, as files: a documented exit code and a place, never a crash, and soon.
@Suite("Hostile scenes")
struct HostileSceneTests {
    enum Ending {
        /// Drawn; words of what `explain` says was left out, if anything.
        case drawn(String?)
        /// Drawn, with a warning.
        case warned(String)
        /// Exit code, and what the message holds.
        case refused(Int32, String)
    }

    struct Hostile: CustomTestStringConvertible {
        var testDescription: String
        var scene: String
        var ending: Ending

        init(_ name: String, _ scene: String, _ ending: Ending) {
            (testDescription, self.scene, self.ending) = (name, scene, ending)
        }
    }

    /// A picture of 32 by 24 points with a layer of these members.
    private static func json(_ members: String, _ count: Int = 1) -> String {
        let layer =
            "{\"bounds\": [0, 0, 16, 16], \"position\": [16, 12], \"backgroundColor\": [1, 0, 0, 1], \(members)}"
        return #"{"size": [32, 24], "root": {"bounds": [0, 0, 32, 24], "position": [16, 12], "sublayers": ["#
            + [String](repeating: layer, count: count).joined(separator: ", ") + "]}}"
    }

    private static func caml(_ attributes: String, _ children: String = "") -> String {
        "<caml><CALayer bounds=\"0 0 32 24\"><sublayers><CALayer bounds=\"0 0 16 16\" position=\"16 12\" "
            + "backgroundColor=\"1 0 0\" \(attributes)>\(children)</CALayer></sublayers></CALayer></caml>"
    }

    private static func nested(_ opening: String, _ closing: String, _ depth: Int) -> String {
        String(repeating: opening, count: depth) + String(repeating: closing, count: depth)
    }

    @Test("The deepest scene that can be read is planned, too")
    func deepest() throws {
        let mask = #"{"bounds": [0, 0, 16, 16], "position": [8, 8], "backgroundColor": [1, 1, 1, 0.5], "mask": "#
        let masks = String(repeating: mask, count: 250) + "null" + String(repeating: "}", count: 250)
        let scene = Data(Self.json("\"mask\": " + masks).utf8)
        let run = try CommandRun.run(["plan", "-"], input: scene)
        #expect(run.code == 0, "\(run.errors.prefix(300))")
        #expect(run.text.contains("mask is one shape: a clip"), "\(run.text.prefix(300))")
        let explained = try CommandRun.run(["explain", "-"], input: scene)
        #expect(explained.code == 0, "\(explained.errors.prefix(300))")
        #expect(explained.text.contains("the picture itself"), "\(explained.text.prefix(300))")
    }

    private static func blur(_ radius: String) -> String {
        "\"filters\": [{\"type\": \"gaussianBlur\", \"inputRadius\": \(radius)}]"
    }

    static let scenes: [Hostile] = [
        Hostile("a blur of 1e9 points", json(blur("1e9")), .drawn("deviation above 512 pixels")),
        Hostile("a blur of less than nothing", json(blur("-1e9")), .drawn(nil)),
        Hostile("a blur that is no number", json(blur("NaN")), .refused(3, "scene.json:1:")),
        Hostile("a blur that is infinite", json(blur("1e999")), .refused(3, "scene.json:1:")),
        Hostile(
            "a blur of 1e300 in CAML",
            caml("", "<filters><CAFilter filter=\"gaussianBlur\" inputRadius=\"1e300\"/></filters>"),
            .drawn("deviation above 512 pixels")),
        Hostile(
            "a blur that is no number in CAML",
            caml("", "<filters><CAFilter filter=\"gaussianBlur\" inputRadius=\"nan\"/></filters>"), .drawn(nil)),
        Hostile(
            "a shadow's radius of 1e9",
            json("\"shadowOpacity\": 1, \"shadowRadius\": 1e9, \"shadowOffset\": [1e300, -1e9]"),
            .drawn("deviation above 512 pixels")),
        Hostile(
            "a bitmap of 100,000 by 100,000 points", json("\"shouldRasterize\": true, \"bounds\": [0, 0, 1e5, 1e5]"),
            .drawn("no bitmap")),
        Hostile(
            "a rasterizationScale of 1e9 in CAML", caml("shouldRasterize=\"1\" rasterizationScale=\"1e9\""),
            .drawn("no bitmap")),
        Hostile("a rasterizationScale of 0", json("\"shouldRasterize\": true, \"rasterizationScale\": 0"), .drawn(nil)),
        Hostile(
            "a thousand masks of masks",
            json("\"mask\": " + nested("{\"mask\": ", "}", 999).replacing("{\"mask\": }", with: "{}")),
            .refused(3, "nested deeper than 256")),
        Hostile(
            "a thousand masks of masks in CAML", caml("", nested("<mask><CALayer>", "</CALayer></mask>", 1_000)),
            .refused(3, "nested deeper than 256")),
        Hostile(
            "a hundred masks of masks in CAML",
            caml(
                "",
                nested(
                    "<mask><CALayer bounds=\"0 0 16 16\" position=\"8 8\" backgroundColor=\"1 1 1 0.5\" cornerRadius=\"3\">",
                    "</CALayer></mask>", 100)), .drawn(nil)),
        Hostile(
            "ten thousand filters",
            json(
                "\"filters\": ["
                    + [String](repeating: "{\"type\": \"colorInvert\"}", count: 10_000).joined(separator: ",") + "]"),
            .warned("at most 64 filters")),
        Hostile(
            "two thousand backdrops", json("\"backgroundFilters\": [{\"type\": \"gaussianBlur\"}]", 2_000), .drawn(nil)),
        Hostile(
            "squares of 1e9 points", json("\"filters\": [{\"type\": \"pixellate\", \"inputScale\": 1e9}]"), .drawn(nil)),
        Hostile(
            "a matrix of huge numbers",
            json(
                "\"filters\": [{\"type\": \"colorMatrix\", \"inputColorMatrix\": ["
                    + [String](repeating: "1e300", count: 20).joined(separator: ",") + "]}]"), .drawn(nil)),
        Hostile(
            "a path with far points", json("\"shadowOpacity\": 1, \"shadowPath\": \"M-1e300 0L1e300 9L0 1e38Z\""),
            .drawn(nil)),
        Hostile(
            "a path of more curves than one may have",
            json("\"shadowOpacity\": 1, \"shadowPath\": \"M0 0" + String(repeating: "l1 1", count: 100_001) + "\""),
            .refused(3, "100000")),
        Hostile(
            "everything behind the eye",
            json("\"transform\": [1,0,0,0, 0,1,0,0, 0,0,1,-0.1, 0,0,30,1], \"shadowOpacity\": 1, " + blur("4")),
            .drawn(nil)),
    ]

    @Test(
        "A scene without measure is drawn, and what is left out is said, or it is refused with its place",
        arguments: scenes)
    func ending(scene: Hostile) throws {
        let folder = TemporaryFolder()
        let name = scene.scene.hasPrefix("<") ? "scene.caml" : "scene.json"
        try Data(scene.scene.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        switch scene.ending {
        case .refused(let code, let words):
            let run = try CommandRun.run("render", folder.path(name), "-o", folder.path("out.png"))
            #expect(run.code == code, "\(run.errors.prefix(300))")
            #expect(run.errors.contains(words), "\(run.errors.prefix(300))")
            #expect(!FileManager.default.fileExists(atPath: folder.path("out.png")))
        case .warned(let words):
            let run = try CommandRun.run("render", folder.path(name), "-o", folder.path("out.png"))
            #expect(run.code == 0 && run.errors.contains(words), "\(run.errors.prefix(300))")
        case .drawn(let words):
            // One process for both: the picture, and what is said of it.
            let run = try CommandRun.run(
                "render", folder.path(name), "-o", folder.path("out.png"), "--plan", "-", "--timeout", "20")
            #expect(run.code == 0, "\(run.errors.prefix(300))")
            #expect(FileManager.default.fileExists(atPath: folder.path("out.png")))
            if let words { #expect(run.text.contains("degraded: ") && run.text.contains(words)) }
        }
    }
}
