// A canvas as numbers: what a blur works on. All four premultiplied components, and what is not sure about them.

import LayerModel

struct LayeredField {
    private let canvas: Canvas
    private let components: [Field]
    private let shape: Silhouette
    var box: PixelRect { canvas.touched }

    init(_ canvas: Canvas) {
        self.canvas = canvas
        shape = Silhouette(canvas)
        let box = canvas.touched
        components = [
            Field(box) { canvas.ink(x: $0, y: $1).blue }, Field(box) { canvas.ink(x: $0, y: $1).green },
            Field(box) { canvas.ink(x: $0, y: $1).red }, shape.alpha,
        ]
    }

    /// The blurred canvas.
    ///
    /// - Parameters:
    ///   - weights: What of the kernel counted at each pixel; divides the sum. Nil: all of it.
    ///   - rim: What is left of each pixel. Nil: all of it.
    ///   - isSoft: By how much it is covered; else all of each pixel that the rim touches.
    func blurred(
        _ spread: Spread, in output: PixelRect, weights: Field? = nil, rim: Coverage? = nil, isSoft: Bool = true
    ) -> Canvas {
        let result = Canvas(bounds: output)
        var area = box.inflated(x: spread.reachX, y: spread.reachY).intersection(output)
        if let rim { area = area.intersection(rim.bounds) }
        guard !area.isEmpty else { return result }
        let soft = components.map { $0.blurred(spread, in: area) }
        let unsure = shape.blurred(spread, in: area)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX {
                var ink = Ink(
                    blue: soft[0].value(x: x, y: y), green: soft[1].value(x: x, y: y), red: soft[2].value(x: x, y: y),
                    alpha: soft[3].value(x: x, y: y))
                var flags = unsure.flags(x: x, y: y)
                var steepness = 0.0
                if let weights {
                    let weight = weights.value(x: x, y: y)
                    // What a level of the sum, and one of the weight in levels, make of the quotient.
                    if weight < 0.9 { steepness = min(2 / max(weight, 1e-3), 255) }
                    ink = weight > 1e-6 ? (ink * (1 / weight)).clamped : .clear
                }
                if let rim {
                    let covered = rim.value(x: x, y: y)
                    let share = isSoft || covered == 0 ? covered : 1
                    if share < 1 { flags = flags | .edge }
                    ink = ink * share
                }
                let slack = unsure.slack.value(x: x, y: y)
                guard ink.alpha > 0 || slack > 0 else { continue }
                result.replace(x: x, y: y, with: ink, flags: flags, slack: slack + steepness)
            }
        }
        result.touch(area)
        return result
    }
}

extension Spread {
    static let none = Spread(xx: 0, xy: 0, yy: 0)

    private init(xx: Double, xy: Double, yy: Double) {
        self.xx = xx
        self.xy = xy
        self.yy = yy
    }

    /// With a standard deviation `factor` times as large.
    func scaled(by factor: Double) -> Spread {
        Spread(xx: xx * factor * factor, xy: xy * factor * factor, yy: yy * factor * factor)
    }
}

extension Canvas {
    /// Calls `body` for each pixel of a rectangle where something was drawn.
    func forEachTouched(in rect: PixelRect, _ body: (_ x: Int, _ y: Int) -> Void) {
        let area = touched.intersection(rect)
        var y = area.minY
        while y < area.maxY {
            var x = area.minX
            while x < area.maxX {
                if isTouched(x: x, y: y) { body(x, y) }
                x += 1
            }
            y += 1
        }
    }

    /// The pixel that holds a point, or the nearest one to it. The canvas must not be empty.
    func pixel(nearest point: Point) -> (x: Int, y: Int) {
        let x = min(max(point.x, Double(bounds.minX)), Double(bounds.maxX) - 0.5)
        let y = min(max(point.y, Double(bounds.minY)), Double(bounds.maxY) - 0.5)
        return (Int(x.rounded(.down)), Int(y.rounded(.down)))
    }

    /// Bilinear between the four pixel centers around a point.
    func sample(_ point: Point) -> Ink {
        let x = point.x - 0.5
        let y = point.y - 0.5
        func at(_ dx: Double, _ dy: Double) -> Ink {
            let p = pixel(nearest: Point(x.rounded(.down) + dx + 0.5, y.rounded(.down) + dy + 0.5))
            return ink(x: p.x, y: p.y)
        }
        let s = x - x.rounded(.down)
        let t = y - y.rounded(.down)
        return at(0, 0).mixed(with: at(1, 0), s).mixed(with: at(0, 1).mixed(with: at(1, 1), s), t)
    }
}
