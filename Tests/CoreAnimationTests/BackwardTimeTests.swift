import CoreAnimation
import LayerModel
import Testing

@Suite("Layers whose time runs backwards")
struct BackwardTimeTests {
    /// The layer's time at the display's time t is 10 - t.
    private static func backwardLayer(_ clock: ManualClock) -> CALayer {
        let layer = clock.addLayer()
        withoutActions {
            layer.speed = -1
            layer.timeOffset = 10
        }
        _ = clock.takeOps()
        return layer
    }

    /// Begin, duration, when it begins and when it ends; nil where that never comes.
    static let spans: [(Double, Double, Double?, Double?)] = [
        // Under way at the commit: ends where time comes back to its begin.
        (9, 2, 0, 1), (4, 100, 0, 6), (0.5, 1e9, 0, 9.5),
        // Over at the commit.
        (6, 2, 0, 0),
        // Time never comes to it.
        (11, 1, nil, nil),
    ]

    @Test(
        "An animation under way ends where time comes back to its begin; with a delegate or without, it is told there",
        arguments: 0..<spans.count, [true, false])
    func ends(row: Int, hasDelegate: Bool) {
        let (begin, duration, starts, stops) = Self.spans[row]
        let clock = ManualClock()
        let journal = Journal()
        let layer = Self.backwardLayer(clock)
        let animation = slide(duration, begin: begin)
        if hasDelegate { animation.delegate = AnimationJournal("a", journal) { clock.time } }
        CATransaction.begin()
        CATransaction.setCompletionBlock { journal.note("complete \(clock.time)") }
        layer.add(animation, forKey: "a")
        CATransaction.commit()
        clock.go(to: 20)
        var wanted: [String] = []
        if hasDelegate, let starts { wanted.append("a start \(starts)") }
        if hasDelegate, let stops { wanted.append("a stop true \(stops)") }
        if let stops { wanted.append("complete \(stops)") }
        #expect(journal.entries == wanted)
        #expect(layer.animationKeys() == (stops == nil ? ["a"] : nil))
    }

    @Test("Where it ends on its way back, the server is told: it draws no frame there of itself")
    func removal() {
        let clock = ManualClock()
        let layer = Self.backwardLayer(clock)
        layer.add(slide(2, begin: 9), forKey: "a")
        #expect(clock.takeOps().addedAnimations.count == 1)
        clock.go(to: 0.5)
        #expect(clock.takeOps().isEmpty && layer.presentation()?.position.x == 25)
        clock.go(to: 1)
        #expect(clock.takeOps().removedAnimations == [AnimationID(1)])
    }

    @Test("A layer that begins later has its time jump to its offset: what is active there begins there")
    func jump() {
        let clock = ManualClock()
        let journal = Journal()
        let layer = clock.addLayer()
        withoutActions {
            layer.beginTime = 5
            layer.speed = -2
            layer.timeOffset = 20
        }
        let animation = slide(22, begin: 18)
        animation.delegate = AnimationJournal("a", journal) { clock.time }
        layer.add(animation, forKey: "a")
        clock.go(to: 4)
        #expect(clock.context.nextEventTime == 5 && clock.context.nextChangeTime == 5)
        clock.go(to: 20)
        #expect(journal.entries == ["a start 5.0", "a stop true 6.0"])
    }

    @Test("Backwards in what runs backwards is forwards, as long as the inner layer has begun")
    func twice() {
        let clock = ManualClock()
        let journal = Journal()
        let layer = Self.backwardLayer(clock)
        let inner = CALayer()
        inner.beginTime = 8
        inner.speed = -1
        layer.addSublayer(inner)
        _ = clock.takeOps()
        // Until t = 2 its time is t - 2, then 0.
        for (name, begin, duration) in [("a", -1.0, 0.5), ("b", -1.5, 9.0), ("c", 0.5, 1.0)] {
            let animation = slide(duration, begin: begin)
            animation.delegate = AnimationJournal(name, journal) { clock.time }
            inner.add(animation, forKey: name)
        }
        clock.go(to: 50)
        #expect(journal.entries == ["b start 0.5", "a start 1.0", "a stop true 1.5"])
        #expect(inner.animationKeys() == ["b", "c"])
    }

    @Test("Turned around in mid-flight an animation runs back to its begin, and ends there")
    func playedBack() {
        let clock = ManualClock()
        let journal = Journal()
        let layer = clock.addLayer()
        let animation = slide(2)
        animation.delegate = AnimationJournal("a", journal) { clock.time }
        layer.add(animation, forKey: "a")
        clock.go(to: 1.5)
        withoutActions {
            let now = layer.convertTime(clock.time, from: nil)
            layer.speed = -1
            layer.timeOffset = now
            layer.beginTime = clock.time
        }
        clock.go(to: 2.5)
        #expect(layer.presentation()?.position.x == 25)
        clock.go(to: 9)
        #expect(journal.entries == ["a start 0.0", "a stop true 3.0"])
    }

    @Test("One that stays after its end shows again when time comes back into it, and the next change is known")
    func kept() throws {
        let clock = ManualClock()
        let journal = Journal()
        let layer = Self.backwardLayer(clock)
        let animation = slide(2, begin: 2)
        animation.isRemovedOnCompletion = false
        animation.fillMode = .both
        animation.delegate = AnimationJournal("a", journal) { clock.time }
        layer.add(animation, forKey: "a")
        clock.go(to: 1)
        #expect(journal.entries == ["a start 0.0", "a stop true 0.0"])
        #expect(layer.presentation()?.position.x == 100)
        let next = try #require(clock.context.nextChangeTime)
        #expect(abs(next - 6) < 1e-9)
        clock.go(to: 7)
        #expect(layer.presentation()?.position.x == 50 && clock.context.nextChangeTime == 7)
        clock.go(to: 9)
        #expect(layer.presentation()?.position.x == 0 && clock.context.nextChangeTime == nil)
        #expect(journal.entries.count == 2)
    }
}
