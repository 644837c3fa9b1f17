// What a context does with time: begins and ends of animations, and the values on screen.

import LayerModel
import Quartz2D

extension LayerContext {
    /// The display's clock, seconds: where a display gave one, else the time of the last commit.
    package var now: Double { clock?() ?? lastCommitTime }

    /// When something happens next; nil when nothing does as things are. What is due already may lie before now.
    package var nextEventTime: Double? {
        withLock {
            guard callbacks.isEmpty, takenGates.isEmpty else { return now }
            let tick = links.lazy.compactMap { $0.nextTick(rate: self.refreshRate) }.min()
            return [timeline.nextTime(), tick].compactMap { $0 }.min()
        }
    }

    /// True while something is displayed again each time the clock moves.
    package var displaysEachFrame: Bool { withLock { timeline.customCount > 0 } }

    /// When the picture changes next by itself: now while an animation is under way or an emitter emits, else when one begins or ends, or
    /// something happens; nil when nothing does.
    ///
    /// - Complexity: O(running animations).
    package var nextChangeTime: Double? {
        withLock {
            let now = self.now
            if recorder.emitters.mayShowParticles(in: self, at: now, committedAt: lastCommitTime) { return now }
            var next = nextEventTime
            for animation in timeline.running {
                guard let prepared = animation.prepared, let layer = animation.layer else { continue }
                let timing = animation.timing
                let local = layer.localTime(ofDisplay: now)
                if !prepared.isSteady(at: local) { return now }
                let phase = timing.phase(at: local)
                guard phase == .before || layer.mayRunBack else { continue }
                let change = layer.displayTime(from: now, reaching: [timing.beginTime, timing.endTime]) {
                    timing.phase(at: $0.time) != phase
                }
                if let change { next = min(next ?? change, change) }
            }
            return next
        }
    }

    /// Begins and ends the animations whose time it is, at the time where the clock stands. What that calls is handed out by
    /// `takeCompletionBlocks()`.
    package func runEvents(at time: Double) {
        withLock {
            while let next = timeline.nextTime(), next <= time, let (animation, event) = timeline.takeNext() {
                if animation.state == .waiting {
                    animation.state = .started
                    noteStart(of: animation)
                }
                guard event == .end else {
                    timeline.schedule(animation, now: time)
                    continue
                }
                end(animation, finished: true)
                // One that is kept may show something else again in a layer whose time runs backwards.
                guard animation.description.isRemovedOnCompletion else {
                    if !animation.custom.isEmpty { timeline.stop(animation) }
                    continue
                }
                timeline.stop(animation)
                if let layer = animation.layer {
                    // A server lets go of what is over in the frames it draws: of these it may draw none.
                    if layer.mayRunBack { recorder.noteRemoval(of: animation) }
                    layer.forget(animation)
                }
                recorder.forget(animation)
            }
            for link in links {
                if let tick = link.tick(at: time, rate: refreshRate) { callbacks.append(tick) }
            }
        }
    }

    /// Displays the layers whose own keys are animated, with the values of now.
    package func displayAnimatedKeys() {
        withLock {
            guard timeline.customCount > 0 else { return }
            var seen: Set<ObjectIdentifier> = []
            for animation in timeline.running where !animation.custom.isEmpty {
                guard let layer = animation.layer, seen.insert(ObjectIdentifier(layer)).inserted,
                    let shown = layer.valuesOnScreen(), !shown.custom.isEmpty
                else { continue }
                let isMarked = animation.custom.contains { type(of: layer).needsDisplay(forKey: $0.key) }
                if isMarked { layer.display(with: shown.custom) }
            }
        }
    }

    // MARK: What layers and the recorder report

    func animationWasRemoved(_ animation: LayerAnimation) {
        withLock {
            recorder.noteRemoval(of: animation)
            timeline.stop(animation)
            if !animation.isDone { end(animation, finished: false) }
        }
    }

    /// Animations that the transaction just taken brings.
    func animationsWereCommitted(_ new: [LayerAnimation], timingChanged: Bool, at time: Double) {
        if timingChanged { timeline.reschedule(now: time) }
        for animation in new { timeline.start(animation, now: time) }
    }

    func presentedValues(of layer: CALayer) -> PresentedValues {
        withLock {
            var values: PresentedValues
            if let (properties, contents, effects) = recorder.committedValues(of: layer) {
                values = PresentedValues(properties: properties, contents: contents, effects: effects)
            } else {
                values = PresentedValues(
                    properties: layer.properties, contents: layer.storedContents, effects: layer.effects)
            }
            let animations = recorder.committedAnimations(of: layer)
            if animations.contains(where: \.isCommitted) {
                values.apply(animations, of: layer, at: committedLocalTime(of: layer))
            }
            return values
        }
    }

    private func committedLocalTime(of layer: CALayer) -> Double {
        var chain: [LayerTiming] = []
        var current: CALayer? = layer
        while let layer = current {
            let timing = recorder.committedValues(of: layer)?.0.timing ?? layer.properties.timing
            if !timing.isIdentity { chain.append(timing) }
            current = layer.parent
        }
        return chain.reversed().reduce(now) { $1.localTime(ofParent: $0) }
    }

    // MARK: Callbacks

    private func noteStart(of animation: LayerAnimation) {
        let copy = animation.animation
        guard let delegate = copy.delegate else { return }
        callbacks.append { delegate.animationDidStart(copy) }
    }

    private func end(_ animation: LayerAnimation, finished: Bool) {
        animation.state = finished ? .ended : .removed
        let copy = animation.animation
        if let delegate = copy.delegate {
            callbacks.append { delegate.animationDidStop(copy, finished: finished) }
        }
        for gate in animation.gates { callbacks.append(contentsOf: gate.open()) }
        animation.gates = []
    }
}

extension CALayer {
    /// Displays with other values under keys of the app's own; what the display cycle does with model values stays as it is.
    final func display(with custom: [String: Any]) {
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        withValues(custom) { display() }
        CATransaction.endInsideCommit()
    }

    /// Does something while keys of the app's own have other values.
    final func withValues(_ custom: [String: Any], _ body: () -> Void) {
        let model = keyedValues
        keyedValues.merge(custom) { $1 }
        body()
        for key in custom.keys { keyedValues[key] = model[key] }
    }
}
