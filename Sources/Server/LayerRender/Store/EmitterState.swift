// Emitters among the layers of a table: what they emitted by since when, and the time they are shown at.
//
// What is set is noted at the time of its commit, what animations make of it at steps of time (LayerModel's
// EmitterTimeline.swift), both whichever frames are drawn. The particles themselves are worked out when they are drawn
// (Emitter/FramePlanner+Particles.swift).

import LayerModel

/// One emitter layer.
package struct EmitterState: Sendable {
    package var timeline = EmitterTimeline()
    /// Seconds of the layer, of what is shown.
    package var time = 0.0
    /// Another number, other particles.
    package var revision: UInt64 = 0
    /// Up to here, seconds of the layer, animated values are noted.
    var noted = 0.0
    var layer = LayerID.none
    /// Of a copy: the revision of what it is a copy of.
    var original: UInt64 = 0
}

extension LayerStore {
    /// Notes what a transaction that was applied set of emitters.
    mutating func noteEmitters(of transaction: Transaction) {
        if !emitters.isEmpty, transaction.ops.contains(where: \.destroysLayer) {
            emitters = emitters.filter { records[Int($0.key)].id == $0.value.layer }
        }
        for op in transaction.ops {
            switch op {
            case .createLayer(let id, .emitterLayer): noteEmitter(id, at: transaction.time)
            case .set(let id, let property, _) where property.owner == .emitterLayer:
                noteEmitter(id, at: transaction.time)
            default: break
            }
        }
    }

    private mutating func noteEmitter(_ id: LayerID, at time: Double) {
        guard let index = index(of: id), records[Int(index)].layerClass == .emitterLayer else { return }
        let local = localTime(of: index, at: time)
        var state = emitters[index].flatMap { $0.layer == id ? $0 : nil } ?? EmitterState()
        state.layer = id
        let emitter =
            records[Int(index)].animated.map { $0.properties(at: local).emitter } ?? records[Int(index)].model.emitter
        if state.timeline.current == nil {
            state.timeline = EmitterTimeline(emitter)
        } else {
            state.timeline.note(emitter, at: local)
        }
        state.noted = local
        state.revision += 1
        emitters[index] = state
    }

    /// Brings emitters to a time, and notes what animations made of them on the way.
    /// - Parameter shows: The time is shown; it is that of a commit otherwise.
    /// - Returns: True when one shows other particles.
    mutating func advanceEmitters(to time: Double, shows: Bool) -> Bool {
        var hasChanged = false
        for index in emitters.keys.sorted() where Int(index) < records.count && !records[Int(index)].isCopy {
            let local = localTime(of: index, at: time)
            guard var state = emitters[index] else { continue }
            if state.timeline.isOver(at: local) {
                // The layer began anew.
                state.timeline = EmitterTimeline(records[Int(index)].model.emitter)
                state.noted = local
            }
            if let animated = records[Int(index)].animated, animated.changesEmitters, local > state.noted {
                let step = EmitterTimeline.step
                let last = (local / step).rounded(.down)
                var number = max((state.noted / step).rounded(.down) + 1, last - Double(EmitterTimeline.most))
                while number <= last {
                    state.timeline.note(animated.properties(at: number * step).emitter, at: number * step)
                    number += 1
                }
                state.noted = max(local, state.noted)
            }
            if shows, local != state.time || state.revision == 0 {
                if state.timeline.isAlive(at: min(local, state.time)) {
                    state.revision += 1
                    hasChanged = true
                    noteShown(of: index)
                }
                state.time = local
            }
            emitters[index] = state
        }
        return hasChanged
    }

    /// A copy of an emitter emits what that one does, at a time of its own.
    /// - Parameter time: Seconds of the layer.
    /// - Returns: True when it shows other particles than before.
    mutating func emit(_ copy: Int32, as source: Int32, at time: Double) -> Bool {
        guard let original = emitters[source] else {
            return emitters.removeValue(forKey: copy) != nil
        }
        var state = original
        state.time = time
        if let before = emitters[copy], before.layer == state.layer, before.original == original.revision,
            before.time == time
        {
            return false
        }
        state.original = original.revision
        // As no other copy has had, also none that had this record before.
        state.revision = revisions << 32 | UInt64(copy)
        emitters[copy] = state
        return true
    }
}

extension AnimatedLayer {
    /// Some value that particles are born with is another with time.
    fileprivate var changesEmitters: Bool {
        animations.contains { running in
            guard case .property(let animation) = running.animation.description.content else { return true }
            return animation.target.property.owner == .emitterLayer
        }
    }
}

extension TransactionOp {
    fileprivate var destroysLayer: Bool { if case .destroyLayer = self { true } else { false } }
}
