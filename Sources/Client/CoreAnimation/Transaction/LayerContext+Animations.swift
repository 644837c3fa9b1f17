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
                guard animation.description.isRemovedOnCompletion else { continue }
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
        for animation in new {
            timeline.start(animation, now: time)
            if !animation.custom.isEmpty, let layer = animation.layer { driven.add(layer) }
        }
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
        layer.timingChain { recorder.committedValues(of: $0)?.0.timing ?? $0.properties.timing }.localTime(from: now)
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
