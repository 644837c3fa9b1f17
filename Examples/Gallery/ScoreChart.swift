import CoreAnimation
import Rostrum

/// The points of two teams, as they come. The chart scrolls by the origin of its bounds, and its lines grow at their tails.
final class ScoreChart: CALayer, @unchecked Sendable {
    /// One team's line, with a dot at its tail and the team's points beside it.
    final class Line: CALayer, @unchecked Sendable {
        var color = CGColor.hex(0xFF9F0A) {
            didSet {
                stroke.strokeColor = color
                stroke.shadowColor = color
                dot.backgroundColor = color
                halo.backgroundColor = color
                label.foregroundColor = color
            }
        }

        private var points: [CGPoint] = []
        private var length: CGFloat = 0

        private lazy var stroke: CAShapeLayer = {
            let stroke = CAShapeLayer()
            stroke.fillColor = nil
            stroke.lineWidth = 3
            stroke.lineJoin = .round
            stroke.lineCap = .round
            stroke.shadowOpacity = 0.7
            stroke.shadowRadius = 5
            stroke.shadowOffset = CGSize(width: 0, height: 3)
            return stroke
        }()

        private lazy var halo = disc(10, opacity: 0.28)
        private lazy var dot: CALayer = {
            let dot = disc(10, opacity: 1)
            dot.borderColor = .hex(0xFFFFFF)
            dot.borderWidth = 2
            return dot
        }()

        private lazy var label: CATextLayer = {
            let label = CATextLayer("0", "Helvetica-Bold", size: 15, color: color, scale: contentsScale)
            label.bounds.size = CGSize(width: 40, height: 20)
            label.anchorPoint = CGPoint(x: 0, y: 0.5)
            return label
        }()

        init(scale: CGFloat) {
            super.init()
            contentsScale = scale
            for layer in [stroke, halo, dot, label] { addSublayer(layer) }
        }

        override init(layer: Any) {
            super.init(layer: layer)
        }

        required init?(coder: NSCoder) {
            nil
        }

        /// The line goes on to a point; at its end the dot pops if the team has scored. The label is `lift` points above it.
        func append(_ point: CGPoint, score: Int, scored: Bool, lift: CGFloat, duration: CFTimeInterval) {
            let last = points.last ?? point
            let labelStart = label.position
            points.append(point)
            let oldLength = length
            let newLength = length + hypot(point.x - last.x, point.y - last.y)
            let path = CGMutablePath()
            path.addLines(between: points)

            CATransaction.begin()
            CATransaction.setDisableActions(true)
            stroke.path = path
            for layer in [halo, dot] { layer.position = point }
            label.position = CGPoint(x: point.x + 12, y: point.y - lift)
            CATransaction.commit()

            length = newLength
            guard points.count > 1 else { return }
            CATransaction.begin()
            CATransaction.setCompletionBlock { [self] in
                guard scored else { return }
                label.string = "\(score)"
                pop()
            }
            if newLength > 0 {
                let grow = CABasicAnimation(keyPath: "strokeEnd")
                grow.fromValue = oldLength / newLength
                grow.toValue = 1
                grow.duration = duration
                stroke.add(grow, forKey: "grow")
            }
            for (layer, start) in [(halo, last), (dot, last), (label, labelStart)] {
                let follow = CABasicAnimation(keyPath: "position")
                follow.fromValue = start
                follow.duration = duration
                layer.add(follow, forKey: "follow")
            }
            CATransaction.commit()
        }

        private func pop() {
            let spring = CASpringAnimation(perceptualDuration: 0.3, bounce: 0.6)
            spring.keyPath = "transform.scale"
            spring.fromValue = 1.9
            spring.toValue = 1
            let wave = CABasicAnimation(keyPath: "transform.scale")
            wave.fromValue = 1
            wave.toValue = 3.6
            let fade = CABasicAnimation(keyPath: "opacity")
            fade.fromValue = 0.6
            fade.toValue = 0
            let ripple = CAAnimationGroup()
            ripple.animations = [wave, fade]
            ripple.duration = 0.6
            ripple.timingFunction = CAMediaTimingFunction(name: .easeOut)
            let jump = CASpringAnimation(perceptualDuration: 0.3, bounce: 0.5)
            jump.keyPath = "transform.scale"
            jump.fromValue = 1.35
            jump.toValue = 1
            for (layer, animation) in [(dot, spring), (halo, ripple), (label, jump)] as [(CALayer, CAAnimation)] {
                layer.add(animation, forKey: "pop")
            }
        }

        private func disc(_ diameter: CGFloat, opacity: Float) -> CALayer {
            let disc = CALayer()
            disc.bounds.size = CGSize(width: diameter, height: diameter)
            disc.cornerRadius = diameter / 2
            disc.opacity = opacity
            return disc
        }
    }

    /// Points of the chart from one basket to the next.
    var step: CGFloat = 26
    /// Seconds a new piece of line takes.
    var pace: CFTimeInterval = 0.35

    private(set) var scores = [0, 0]
    private var baskets = 0
    private let rows = [0, 5, 10, 15, 20]

    private lazy var grid: CAShapeLayer = {
        let grid = CAShapeLayer()
        grid.strokeColor = .hex(0xFFFFFF, alpha: 0.1)
        grid.lineWidth = 1
        addSublayer(grid)
        return grid
    }()

    /// Everything that scrolls.
    private lazy var content: CALayer = {
        let content = CALayer()
        content.masksToBounds = true
        addSublayer(content)
        return content
    }()

    private lazy var lines: [Line] = ([0x64D2FF, 0xFF9F0A] as [UInt32]).map { color in
        let line = Line(scale: contentsScale)
        line.color = .hex(color)
        content.addSublayer(line)
        return line
    }

    /// The numbers at the left.
    private lazy var scaleLabels: [CATextLayer] = rows.map { score in
        let label = CATextLayer(
            "\(score)", size: 10, color: .hex(0xFFFFFF, alpha: 0.45), alignment: .right, scale: contentsScale)
        label.bounds.size = CGSize(width: 18, height: 14)
        label.anchorPoint = CGPoint(x: 1, y: 0.5)
        addSublayer(label)
        return label
    }

    init(scale: CGFloat) {
        super.init()
        contentsScale = scale
        _ = (grid, content, lines, scaleLabels)
    }

    override init(layer: Any) {
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        let path = CGMutablePath()
        for (score, label) in zip(rows, scaleLabels) {
            path.move(to: CGPoint(x: 26, y: y(score) + 0.5))
            path.addLine(to: CGPoint(x: bounds.width, y: y(score) + 0.5))
            label.position = CGPoint(x: 20, y: y(score))
        }
        grid.path = path
        grid.frame = bounds
        content.frame = CGRect(x: 26, y: 0, width: bounds.width - 26, height: bounds.height)
        if baskets == 0 {
            for line in lines { line.append(CGPoint(x: 8, y: y(0)), score: 0, scored: false, lift: 0, duration: 0) }
        }
    }

    /// A basket of a team: 0 or 1.
    func score(_ points: Int, by team: Int) {
        scores[team] += points
        baskets += 1
        let x = 8 + CGFloat(baskets) * step
        // Labels that would touch make room for each other.
        let distance = y(scores[1]) - y(scores[0])
        let room = max(18 - abs(distance), 0) / 2
        for (index, line) in lines.enumerated() {
            let isUpper = (distance >= 0) == (index == 0)
            line.append(
                CGPoint(x: x, y: y(scores[index])), score: scores[index], scored: index == team,
                lift: isUpper ? room : -room, duration: pace)
        }
        // The tail stays in sight: scrolling is a change of the origin of the bounds.
        let overhang = x - (content.bounds.width - 52)
        guard overhang > 0 else { return }
        CATransaction.begin()
        CATransaction.setAnimationDuration(pace)
        CATransaction.setAnimationTimingFunction(CAMediaTimingFunction(name: .linear))
        content.bounds.origin.x = overhang
        CATransaction.commit()
    }

    /// A line across what scrolls, with a name: a quarter begins.
    func mark(_ title: String) {
        let x = 8 + CGFloat(baskets) * step
        let rule = CAShapeLayer()
        let path = CGMutablePath()
        path.addLines(between: [CGPoint(x: x, y: 4), CGPoint(x: x, y: y(0))])
        rule.path = path
        rule.strokeColor = .hex(0xFFFFFF, alpha: 0.35)
        rule.lineDashPattern = [3, 4]
        let label = CATextLayer(title, size: 10, color: .hex(0xFFFFFF, alpha: 0.55), scale: contentsScale)
        label.frame = CGRect(x: x + 5, y: 2, width: 60, height: 14)
        content.insertSublayer(rule, at: 0)
        content.insertSublayer(label, at: 0)
    }

    private func y(_ score: Int) -> CGFloat {
        (bounds.height - 12) - CGFloat(score) / 20 * (bounds.height - 30)
    }
}

extension Example {
    static let scoreChart = Example(
        name: "score-chart", caption: "A live chart: it scrolls by `bounds.origin`, lines grow, tails pop",
        duration: 6, stillTime: 5.7
    ) { display in
        let root = display.rootLayer
        let sky = CAGradientLayer()
        sky.frame = root.bounds
        sky.colors = [CGColor.hex(0x1B1440), CGColor.hex(0x2B1D5C), CGColor.hex(0x3A1F63)]
        root.addSublayer(sky)

        let teams: [(name: String, color: UInt32, alignment: CATextLayerAlignmentMode)] = [
            ("HARBOR", 0x64D2FF, .left), ("SUMMIT", 0xFF9F0A, .right),
        ]
        var totals: [CATextLayer] = []
        for (index, team) in teams.enumerated() {
            let name = CATextLayer(
                team.name, "Helvetica-Bold", size: 12, color: .hex(team.color), alignment: team.alignment,
                scale: root.contentsScale)
            name.frame = CGRect(x: index == 0 ? 20 : 240, y: 20, width: 100, height: 18)
            root.addSublayer(name)
            let total = CATextLayer(
                "0", "Helvetica-Bold", size: 28, color: .hex(0xFFFFFF), alignment: index == 0 ? .right : .left,
                scale: root.contentsScale)
            total.frame = CGRect(x: index == 0 ? 110 : 196, y: 9, width: 54, height: 36)
            root.addSublayer(total)
            totals.append(total)
        }
        let colon = CATextLayer(
            ":", "Helvetica-Bold", size: 24, color: .hex(0xFFFFFF, alpha: 0.5), alignment: .center,
            scale: root.contentsScale)
        colon.frame = CGRect(x: 165, y: 11, width: 30, height: 34)
        root.addSublayer(colon)

        let chart = ScoreChart(scale: root.contentsScale)
        chart.frame = CGRect(x: 12, y: 54, width: 336, height: 176)
        root.addSublayer(chart)
        chart.layoutIfNeeded()
        chart.mark("1st quarter")

        let baskets: [(team: Int, points: Int)] = [
            (0, 2), (1, 3), (0, 2), (0, 3), (1, 2), (1, 2), (0, 1), (1, 3), (1, 2), (0, 3), (0, 3), (1, 2), (1, 3),
            (0, 2),
            (1, 1),
        ]
        var events: [HeadlessDisplay.Event] = []
        for (index, basket) in baskets.enumerated() {
            let time = 0.2 + 0.36 * Double(index)
            if index == 7 { events.append(.init(time) { chart.mark("2nd quarter") }) }
            events.append(
                .init(time) {
                    chart.score(basket.points, by: basket.team)
                    totals[basket.team].string = "\(chart.scores[basket.team])"
                })
        }
        display.play(events)
    }
}
