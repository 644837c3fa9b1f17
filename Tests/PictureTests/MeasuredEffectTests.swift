import CAML
import CoreAnimation
import Foundation
import LayerModel
import Quartz2D
import Testing

/// Blend modes, filters and masks of pictures that Core Animation made, by their names in the table of measured facts: drawn
/// here by the server.
@Suite("Measured effects, drawn")
struct MeasuredEffectTests {
    // MARK: Blend modes

    /// Two squares in a group of their own over nothing; they overlap from (10, 10) to (20, 20).
    private func blend(_ mode: Any?, _ upper: [Double], on lower: [Double]) throws -> Pixels {
        try drawTree(30, 30) { root in
            for (place, values) in [(0.0, lower), (10, upper)] {
                let layer = CALayer()
                layer.frame = CGRect(x: place, y: place, width: 20, height: 20)
                layer.backgroundColor = color(values[0] / 255, values[1] / 255, values[2] / 255)
                if place > 0 { layer.compositingFilter = mode }
                root.addSublayer(layer)
            }
        }
    }

    private static let red = [255, 64.4, 19.4]
    private static let yellow = [254.9, 251.5, 64.6]

    private static let modes: [(fact: String, name: String, overlap: [Double], second: [Double])] = [
        ("B1", "multiplyBlendMode", [255, 63, 5], [28, 123, 63]),
        ("B2", "screenBlendMode", [255, 253, 79], [150, 231, 251]),
        ("B3", "overlayBlendMode", [255, 126, 10], [56, 208, 248]),
        ("B4", "darkenBlendMode", [255, 64, 19], [60, 168, 64]),
        ("B5", "differenceBlendMode", [0, 188, 46], [58, 18, 186]),
    ]

    @Test("B1 to B5, B7, B8: two sets of numbers for each mode, of encoded bytes, within 2", arguments: modes.indices)
    func measured(index: Int) throws {
        let mode = Self.modes[index]
        let picture = try blend(mode.name, Self.yellow, on: Self.red)
        let found = picture.premultiplied(15, 15)
        #expect(near(found, mode.overlap + [255], 2), "\(mode.fact): \(found), measured \(mode.overlap)")
        // B8: where there is no backdrop the layer shows its own color, as the lower one does outside of the upper.
        #expect(near(picture.premultiplied(5, 5), [255, 64, 19, 255], 1))
        #expect(near(picture.premultiplied(25, 25), Self.yellow + [255], 1))
        let second = try blend(mode.name, [118, 186, 64], on: [60, 168, 250]).premultiplied(15, 15)
        #expect(near(second, mode.second + [255], 2), "\(mode.fact), second set: \(second), measured \(mode.second)")
    }

    @Test(
        "B6, F4: a mode that the renderer does not know is source-over",
        arguments: ["vividLightBlendMode", "nothingOfThisName"])
    func unknownMode(name: String) throws {
        for filter in [name, CAFilter(type: name)] as [Any] {
            let found = try blend(filter, Self.yellow, on: Self.red).premultiplied(15, 15)
            #expect(near(found, [255, 252, 65, 255], 1), "\(found)")
        }
    }

    @Test("B6: luminosity is known here: the backdrop's color with the source's luminosity")
    func luminosity() throws {
        let found = try blend("luminosityBlendMode", Self.yellow, on: Self.red).premultiplied(15, 15)
        func lum(_ c: [Double]) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }
        let lifted = lum(Self.yellow) - lum(Self.red)
        var expected = Self.red.map { $0 + lifted }
        let (n, x) = (lum(expected), expected.max()!)
        if x > 255 { expected = expected.map { n + ($0 - n) * (255 - n) / (x - n) } }
        #expect(near(found, expected + [255], 2), "\(found), not \(expected)")
    }

    @Test("B8: over nothing every mode of colors shows the layer's own color", arguments: modes.map(\.name))
    func overNothing(name: String) throws {
        let picture = try drawTree(8, 8) { root in
            let layer = CALayer()
            layer.frame = CGRect(x: 2, y: 2, width: 4, height: 4)
            layer.backgroundColor = color(1, 64 / 255.0, 19 / 255.0, 0.5)
            layer.compositingFilter = name
            root.addSublayer(layer)
        }
        #expect(near(picture.premultiplied(4, 4), [127.5, 32, 9.5, 127.5], 1), "\(picture.premultiplied(4, 4))")
        #expect(picture.premultiplied(1, 4) == [0, 0, 0, 0])
    }

    @Test("B9: a layer blends with the group it is in, not with what lies under that", arguments: modes.indices)
    func isolated(index: Int) throws {
        let mode = Self.modes[index]
        let picture = try drawTree(30, 30, background: color(0, 0, 1)) { root in
            let group = CALayer()
            group.frame = root.bounds
            group.opacity = 0.5
            for (place, values) in [(0.0, Self.red), (10, Self.yellow)] {
                let layer = CALayer()
                layer.frame = CGRect(x: place, y: place, width: 20, height: 20)
                layer.backgroundColor = color(values[0] / 255, values[1] / 255, values[2] / 255)
                if place > 0 { layer.compositingFilter = mode.name }
                group.addSublayer(layer)
            }
            root.addSublayer(group)
        }
        func half(_ c: [Double]) -> [Double] { [c[0] / 2, c[1] / 2, c[2] / 2 + 127.5, 255] }
        let overlap = picture.premultiplied(15, 15)
        #expect(near(overlap, half(mode.overlap), 2), "\(overlap), not \(half(mode.overlap))")
        // With nothing of the group below it, the upper layer is not blended, although blue lies there.
        let alone = picture.premultiplied(25, 25)
        #expect(near(alone, half(Self.yellow), 2), "\(alone)")
    }

    @Test("O2: a faded layer does not fade each of its drawings")
    func fadedOnce() throws {
        let picture = try drawTree(20, 20) { root in
            let layer = CALayer()
            layer.frame = root.bounds
            layer.backgroundColor = color(1, 0, 0)
            layer.borderColor = color(0, 1, 0)
            layer.borderWidth = 4
            layer.opacity = 0.5
            root.addSublayer(layer)
        }
        // Drawn one by one the border would have red below it and an alpha of 3/4.
        #expect(near(picture.premultiplied(1, 10), [0, 127.5, 0, 127.5], 1), "\(picture.premultiplied(1, 10))")
        #expect(near(picture.premultiplied(10, 10), [127.5, 0, 0, 127.5], 1), "\(picture.premultiplied(10, 10))")
    }

    // MARK: Filters

    private func blur(_ radius: Double, normalizes: Bool = false) -> CAFilter {
        let filter = CAFilter(type: "gaussianBlur")
        filter.setValue(radius, forKey: "inputRadius")
        filter.setValue(normalizes, forKey: "inputNormalizeEdges")
        return filter
    }

    @Test(
        "F1: inputRadius is the sigma in points of the layer, 0.95 to 1 times; outside counts as transparent",
        arguments: [20.0, 5, 1, 2], [1.0, 2])
    func gaussianBlur(radius: Double, scale: Double) throws {
        let side = 8 * radius
        let picture = try drawTree(side + 4 * radius, side, scale: scale) { root in
            let layer = CALayer()
            layer.frame = CGRect(x: -side, y: -side, width: 2 * side, height: 3 * side)
            layer.backgroundColor = color(1, 0, 0)
            layer.filters = [blur(radius)]
            root.addSublayer(layer)
        }
        let edge = side * scale
        for x in stride(from: Int(edge - 3 * radius * scale), to: picture.size.width, by: 1) {
            let distance = Double(x) + 0.5 - edge
            let found = picture.premultiplied(x, Int(edge / 2))
            let profiles = [0.95, 1].map { 255 * 0.5 * erfc(distance / ($0 * radius * scale * 2.0.squareRoot())) }
            let range = profiles.min()! - 3...profiles.max()! + 3
            #expect(range.contains(Double(found[3])), "\(distance) pixels outside: \(found[3]), not \(range)")
            // The color stays: premultiplied red is the alpha.
            #expect(abs(found[0] - found[3]) <= 1 && found[1] == 0 && found[2] == 0, "\(found)")
        }
    }

    @Test("F1: with inputNormalizeEdges the content does not fade at its edge")
    func normalizedEdges() throws {
        let picture = try drawTree(60, 60) { root in
            let layer = CALayer()
            layer.frame = CGRect(x: 10, y: 10, width: 40, height: 40)
            layer.backgroundColor = color(1, 0, 0)
            layer.filters = [blur(5, normalizes: true)]
            root.addSublayer(layer)
        }
        for (x, y) in [(10, 30), (30, 49), (10, 10), (30, 30)] {
            #expect(
                near(picture.premultiplied(x, y), [255, 0, 0, 255], 2), "(\(x), \(y)): \(picture.premultiplied(x, y))")
        }
        #expect(picture.premultiplied(9, 30) == [0, 0, 0, 0])
    }

    @Test("F2: a filter works on the layer and its sublayers with their shadows, flattened together")
    func flattened() throws {
        let picture = try drawTree(100, 60) { root in
            let layer = CALayer()
            layer.frame = CGRect(x: 0, y: 0, width: 100, height: 60)
            let child = CALayer()
            child.frame = CGRect(x: 20, y: 20, width: 20, height: 20)
            child.backgroundColor = color(1, 0, 0)
            child.shadowOpacity = 1
            child.shadowRadius = 0
            child.shadowOffset = CGSize(width: 30, height: 0)
            layer.addSublayer(child)
            layer.filters = [CAFilter(type: "colorInvert")]
            root.addSublayer(layer)
        }
        #expect(picture.premultiplied(30, 30) == [0, 255, 255, 255])
        #expect(picture.premultiplied(60, 30) == [255, 255, 255, 255], "the shadow is inverted with the rest")
        #expect(picture.premultiplied(45, 30) == [0, 0, 0, 0])
    }

    @Test("F2: a mask may hold filtered layers; its alpha is what counts, its color is not seen")
    func filteredMask() throws {
        let picture = try drawTree(100, 60) { root in
            let layer = CALayer()
            layer.frame = root.bounds
            layer.backgroundColor = color(0, 0, 1)
            let mask = CALayer()
            mask.frame = root.bounds
            let part = CALayer()
            part.frame = CGRect(x: -60, y: -60, width: 110, height: 180)
            part.backgroundColor = color(0, 1, 0)
            part.filters = [blur(5)]
            mask.addSublayer(part)
            layer.mask = mask
            root.addSublayer(layer)
        }
        for x in 36..<64 {
            let alpha = 255 * 0.5 * erfc((Double(x) + 0.5 - 50) / (5 * 2.0.squareRoot()))
            let found = picture.premultiplied(x, 30)
            #expect(near(found, [0, 0, alpha, alpha], 3), "x = \(x): \(found), not \(alpha)")
        }
    }

    @Test("F4: a filter of a type that is not known is skipped, those beside it are not")
    func unknownFilter() throws {
        for filters in [
            [CAFilter(type: "nothingOfThisName")],
            [CAFilter(type: "colorInvert"), CAFilter(type: "nothingOfThisName"), CAFilter(type: "colorInvert")],
        ] {
            let picture = try drawTree(8, 8) { root in
                let layer = CALayer()
                layer.frame = root.bounds
                layer.backgroundColor = color(1, 0.4, 0)
                layer.filters = filters
                root.addSublayer(layer)
            }
            #expect(near(picture.premultiplied(4, 4), [255, 102, 0, 255], 1), "\(picture.premultiplied(4, 4))")
        }
    }

    @Test("F5: a CATintedImage is an alpha-only picture in the tint's color")
    func tintedImage() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tinted-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Coverage as gray: none, half, all.
        let grays: [UInt8] = [0, 128, 255]
        try CGImage(width: 3, height: 1, straightRGBA: grays.flatMap { [$0, $0, $0, 255] })
            .writePNG(to: folder.appendingPathComponent("coverage.png").path)
        let scene = """
            <caml xmlns="http://www.apple.com/CoreAnimation/1.0"><CALayer bounds="0 0 3 1" anchorPoint="0 0">
            <contents type="CATintedImage"><image type="CGImage" src="coverage.png" A8asL8="1"/>
            <tint type="CGColor" value="0.2 0.6 1"/></contents></CALayer></caml>
            """
        let file = folder.appendingPathComponent("main.caml")
        try Data(scene.utf8).write(to: file)
        let picture = try drawTree(3, 1) { root in
            root.addSublayer(try SceneDocument.load(path: file.path, options: .init(strict: true)).rootLayer)
        }
        for (x, gray) in grays.enumerated() {
            let share = Double(gray) / 255
            #expect(near(picture.premultiplied(x, 0), [51, 153, 255, 255].map { $0 * share }, 1), "x = \(x)")
        }
    }
}
