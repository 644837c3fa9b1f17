// One scene drawn by Rostrum and by cairo, by turns: A B A B. A turn is long enough for both to run at full speed (caches
// warm, clock up) and short enough that a slow second of the machine meets both.

import CLinux
import LayerWire
import Quartz2D
import Rostrum

struct BenchComparison {
    let scene: BenchScene
    private let layers: BenchLayers
    private let cairo: BenchCairo
    /// Of every turn, milliseconds a frame.
    private var ours: [Double] = []
    private var theirs: [Double] = []
    private var ourProcessor: [Double] = []
    private var theirProcessor: [Double] = []

    /// Frames of a turn.
    private static let turn = 10

    /// Frame on which the two pictures are compared.
    private static let comparedFrame = 37

    static func measure(_ scene: BenchScene, frames: Int) throws -> BenchReport {
        var comparison = try BenchComparison(scene)
        return try comparison.measure(frames: frames)
    }

    private init(_ scene: BenchScene) throws {
        self.scene = scene
        let pictures = try BenchPictures()
        layers = try BenchLayers(scene, pictures)
        cairo = try BenchCairo(scene, pictures)
    }

    private mutating func measure(frames: Int) throws -> BenchReport {
        let first = try BenchClock.milliseconds { try layers.draw(0) }
        for frame in 1..<20 {
            try layers.draw(frame)
            cairo.draw(frame)
        }
        var frame = 20
        for _ in 0..<max(frames / Self.turn, 1) {
            let start = BenchClock.processor
            let mine = try BenchClock.milliseconds {
                for index in frame..<frame + Self.turn { try layers.draw(index) }
            }
            let between = BenchClock.processor
            let yours = BenchClock.milliseconds {
                for index in frame..<frame + Self.turn { cairo.draw(index) }
            }
            let end = BenchClock.processor
            ours.append(mine / Double(Self.turn))
            theirs.append(yours / Double(Self.turn))
            ourProcessor.append((between - start) / Double(Self.turn))
            theirProcessor.append((end - between) / Double(Self.turn))
            frame += Self.turn
        }
        let parts = try FrameParts(layers, from: frame, frames: 30)
        return try report(first: first, parts, picture: compare())
    }

    /// Both pictures of one frame: who draws something else can be as fast as they like.
    private func compare() throws -> ImageComparison {
        layers.move(to: Self.comparedFrame)
        cairo.draw(Self.comparedFrame)
        return try ImageComparison.compare(layers.display.snapshot(), cairo.picture(), tolerance: 2)
    }

    private func best(_ turns: [Double]) -> Double { (turns.min() ?? 0).rounded(to: 2) }

    private func report(first: Double, _ parts: FrameParts, picture: ImageComparison) -> BenchReport {
        let (mine, yours) = (ours.median, theirs.median)
        let ratio = mine / yours
        let isSame = !picture.sizesDiffer && picture.meanDifference <= scene.pictureTolerance
        let isFast = ratio <= scene.allowedRatio
        var text = "\(scene.rawValue): \(scene.meaning)\n"
        text += "  Rostrum \(mine.rounded(to: 2)) ms a frame, cairo \(yours.rounded(to: 2)) ms: ratio "
        text += "\(ratio.rounded(to: 2)) (must be at most \(scene.allowedRatio))\(isFast ? "" : "  TOO SLOW")\n"
        text +=
            "  best turns: \(best(ours)) and \(best(theirs)) ms: ratio \((best(ours) / best(theirs)).rounded(to: 2))\n"
        text += "  processor time: Rostrum \(ourProcessor.median.rounded(to: 2)) ms a frame on all threads, cairo "
        text += "\(theirProcessor.median.rounded(to: 2)) ms\n"
        text += "  of Rostrum's frame: \(parts.text)\n"
        text += "  first frame: \(first.rounded(to: 0)) ms, with the driver's start\n"
        text += "  picture: mean difference \(picture.meanDifference.rounded(to: 3)) levels, largest "
        text += "\(picture.maximumDifference)\(isSame ? "" : "  NOT THE SAME PICTURE")\n"
        let json = JSONText.object([
            ("bench", .string(scene.rawValue)), ("shadows", .bool(false)), ("rostrum_ms", .number(mine)),
            ("cairo_ms", .number(yours)), ("ratio", .number(ratio)), ("allowed_ratio", .number(scene.allowedRatio)),
            ("rostrum_best_ms", .number(best(ours))), ("cairo_best_ms", .number(best(theirs))),
            ("rostrum_cpu_ms", .number(ourProcessor.median)), ("cairo_cpu_ms", .number(theirProcessor.median)),
            ("first_ms", .number(first)), ("parts", parts.json),
            ("mean_difference", .number(picture.meanDifference)),
            ("maximum_difference", .integer(picture.maximumDifference)), ("holds", .bool(isSame && isFast)),
        ])
        return BenchReport(text: text, json: json, holds: isSame && isFast)
    }
}

extension BenchScene {
    /// Rostrum's time to cairo's.
    fileprivate var allowedRatio: Double { 2 }

    /// Mean difference of the two pictures' channels, levels: curves are covered by other arithmetic in each.
    fileprivate var pictureTolerance: Double { self == .cards ? 0.1 : 0.5 }
}

/// Where a frame's time goes: medians, milliseconds.
private struct FrameParts {
    private var total: [Double] = []
    private var commit: [Double] = []
    private var plan: [Double] = []
    private var draw: [Double] = []

    init(_ layers: BenchLayers, from start: Int, frames: Int) throws {
        for frame in start..<start + frames {
            let begin = clinux_monotonic_nanoseconds()
            layers.move(to: frame)
            let committed = clinux_monotonic_nanoseconds()
            let reply = try layers.display.withFrame(.pixels) { reply, _ in reply }
            let end = clinux_monotonic_nanoseconds()
            total.append(Double(end - begin) / 1e6)
            commit.append(Double(committed - begin) / 1e6)
            plan.append(Double(reply.planNanoseconds) / 1e6)
            draw.append(Double(reply.drawNanoseconds) / 1e6)
        }
    }

    /// The socket both ways, applying the commit, and reading the pixels back.
    private var rest: Double { total.median - commit.median - plan.median - draw.median }

    var text: String {
        "commit \(commit.median.rounded(to: 3)), plan \(plan.median.rounded(to: 3)), "
            + "draw \(draw.median.rounded(to: 2)), socket and reading back \(rest.rounded(to: 2)) ms"
    }

    var json: JSONText {
        .object([
            ("commit_ms", .number(commit.median)), ("plan_ms", .number(plan.median)),
            ("draw_ms", .number(draw.median)), ("rest_ms", .number(rest)),
        ])
    }
}
