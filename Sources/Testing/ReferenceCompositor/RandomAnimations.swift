// Random animations for the layers of a scene: basic, key frame and spring ones of properties that a picture shows, groups,
// cross-fades of contents, transitions together with what changes under them, and timing of layers.
//
// Ranges are such that a picture still proves something: layers stay large, and blurs above the radius below which their
// sampling decides more than they do.

import LayerModel

package struct RandomAnimations {
    private var random: SplitMix64
    private let root: LayerID
    private let layers: [LayerID]
    private let hasImages: Bool
    private var values: [LayerID: [LayerProperty: PropertyValue]] = [:]
    private var sublayers: [LayerID: [LayerID]] = [:]
    private var next: UInt32 = 1

    package init(seed: UInt64, of transactions: [Transaction]) {
        random = SplitMix64(seed: seed ^ 0xA11A)
        var layers: [LayerID] = []
        var root = LayerID.none
        var hasImages = false
        for op in transactions.flatMap(\.ops) {
            switch op {
            case .createLayer(let layer, _): layers.append(layer)
            case .setRoot(let layer): root = layer
            case .setSublayers(let layer, let list): sublayers[layer] = list
            case .set(let layer, let property, let value): values[layer, default: [:]][property] = value
            case .defineImage: hasImages = true
            default: break
            }
        }
        self.layers = layers
        self.root = root
        self.hasImages = hasImages
    }

    /// A commit that animates some layers, and lets some go over from what they were.
    package mutating func transaction(at time: Double) -> Transaction {
        var transaction = Transaction(time: time)
        let others = layers.filter { $0 != root }
        guard !others.isEmpty else { return transaction }
        for layer in others where random.chance(0.12) { setTiming(of: layer, at: time, &transaction.ops) }
        for _ in 0..<random.integer(2...5) {
            let layer = random.pick(others)
            if random.chance(0.3) {
                addTransition(to: random.chance(0.15) ? root : layer, at: time, &transaction.ops)
            } else {
                add(animation(of: layer, at: time), to: layer, &transaction.ops)
            }
        }
        return transaction
    }

    private mutating func add(
        _ description: AnimationDescription, to layer: LayerID, _ ops: inout [TransactionOp]
    ) {
        ops.append(.addAnimation(layer, AnimationID(next), key: "a\(next)", description))
        next += 1
    }

    // MARK: Timing

    private mutating func setTiming(of layer: LayerID, at time: Double, _ ops: inout [TransactionOp]) {
        switch random.integer(0...3) {
        case 0:
            // Paused.
            ops.append(.set(layer, .speed, .number(0)))
            ops.append(.set(layer, .timeOffset, .number(time + random.number(0, 0.5))))
        case 1:
            ops.append(.set(layer, .speed, .number(-1)))
            ops.append(.set(layer, .timeOffset, .number(time + 1)))
            ops.append(.set(layer, .beginTime, .number(time)))
        case 2:
            ops.append(.set(layer, .speed, .number(random.pick([0.5, 2]))))
        default:
            ops.append(.set(layer, .beginTime, .number(random.number(-0.5, 0.5))))
        }
    }

    private mutating func timing(at time: Double) -> AnimationTiming {
        var timing = AnimationTiming(beginTime: time, duration: random.number(0.3, 1.5))
        if random.chance(0.2) { timing.beginTime += random.number(-0.3, 0.4) }
        if random.chance(0.2) { timing.repeatCount = random.pick([2, 2.5, .infinity]) }
        if random.chance(0.1) { timing.repeatDuration = random.number(0.4, 2) }
        timing.autoreverses = random.chance(0.2)
        if random.chance(0.15) { timing.timeOffset = random.number(0, 0.5) }
        if random.chance(0.1) { timing.speed = random.pick([0.5, 2, 0, -1]) }
        timing.fillMode = random.pick(FillMode.allCases)
        return timing
    }

    private mutating func finish(_ description: AnimationDescription) -> AnimationDescription {
        var result = description
        result.isRemovedOnCompletion = random.chance(0.7)
        if random.chance(0.5) {
            result.curve = random.pick([.easeIn, .easeOut, .easeInEaseOut, TimingCurve(0.3, 1.4, 0.7, 1)])
        }
        return result
    }

    // MARK: Animations

    private mutating func animation(of layer: LayerID, at time: Double) -> AnimationDescription {
        guard random.chance(0.15) else {
            return finish(AnimationDescription(.property(property(of: layer)), timing: timing(at: time)))
        }
        let members = (0..<random.integer(1...3)).map { _ in
            finish(AnimationDescription(.property(property(of: layer)), timing: timing(at: 0)))
        }
        return finish(AnimationDescription(.group(members), timing: timing(at: time)))
    }

    private mutating func property(of layer: LayerID) -> PropertyAnimation {
        let target = target(of: layer)
        var animation = PropertyAnimation(target, .basic(MotionEnds()))
        let canAdd = target.property == .position
        animation.isAdditive = canAdd && random.chance(0.2)
        let isSmall = animation.isAdditive
        func value(_ maker: inout RandomAnimations) -> PropertyValue {
            maker.value(of: target, layer, isSmall: isSmall)
        }
        switch random.integer(0...3) {
        case 0:
            var frames = Keyframes((0..<random.integer(2...4)).map { _ in value(&self) })
            frames.mode = random.pick(Keyframes.Mode.allCases)
            if target.property == .contents { frames.mode = random.pick([.linear, .discrete]) }
            if random.chance(0.3) {
                let middle = (1..<max(frames.values.count - 1, 1)).map { _ in random.unit() }.sorted()
                frames.keyTimes = [0] + middle + [1]
            }
            animation.motion = .keyframes(frames)
        case 1 where target.property != .contents:
            var curve = SpringCurve()
            curve.damping = random.number(6, 20)
            animation.motion = .spring(MotionEnds(from: value(&self), to: value(&self)), curve)
        default:
            var ends = MotionEnds(from: value(&self), to: value(&self))
            if random.chance(0.25) { ends.from = nil }
            if random.chance(0.15) { ends.to = nil }
            if ends.from == nil, ends.to == nil { ends.to = value(&self) }
            animation.motion = .basic(ends)
        }
        return animation
    }

    private mutating func target(of layer: LayerID) -> AnimationTarget {
        if hasImages, random.chance(0.3) { return .property(.contents) }
        return random.pick([
            .property(.position), .property(.position), .component(.position, .x), .property(.opacity),
            .property(.bounds), .component(.bounds, .sizeWidth), .component(.transform, .rotationZ),
            .component(.transform, .scale), .property(.backgroundColor), .property(.cornerRadius),
            .property(.borderWidth), .property(.shadowOpacity), .property(.hidden), .property(.masksToBounds),
            .property(.contentsRect),
        ])
    }

    private mutating func value(of target: AnimationTarget, _ layer: LayerID, isSmall: Bool) -> PropertyValue {
        var bounds = Rect(0, 0, 40, 40)
        if case .rect(let rect)? = values[layer]?[.bounds] { bounds = rect }
        var place = Point.zero
        if case .point(let point)? = values[layer]?[.position], !isSmall { place = point }
        switch target {
        case .component(.position, _): return .number(place.x + Double(random.integer(-20...20)))
        case .component(.bounds, _): return .number(max(bounds.width + Double(random.integer(-8...16)), 14))
        case .component(_, .scale): return .number(random.number(0.8, 1.3))
        case .component: return .number(random.pick([0, 0, .pi / 2, 0.4]))
        case .property(.contents): return .image(image(of: layer))
        case .property(.opacity): return .number(random.pick([1, 1, 0.6, 0.3]))
        case .property(.bounds):
            return .rect(
                Rect(
                    bounds.minX, bounds.minY, max(bounds.width + Double(random.integer(-8...16)), 14),
                    max(bounds.height + Double(random.integer(-8...16)), 14)))
        case .property(.backgroundColor): return .color(color())
        case .property(.cornerRadius): return .number(random.pick([0, 6, 14]))
        case .property(.borderWidth): return .number(random.pick([0, 2, 5]))
        case .property(.shadowOpacity): return .number(random.pick([0, 0.5, 1]))
        case .property(.hidden), .property(.masksToBounds): return .bool(random.chance(0.4))
        case .property(.contentsRect): return .rect(random.pick([.unit, Rect(0.25, 0.25, 0.5, 0.75)]))
        default:
            return .point(
                Point(place.x + Double(random.integer(-20...20)), place.y + Double(random.integer(-15...15))))
        }
    }

    /// Where smaller copies are asked for, one of the images that have them at powers of two.
    private mutating func image(of layer: LayerID) -> ImageID {
        let isTrilinear = values[layer]?[.minificationFilter] == .code(ContentsFilter.trilinear.rawValue)
        let image = random.integer(0...(isTrilinear ? 2 : 4))
        return ImageID(UInt32(random.chance(0.1) ? 0 : max(image, 1)))
    }

    private mutating func color() -> Color {
        Color(random.unit(), random.unit(), random.unit(), random.pick([1, 1, 0.5]))
    }

    // MARK: Transitions

    /// The transition, and what changes under it.
    private mutating func addTransition(to layer: LayerID, at time: Double, _ ops: inout [TransactionOp]) {
        var transition = LayerTransition(
            random.pick([.fade, .fade, .push, .moveIn, .reveal]), random.pick(LayerTransition.Direction.allCases))
        if random.chance(0.15) { transition.startProgress = 0.25 }
        if random.chance(0.15) { transition.endProgress = 0.75 }
        var timing = AnimationTiming(beginTime: time, duration: random.number(0.5, 1.5))
        if random.chance(0.2) { timing.fillMode = .both }
        let description = finish(AnimationDescription(.transition(transition), timing: timing))
        let isFirst = random.chance(0.5)
        if isFirst { add(description, to: layer, &ops) }
        for _ in 0..<random.integer(1...3) { change(layer, &ops) }
        for sublayer in sublayers[layer] ?? [] where random.chance(0.3) { change(sublayer, &ops) }
        if let list = sublayers[layer], list.count > 1, random.chance(0.4) {
            let changed = random.chance(0.5) ? Array(list.reversed()) : Array(list.dropLast())
            sublayers[layer] = changed
            ops.append(.setSublayers(layer, changed))
        }
        if !isFirst { add(description, to: layer, &ops) }
    }

    private mutating func change(_ layer: LayerID, _ ops: inout [TransactionOp]) {
        let target = random.pick(
            [
                AnimationTarget.property(.backgroundColor), .property(.cornerRadius), .property(.bounds),
                .property(.borderWidth), .property(.hidden), .property(.opacity), .property(.position),
                .property(.masksToBounds), .property(.shadowOpacity),
            ] + (hasImages ? [.property(.contents)] : []))
        if layer == root, [.hidden, .position, .bounds, .opacity].contains(target.property) { return }
        let value = value(of: target, layer, isSmall: false)
        values[layer, default: [:]][target.property] = value
        ops.append(.set(layer, target.property, value))
    }
}
