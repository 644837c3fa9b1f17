import CoreAnimation
import Foundation
import LayerModel
import Rostrum
import Synchronization
import Testing

/// A white square of 10 points on a black display of 200 × 20.
private func stage() throws -> (HeadlessDisplay, CALayer) {
    let display = try HeadlessDisplay(width: 200, height: 20, background: CGColor(gray: 0, alpha: 1))
    let box = CALayer()
    box.bounds = CGRect(x: 0, y: 0, width: 10, height: 10)
    box.position = CGPoint(x: 10, y: 10)
    box.backgroundColor = CGColor(gray: 1, alpha: 1)
    display.rootLayer.addSublayer(box)
    _ = try display.snapshot()
    return (display, box)
}

/// Where the square's middle is, from the light of a row: its weighted mean, pixels.
private func middle(_ picture: CGImage) -> Double {
    var (sum, weight) = (0.0, 0.0)
    for x in 0..<picture.width {
        let light = Double(picture.pixel(x: x, y: 10).red)
        sum += light * (Double(x) + 0.5)
        weight += light
    }
    return weight > 0 ? sum / weight : -1
}

private func move(_ path: String, from: Any?, to: Any?, _ duration: Double) -> CABasicAnimation {
    let animation = CABasicAnimation(keyPath: path)
    animation.fromValue = from
    animation.toValue = to
    animation.duration = duration
    return animation
}

@Suite("Animations in pictures")
struct AnimationPictureTests {
    @Test(
        "A snapshot at t shows the formula's value at t",
        arguments: [
            (CAMediaTimingFunctionName.linear, 0.25), (.easeIn, 0.093465), (.easeOut, 0.378138),
            (.easeInEaseOut, 0.129162), (.default, 0.408511),
        ])
    func formula(name: CAMediaTimingFunctionName, quarter: Double) throws {
        let (display, box) = try stage()
        let animation = move("position.x", from: 10, to: 170, 2)
        animation.timingFunction = CAMediaTimingFunction(name: name)
        box.add(animation, forKey: "slide")
        #expect(abs(middle(try display.snapshot(at: 0.5)) - (10 + 160 * quarter)) < 0.05)
        #expect(abs(middle(try display.snapshot(at: 2)) - 10) < 0.05)
    }

    @Test("A change after the first picture is implied to take 0.25 s")
    func implied() throws {
        let (display, box) = try stage()
        box.position.x = 110
        #expect(abs(middle(try display.snapshot(at: 0)) - 10) < 0.05)
        #expect(abs(middle(try display.snapshot(at: 0.125)) - 90.2403) < 0.05)
        #expect(abs(middle(try display.snapshot(at: 0.25)) - 110) < 0.05)
    }

    @Test("An animation interrupted from presentation() 100 times goes on from where it was: within 0.5 px and 1 level")
    func interruption() throws {
        let (display, box) = try stage()
        var time = 0.0
        var target = 170.0
        box.add(move("position.x", from: 10, to: target, 1), forKey: "slide")
        box.add(move("opacity", from: 1, to: 0.5, 1), forKey: "fade")
        for round in 0..<100 {
            time += 0.05 + Double(round % 7) * 0.06
            let before = try display.snapshot(at: time)
            let shown = try #require(box.presentation())
            target = target == 170 ? 20 : 170
            let spring = CASpringAnimation(keyPath: "position.x")
            spring.fromValue = shown.position.x
            spring.toValue = target
            spring.initialVelocity = CGFloat(round % 5)
            spring.duration = spring.settlingDuration
            box.add(
                round % 3 == 0 ? spring : move("position.x", from: shown.position.x, to: target, 1), forKey: "slide")
            box.add(move("opacity", from: shown.opacity, to: target == 170 ? 0.5 : 1, 1), forKey: "fade")
            let after = try display.snapshot(at: time)
            #expect(abs(middle(before) - middle(after)) <= 0.5, "round \(round) at \(time)")
            // A spring swings beyond the rim, where the square's middle is not the lit part's.
            guard 5...195 ~= shown.position.x else { continue }
            #expect(abs(middle(after) - Double(shown.position.x)) <= 0.5, "round \(round) at \(time)")
            let x = min(max(Int(shown.position.x), 0), 199)
            let levels = (Int(before.pixel(x: x, y: 10).red), Int(after.pixel(x: x, y: 10).red))
            #expect(abs(levels.0 - levels.1) <= 1, "round \(round): \(levels)")
            #expect(abs(Double(levels.1) - Double(shown.opacity) * 255) <= 1, "round \(round): \(levels)")
        }
    }

    @Test("A hit test of presentation() hits where the layer is drawn, not where its model is")
    func hitTest() throws {
        let (display, box) = try stage()
        box.add(move("position.x", from: 10, to: 170, 1), forKey: "slide")
        _ = try display.snapshot(at: 0.5)
        let root = try #require(display.rootLayer.presentation())
        #expect(root.hitTest(CGPoint(x: 90, y: 10))?.model() === box)
        #expect(root.hitTest(CGPoint(x: 10, y: 10))?.model() === display.rootLayer)
    }

    @Test(
        "Callbacks come in time order with the clock at their time, and what they change shows in the picture asked for"
    )
    func callbacks() throws {
        let (display, box) = try stage()
        var heard: [String] = []
        CATransaction.begin()
        CATransaction.setCompletionBlock {
            heard.append("first \(CACurrentMediaTime()) \(display.currentTime)")
            CATransaction.begin()
            CATransaction.setCompletionBlock { heard.append("second \(CACurrentMediaTime())") }
            box.add(move("position.x", from: 50, to: 150, 1), forKey: "slide")
            CATransaction.commit()
        }
        box.add(move("position.x", from: 10, to: 50, 0.5), forKey: "slide")
        CATransaction.commit()
        // The second began at 0.5: half of it has gone.
        #expect(abs(middle(try display.snapshot(at: 1)) - 100) < 0.05)
        #expect(heard == ["first 0.5 0.5"])
        _ = try display.snapshot(at: 9)
        #expect(heard == ["first 0.5 0.5", "second 1.5"])
    }

    @Test("A display link ticks at each sixtieth that the clock passes, or as often as it is asked to")
    func displayLink() throws {
        let (display, box) = try stage()
        var ticks: [Double] = []
        let link = display.displayLink { link in
            ticks.append(link.timestamp)
            #expect(CACurrentMediaTime() == link.timestamp)
            withExtendedLifetime(link) {
                CATransaction.begin()
                CATransaction.setDisableActions(true)
                box.position.x = 10 + 100 * link.timestamp
                CATransaction.commit()
            }
        }
        #expect(link.timestamp == 0 && link.duration == 0)
        let picture = try display.snapshot(at: 0.5)
        #expect(ticks.count == 30 && ticks.first == 1.0 / 60 && ticks.last == 0.5)
        #expect(abs(middle(picture) - 60) < 0.05)
        #expect(abs(link.targetTimestamp - 31.0 / 60) < 1e-12 && link.duration == 1.0 / 60)
        ticks = []
        link.preferredFrameRateRange = CAFrameRateRange(minimum: 10, maximum: 20, preferred: 20)
        _ = try display.snapshot(at: 1)
        #expect(ticks.count == 10 && ticks.last == 1)
        link.isPaused = true
        _ = try display.snapshot(at: 2)
        link.isPaused = false
        _ = try display.snapshot(at: 2.1)
        #expect(ticks.count == 12)
        link.invalidate()
        _ = try display.snapshot(at: 3)
        #expect(ticks.count == 12)
    }

    @Test("Callbacks that set off others at the same time without end are an error, not a hang")
    func endless() throws {
        let (display, _) = try stage()
        func again() {
            CATransaction.begin()
            CATransaction.setCompletionBlock(again)
            display.rootLayer.setNeedsLayout()
            CATransaction.commit()
        }
        again()
        #expect(throws: DisplayError.self) { try display.snapshot(at: 1) }
    }

    @Test("presentation() is what the server shows, with layers that have times of their own")
    func layerTime() throws {
        let (display, box) = try stage()
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        display.rootLayer.speed = 2
        box.beginTime = 1
        box.timeOffset = 0.25
        CATransaction.commit()
        box.add(move("position.x", from: 10, to: 170, 4), forKey: "slide")
        for time in [0.25, 0.5, 1, 1.5, 2] {
            let picture = try display.snapshot(at: time)
            let shown = try #require(box.presentation()).position.x
            #expect(abs(middle(picture) - Double(shown)) < 0.05, "at \(time)")
        }
    }

    @Test("CARenderer draws frames at the times it is given, and says when the next one will differ")
    func renderer() throws {
        let renderer = try CARenderer(width: 200, height: 20)
        #expect(renderer.bounds.isNull && renderer.updateBounds().isNull)
        let box = CALayer()
        box.backgroundColor = CGColor(gray: 1, alpha: 1)
        box.frame = CGRect(x: 5, y: 5, width: 10, height: 10)
        renderer.layer = box
        renderer.bounds = CGRect(x: 0, y: 0, width: 200, height: 20)
        CATransaction.flush()
        func frame(_ time: Double) throws -> Double {
            renderer.beginFrame(atTime: time)
            renderer.addUpdate(renderer.bounds)
            #expect(renderer.updateBounds() == renderer.bounds)
            try renderer.render()
            let next = renderer.nextFrameTime()
            renderer.endFrame()
            return next
        }
        #expect(try frame(1) == .infinity)
        let slide = move("position.x", from: 10, to: 170, 2)
        slide.beginTime = 3
        box.add(slide, forKey: "slide")
        CATransaction.flush()
        #expect(try frame(2) == 3)
        #expect(try frame(3.5) == 3.5)
        let picture = try #require(renderer.image)
        #expect(abs(middle(picture) - 50) < 0.05)
        #expect(try frame(6) == .infinity)
    }

    @Test("y runs up in a renderer: what lies low in its bounds is drawn low")
    func rendererUp() throws {
        let renderer = try CARenderer(width: 20, height: 20)
        let box = CALayer()
        box.backgroundColor = CGColor(gray: 1, alpha: 1)
        box.frame = CGRect(x: 100, y: 100, width: 20, height: 5)
        renderer.layer = box
        renderer.bounds = CGRect(x: 100, y: 100, width: 20, height: 20)
        CATransaction.flush()
        renderer.beginFrame(atTime: 0)
        try renderer.render()
        let picture = try #require(renderer.image)
        #expect(picture.pixel(x: 10, y: 18).red == 255 && picture.pixel(x: 10, y: 2).alpha == 0)
    }
}

@Suite("Live clocks")
struct LiveClockTests {
    @Test(
        "On a live clock callbacks come on the display's queue in real time, and implicit transactions are committed there"
    )
    func live() async throws {
        let queue = DispatchQueue(label: "display")
        let display = try HeadlessDisplay(width: 20, height: 20, clock: .live(queue: queue))
        let start = display.currentTime
        #expect(abs(start - CACurrentMediaTime()) < 5)
        let ended = await withCheckedContinuation { (done: CheckedContinuation<Double, Never>) in
            queue.async {
                let box = CALayer()
                box.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
                CATransaction.setCompletionBlock {
                    dispatchPrecondition(condition: .onQueue(queue))
                    done.resume(returning: display.currentTime)
                }
                box.add(move("opacity", from: 0, to: 1, 0.1), forKey: "fade")
                display.rootLayer.addSublayer(box)
            }
        }
        #expect(ended >= start + 0.1)
        let ticked = await withCheckedContinuation { (done: CheckedContinuation<Double, Never>) in
            queue.async {
                display.displayLink { link in
                    link.invalidate()
                    done.resume(returning: link.timestamp)
                }
            }
        }
        #expect(ticked > start && ticked <= display.currentTime)
        queue.sync { _ = try? display.snapshot() }
    }
}
