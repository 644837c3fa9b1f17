// One scene drawn by Rostrum and by cairo, by turns: A B A B. A turn is long enough for both to run at full speed (caches
// warm, clock up) and short enough that a slow second of the machine meets both.

import CLinux
import LayerWire
import Quartz2D
import Rostrum

struct BenchComparison {
    let contest: BenchContest
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

    static func measure(_ contest: BenchContest, frames: Int) throws -> BenchReport {
        var comparison = try BenchComparison(contest)
        return try comparison.measure(frames: frames)
    }

    private init(_ contest: BenchContest) throws {
        self.contest = contest
        let pictures = try BenchPictures()
        layers = try BenchLayers(contest.scene, pictures, isTold: contest.isTold)
        cairo = try BenchCairo(contest.scene, pictures, road: contest.cairo)
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
        let parts = try BenchFrameParts(layers, from: frame, frames: 30)
        let passes = try BenchPassTimes(layers, from: frame + 30, frames: 15)
        return try report(first: first, parts, passes, picture: compare())
    }

    /// Both pictures of one frame: who draws something else can be as fast as they like.
    private func compare() throws -> ImageComparison {
        // The frames before, so that what is kept is as it was while the time was taken.
        for frame in Self.comparedFrame - 10..<Self.comparedFrame { try layers.draw(frame) }
        layers.move(to: Self.comparedFrame)
        let mine = try layers.display.snapshot(at: layers.display.currentTime + 1.0 / 60)
        return try ImageComparison.compare(mine, cairo.picture(Self.comparedFrame), tolerance: 2)
    }

    private func best(_ turns: [Double]) -> Double { turns.min() ?? 0 }

    private func report(
        first: Double, _ parts: BenchFrameParts, _ passes: BenchPassTimes, picture: ImageComparison
    ) -> BenchReport {
        let (mine, yours) = (ours.median, theirs.median)
        let ratio = mine / yours
        let bestRatio = best(ours) / best(theirs)
        let isSame = !picture.sizesDiffer && picture.meanDifference <= contest.pictureTolerance
        let isFast = ratio <= contest.allowedRatio
        var text = "\(contest.name): \(contest.scene.meaning)\n  \(contest.roads)\n"
        text += "  Rostrum \(mine.rounded(to: 2)) ms a frame, cairo \(yours.rounded(to: 2)) ms: ratio "
        text += "\(ratio.rounded(to: 2)) (must be at most \(contest.allowedRatio))\(isFast ? "" : "  TOO SLOW")\n"
        text += "  best turns: \(best(ours).rounded(to: 2)) and \(best(theirs).rounded(to: 2)) ms: ratio "
        text += "\(bestRatio.rounded(to: 2))\n"
        text += "  processor time: Rostrum \(ourProcessor.median.rounded(to: 2)) ms a frame on all threads, cairo "
        text += "\(theirProcessor.median.rounded(to: 2)) ms\n"
        text += "  of Rostrum's frame: \(parts.text)\n"
        text += passes.text
        text += "  first frame: \(first.rounded(to: 0)) ms, with the driver's start\n"
        text += "  picture: mean difference \(picture.meanDifference.rounded(to: 3)) levels, largest "
        text += "\(picture.maximumDifference)\(isSame ? "" : "  NOT THE SAME PICTURE")\n"
        let json = JSONText.object([
            ("bench", .string(contest.name)), ("rostrum_ms", .number(mine)),
            ("cairo_ms", .number(yours)), ("ratio", .number(ratio)),
            ("allowed_ratio", .number(contest.allowedRatio)), ("rostrum_best_ms", .number(best(ours))),
            ("cairo_best_ms", .number(best(theirs))), ("rostrum_cpu_ms", .number(ourProcessor.median)),
            ("cairo_cpu_ms", .number(theirProcessor.median)), ("first_ms", .number(first)), ("parts", parts.json),
            ("passes", passes.json), ("mean_difference", .number(picture.meanDifference)),
            ("maximum_difference", .integer(picture.maximumDifference)), ("holds", .bool(isSame && isFast)),
        ])
        return BenchReport(text: text, json: json, holds: isSame && isFast)
    }
}
