// Animations of the layers in the table, and what they make of the values.
//
// A layer without animations has one set of values. One with animations keeps the committed values aside; `properties`, which
// everything else reads, holds what is shown. `present(at:)` brings them to a time: it visits animated layers only, and of
// those only the ones whose values can have changed. Animations that are over go by themselves, at the time they end: so it
// makes no difference whether a time is reached in steps or at once.

import LayerModel

/// The committed values of an animated layer, and its animations in the order they were added. Immutable.
final class AnimatedLayer: Sendable {
    struct Running: Sendable {
        let id: AnimationID
        let animation: PreparedAnimation
    }

    let model: LayerProperties
    let animations: [Running]
    /// The properties that change, where they can be sampled in place: few of them, and each a value of its own.
    let sampledInPlace: [LayerProperty]?

    init(model: LayerProperties, animations: [Running]) {
        self.model = model
        self.animations = animations
        sampledInPlace = Self.sampledInPlace(animations)
    }

    private init(model: LayerProperties, as other: AnimatedLayer) {
        self.model = model
        animations = other.animations
        sampledInPlace = other.sampledInPlace
    }

    private static func sampledInPlace(_ animations: [Running]) -> [LayerProperty]? {
        guard animations.count <= 8 else { return nil }
        var properties: [LayerProperty] = []
        for running in animations {
            guard case .property(let animation) = running.animation.description.content else { return nil }
            switch animation.target.property {
            case .contents, .filters, .backgroundFilters, .shadowPath, .path, .emitterCells: return nil
            default: break
            }
            if case .keyframes(let frames) = animation.motion, frames.rotation != .none { return nil }
            if !properties.contains(animation.target.property) { properties.append(animation.target.property) }
        }
        return properties.count <= 4 ? properties : nil
    }

    func setting(_ property: LayerProperty, to value: PropertyValue) throws(PropertyFault) -> AnimatedLayer {
        var model = model
        try model.set(property, to: value)
        return AnimatedLayer(model: model, as: self)
    }

    func changing(_ change: (inout LayerProperties) -> Void) -> AnimatedLayer {
        var model = model
        change(&model)
        return AnimatedLayer(model: model, as: self)
    }

    /// The values at a time of the layer.
    func properties(at time: Double) -> LayerProperties {
        var properties = model
        for running in animations where !running.animation.isOver(at: time) {
            running.animation.apply(to: &properties, at: time)
        }
        return properties
    }

    /// As `properties(at:)`, for values that differ from the committed ones by what is sampled in place alone.
    /// - Returns: True when one of them has changed.
    func sample(_ sampled: [LayerProperty], into properties: inout LayerProperties, at time: Double) -> Bool {
        // Most often it is one: no list is made then.
        if sampled.count == 1 {
            let before = properties[sampled[0]]
            try? properties.set(sampled[0], to: model[sampled[0]])
            for running in animations { running.animation.apply(to: &properties, at: time) }
            return properties[sampled[0]] != before
        }
        let before = sampled.map { properties[$0] }
        for property in sampled { try? properties.set(property, to: model[property]) }
        for running in animations { running.animation.apply(to: &properties, at: time) }
        for (property, value) in zip(sampled, before) where properties[property] != value { return true }
        return false
    }

    /// Two bits an animation: its phase, where it changes nothing until the phase does; nil while one is under way.
    func rest(at time: Double) -> UInt64? {
        guard animations.count <= 32 else { return nil }
        var rest: UInt64 = 0
        for running in animations {
            guard running.animation.isSteady(at: time) else { return nil }
            let phase: UInt64 =
                switch running.animation.description.timing.phase(at: time) {
                case .before: 1
                case .active: 2
                case .after: 3
                }
            rest = rest << 2 | phase
        }
        return rest
    }
}

/// An animated layer, and what its values were taken from last.
struct AnimatedEntry: Sendable {
    var index: Int32
    /// The layer's only animation, where it is simple.
    var track: SimpleTrack?
    /// Its time is that above it.
    var hasTimeOfSuperlayer = false
    var shown: AnimatedLayer?
    var rest: UInt64?
    /// Of the layer.
    var time = -Double.infinity

    init(index: Int32) { self.index = index }
}

/// What the animations of a session take.
struct AnimationTotals: Sendable {
    var count = 0
    var values = 0
    /// Records of what layers looked like before their transitions began, and of what shows them.
    var pictures = 0
}

extension LayerStore {
    package var animationCount: Int { animationTotals.count }

    mutating func add(
        _ description: AnimationDescription, as id: AnimationID, key: String, to index: Int32, _ opIndex: Int
    ) throws(TransactionError) {
        let layer = records[Int(index)].id
        var running = records[Int(index)].animated?.animations ?? []
        guard id != .none, !running.contains(where: { $0.id == id }) else {
            throw TransactionError(.duplicateAnimation, opIndex: opIndex, layer: layer, "\(layer) has \(id) already")
        }
        guard running.count < limits.animationsOfLayer, animationTotals.count < limits.animations else {
            throw TransactionError(
                .tooManyAnimations, opIndex: opIndex, layer: layer,
                "a layer has at most \(limits.animationsOfLayer) animations, a session \(limits.animations)")
        }
        let animation = PreparedAnimation(description)
        animationTotals.count += 1
        animationTotals.values += animation.description.weight
        guard animationTotals.values <= limits.animationValues else {
            throw TransactionError(
                .tooManyAnimations, opIndex: opIndex, layer: layer,
                "the animations of a session hold at most \(limits.animationValues) values")
        }
        for image in animation.images { try use(image, "animation \"\(key)\"", layer, opIndex) }
        let isTransition = animation.isTransition
        if isTransition, let earlier = running.firstIndex(where: { $0.animation.isTransition }) {
            forget(running.remove(at: earlier).animation)
        }
        running.append(AnimatedLayer.Running(id: id, animation: animation))
        setAnimations(running, of: index)
        journal.animated.append(index)
        if isTransition { try takePictures(of: index, opIndex) }
    }

    /// True where the animations of a transaction only fit once those that are over are gone: these wait for a frame, which may
    /// not have been drawn.
    func needsRoom(for transaction: Transaction) -> Bool {
        guard animationTotals.count > 0 else { return false }
        var (added, values, most) = (0, animationTotals.values, 0)
        for case .addAnimation(let id, _, _, let description) in transaction.ops {
            added += 1
            values += description.weight
            if let index = index(of: id) { most = max(most, records[Int(index)].animated?.animations.count ?? 0) }
        }
        return animationTotals.count + added > limits.animations || values > limits.animationValues
            || most > 0 && most + added > limits.animationsOfLayer
    }

    mutating func removeAnimation(_ id: AnimationID, of index: Int32) {
        guard let animated = records[Int(index)].animated,
            let place = animated.animations.firstIndex(where: { $0.id == id })
        else { return }
        var rest = animated.animations
        let removed = rest.remove(at: place).animation
        forget(removed)
        if removed.isTransition { dropPictures(of: index) }
        setAnimations(rest, of: index)
    }

    /// Puts the committed values back.
    mutating func removeAnimations(of index: Int32) {
        guard let animated = records[Int(index)].animated else { return }
        for running in animated.animations { forget(running.animation) }
        dropPictures(of: index)
        records[Int(index)].animated = nil
        records[Int(index)].properties = animated.model
        records[Int(index)].notePlacement()
        records[Int(index)].noteEffects()
    }

    private mutating func forget(_ animation: PreparedAnimation) {
        animationTotals.count -= 1
        animationTotals.values -= animation.description.weight
        for image in animation.images { unuse(image) }
    }

    /// A layer whose last animation went keeps the list, empty, until its values are put back.
    private mutating func setAnimations(_ animations: [AnimatedLayer.Running], of index: Int32) {
        records[Int(index)].animated = AnimatedLayer(model: records[Int(index)].model, animations: animations)
        guard !records[Int(index)].isListedAsAnimated else { return }
        records[Int(index)].isListedAsAnimated = true
        animatedLayers.append(AnimatedEntry(index: index))
    }

    /// Brings every animated layer to what it shows at a time, and lets go of the animations that are over.
    /// - Parameter time: Seconds of the display; never before the last one.
    package mutating func present(at time: Double) {
        if !emitters.isEmpty {
            revisions += 1
            if advanceEmitters(to: time, shows: true) { generation += 1 }
        }
        presentAnimations(at: time)
        settleInstances(at: time, presents: true)
    }

    private mutating func presentAnimations(at time: Double) {
        guard !animatedLayers.isEmpty else { return }
        var hasChanged = false
        var kept = 0
        revisions += 1
        // Siblings share the time above them.
        var above: (layer: Int32, time: Double) = (-1, time)
        for position in animatedLayers.indices {
            if let isChanged = presentSimply(position, &above, time) {
                if isChanged { hasChanged = true }
                if kept != position { animatedLayers[kept] = animatedLayers[position] }
                kept += 1
                continue
            }
            var entry = animatedLayers[position]
            guard Int(entry.index) < records.count, let animated = records[Int(entry.index)].animated else {
                if Int(entry.index) < records.count { records[Int(entry.index)].isListedAsAnimated = false }
                continue
            }
            let superlayer = records[Int(entry.index)].parent
            if superlayer != above.layer {
                above = (superlayer, superlayer < 0 ? time : localTime(of: superlayer, at: time))
            }
            let local = animated.model.timing.localTime(ofParent: above.time)
            entry.time = local
            entry.hasTimeOfSuperlayer = animated.model.timing.isIdentity
            if present(animated, &entry, local) { hasChanged = true }
            if records[Int(entry.index)].animated == nil {
                records[Int(entry.index)].isListedAsAnimated = false
                continue
            }
            animatedLayers[kept] = entry
            kept += 1
        }
        animatedLayers.removeSubrange(kept...)
        freeIndices.append(contentsOf: journal.freed)
        journal.end()
        if hasChanged { generation += 1 }
    }

    /// Brings a layer to a time where nothing but that is another than at the last one, and either it rests or it has one
    /// simple animation: most often so. Returns whether it shows another value; nil where more has to be looked at.
    private mutating func presentSimply(
        _ position: Int, _ above: inout (layer: Int32, time: Double), _ time: Double
    ) -> Bool? {
        let index = Int(animatedLayers[position].index)
        guard index < records.count, let shown = animatedLayers[position].shown, records[index].animated === shown
        else { return nil }
        let superlayer = records[index].parent
        if superlayer != above.layer {
            above = (superlayer, superlayer < 0 ? time : localTime(of: superlayer, at: time))
        }
        let local =
            animatedLayers[position].hasTimeOfSuperlayer
            ? above.time : shown.model.timing.localTime(ofParent: above.time)
        // Paused: nothing is another.
        if local == animatedLayers[position].time { return false }
        guard animatedLayers[position].track != nil else { return nil }
        let moment = animatedLayers[position].track!.moment(at: local)
        if case .over = moment { return nil }
        animatedLayers[position].time = local
        animatedLayers[position].rest = nil
        guard show(moment, of: animatedLayers[position].track!.field, shown, index) else { return false }
        let isPlace = animatedLayers[position].track!.field.isOfPlaceAlone
        noteShown(of: Int32(index), hasOwnPicture: isPlace)
        return true
    }

    /// Shows what the only animation of a layer makes of it. True when that is another value than before.
    private mutating func show(
        _ moment: SimpleTrack.Moment, of field: SimpleTrack.Field, _ animated: AnimatedLayer, _ index: Int
    ) -> Bool {
        func number(_ committed: @autoclosure () -> Double) -> Double {
            if case .value(let value) = moment { value.x } else { committed() }
        }
        switch field {
        case .opacity:
            let new = number(animated.model.opacity)
            if records[index].properties.opacity == new { return false }
            records[index].properties.opacity = new
        case .cornerRadius:
            let new = number(animated.model.cornerRadius)
            if records[index].properties.cornerRadius == new { return false }
            records[index].properties.cornerRadius = new
        case .borderWidth:
            let new = number(animated.model.borderWidth)
            if records[index].properties.borderWidth == new { return false }
            records[index].properties.borderWidth = new
        case .position:
            var new = animated.model.position
            if case .value(let value) = moment { new = value }
            if records[index].properties.position == new { return false }
            records[index].properties.position = new
        case .positionX:
            let new = number(animated.model.position.x)
            if records[index].properties.position.x == new { return false }
            records[index].properties.position.x = new
        case .positionY:
            let new = number(animated.model.position.y)
            if records[index].properties.position.y == new { return false }
            records[index].properties.position.y = new
        case .rotationZ:
            var new = animated.model.transform
            if case .value(let value) = moment {
                // As `replacing` has it.
                new =
                    new.isIdentity
                    ? .rotation(value.x, 0, 0, 1) : new.replacing(.rotationZ, with: .number(value.x)) ?? new
            }
            if !new.isFinite || records[index].properties.transform == new { return false }
            records[index].properties.transform = new
            records[index].notePlacement()
        }
        return true
    }

    /// Lets go of the animations of some layers that are over at a time.
    ///
    /// A layer's time may go back when its timing or its superlayer changes, and what is over then does not begin again: so
    /// that is found out at the commit's time, whichever frames are drawn.
    mutating func expire(_ layers: [Int32], at time: Double) {
        var hasEnded = false
        revisions += 1
        for index in layers where Int(index) < records.count {
            guard let animated = records[Int(index)].animated else { continue }
            let local = localTime(of: index, at: time)
            guard animated.animations.contains(where: { $0.animation.isOver(at: local) }) else { continue }
            var entry = AnimatedEntry(index: index)
            if present(animated, &entry, local) { hasEnded = true }
        }
        freeIndices.append(contentsOf: journal.freed)
        journal.end()
        if hasEnded { generation += 1 }
    }

    /// - Parameter time: Of the layer.
    /// - Returns: True when what the layer shows has changed.
    private mutating func present(_ animated: AnimatedLayer, _ entry: inout AnimatedEntry, _ time: Double) -> Bool {
        var animated = animated
        var hasChanged = false
        if animated.animations.contains(where: { $0.animation.isOver(at: time) }) {
            var left: [AnimatedLayer.Running] = []
            for running in animated.animations {
                guard running.animation.isOver(at: time) else {
                    left.append(running)
                    continue
                }
                forget(running.animation)
                if running.animation.isTransition, records[Int(entry.index)].shell >= 0 {
                    dropPictures(of: entry.index)
                    hasChanged = true
                }
            }
            animated = AnimatedLayer(model: animated.model, animations: left)
            records[Int(entry.index)].animated = animated
        }
        let rest = animated.rest(at: time)
        if entry.shown === animated {
            if rest != nil, rest == entry.rest { return false }
            if let sampled = animated.sampledInPlace {
                entry.rest = rest
                guard animated.sample(sampled, into: &records[Int(entry.index)].properties, at: time) else {
                    return hasChanged
                }
                records[Int(entry.index)].notePlacement()
                records[Int(entry.index)].noteEffects()
                noteShown(of: entry.index, hasOwnPicture: sampled.allSatisfy(\.isOfPlaceAlone))
                return true
            }
        }
        entry.rest = rest
        entry.shown = animated
        entry.track = animated.animations.count == 1 ? SimpleTrack(animated.animations[0].animation.description) : nil
        let properties = animated.properties(at: time)
        let old = records[Int(entry.index)].properties
        if animated.animations.isEmpty { records[Int(entry.index)].animated = nil }
        if properties != old {
            hasChanged = true
            records[Int(entry.index)].properties = properties
            records[Int(entry.index)].notePlacement()
            records[Int(entry.index)].noteEffects()
        }
        let showsOthers =
            records[Int(entry.index)].shell >= 0 && showPictures(of: entry.index, animated.transition(at: time))
        noteShown(
            of: entry.index,
            hasOwnPicture: !showsOthers && !animated.animations.isEmpty && properties.differsInPlaceAlone(from: old))
        return hasChanged || showsOthers
    }

    /// The display's time as a layer has it, through the timing of all above it.
    func localTime(of index: Int32, at time: Double) -> Double {
        var chain = TimingChain()
        var above = index
        while above >= 0 {
            if let animated = records[Int(above)].animated {
                // As committed: what is shown follows only now.
                chain.append(animated.model.timing)
            } else if records[Int(above)].properties.rare != nil {
                chain.append(records[Int(above)].properties.timing)
            }
            above = records[Int(above)].parent
        }
        return chain.localTime(from: time)
    }
}

extension TransactionOp {
    var addsTransition: Bool {
        if case .addAnimation(_, _, _, let description) = self, case .transition = description.content {
            true
        } else {
            false
        }
    }

    /// The time of layers may be another after it.
    var changesTime: Bool {
        switch self {
        case .set(_, .beginTime, _), .set(_, .timeOffset, _), .set(_, .speed, _), .set(_, .mask, _), .setSublayers,
            .destroyLayer:
            true
        default: false
        }
    }
}
