// Which moments a clip shows. Frame n is at from + n · denominator / numerator: one division and one addition of doubles,
// each rounded once, for every n anew. So frame 100,000 is as exact as frame 1, and a clip of frames 100 to 199 shows what
// the whole clip shows there.

/// The moments of a clip's frames.
package struct FrameTimes: Sendable, Hashable {
    /// When frame 0 is, seconds of the display's clock.
    package let start: Double
    package let rate: FrameRate
    /// The first frame that is shown, counted from `start`.
    package let first: Int
    /// Frames from one that is shown to the next.
    package let step: Int
    /// Frames that are shown.
    package let count: Int

    /// Frames of one clip: more than nine hours at 30 frames a second. What is larger is a slip.
    package static let most = 1_000_000

    /// The frames of a stretch of time: those that begin before its end. Each lasts 1/rate seconds, so a second at 60 has 60.
    ///
    /// - Throws: `ClipError.badTimes` where there is no frame, `.tooManyFrames` where there are too many.
    package init(from start: Double, to end: Double, _ rate: FrameRate) throws(ClipError) {
        try Self.check(start)
        guard end.isFinite else { throw .badTimes("a clip that ends at \(end) s") }
        guard end >= start else {
            throw .badTimes("a clip from \(start) s to \(end) s: its end is before its start")
        }
        // What is a millionth of a frame more than a whole number of frames is a rounding error, not a frame.
        let exact = (end - start) * Double(rate.numerator) / Double(rate.denominator)
        let count = (exact - 1e-6).rounded(.up)
        guard count >= 1 else {
            throw .badTimes("a clip from \(start) s to \(end) s has no frame; its end must be after its start")
        }
        try self.init(start: start, rate: rate, first: 0, step: 1, count: Self.checked(count))
    }

    /// The frames with the numbers `first`, `first + step`, … up to `last`.
    ///
    /// - Throws: `ClipError.badTimes` where there is no frame, `.tooManyFrames` where there are too many.
    package init(
        from start: Double, frames first: Int, through last: Int, step: Int = 1, _ rate: FrameRate
    ) throws(ClipError) {
        try Self.check(start)
        guard first >= 0, last >= first, step > 0 else {
            throw .badTimes(
                "frames \(first)-\(last)/\(step): the first is 0 or more, the last not before it, the step above 0")
        }
        guard last < 1 << 31, step <= Self.most else {
            throw .tooManyFrames(
                "frames \(first)-\(last)/\(step): the largest number is \(Int32.max), of a step \(Self.most)")
        }
        try self.init(
            start: start, rate: rate, first: first, step: step, count: Self.checked(Double((last - first) / step + 1)))
    }

    private init(start: Double, rate: FrameRate, first: Int, step: Int, count: Int) throws(ClipError) {
        self.start = start
        self.rate = rate
        self.first = first
        self.step = step
        self.count = count
        // A clock that does not advance from one frame to the next can't show them.
        guard time(count - 1).isFinite, count < 2 || time(count - 1) > time(count - 2) else {
            throw .badTimes(
                "a clip from \(start) s: at \(rate) frames a second that clock does not tell two frames apart")
        }
    }

    private static func check(_ start: Double) throws(ClipError) {
        guard start.isFinite, start >= 0 else {
            throw .badTimes("a clip that starts at \(start) s; the start must be 0 or more")
        }
    }

    private static func checked(_ count: Double) throws(ClipError) -> Int {
        guard count <= Double(most) else {
            throw .tooManyFrames(
                "a clip of \(count < 1e15 ? String(Int(count)) : String(count)) frames; at most \(most)")
        }
        return Int(count)
    }

    /// The number of the frame that is shown as the `index`th, from 0: what a sequence names its file by.
    package func number(_ index: Int) -> Int { first + index * step }

    /// When the frame that is shown as the `index`th is, seconds of the display's clock.
    package func time(_ index: Int) -> Double {
        start + Double(number(index) * rate.denominator) / Double(rate.numerator)
    }

    /// How fast what is shown plays: every frame lasts as long as it did in the scene.
    package var playRate: FrameRate { rate.every(step) }
}
