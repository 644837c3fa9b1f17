import CAML
import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

/// Trees of layers of every class with values of every property, as they follow from a seed.
struct RandomLayers {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    /// SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    private mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
    private mutating func chance(_ p: Double) -> Bool { unit() < p }
    private mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    private mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

    /// Round, odd, tiny and huge ones.
    private mutating func number() -> Double {
        switch below(8) {
        case 0: Double(below(200)) - 100
        case 1: unit() * 1e-12
        case 2: -unit() * 1e9
        case 3: 0.1 + 0.2
        default: unit() * 400 - 200
        }
    }

    private mutating func color() -> Color {
        Color(unit(), pick([0, 1, unit()]), unit(), pick([1, 1, 0, unit()]))
    }

    private mutating func name() -> String {
        pick([
            "Box", "a \"b\" & <c>", "line\nend\ttab", "größe 🐈", "--> ]]> &amp;", "  spaces  ", "%41.png", "#1", "'",
        ])
    }

    private mutating func transform() -> Transform {
        switch below(5) {
        case 0: .rotation(number() / 100, 0, 0, 1)
        case 1: .translation(number(), number(), pick([0, number()]))
        case 2: .scale(unit() + 0.5, unit() + 0.5, 1)
        case 3: Transform.scale(2, 2, 1).concatenating(.translation(5, 6, 0))
        default: Transform(elements: (0..<16).map { _ in number() / 100 }) ?? .identity
        }
    }

    mutating func image() -> CGImage {
        let (width, height) = (below(5) + 1, below(5) + 1)
        var bytes: [UInt8] = []
        for _ in 0..<width * height {
            let alpha = pick([0, 255, UInt8(below(256))])
            bytes += (0..<3).map { _ in UInt8(below(Int(alpha) + 1)) } + [alpha]
        }
        return try! CGImage(width: width, height: height, premultipliedBGRA: bytes)
    }

    private mutating func path() -> VectorPath {
        var path = VectorPath()
        for _ in 0...below(2) {
            path.move(to: Point(number(), number()))
            for _ in 0...below(3) {
                switch below(3) {
                case 0: path.line(to: Point(number(), number()))
                case 1: path.quad(to: Point(number(), number()), control: Point(number(), number()))
                default:
                    path.cubic(to: Point(number(), number()), Point(number(), number()), Point(number(), number()))
                }
            }
            if chance(0.5) { path.close() }
        }
        return path
    }

    private static let codes: [LayerProperty: ClosedRange<UInt8>] = [
        .contentsGravity: 0...UInt8(ContentsGravity.allCases.count - 1), .minificationFilter: 0...2,
        .magnificationFilter: 0...2, .maskedCorners: 0...15, .cornerCurve: 0...1, .edgeAntialiasingMask: 0...15,
        .fillRule: 0...1, .lineCap: 0...2, .lineJoin: 0...2, .gradientType: 0...2, .emitterShape: 0...5,
        .emitterMode: 0...3, .renderMode: 0...4,
    ]

    private mutating func value(of property: LayerProperty) -> PropertyValue? {
        switch property.kind {
        case .bool: .bool(chance(0.5))
        case .number:
            switch property {
            case .seed, .instanceCount: .number(Double(below(1000)))
            default: .number(number())
            }
        case .point: .point(Point(number(), number()))
        case .rect: .rect(Rect(number(), number(), abs(number()), abs(number())))
        case .transform: .transform(transform())
        case .color: .color(chance(0.2) ? nil : color())
        case .code: RandomLayers.codes[property].map { .code(UInt8(below(Int($0.upperBound) + 1))) }
        case .string: .string(name())
        case .path: .path(chance(0.1) ? nil : path())
        case .numbers: .numbers((0..<below(4)).map { _ in abs(number()) })
        case .colors: .colors((0..<below(4)).map { _ in color() })
        case .image, .layer, .filters, .cells: nil
        }
    }

    private mutating func filter() -> CAFilter {
        let kind = pick(LayerFilter.Kind.allCases)
        let filter = CAFilter(type: kind.typeName)
        if chance(0.5) { filter.name = name() }
        filter.isEnabled = chance(0.8)
        for input in kind.inputs where chance(0.5) {
            switch FilterInputKind(input) {
            case .number: filter.set(input, .number(number()))
            case .flag: filter.set(input, .flag(chance(0.5)))
            case .color: filter.set(input, .color(color()))
            case .matrix: filter.set(input, .numbers((0..<20).map { _ in number() }))
            case .size: filter.set(input, .point(Point(number(), number())))
            case .image: filter.setValue(image(), forKey: "\(input)")
            }
        }
        return filter
    }

    private mutating func cell(depth: Int) -> CAEmitterCell {
        let cell = CAEmitterCell()
        for number in EmitterCell.Number.allCases where number.isKey && chance(0.3) {
            cell.setNumber(number, to: self.number())
        }
        if chance(0.5) { cell.name = name() }
        cell.isEnabled = chance(0.8)
        if chance(0.5) { cell.color = CGColor(color()) }
        if chance(0.5) { cell.contents = image() }
        if chance(0.3) { cell.contentsRect = CGRect(x: unit(), y: unit(), width: unit(), height: unit()) }
        if chance(0.3) { cell.duration = unit() * 10 }
        if chance(0.3) { cell.magnificationFilter = "nearest" }
        if depth < 3, chance(0.4) { cell.emitterCells = [self.cell(depth: depth + 1)] }
        return cell
    }

    // MARK: Animations

    private mutating func curve() -> CAMediaTimingFunction {
        if chance(0.5) {
            return CAMediaTimingFunction(name: pick([.linear, .easeIn, .easeOut, .easeInEaseOut, .default]))
        }
        return CAMediaTimingFunction(controlPoints: Float(unit()), Float(number()), Float(unit()), Float(number()))
    }

    private mutating func motionValue(_ path: String) -> Any {
        switch path {
        case "position": CGPoint(x: number(), y: number())
        case "bounds": CGRect(x: number(), y: number(), width: unit(), height: unit())
        case "shadowOffset", "bounds.size": CGSize(width: number(), height: number())
        case "backgroundColor": CGColor(color())
        case "contents": image()
        case "transform": CATransform3D(transform())
        case "shadowPath": CGPath(self.path())
        case "colors": (0...below(3)).map { _ in CGColor(color()) }
        case "locations": (0...below(3)).map { _ in NSNumber(value: unit()) }
        default: number()
        }
    }

    private mutating func setTiming(_ animation: CAAnimation) {
        if chance(0.5) { animation.beginTime = number() }
        animation.duration = unit() * 5 + 0.1
        if chance(0.3) { animation.speed = Float(number()) }
        if chance(0.3) { animation.timeOffset = unit() }
        if chance(0.4) { animation.repeatCount = pick([.infinity, 2.5, 3]) }
        if chance(0.3) { animation.repeatDuration = pick([.infinity, unit()]) }
        animation.autoreverses = chance(0.3)
        animation.isRemovedOnCompletion = chance(0.5)
        animation.fillMode = pick([.removed, .forwards, .backwards, .both])
        if chance(0.5) { animation.timingFunction = curve() }
    }

    mutating func animation(of layer: CALayer, depth: Int = 0) -> CAAnimation {
        let path = pick(
            [
                "position", "bounds", "opacity", "shadowOffset", "bounds.size", "backgroundColor", "contents",
                "transform",
                "shadowPath", "transform.rotation.z", "position.x", "zPosition",
            ] + (layer is CAGradientLayer ? ["colors", "locations", "startPoint.x"] : []))
        let animation: CAAnimation
        switch below(depth < 2 ? 6 : 3) {
        case 0, 1:
            let basic = CABasicAnimation(keyPath: path)
            if chance(0.8) { basic.fromValue = motionValue(path) }
            if chance(0.8) { basic.toValue = motionValue(path) }
            basic.isAdditive = chance(0.2)
            animation = basic
        case 2:
            let spring = CASpringAnimation(keyPath: path)
            spring.toValue = motionValue(path)
            (spring.mass, spring.stiffness, spring.damping) = (unit() + 0.1, unit() * 300 + 1, unit() * 40)
            spring.initialVelocity = number()
            spring.allowsOverdamping = chance(0.5)
            animation = spring
        case 3:
            let frames = CAKeyframeAnimation(keyPath: path)
            frames.values = (0..<3).map { _ in motionValue(path) }
            if chance(0.5) { frames.keyTimes = [0, NSNumber(value: unit()), 1] }
            if chance(0.3) { frames.timingFunctions = [curve(), curve()] }
            frames.calculationMode = pick([.linear, .paced, .cubic, .cubicPaced])
            if chance(0.3) { frames.tensionValues = [NSNumber(value: unit()), 0, 1] }
            if path == "position", chance(0.5) {
                frames.path = CGPath(self.path())
                frames.rotationMode = .rotateAuto
            }
            animation = frames
        case 4:
            let group = CAAnimationGroup()
            group.animations = (0...below(2)).map { _ in self.animation(of: layer, depth: depth + 1) }
            animation = group
        default:
            let transition = CATransition()
            transition.type = pick([.fade, .push, .moveIn, .reveal])
            transition.subtype = pick([nil, .fromTop, .fromRight])
            transition.startProgress = Float(unit() / 2)
            animation = transition
        }
        setTiming(animation)
        return animation
    }

    // MARK: Trees

    /// - Parameter level: Of the tree; the root is 0.
    mutating func layer(level: Int = 0) -> CALayer {
        let layer: CALayer =
            switch below(10) {
            case 0: CATransformLayer()
            case 1: CABackdropLayer()
            case 2: CAShapeLayer()
            case 3: CAGradientLayer()
            case 4: CAReplicatorLayer()
            case 5: CAEmitterLayer()
            case 6: CATextLayer()
            default: CALayer()
            }
        var node = SceneNode(parent: -1)
        for property in LayerProperty.allCases where chance(0.3) {
            guard property.owner == nil || property.owner == layer.layerClass else { continue }
            if level == 0, [.position, .zPosition, .transform].contains(property) { continue }
            if let value = value(of: property) { node.set(property, value) }
        }
        layer.apply(node, without: [])
        if level == 0 { layer.bounds.size = CGSize(width: 40, height: 30) }
        if chance(0.3) { layer.contents = image() }
        if chance(0.2) { layer.filters = [filter(), filter()] }
        if chance(0.2) { layer.backgroundFilters = [filter()] }
        if chance(0.2) { layer.compositingFilter = pick(CompositingMode.allCases).filterName }
        if chance(0.1) { layer.compositingFilter = CAFilter(type: "multiplyBlendMode") }
        if let emitter = layer as? CAEmitterLayer { emitter.emitterCells = [cell(depth: 1), cell(depth: 1)] }
        if let backdrop = layer as? CABackdropLayer { backdrop.isEnabled = chance(0.5) }
        if let text = layer as? CATextLayer {
            text.string = name()
            if chance(0.5) { text.font = "DejaVu Sans" }
            if chance(0.5) { text.fontSize = unit() * 40 }
            if chance(0.5) { text.foregroundColor = CGColor(color()) }
            text.isWrapped = chance(0.5)
            text.truncationMode = pick([.none, .end, .middle])
            text.alignmentMode = pick([.natural, .center])
        }
        for key in 0..<below(3) { layer.add(animation(of: layer), forKey: pick([nil, "key \(key)", "opacity"])) }
        guard level < 4 else { return layer }
        if chance(0.2) { layer.mask = self.layer(level: level + 2) }
        for _ in 0..<below(4) { layer.addSublayer(self.layer(level: level + 1)) }
        return layer
    }
}
