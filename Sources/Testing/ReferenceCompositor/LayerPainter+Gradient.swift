// What a gradient layer draws, over its background and below its contents, each pixel by its middle. Source: semantic
// reference, §6.2; decision 14: straight components are mixed as they are encoded, then premultiplied.

import Glibc
import LayerModel

extension LayerPainter {
    func paintGradient(of placed: PlacedLayer, opacity: Double, isClipped: Bool, into canvas: Canvas) {
        let gradient = placed.properties.gradient
        let bounds = placed.properties.bounds
        guard gradient.colors.count > 1, bounds.width > 0, bounds.height > 0,
            gradient.locations.isEmpty || gradient.locations.count == gradient.colors.count
        else { return }
        let coverage =
            isClipped
            ? Coverage(bounds: canvas.bounds, value: 1)
            : self.coverage(of: Outline(placed.properties), placed, in: canvas.bounds)
        guard note(.gradient, of: placed, coverage, opacity) else { return }
        coverage.forEachPixel(in: canvas.bounds) { x, y, share, flags in
            let place = placed.plane.point(at: Point(Double(x) + 0.5, Double(y) + 0.5))
            let unit = Point((place.x - bounds.minX) / bounds.width, (place.y - bounds.minY) / bounds.height)
            guard let t = Self.parameter(gradient, at: unit) else { return }
            let (color, isAtEdge) = Self.color(gradient, at: t)
            canvas.blend(
                x: x, y: y, Ink(color), weight: share * opacity, flags: isAtEdge ? flags | .doubtful : flags)
        }
        canvas.touch(coverage.bounds)
    }

    /// Nil where nothing is drawn.
    private static func parameter(_ gradient: GradientProperties, at unit: Point) -> Double? {
        let r = Point(unit.x - gradient.start.x, unit.y - gradient.start.y)
        let d = Point(gradient.end.x - gradient.start.x, gradient.end.y - gradient.start.y)
        switch gradient.kind {
        case .axial:
            let square = d.x * d.x + d.y * d.y
            return square > 0 ? (r.x * d.x + r.y * d.y) / square : nil
        case .radial:
            guard d.x != 0, d.y != 0 else { return nil }
            return hypot(r.x / d.x, r.y / d.y)
        case .conic:
            guard d.x != 0 || d.y != 0 else { return nil }
            let turns = (atan2(r.y, r.x) - atan2(d.y, d.x)) / (2 * .pi)
            return turns - floor(turns)
        }
    }

    /// The mix at a place, and whether another color begins so near that rounding decides.
    private static func color(_ gradient: GradientProperties, at t: Double) -> (Color, isAtEdge: Bool) {
        let count = gradient.colors.count
        var stops: [Double] = []
        for index in 0..<count {
            let own = gradient.locations.isEmpty ? Double(index) / Double(count - 1) : gradient.locations[index]
            stops.append(max(own, stops.last ?? own))
        }
        let isAtEdge =
            zip(stops, stops.dropFirst()).contains { $0 == $1 && abs($0 - t) < 1e-7 }
            || gradient.kind == .conic && (t < 1e-7 || t > 1 - 1e-7)
        guard let after = stops.firstIndex(where: { $0 > t }) else { return (gradient.colors[count - 1], isAtEdge) }
        guard after > 0 else { return (gradient.colors[0], isAtEdge) }
        let share = (t - stops[after - 1]) / (stops[after] - stops[after - 1])
        let (a, b) = (gradient.colors[after - 1], gradient.colors[after])
        func mix(_ x: Double, _ y: Double) -> Double { x * (1 - share) + y * share }
        return (
            Color(mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue), mix(a.alpha, b.alpha)), isAtEdge
        )
    }
}
