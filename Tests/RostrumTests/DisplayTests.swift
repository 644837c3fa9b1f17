import CoreAnimation
import Foundation
import LayerModel
import Rostrum
import Testing

/// The shared inputs beside the project; nil where they are not.
private let shared: URL? = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    url = url.deletingLastPathComponent().appendingPathComponent("shared")
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
}()

private func color(_ r: CGFloat, _ g: CGFloat, _ b: CGFloat, _ a: CGFloat = 1) -> CGColor {
    CGColor(red: r, green: g, blue: b, alpha: a)
}

extension CGImage {
    fileprivate func rgba(_ x: Int, _ y: Int) -> [Int] {
        let p = pixel(x: x, y: y)
        return [Int(p.red), Int(p.green), Int(p.blue), Int(p.alpha)]
    }
}

extension CGImage {
    fileprivate func premultiplied(_ x: Int, _ y: Int) -> [Double] {
        let p = rgba(x, y).map(Double.init)
        return [p[0] * p[3] / 255, p[1] * p[3] / 255, p[2] * p[3] / 255, p[3]]
    }
}

/// Draws a scene file as the command line does.
private func draw(_ path: String, scale: CGFloat? = nil) throws -> CGImage {
    let document = try SceneDocument.load(path: path, options: .init())
    let display = try HeadlessDisplay(
        width: document.size.width, height: document.size.height, scale: scale ?? document.scale,
        background: document.background)
    document.rootLayer.isGeometryFlipped = !document.isGeometryFlipped
    display.rootLayer.addSublayer(document.rootLayer)
    return try display.snapshot()
}

/// The faults that a snapshot throws; none when it succeeds or fails otherwise.
private func faultsOfSnapshot(_ display: HeadlessDisplay) -> [LayerFault] {
    let result = Result { try display.snapshot() as CGImage }
    guard case .failure(let error) = result, let displayError = error as? DisplayError,
        case .faults(let faults) = displayError
    else { return [] }
    return faults
}

@Suite("HeadlessDisplay")
struct DisplayTests {
    @Test("More commits than a session has credits come through before anybody asks for a frame, in their order")
    func manyCommits() throws {
        let display = try HeadlessDisplay(width: 8, height: 8)
        let box = CALayer()
        box.frame = CGRect(x: 0, y: 0, width: 8, height: 8)
        display.rootLayer.addSublayer(box)
        for step in 0...300 {
            CATransaction.begin()
            CATransaction.setDisableActions(true)
            box.backgroundColor = color(0, CGFloat(step) / 300, 0)
            CATransaction.commit()
        }
        #expect(try display.snapshot().rgba(4, 4) == [0, 255, 0, 255])
    }

    @Test("What layers say is what the picture shows, y down")
    func picture() throws {
        let display = try HeadlessDisplay(width: 40, height: 30, scale: 2)
        let box = CALayer()
        box.frame = CGRect(x: 5, y: 10, width: 10, height: 10)
        box.backgroundColor = color(1, 0, 0)
        display.rootLayer.addSublayer(box)
        let image = try display.snapshot()
        #expect(image.width == 80 && image.height == 60)
        #expect(image.rgba(10, 20) == [255, 0, 0, 255])
        #expect(image.rgba(29, 39) == [255, 0, 0, 255])
        #expect(image.rgba(9, 20) == [0, 0, 0, 0])
        #expect(image.rgba(10, 40) == [0, 0, 0, 0])
    }

    @Test("A second snapshot of an unchanged tree draws no pass and is the same picture")
    func unchanged() throws {
        let display = try HeadlessDisplay(width: 64, height: 64)
        let box = CALayer()
        box.frame = CGRect(x: 8, y: 8, width: 40, height: 40)
        box.cornerRadius = 12
        box.backgroundColor = color(0, 0.5, 1)
        display.rootLayer.addSublayer(box)
        let first = try display.capture(at: 0, .pixels)
        #expect(first.reply.passesDrawn == 1)
        let picture = try display.image(of: first)
        let second = try display.capture(at: 1, .pixels)
        #expect(second.reply.passesDrawn == 0 && second.reply.isUnchanged)
        #expect(try display.image(of: second).content == picture.content)
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        box.opacity = 0.5
        CATransaction.commit()
        #expect(try display.capture(at: 1, []).reply.passesDrawn == 1)
    }

    @Test("A manual clock does not go back")
    func clock() throws {
        let display = try HeadlessDisplay(width: 8, height: 8)
        _ = try display.snapshot(at: 2)
        #expect(display.currentTime == 2)
        #expect(throws: DisplayError.self) { try display.snapshot(at: 1) }
        #expect(throws: DisplayError.self) { try display.snapshot(at: .nan) }
        #expect(display.perform { CACurrentMediaTime() } == 2)
    }

    @Test("A snapshot between begin and commit is refused, and after it all shows")
    func openTransaction() throws {
        let display = try HeadlessDisplay(width: 8, height: 8)
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        display.rootLayer.backgroundColor = color(0, 1, 0)
        #expect(throws: DisplayError.self) { try display.snapshot() }
        CATransaction.commit()
        #expect(try display.snapshot().rgba(4, 4) == [0, 255, 0, 255])
    }

    @Test("A value that is no number is a fault that names layer and property, and the next frame is complete")
    func faults() throws {
        let display = try HeadlessDisplay(width: 8, height: 8)
        display.rootLayer.backgroundColor = color(0, 0, 1)
        let layer = CALayer()
        layer.name = "card"
        display.rootLayer.addSublayer(layer)
        layer.position = CGPoint(x: CGFloat.nan, y: 0)
        let faults = faultsOfSnapshot(display)
        #expect(faults.count == 1)
        #expect(faults.first.map { $0.layer.contains("card") && $0.key == "position" } ?? false)
        #expect(try display.snapshot().rgba(1, 1) == [0, 0, 255, 255])
    }

    @Test("A tree deeper than the limit is a clear error, not a crash")
    func deepTree() throws {
        let display = try HeadlessDisplay(width: 8, height: 8)
        var top = CALayer()
        for _ in 0..<10_000 {
            let next = CALayer()
            next.addSublayer(top)
            top = next
        }
        display.rootLayer.addSublayer(top)
        #expect(faultsOfSnapshot(display).contains { $0.message.contains("1024") })
        top.removeFromSuperlayer()
        display.rootLayer.backgroundColor = color(1, 0, 0)
        #expect(throws: Never.self) { try display.checkFaults() }
    }

    @Test(
        "An odd size or scale is an error",
        arguments: [(0.0, 8.0, 1.0), (8, -1, 1), (8, 8, 0), (.nan, 8, 1), (1e9, 8, 1), (20_000, 8, 1)])
    func badSizes(width: Double, height: Double, scale: Double) {
        #expect(throws: DisplayError.self) { try HeadlessDisplay(width: width, height: height, scale: scale) }
    }

    @Test("A server that can't be reached is an error that names the path")
    func noServer() {
        #expect {
            try HeadlessDisplay(width: 8, height: 8, server: .socket(path: "/nonexistent/rostrum.sock"))
        } throws: { "\($0)".contains("/nonexistent/rostrum.sock") }
    }

    @Test("Completion blocks run when the clock is moved, after the commit is applied")
    func completion() throws {
        let display = try HeadlessDisplay(width: 8, height: 8)
        var ran = 0
        CATransaction.begin()
        CATransaction.setCompletionBlock { ran += 1 }
        display.rootLayer.opacity = 0.5
        CATransaction.commit()
        _ = try display.snapshot()
        #expect(ran == 1)
        _ = try display.snapshot()
        #expect(ran == 1)
    }
}

@Suite("Scenes from files", .enabled(if: shared != nil))
struct SceneTests {
    /// Scenes of the bug collection that need nothing that is not drawn yet.
    static let scenes = [
        "blend-in-group", "filter-on-parent-and-child", "masked-corners", "m11-zero-is-fine", "negative-scale",
        "nested-opacity", "nested-rect-clips", "opacity-on-3d-space", "own-shadow-clipped", "png-straight-alpha",
        "rotated-clip", "shadow-colour-alpha", "tiny-blur",
    ]

    @Test("Faults that other compositors had are right at every probe", arguments: scenes)
    func probes(name: String) throws {
        let url = shared!.appendingPathComponent("bugs/scenes/\(name).json")
        let image = try draw(url.path)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        let expect = try #require(json["expect"] as? [String: Any])
        let probes = try #require(expect["probes"] as? [[Any]])
        let tolerances = try #require(expect["tolerances"] as? [Int])
        for (probe, tolerance) in zip(probes, tolerances) {
            let (x, y) = ((probe[0] as! NSNumber).intValue, (probe[1] as! NSNumber).intValue)
            let want = (probe[2] as! [NSNumber]).map(\.intValue)
            let got = image.rgba(x, y)
            #expect(zip(want, got).allSatisfy { abs($0 - $1) <= tolerance }, "(\(x), \(y)): \(got), should be \(want)")
        }
    }

    @Test("Every shared input draws something or says why not")
    func everyInput() throws {
        let inputs = shared!.appendingPathComponent("inputs")
        let names = try #require(FileManager.default.enumerator(atPath: inputs.path)).compactMap { $0 as? String }
        let scenes = names.filter {
            $0.hasSuffix(".ca") || $0.hasSuffix(".tendies") || $0.hasSuffix(".caml") && !$0.contains(".ca/")
        }
        #expect(scenes.count >= 8)
        for scene in scenes {
            let image = try draw(inputs.appendingPathComponent(scene).path, scale: 1)
            #expect(image.width > 0, "\(scene)")
        }
    }

    /// What Apple's render server drew at 3x, scaled down to whole points by a sharpening resampler. Scaled down by areas,
    /// ours must come near.
    ///
    /// - `width`, `height`: the part at 3x that the picture shows, pixels.
    @Test(
        "Bundles written by Apple look as Apple drew them",
        arguments: [("ToggleView", "ToggleView.png", 340, 402)])
    func applePictures(name: String, picture: String, width: Int, height: Int) throws {
        let folder = shared!.appendingPathComponent("inputs/apple-written")
        let drawn = try draw(folder.appendingPathComponent(name + ".ca").path, scale: 3)
        let apple = try CGImage(contentsOf: folder.appendingPathComponent(picture))
        var sum = 0.0
        for y in 0..<apple.height {
            for x in 0..<apple.width {
                let mine = average(
                    drawn, x, y, Double(width) / Double(apple.width), Double(height) / Double(apple.height))
                let theirs = apple.premultiplied(x, y)
                sum += zip(mine, theirs).reduce(0) { $0 + abs($1.0 - $1.1) }
            }
        }
        let error = sum / Double(apple.width * apple.height * 4)
        #expect(error <= 1.5, "\(name): mean error \(error)")
    }

    /// The mean of a picture over the area of a pixel of another size.
    private func average(_ image: CGImage, _ x: Int, _ y: Int, _ sx: Double, _ sy: Double) -> [Double] {
        let (left, right) = (Double(x) * sx, Double(x + 1) * sx)
        let (top, bottom) = (Double(y) * sy, Double(y + 1) * sy)
        var sums = [0.0, 0, 0, 0]
        for row in Int(top)..<min(Int(bottom.rounded(.up)), image.height) {
            for column in Int(left)..<min(Int(right.rounded(.up)), image.width) {
                let share =
                    (min(Double(column + 1), right) - max(Double(column), left))
                    * (min(Double(row + 1), bottom) - max(Double(row), top))
                let p = image.premultiplied(column, row)
                for channel in 0..<4 { sums[channel] += p[channel] * share }
            }
        }
        return sums.map { $0 / (sx * sy) }
    }
}
