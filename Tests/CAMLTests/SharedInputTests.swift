import CAML
import CoreAnimation
import Foundation
import Testing

/// Files that Core Animation, editors and people wrote; the numbers are counted in the files.
@Suite("Real files", .enabled(if: SceneTestInputs.areThere))
struct SharedInputTests {
    struct Expected: Sendable, CustomTestStringConvertible {
        var path: String
        var layers: Int
        var images: Int
        var size: CGSize
        var flipped: Bool
        /// Parts of warnings with their lines, in the order of the file.
        var warnings: [String]
        var testDescription: String { path }
    }

    static let files = [
        Expected(
            path: "apple-written/FavoriteView.ca", layers: 8, images: 2,
            size: CGSize(width: 52.666666666667, height: 106.666666666667), flipped: true, warnings: []),
        Expected(
            path: "apple-written/LayeringShadowsView.ca", layers: 5, images: 0, size: CGSize(width: 200, height: 200),
            flipped: true, warnings: []),
        Expected(
            path: "apple-written/TelevisionView.ca", layers: 3, images: 1, size: CGSize(width: 96, height: 96),
            flipped: true,
            warnings: []),
        Expected(
            path: "apple-written/ToggleView.ca", layers: 23, images: 6,
            size: CGSize(width: 113.333333333333, height: 134),
            flipped: true, warnings: []),
        Expected(
            path: "hand-written/openposter.ca", layers: 1, images: 0, size: CGSize(width: 1170, height: 2532),
            flipped: false,
            warnings: []),
        Expected(
            path: "hand-written/micasa-emitter.caml", layers: 3, images: 0, size: CGSize(width: 3176, height: 3176),
            flipped: false,
            warnings: [
                "micasa-emitter.caml:9: the file \"assets/justblack.png\" is not there"
            ]),
        Expected(
            path: "wallpapers/GitHub.tendies", layers: 6, images: 3, size: CGSize(width: 390, height: 844),
            flipped: false,
            warnings: [
                "main.caml:8: <scriptObject>"
            ]),
        Expected(
            path: "wallpapers/Spinning_Squares.tendies", layers: 15, images: 0, size: CGSize(width: 390, height: 844),
            flipped: false,
            warnings: []),
    ]

    @Test("Layers, pictures, size and every warning are as counted in the file", arguments: files)
    func load(file: Expected) throws {
        let document = try SceneDocument.load(path: SceneTestInputs.path("inputs/" + file.path))
        #expect(document.size == file.size && document.isGeometryFlipped == file.flipped)
        #expect(document.layerCount == file.layers)
        var images = 0
        var pending = document.documentRoots
        while let layer = pending.popLast() {
            if layer.contents != nil { images += 1 }
            pending += layer.sublayers ?? []
        }
        #expect(images == file.images)
        let warnings = document.warnings.map { "\($0.file):\($0.line): \($0.message)" }
        #expect(warnings.count == file.warnings.count, "\(warnings.joined(separator: "\n"))")
        for (warning, expected) in zip(warnings, file.warnings) {
            #expect(warning.contains(expected))
        }
    }

    @Test("Layers of a wallpaper are found by name and id, and one bundle loads alone")
    func wallpaper() throws {
        let path = SceneTestInputs.path("inputs/wallpapers/GitHub.tendies")
        let document = try SceneDocument.load(path: path)
        #expect(document.layer(withID: "gzg2db8kclcmfi7m795")?.position == CGPoint(x: 101, y: 347))
        #expect(document.layer(named: "Website")?.bounds == CGRect(x: 0, y: 0, width: 390, height: 844))
        let floating = try SceneDocument.load(path: path, options: .init(only: "Floating"))
        #expect(floating.layerCount == 4 && floating.documentRoots[0].name == "Website")
        // The root of that file is at (390, 0), which doesn't count.
        #expect(floating.documentRoots[0].frame.origin == .zero)
    }

    @Test("States of a wallpaper: the names, and where its three pictures stand in each")
    func states() throws {
        let document = try SceneDocument.load(path: SceneTestInputs.path("inputs/wallpapers/GitHub.tendies"))
        #expect(document.states == ["Locked", "Unlock", "Sleep"])
        #expect(document.stateController.layers.count == 3)
        let ids = ["7u9unpoeht5mfi7l37t", "gzg2db8kclcmfi7m795", "t21eaem97jomfi7mbnm"]
        let places: [(String?, [CGPoint])] = [
            ("Locked", [CGPoint(x: 79, y: 156), CGPoint(x: 181, y: 353), CGPoint(x: 284, y: 551)]),
            ("Unlock", [CGPoint(x: 302, y: 142), CGPoint(x: 204, y: 344), CGPoint(x: 110, y: 545)]),
            ("Sleep", [CGPoint(x: 2, y: 842), CGPoint(x: 101, y: 743), CGPoint(x: 199, y: 645)]),
            (nil, [CGPoint(x: 2, y: 122), CGPoint(x: 101, y: 347), CGPoint(x: 199, y: 563)]),
        ]
        for (name, points) in places {
            #expect(document.stateController.setState(name, transitionSpeed: 0))
            #expect(ids.map { document.layer(withID: $0)?.position } == points, "\(name ?? "none")")
        }
        // The background runs faster in one state.
        document.stateController.setState("Unlock")
        #expect(document.documentRoots[0].speed == 1.4)
        // As a phone's recording of it shows: springs from Sleep to Locked, where the file also has an empty Sleep to *.
        document.stateController.setState("Sleep", transitionSpeed: 0)
        for id in ids { document.layer(withID: id)?.removeAllAnimations() }
        document.stateController.setState("Locked")
        #expect(document.layer(withID: ids[0])?.animation(forKey: "position.y") is CASpringAnimation)
    }

    @Test("The squares of a wallpaper each have their turn, once a second")
    func squares() throws {
        let document = try SceneDocument.load(path: SceneTestInputs.path("inputs/wallpapers/Spinning_Squares.tendies"))
        let layer = try #require(document.layer(named: "Shape Layer y"))
        let animation = try #require(layer.animation(forKey: "transform.rotation.z") as? CAKeyframeAnimation)
        #expect(animation.duration == 1 && animation.repeatCount == .infinity && !animation.isRemovedOnCompletion)
        #expect(animation.values?.compactMap { $0 as? Double } == [3.141592653589793, 0])
    }

    @Test("Shadows of an Apple-written file: four nested, the innermost cast by its round bounds")
    func shadows() throws {
        let document = try SceneDocument.load(path: SceneTestInputs.path("inputs/apple-written/LayeringShadowsView.ca"))
        var layer = try #require(document.documentRoots[0].sublayers?.first)
        for depth in 0..<4 {
            #expect(layer.shadowOpacity == 1 && layer.shadowRadius == 10 && layer.shadowOffset == .zero, "\(depth)")
            if depth < 3 { layer = try #require(layer.sublayers?.first) }
        }
        #expect(layer.cornerRadius == 50)
        let circle = CGPath(ellipseIn: CGRect(x: 0, y: 0, width: 100, height: 100), transform: nil)
        #expect(layer.shadowPath?.boundingBoxOfPath == circle.boundingBoxOfPath)
        #expect(layer.shadowPath?.contains(CGPoint(x: 10, y: 10)) == false)
    }

    @Test("Pictures of Apple's files have the sizes and colors of their files")
    func pictures() throws {
        let toggle = try SceneDocument.load(path: SceneTestInputs.path("inputs/apple-written/ToggleView.ca"))
        let label = try #require(toggle.documentRoots[0].sublayers?.first)
        let image = try #require(label.contents as? CGImage)
        #expect(image.width == 67 && image.height == 61)
        #expect(label.contentsGravity == .bottomLeft && label.contentsScale == 3)
        // Tinted 0.2353 0.2353 0.2627, which is 60 60 67; the greatest coverage in the file is 153: 36 36 40.
        var darkest = [UInt8](repeating: 0, count: 4)
        image.content.pixels.withBytes { bytes in
            for pixel in stride(from: 0, to: bytes.count - 3, by: 4) where bytes[pixel + 3] > darkest[3] {
                darkest = Array(bytes[pixel..<pixel + 4])
            }
        }
        #expect(darkest == [40, 36, 36, 153])
    }

    @Test("The scenes of known mistakes load, and warn exactly of what is not drawn")
    func bugScenes() throws {
        let folder = SceneTestInputs.path("bugs/scenes")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
            .sorted()
        #expect(names.count >= 15)
        for name in names {
            let document = try SceneDocument.load(path: folder + "/" + name)
            #expect(document.size == CGSize(width: 200, height: 200) && document.isGeometryFlipped, "\(name)")
            for warning in document.warnings {
                #expect(warning.message.contains("not drawn yet"), "\(warning)")
                #expect(warning.line == 1 && warning.column > 100, "\(warning)")
            }
        }
        let lacking = try names.filter { try !SceneDocument.load(path: folder + "/" + $0).warnings.isEmpty }
        #expect(lacking == [])
        let corners = try SceneDocument.load(path: folder + "/masked-corners.json", options: .init(strict: true))
        #expect(corners.documentRoots[0].sublayers?[0].maskedCorners.rawValue == 3)
        #expect(corners.documentRoots[0].sublayers?[0].frame == CGRect(x: 50, y: 50, width: 100, height: 100))
    }
}
