// When something runs: the CAMediaTiming properties of layers and animations, and what they make of a time.
//
// A layer only maps its superlayer's time to its own. An animation cuts that time into cycles, and says which point of
// which cycle is shown. It is gated by b = (time of the container - beginTime) · speed, and sampled at b + timeOffset:
// an offset rotates the motion within its cycle, it does not shorten it. Source: semantic reference, §4.1 and §4.2.

/// What shows before an animation begins and after it ends.
package enum FillMode: UInt8, Sendable, CaseIterable {
    case removed = 0
    case forwards = 1
    case backwards = 2
    case both = 3

    package var fillsBackwards: Bool { self == .backwards || self == .both }
    package var fillsForwards: Bool { self == .forwards || self == .both }

    /// Core Animation's name.
    package var name: String { "\(self)" }
}

/// The mapping of a superlayer's time to a layer's.
package struct LayerTiming: Hashable, Sendable {
    /// Seconds of the superlayer's time.
    package var beginTime = 0.0
    /// Seconds of the layer's own time.
    package var timeOffset = 0.0
    package var speed = 1.0

    package init(beginTime: Double = 0, timeOffset: Double = 0, speed: Double = 1) {
        self.beginTime = beginTime
        self.timeOffset = timeOffset
        self.speed = speed
    }

    package var isIdentity: Bool { beginTime == 0 && timeOffset == 0 && speed == 1 }

    /// 0 before `beginTime`.
    package func localTime(ofParent time: Double) -> Double {
        if isIdentity { return time }
        guard time >= beginTime else { return 0 }
        return (time - beginTime) * speed + timeOffset
    }

    /// Where speed is 0, every time of the superlayer shows the same; the result is then `beginTime`.
    package func parentTime(ofLocal time: Double) -> Double {
        if isIdentity { return time }
        guard speed != 0 else { return beginTime }
        return (time - timeOffset) / speed + beginTime
    }
}

/// The timings that lie between a layer's time and the display's: the layer's own and those of all above it.
package struct TimingChain {
    /// From the layer upwards, those that change something.
    private var timings: [LayerTiming] = []

    package init() {}

    /// Goes on upwards.
    package mutating func append(_ timing: LayerTiming) {
        if !timing.isIdentity { timings.append(timing) }
    }

    /// The display's time as the layer has it.
    package func localTime(from time: Double) -> Double {
        timings.reversed().reduce(time) { $1.localTime(ofParent: $0) }
    }

    /// How fast the layer's time runs at a time of the display, in seconds a second: below 0 backwards, 0 where it stands still.
    package func rate(at time: Double) -> Double {
        var (time, rate) = (time, 1.0)
        for timing in timings.reversed() {
            rate = time >= timing.beginTime ? rate * timing.speed : 0
            time = timing.localTime(ofParent: time)
        }
        return rate
    }
}

/// The timing of an animation, with its begin and its duration resolved.
package struct AnimationTiming: Hashable, Sendable {
    /// Seconds of the container's time: a layer's, or a group's.
    package var beginTime = 0.0
    package var timeOffset = 0.0
    package var speed = 1.0
    /// Of one cycle forward, seconds, above 0.
    package var duration = 0.25
    /// Cycles; 0 counts as 1.
    package var repeatCount = 0.0
    /// Seconds; 0 leaves it to `repeatCount`.
    package var repeatDuration = 0.0
    package var autoreverses = false
    package var fillMode = FillMode.removed

    package init(beginTime: Double = 0, duration: Double = 0.25) {
        self.beginTime = beginTime
        self.duration = duration
    }

    /// What a client may ask for: repeats may be infinite, and so may the duration.
    package var isSound: Bool {
        beginTime.isFinite && timeOffset.isFinite && speed.isFinite && duration > 0 && repeatCount >= 0
            && repeatDuration >= 0
    }

    /// Forward, and back again where it autoreverses.
    package var cycle: Double { autoreverses ? duration * 2 : duration }

    /// How long it runs in seconds of its own time; may be infinite.
    package var activeDuration: Double {
        if repeatDuration > 0 { return repeatDuration }
        return cycle * (repeatCount > 0 ? repeatCount : 1)
    }

    package enum Phase: Sendable {
        case before, active, after
    }

    /// A point of a cycle.
    package struct Moment: Sendable, Equatable {
        /// Seconds into the cycle's forward motion, 0…duration; on the way back they run down.
        package var elapsed: Double
        /// Which cycle, from 0.
        package var cycle: Double
    }

    package func phase(at time: Double) -> Phase {
        if speed == 0 { return .active }
        let b = (time - beginTime) * speed
        if speed > 0 {
            if b < 0 { return .before }
            return b >= activeDuration ? .after : .active
        }
        if b > 0 { return .before }
        return b + timeOffset > 0 ? .active : .after
    }

    /// The point to show at a time of the container; nil where nothing shows.
    ///
    /// - Parameter isHeld: The container holds its last moment: what ends just there shows its end, whatever its fill mode.
    package func moment(at time: Double, isHeld: Bool = false) -> Moment? {
        let active = activeDuration
        if speed == 0 {
            let x = min(max(timeOffset, 0), active)
            return moment(at: x, isTerminal: x == active)
        }
        switch phase(at: time) {
        case .before: return fillMode.fillsBackwards ? moment(at: max(timeOffset, 0), isTerminal: speed < 0) : nil
        case .active: return moment(at: max((time - beginTime) * speed + timeOffset, 0), isTerminal: speed < 0)
        case .after:
            guard fillMode.fillsForwards || isHeld && isEnd(time) else { return nil }
            return speed > 0
                ? moment(at: active + max(timeOffset, 0), isTerminal: true) : Moment(elapsed: 0, cycle: 0)
        }
    }

    /// True at the end, as near as rounding comes.
    private func isEnd(_ time: Double) -> Bool {
        let b = (time - beginTime) * speed
        return speed > 0 ? b <= activeDuration * (1 + 1e-9) : b + timeOffset >= -1e-9 * abs(timeOffset)
    }

    /// The last point shows the end of a cycle, every other one that falls between two the begin of the next. Played
    /// backwards, the next one is that before, and it begins with its end.
    private func moment(at x: Double, isTerminal: Bool) -> Moment {
        let cycle = self.cycle
        guard x.isFinite, cycle.isFinite, cycle > 0 else {
            return Moment(elapsed: x.isFinite ? min(x, duration) : (autoreverses ? 0 : duration), cycle: 0)
        }
        var k = (x / cycle).rounded(.down)
        // Where seconds are far apart, the difference may leave the cycle.
        var p = min(max(x - k * cycle, 0), cycle)
        if isTerminal, p == 0, k > 0 {
            k -= 1
            p = cycle
        }
        if p > duration { p = max(cycle - p, 0) }
        return Moment(elapsed: min(p, duration), cycle: k)
    }

    /// The container's time at which it is over; infinite where that never comes.
    package var endTime: Double {
        guard speed != 0 else { return .infinity }
        let length = speed > 0 ? activeDuration : timeOffset
        guard length.isFinite else { return .infinity }
        return beginTime + max(length, 0) / abs(speed)
    }
}
