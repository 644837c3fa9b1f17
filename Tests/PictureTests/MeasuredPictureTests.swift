import CAML
import CoreAnimation
import Foundation
import Quartz2D
import Rostrum
import Testing

private let inputs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/inputs/apple-written").path

/// Whole pictures of the render server, by the measure of fact F3: drawn at 3x, 3 by 3 pixels averaged, the mean difference over
/// all pixels and channels, premultiplied, is at most 1.5 levels.
@Suite("Measured pictures, drawn")
struct MeasuredPictureTests {
    /// Means of 3 by 3 pixels: red, green, blue, alpha, premultiplied.
    private static func averaged(_ picture: Pixels) -> (width: Int, height: Int, values: [Double]) {
        let (width, height) = (picture.size.width / 3, picture.size.height / 3)
        var values = [Double](repeating: 0, count: width * height * 4)
        for y in 0..<height * 3 {
            for x in 0..<width * 3 {
                for (channel, level) in picture.premultiplied(x, y).enumerated() {
                    values[(y / 3 * width + x / 3) * 4 + channel] += Double(level) / 9
                }
            }
        }
        return (width, height, values)
    }

    @Test(
        "A picture of the render server, at 3x and averaged, differs by 1.5 levels at most in the mean",
        .enabled(if: FileManager.default.fileExists(atPath: inputs)), arguments: ["ToggleView"])
    func appleWritten(name: String) throws {
        let document = try SceneDocument.load(path: "\(inputs)/\(name).ca")
        let display = try HeadlessDisplay(width: document.size.width, height: document.size.height, scale: 3)
        document.rootLayer.isGeometryFlipped = !document.isGeometryFlipped
        display.rootLayer.addSublayer(document.rootLayer)
        let drawn = Self.averaged(Pixels(try display.snapshot()))
        let expected = Pixels(try CGImage(contentsOf: URL(fileURLWithPath: "\(inputs)/\(name).png")))
        // Sizes in points are rounded up to whole pixels.
        let (width, height) = (min(drawn.width, expected.size.width), min(drawn.height, expected.size.height))
        #expect(abs(drawn.width - expected.size.width) <= 1 && abs(drawn.height - expected.size.height) <= 1)
        var sum = 0.0
        for y in 0..<height {
            for x in 0..<width {
                for (channel, level) in expected.premultiplied(x, y).enumerated() {
                    sum += abs(drawn.values[(y * drawn.width + x) * 4 + channel] - Double(level))
                }
            }
        }
        let mean = sum / Double(width * height * 4)
        #expect(mean <= 1.5, "\(name): \(mean) levels in the mean")
    }

    /// What the picture of fact F3 is made of: a conic gradient of eleven colors under a mask of blurs with the radii 20, 5, 1
    /// and 2. Expected is the plain sum by formulas: colors mixed as encoded, clockwise; Gaussians of sigma = radius, uncut;
    /// alphas source-over.
    @Test(
        "F3: a conic gradient under a mask of blurred layers is what the formulas say, 0.6 levels off in the mean at most"
    )
    func glow() throws {
        let (width, height) = (100, 100)
        let parts: [(frame: CGRect, radius: Double)] = [
            (CGRect(x: 30, y: 20, width: 40, height: 20), 20), (CGRect(x: 20, y: 15, width: 25, height: 30), 5),
            (CGRect(x: 50, y: 12, width: 20, height: 24), 1), (CGRect(x: 66, y: 30, width: 24, height: 16), 2),
        ]
        var colors: [[Double]] = []
        for k in 0..<11 {
            let angle = Double(k) * 1.26
            colors.append([0.5 + 0.5 * cos(angle), 0.5 + 0.5 * cos(angle + 2), 0.5 + 0.5 * cos(angle + 4)])
        }
        let picture = try drawTree(Double(width), Double(height), scale: 3) { root in
            let layer = CAGradientLayer()
            layer.frame = root.bounds
            layer.type = .conic
            layer.startPoint = CGPoint(x: 0.5, y: 0.5)
            layer.endPoint = CGPoint(x: 0.5, y: 0)
            layer.colors = colors.map { color($0[0], $0[1], $0[2]) }
            let mask = CALayer()
            mask.frame = root.bounds
            for (frame, radius) in parts {
                let part = CALayer()
                part.frame = frame
                part.backgroundColor = color(0, 1, 0)
                let blur = CAFilter(type: "gaussianBlur")
                blur.setValue(radius, forKey: "inputRadius")
                part.filters = [blur]
                mask.addSublayer(part)
            }
            layer.mask = mask
            root.addSublayer(layer)
        }
        /// The share of a blurred stretch at a place.
        func stretch(_ at: Double, _ from: Double, _ to: Double, _ sigma: Double) -> Double {
            let scale = sigma * 2.0.squareRoot()
            return (erf((at - from) / scale) - erf((at - to) / scale)) / 2
        }
        var expected = [Double](repeating: 0, count: width * height * 4)
        for y in 0..<height * 3 {
            for x in 0..<width * 3 {
                let (px, py) = ((Double(x) + 0.5) / 3, (Double(y) + 0.5) / 3)
                var rest = 1.0
                for (frame, radius) in parts {
                    let across: Double = stretch(px, frame.minX, frame.maxX, radius)
                    let down: Double = stretch(py, frame.minY, frame.maxY, radius)
                    rest *= 1 - across * down
                }
                // Clockwise from straight up.
                let (u, v) = (px / Double(width) - 0.5, py / Double(height) - 0.5)
                var turn = atan2(u, -v) / (2 * .pi)
                if turn < 0 { turn += 1 }
                let step = turn * 10
                let first = min(Int(step), 9)
                let share = step - Double(first)
                let at = (y / 3 * width + x / 3) * 4
                for channel in 0..<3 {
                    let (from, to): (Double, Double) = (colors[first][channel], colors[first + 1][channel])
                    let mixed: Double = from + (to - from) * share
                    expected[at + channel] += 255 * mixed * (1 - rest) / 9
                }
                expected[at + 3] += 255 * (1 - rest) / 9
            }
        }
        let drawn = Self.averaged(picture).values
        let differences = zip(drawn, expected).map { abs($0 - $1) }
        let mean = differences.reduce(0, +) / Double(differences.count)
        #expect(mean <= 0.6, "\(mean) levels in the mean")
        let (worst, place) = zip(differences, differences.indices).max { $0.0 < $1.0 }!
        #expect(worst <= 27, "\(worst) levels at (\(place / 4 % width), \(place / 4 / width))")
    }
}
