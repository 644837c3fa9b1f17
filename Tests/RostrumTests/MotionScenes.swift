import CoreAnimation
import Foundation
import LayerModel
import Rostrum

/// Small scenes, each with other kinds of motion, on a display of 96 × 64.
struct MotionScene: CustomStringConvertible, @unchecked Sendable {
    static let size = CGSize(width: 96, height: 64)

    let description: String
    /// Builds the tree below a root.
    let build: (CALayer) -> Void
    /// What happens after the first commit, at time 0.
    let start: (CALayer) -> Void

    /// A display with the scene, at time 0, its motions under way.
    func display(server: HeadlessDisplay.Server = .embedded) throws -> HeadlessDisplay {
        let display = try HeadlessDisplay(
            width: Self.size.width, height: Self.size.height, background: CGColor(gray: 0.9, alpha: 1), server: server)
        build(display.rootLayer)
        _ = try display.snapshot()
        start(display.rootLayer)
        return display
    }

    /// What some frames show, one after the other: premultiplied BGRA.
    func frames(_ numbers: [Int], rate: Double = 20, server: HeadlessDisplay.Server = .embedded) throws -> [[UInt8]] {
        let display = try display(server: server)
        return try numbers.map { number in
            try display.withPixels(at: Double(number) / rate) { bytes, _ in [UInt8](bytes) }
        }
    }

    static let all: [MotionScene] = [springs, keyframes, groups, transitions, images, effects, times, implied]

    // MARK: Scenes

    private static func box(_ x: Double, _ y: Double, _ side: Double = 20, _ hue: Double = 0.5) -> CALayer {
        let layer = CALayer()
        layer.bounds = CGRect(x: 0, y: 0, width: side, height: side)
        layer.position = CGPoint(x: x, y: y)
        layer.backgroundColor = CGColor(red: hue, green: 1 - hue, blue: 0.3, alpha: 0.8)
        layer.cornerRadius = 4
        return layer
    }

    private static func boxes(_ count: Int) -> (CALayer) -> Void {
        { root in
            for index in 0..<count {
                root.addSublayer(box(16 + Double(index) * 64 / Double(max(count - 1, 1)), 32, 20, Double(index) / 4))
            }
        }
    }

    private static func basic(_ path: String, _ from: Any?, _ to: Any?, _ duration: Double) -> CABasicAnimation {
        let animation = CABasicAnimation(keyPath: path)
        animation.fromValue = from
        animation.toValue = to
        animation.duration = duration
        return animation
    }

    /// A slope of light on a color.
    private static func image(_ level: Double) -> CGImage {
        var bytes: [UInt8] = []
        for y in 0..<16 { for x in 0..<16 { bytes += [UInt8(level * 255), UInt8(x * 8 + y * 7), UInt8(x * 16), 255] } }
        return CGImage(
            ImageContent(width: 16, height: 16, bytesPerRow: 64, isOpaque: true, pixels: PixelStorage(bytes)))
    }

    private static let springs = MotionScene(description: "springs", build: boxes(3)) { root in
        for (index, layer) in (root.sublayers ?? []).enumerated() {
            let spring = CASpringAnimation(keyPath: ["position.y", "transform.scale", "transform.rotation.z"][index])
            (spring.damping, spring.stiffness) = ([4, 10, 30][index], [150, 100, 60][index])
            spring.initialVelocity = 3
            spring.fromValue = [10, 0.4, 0][index]
            spring.toValue = [44, 1.2, 2][index]
            spring.duration = spring.settlingDuration
            layer.add(spring, forKey: "spring")
        }
    }

    private static let keyframes = MotionScene(description: "key frames", build: boxes(5)) { root in
        let modes: [CAAnimationCalculationMode] = [.linear, .discrete, .paced, .cubic, .cubicPaced]
        for (mode, layer) in zip(modes, root.sublayers ?? []) {
            let animation = CAKeyframeAnimation(keyPath: "position")
            animation.values = [(10.0, 10.0), (80, 20), (70, 50), (20, 54), (30, 30)].map { CGPoint(x: $0.0, y: $0.1) }
            animation.calculationMode = mode
            animation.timingFunctions = (0..<4).map { _ in CAMediaTimingFunction(name: .easeInEaseOut) }
            animation.duration = 0.9
            animation.repeatCount = 1.5
            layer.add(animation, forKey: "walk")
        }
        let path = CGMutablePath()
        path.move(to: CGPoint(x: 10, y: 50))
        path.addCurve(
            to: CGPoint(x: 86, y: 14), control1: CGPoint(x: 30, y: -20), control2: CGPoint(x: 60, y: 90))
        let along = CAKeyframeAnimation(keyPath: "position")
        along.path = path
        along.calculationMode = .paced
        along.rotationMode = .rotateAuto
        along.duration = 1
        root.sublayers?.last?.add(along, forKey: "along")
    }

    private static let groups = MotionScene(description: "groups, there and back", build: boxes(2)) { root in
        let group = CAAnimationGroup()
        let late = basic("opacity", 1, 0.1, 0.3)
        late.beginTime = 0.1
        late.fillMode = .both
        let sum = basic("position.y", 0, 10, 0.2)
        (sum.isAdditive, sum.isCumulative, sum.repeatCount) = (true, true, 3)
        group.animations = [late, sum, basic("cornerRadius", 0, 10, 0.6)]
        (group.duration, group.autoreverses, group.repeatCount, group.timeOffset) = (0.4, true, .infinity, 0.15)
        root.sublayers?[0].add(group, forKey: "group")
        let turn = basic("transform", nil, 1.5, 0.7)
        turn.valueFunction = CAValueFunction(name: .rotateZ)
        (turn.autoreverses, turn.repeatDuration, turn.fillMode, turn.isRemovedOnCompletion) = (
            true, 1, .forwards, false
        )
        root.sublayers?[1].add(turn, forKey: "turn")
    }

    private static let transitions = MotionScene(description: "transitions", build: boxes(4)) { root in
        let types: [CATransitionType] = [.fade, .moveIn, .push, .reveal]
        for (type, layer) in zip(types, root.sublayers ?? []) {
            let transition = CATransition()
            transition.type = type
            transition.subtype = .fromTop
            transition.duration = 0.8
            layer.add(transition, forKey: nil)
            CATransaction.setDisableActions(true)
            layer.backgroundColor = CGColor(red: 0.1, green: 0.2, blue: 0.9, alpha: 1)
            layer.addSublayer(box(14, 6, 9))
        }
    }

    private static let images = MotionScene(
        description: "images",
        build: { root in
            boxes(2)(root)
            for layer in root.sublayers ?? [] { layer.contents = image(0.1) }
        }
    ) { root in
        root.sublayers?[0].contents = image(0.9)
        let film = CAKeyframeAnimation(keyPath: "contents")
        film.values = [image(0), image(0.5), image(1)]
        (film.duration, film.repeatCount) = (0.6, 2)
        root.sublayers?[1].add(film, forKey: "film")
    }

    private static let effects = MotionScene(
        description: "filters, shadows, masks",
        build: { root in
            boxes(3)(root)
            let filter = CAFilter(type: "gaussianBlur")
            filter.name = "soft"
            filter.setValue(0, forKey: "inputRadius")
            root.sublayers?[0].filters = [filter]
            root.sublayers?[1].shadowOpacity = 0.8
            let mask = box(10, 10, 16)
            root.sublayers?[2].mask = mask
        }
    ) { root in
        root.sublayers?[0].add(basic("filters.soft.inputRadius", 0, 6, 0.9), forKey: "blur")
        root.sublayers?[1].add(basic("shadowRadius", 1, 9, 0.8), forKey: "shadow")
        root.sublayers?[1].add(basic("shadowOffset", CGSize.zero, CGSize(width: 9, height: 4), 0.8), forKey: "offset")
        root.sublayers?[2].mask?.add(basic("position.x", -5, 20, 0.8), forKey: "mask")
    }

    private static let times = MotionScene(
        description: "layers with times of their own",
        build: { root in
            boxes(4)(root)
            for (index, speed) in ([2, 0.5, 0, -1] as [Float]).enumerated() {
                root.sublayers?[index].speed = speed
                root.sublayers?[index].timeOffset = [0, 0.2, 0.35, 0.9][index]
            }
        }
    ) { root in
        for layer in root.sublayers ?? [] {
            let animation = basic("position.y", 8, 56, 0.8)
            animation.beginTime = 1e-100
            layer.add(animation, forKey: "fall")
        }
    }

    private static let implied = MotionScene(description: "implied animations", build: boxes(3)) { root in
        CATransaction.begin()
        CATransaction.setAnimationDuration(0.7)
        root.sublayers?[0].position.y = 10
        root.sublayers?[1].backgroundColor = CGColor(gray: 0, alpha: 1)
        CATransaction.setCompletionBlock {
            root.sublayers?[2].transform = CATransform3DMakeRotation(1, 0, 0, 1)
        }
        CATransaction.commit()
    }
}
