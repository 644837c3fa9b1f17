import CoreAnimation
import LayerModel
import Testing

@Suite("Animations of a layer")
struct AnimationLifeTests {
    @Test("Adding copies; the same key replaces, nil stays beside others, a transition's key is transition")
    func keys() {
        let layer = CALayer()
        let animation = slide()
        layer.add(animation, forKey: "a")
        layer.add(slide(), forKey: nil)
        layer.add(slide(), forKey: nil)
        layer.add(CATransition(), forKey: "b")
        layer.add(slide(2), forKey: "c")
        layer.add(slide(3), forKey: "a")
        animation.duration = 9
        #expect(layer.animationKeys() == ["transition", "c", "a"])
        #expect(layer.animation(forKey: "a")?.duration == 3 && layer.animation(forKey: "a") !== animation)
        #expect(layer.animation(forKey: "b") == nil)
        layer.removeAnimation(forKey: "c")
        #expect(layer.animationKeys() == ["transition", "a"])
        layer.removeAllAnimations()
        #expect(layer.animationKeys() == nil && layer.animation(forKey: "a") == nil)
    }

    @Test("A begin of 0 is the layer's time at the commit; another begin is what it says")
    func begin() throws {
        let clock = ManualClock(start: 10)
        let layer = clock.addLayer()
        withoutActions {
            layer.speed = 2
            layer.beginTime = 4
        }
        layer.add(slide(), forKey: "now")
        layer.add(slide(100, begin: 1e-100), forKey: "zero")
        layer.add(slide(begin: 20), forKey: "later")
        let added = clock.takeOps().addedAnimations
        #expect(added.map(\.key) == ["now", "zero", "later"])
        #expect(added.map(\.description.timing.beginTime) == [12, 0, 20])
        #expect(layer.animation(forKey: "now")?.beginTime == 12)
    }

    @Test(
        "A duration of 0 is the transaction's, else 0.25",
        arguments: [(0.0, 2.0, 2.0), (0, 0, 0.25), (-1, 2, 2), (0.5, 2, 0.5)])
    func duration(given: Double, transaction: Double, used: Double) {
        let clock = ManualClock()
        let layer = clock.addLayer()
        CATransaction.begin()
        CATransaction.setAnimationDuration(transaction)
        layer.add(slide(given), forKey: "a")
        CATransaction.commit()
        #expect(clock.takeOps().addedAnimations.first?.description.timing.duration == used)
        #expect(layer.animation(forKey: "a")?.duration == used)
    }

    @Test("Removing takes the animation from the server; one that ended by itself needs no word")
    func removal() {
        let clock = ManualClock()
        let layer = clock.addLayer()
        layer.add(slide(), forKey: "a")
        layer.add(slide(5), forKey: "b")
        #expect(clock.takeOps().addedAnimations.count == 2)
        clock.go(to: 1)
        #expect(layer.animationKeys() == ["b"])
        #expect(clock.takeOps().isEmpty)
        layer.removeAnimation(forKey: "b")
        #expect(clock.takeOps().removedAnimations == [AnimationID(2)])
    }

    @Test("An animation that was added and removed in one transaction is never sent")
    func unsent() {
        let clock = ManualClock()
        let layer = clock.addLayer()
        layer.add(slide(), forKey: "a")
        layer.removeAnimation(forKey: "a")
        #expect(clock.takeOps().isEmpty)
    }

    @Test("Delegates hear of begin and end, in time order, each at its time, with finished as it was")
    func delegates() {
        let clock = ManualClock()
        let journal = Journal()
        let layer = clock.addLayer()
        func add(_ name: String, _ duration: Double, begin: Double = 0, stays: Bool = false) {
            let animation = slide(duration, begin: begin)
            animation.delegate = AnimationJournal(name, journal) { clock.time }
            animation.isRemovedOnCompletion = !stays
            layer.add(animation, forKey: name)
        }
        add("long", 2)
        add("short", 0.5)
        add("late", 0.5, begin: 1)
        add("kept", 0.25, stays: true)
        clock.go(to: 0.75)
        #expect(
            journal.entries == [
                "long start 0.0", "short start 0.0", "kept start 0.0", "kept stop true 0.25", "short stop true 0.5",
            ])
        journal.entries = []
        clock.go(to: 1.25)
        layer.removeAnimation(forKey: "long")
        clock.go(to: 4)
        #expect(journal.entries == ["late start 1.0", "long stop false 1.25", "late stop true 1.5"])
        #expect(layer.animationKeys() == ["kept"])
    }

    @Test("Replaced, or gone with its layer, an animation is not finished")
    func notFinished() {
        let clock = ManualClock()
        let journal = Journal()
        let layer = clock.addLayer()
        let below = CALayer()
        layer.addSublayer(below)
        for (name, target) in [("a", layer), ("b", below)] {
            let animation = slide()
            animation.delegate = AnimationJournal(name, journal) { clock.time }
            target.add(animation, forKey: "x")
        }
        clock.go(to: 0.25)
        journal.entries = []
        layer.add(slide(), forKey: "x")
        clock.go(to: 0.5)
        #expect(journal.entries == ["a stop false 0.25"])
        layer.removeFromSuperlayer()
        clock.go(to: 0.5)
        #expect(journal.entries == ["a stop false 0.25", "b stop false 0.5"])
        #expect(layer.animationKeys() == nil && below.animationKeys() == nil)
    }

    @Test("A member without a duration lasts as long as its group, also as a group itself")
    func membersWithoutDuration() {
        let clock = ManualClock()
        let layer = clock.addLayer()
        let inner = CAAnimationGroup()
        inner.animations = [slide(0)]
        let fade = CABasicAnimation(keyPath: "opacity")
        (fade.fromValue, fade.toValue) = (0, 1)
        let group = CAAnimationGroup()
        (group.animations, group.duration) = ([inner, fade], 4)
        layer.add(group, forKey: "g")
        clock.go(to: 3)
        #expect(layer.presentation()?.position.x == 75 && layer.presentation()?.opacity == 0.75)
        #expect(fade.duration == 0)
    }

    @Test("Only the outer group tells its delegate, and its duration cuts its members: measured fact A6")
    func groups() {
        let clock = ManualClock()
        let journal = Journal()
        let layer = clock.addLayer()
        let member = slide(4)
        member.delegate = AnimationJournal("member", journal) { clock.time }
        let group = CAAnimationGroup()
        group.animations = [member]
        group.duration = 1
        group.delegate = AnimationJournal("group", journal) { clock.time }
        layer.add(group, forKey: "g")
        clock.go(to: 0.5)
        #expect(layer.presentation()?.position.x == 12.5)
        clock.go(to: 3)
        #expect(journal.entries == ["group start 0.0", "group stop true 1.0"])
        #expect(layer.presentation()?.position.x == 0)
    }

    @Test("Completion blocks wait for what was added in their transaction, nested ones too, and run at its end")
    func completion() {
        let clock = ManualClock()
        let journal = Journal()
        let layer = clock.addLayer()
        CATransaction.begin()
        CATransaction.setCompletionBlock { journal.note("outer \(clock.time)") }
        layer.add(slide(1), forKey: "a")
        CATransaction.begin()
        CATransaction.setCompletionBlock { journal.note("inner \(clock.time)") }
        layer.add(slide(2), forKey: "b")
        CATransaction.commit()
        CATransaction.commit()
        clock.go(to: 1.5)
        #expect(journal.entries.isEmpty)
        clock.go(to: 5)
        #expect(journal.entries == ["inner 2.0", "outer 2.0"])
    }

    @Test("A transaction without animations is complete at once, also when an action is NSNull")
    func completionWithout() {
        let clock = ManualClock()
        let journal = Journal()
        let layer = clock.addLayer()
        layer.actions = ["opacity": NSNull()]
        CATransaction.begin()
        CATransaction.setCompletionBlock { journal.note("done \(clock.time)") }
        layer.opacity = 0.5
        CATransaction.commit()
        clock.go(to: 1)
        #expect(journal.entries == ["done 0.0"])
    }

    @Test("A completion block comes after removal, of the animation or of its layer")
    func completionAfterRemoval() {
        let clock = ManualClock()
        let journal = Journal()
        let layers = [clock.addLayer(), clock.addLayer()]
        for (index, layer) in layers.enumerated() {
            CATransaction.begin()
            CATransaction.setCompletionBlock { journal.note("\(index) \(clock.time)") }
            let animation = slide()
            animation.repeatCount = .infinity
            layer.add(animation, forKey: "a")
            CATransaction.commit()
        }
        clock.go(to: 100)
        #expect(journal.entries.isEmpty)
        layers[1].removeFromSuperlayer()
        clock.go(to: 101)
        layers[0].removeAllAnimations()
        clock.go(to: 102)
        #expect(journal.entries == ["1 100.0", "0 101.0"])
    }

    @Test("What a callback adds begins at the callback's time")
    func chain() {
        final class Chain: CAAnimationDelegate {
            let layer: CALayer
            var left = 3
            init(_ layer: CALayer) { self.layer = layer }
            func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {
                left -= 1
                guard left > 0 else { return }
                let next = slide(0.5)
                next.delegate = self
                layer.add(next, forKey: "chain")
            }
        }
        let clock = ManualClock()
        let layer = clock.addLayer()
        let chain = Chain(layer)
        let first = slide(0.5)
        first.delegate = chain
        layer.add(first, forKey: "chain")
        clock.go(to: 1.2)
        #expect(chain.left == 1)
        #expect(clock.ops.addedAnimations.map(\.description.timing.beginTime) == [0, 0.5, 1])
    }

    @Test("A layer that stands still holds its animations; they go on where they were: the pause recipe")
    func pause() {
        let clock = ManualClock()
        let journal = Journal()
        let layer = clock.addLayer()
        let animation = slide(2)
        animation.delegate = AnimationJournal("a", journal) { clock.time }
        layer.add(animation, forKey: "a")
        clock.go(to: 0.5)
        withoutActions {
            let time = layer.convertTime(clock.time, from: nil)
            layer.speed = 0
            layer.timeOffset = time
        }
        clock.go(to: 50)
        #expect(journal.entries == ["a start 0.0"])
        #expect(layer.presentation()?.position.x == 25)
        withoutActions {
            let paused = layer.timeOffset
            layer.speed = 1
            layer.timeOffset = 0
            layer.beginTime = 0
            layer.beginTime = layer.convertTime(clock.time, from: nil) - paused
        }
        clock.go(to: 51)
        #expect(layer.presentation()?.position.x == 75)
        clock.go(to: 60)
        #expect(journal.entries == ["a start 0.0", "a stop true 51.5"])
    }

    @Test("A new session is told of what still runs, with the begin it had, and a display with no server keeps time")
    func restart() {
        let clock = ManualClock()
        let layer = clock.addLayer()
        layer.add(slide(1), forKey: "short")
        layer.add(slide(9), forKey: "long")
        clock.go(to: 2)
        _ = clock.takeOps()
        clock.context.restart()
        let ops = clock.takeOps()
        #expect(ops.addedAnimations.map(\.key) == ["long"])
        #expect(ops.addedAnimations.first?.description.timing.beginTime == 0)
        clock.go(to: 9)
        #expect(layer.animationKeys() == nil)
    }

    @Test("Infinite and 1e9 repeats cost nothing on the way; 10,000 animations end in a moment")
    func many() {
        let clock = ManualClock()
        for index in 0..<10_000 {
            let layer = CALayer()
            let animation = slide(0.5 + Double(index % 100) / 100)
            if index % 2 == 0 { animation.repeatCount = index % 4 == 0 ? .infinity : 1e9 }
            layer.add(animation, forKey: "a")
            clock.root.addSublayer(layer)
        }
        let start = ContinuousClock.now
        clock.go(to: 1e6)
        let elapsed = ContinuousClock.now - start
        #expect(elapsed < .seconds(10), "took \(elapsed)")
        #expect(clock.root.sublayers?.count { $0.animationKeys() != nil } == 5_000)
    }
}
