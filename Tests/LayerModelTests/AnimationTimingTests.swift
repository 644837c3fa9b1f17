import LayerModel
import Testing

@Suite("Timing")
struct AnimationTimingTests {
    // Semantic reference, §4.1.
    @Test(
        "A layer's time, from its superlayer's",
        arguments: [
            (LayerTiming(beginTime: 8, timeOffset: 7, speed: 0.5), 7.0, 0.0),
            (LayerTiming(beginTime: 8, timeOffset: 7, speed: 0.5), 8, 7),
            (LayerTiming(beginTime: 8, timeOffset: 7, speed: 0.5), 10, 8),
            (LayerTiming(beginTime: 1, timeOffset: 3, speed: 2), 10, 21), (LayerTiming(), 4.5, 4.5),
            (LayerTiming(beginTime: -3), 2, 5), (LayerTiming(timeOffset: 2, speed: 0), 100, 2),
        ])
    func layerTime(timing: LayerTiming, parent: Double, local: Double) {
        #expect(timing.localTime(ofParent: parent) == local)
    }

    @Test("Through two layers and back")
    func chain() {
        let root = LayerTiming(beginTime: 1, timeOffset: 3, speed: 2)
        let child = LayerTiming(beginTime: 6, timeOffset: 5, speed: 4)
        #expect(child.localTime(ofParent: root.localTime(ofParent: 10)) == 65)
        #expect(root.parentTime(ofLocal: child.parentTime(ofLocal: 10)) == 3.125)
        #expect(root.parentTime(ofLocal: 10) == 4.5)
        #expect(
            root.parentTime(ofLocal: LayerTiming(beginTime: 8, timeOffset: 7, speed: 0).parentTime(ofLocal: 0)) == 3.5)
    }

    private func timing(_ change: (inout AnimationTiming) -> Void) -> AnimationTiming {
        var timing = AnimationTiming(beginTime: 10, duration: 2)
        timing.fillMode = .both
        change(&timing)
        return timing
    }

    /// Elapsed seconds of the cycle at times of the container; nil where nothing shows.
    private func expect(
        _ timing: AnimationTiming, _ rows: [(Double, Double?)], _ comment: Comment,
        location: SourceLocation = #_sourceLocation
    ) {
        for (time, elapsed) in rows {
            let moment = timing.moment(at: time)
            let isSame = moment.map { abs($0.elapsed - (elapsed ?? .nan)) < 1e-12 } ?? (elapsed == nil)
            #expect(
                isSame, "\(comment) at \(time): \(String(describing: moment)), not \(String(describing: elapsed))",
                sourceLocation: location)
        }
    }

    // Semantic reference, §4.2.
    @Test("Gates, fill modes and repeats")
    func cycles() {
        expect(timing { _ in }, [(9, 0), (10, 0), (11, 1), (12, 2), (15, 2)], "both")
        expect(timing { $0.fillMode = .removed }, [(9.999, nil), (10, 0), (11.5, 1.5), (12, nil)], "removed")
        expect(timing { $0.fillMode = .forwards }, [(9, nil), (12, 2)], "forwards")
        expect(timing { $0.fillMode = .backwards }, [(9, 0), (12, nil)], "backwards")
        // Between two cycles the next one's begin shows, at the end of all the last one's end.
        expect(timing { $0.repeatCount = 2 }, [(11, 1), (12, 0), (13, 1), (14, 2), (99, 2)], "twice")
        expect(timing { $0.repeatCount = 1.25 }, [(12, 0), (12.4, 0.4), (12.5, 0.5), (20, 0.5)], "once and a quarter")
        expect(timing { $0.repeatDuration = 3 }, [(12.5, 0.5), (13, 1), (20, 1)], "for 3 s")
        expect(
            timing { $0.autoreverses = true }, [(11.5, 1.5), (12.5, 1.5), (13.5, 0.5), (14, 0), (15, 0)], "and back")
        // The repeat duration is not doubled.
        expect(
            timing {
                $0.autoreverses = true; $0.repeatDuration = 2.5
            }, [(12, 2), (12.5, 1.5), (30, 1.5)], "and back, for 2.5 s")
        expect(
            timing {
                $0.autoreverses = true; $0.repeatCount = 1.5
            }, [(14, 0), (15, 1), (16, 2), (17, 2)], "and back, one and a half times")
        expect(timing { $0.repeatCount = .infinity }, [(10 + 2e6 + 0.5, 0.5)], "for ever")
        expect(timing { $0.duration = .infinity }, [(9, 0), (10, 0), (1e6, 1e6 - 10)], "an infinite duration")
    }

    @Test("Speed and offset: an offset turns the motion within its cycle")
    func speeds() {
        expect(timing { $0.speed = 2 }, [(10.5, 1), (11, 2)], "twice as fast")
        // C D E A B for the full duration.
        expect(
            timing { $0.timeOffset = 1 }, [(9, 1), (10, 1), (10.5, 1.5), (11, 0), (11.5, 0.5), (12, 1)], "an offset")
        // Scrubbing: always under way.
        expect(
            timing {
                $0.speed = 0; $0.timeOffset = 0.5; $0.fillMode = .removed
            }, [(0, 0.5), (10, 0.5), (1e9, 0.5)], "still")
        expect(
            timing {
                $0.speed = 0; $0.timeOffset = 2
            }, [(11, 2)], "still at the end")
        expect(
            timing {
                $0.speed = 0; $0.timeOffset = 7
            }, [(11, 2)], "still beyond the end")
        expect(
            timing {
                $0.speed = 0; $0.timeOffset = -1
            }, [(11, 0)], "still before the begin")
        let back = timing {
            $0.beginTime = 20; $0.speed = -1; $0.timeOffset = 2; $0.fillMode = .forwards
        }
        expect(back, [(20, 2), (21, 1), (22, 0), (30, 0)], "backwards")
        let backTwice = timing {
            $0.beginTime = 20; $0.speed = -1; $0.timeOffset = 4; $0.repeatCount = 2; $0.fillMode = .both
        }
        expect(backTwice, [(0, 2), (20, 2), (21, 1), (22, 2), (23, 1), (24, 0)], "two cycles, the last one first")
        #expect(backTwice.moment(at: 20)?.cycle == 1 && backTwice.moment(at: 22)?.cycle == 0)
        #expect(back.phase(at: 21) == .active && back.phase(at: 22) == .after)
    }

    @Test("Cycles are counted from 0; the end of the last belongs to it")
    func counting() {
        let twice = timing { $0.repeatCount = 3 }
        #expect(
            twice.moment(at: 11)?.cycle == 0 && twice.moment(at: 12)?.cycle == 1 && twice.moment(at: 16)?.cycle == 2)
    }

    @Test("The end in the container's time")
    func ends() {
        #expect(timing { $0.repeatCount = 3 }.endTime == 16)
        #expect(timing { $0.speed = 2 }.endTime == 11)
        #expect(timing { $0.speed = 0 }.endTime == .infinity)
        #expect(timing { $0.repeatCount = .infinity }.endTime == .infinity)
        #expect(
            timing {
                $0.speed = -1; $0.timeOffset = 2
            }.endTime == 12)
        #expect(timing { $0.autoreverses = true }.endTime == 14)
    }

    @Test(
        "Extreme numbers give a moment or none, and never more than the duration",
        arguments: [-1e300, -1, 0, 1e-300, 1, 1e15, 1e300, .infinity])
    func extremes(value: Double) {
        for begin in [-1e300, 0, 1e300] {
            for duration in [1e-300, 0.25, 1e308, Double.infinity] {
                for speed in [-1.0, 0, 1e-300, 1, 1e300] {
                    for autoreverses in [false, true] {
                        var timing = AnimationTiming(beginTime: begin, duration: duration)
                        timing.speed = speed
                        timing.repeatCount = abs(value)
                        timing.timeOffset = value.isFinite ? value : 0
                        timing.autoreverses = autoreverses
                        timing.fillMode = .both
                        for time in [0, 1, 1e9, 1e300] {
                            let moment = timing.moment(at: time)
                            #expect(moment.map { $0.elapsed >= 0 && $0.elapsed <= duration && $0.cycle >= 0 } ?? true)
                        }
                    }
                }
            }
        }
    }

    // Semantic reference, §4.7.
    @Test(
        "Named curves at a quarter, a half and three quarters",
        arguments: [
            (TimingCurve.linear, [0.25, 0.5, 0.75]), (.easeIn, [0.093465, 0.315357, 0.621862]),
            (.easeOut, [0.378138, 0.684643, 0.906535]), (.easeInEaseOut, [0.129162, 0.5, 0.870838]),
            (.standard, [0.408511, 0.802403, 0.960459]),
        ])
    func curves(curve: TimingCurve, values: [Double]) {
        for (p, value) in zip([0.25, 0.5, 0.75], values) { #expect(abs(curve.value(at: p) - value) < 5e-7) }
    }
}
