import Foundation
import LayerModel

/// Colors at places from 0 to 1. In between, encoded straight components are interpolated.
public final class CGGradient: Sendable {
    struct Stop: Sendable {
        var location: Double
        var color: Color
    }

    /// By location; equal ones make a hard edge, in the order given.
    let stops: [Stop]

    /// - Parameters:
    ///   - space: Ignored: colors have their own.
    ///   - locations: As many as colors; nil: evenly from 0 to 1.
    /// Nil without colors, and with locations that are fewer than the colors or not finite.
    public init?(colorsSpace space: CGColorSpace?, colors: [CGColor], locations: [CGFloat]?) {
        guard let stops = CGGradient.stops(colors.map(\.color), locations) else { return nil }
        self.stops = stops
    }

    /// As Apple's code casts the colours: `as CFArray`. What is no `CGColor` is left out.
    public convenience init?(colorsSpace space: CGColorSpace?, colors: CFArray, locations: [CGFloat]?) {
        self.init(colorsSpace: space, colors: colors.compactMap { $0 as? CGColor }, locations: locations)
    }

    /// Foundation's arrays.
    public convenience init?(colorsSpace space: CGColorSpace?, colors: NSArray, locations: [CGFloat]?) {
        self.init(colorsSpace: space, colors: colors.compactMap { $0 as Any }, locations: locations)
    }

    /// - Parameter colorComponents: Components of `count` colors in `space`, alpha after each.
    public init?(colorSpace space: CGColorSpace, colorComponents: [CGFloat], locations: [CGFloat]?, count: Int) {
        let size = space.numberOfComponents + 1
        guard count > 0, count <= colorComponents.count / size else { return nil }
        let colors = (0..<count).compactMap {
            CGColor(colorSpace: space, components: Array(colorComponents[$0 * size..<($0 + 1) * size]))?.color
        }
        guard let stops = CGGradient.stops(colors, locations) else { return nil }
        self.stops = stops
    }

    private static func stops(_ colors: [Color], _ locations: [CGFloat]?) -> [Stop]? {
        guard !colors.isEmpty else { return nil }
        var places: [Double]
        if let locations {
            guard locations.count >= colors.count, locations.allSatisfy(\.isFinite) else { return nil }
            places = locations.prefix(colors.count).map { min(max(Double($0), 0), 1) }
        } else {
            places = colors.indices.map { colors.count == 1 ? 0 : Double($0) / Double(colors.count - 1) }
        }
        let order = places.indices.sorted { (places[$0], $0) < (places[$1], $1) }
        return order.map { Stop(location: places[$0], color: colors[$0]) }
    }

    /// The straight color at a place; the first or the last outside.
    func color(at place: Double) -> Color {
        guard let first = stops.first, let last = stops.last else { return .clear }
        if place <= first.location { return first.color }
        if place >= last.location { return last.color }
        let upper = stops.firstIndex { $0.location > place } ?? stops.count - 1
        let (a, b) = (stops[max(upper - 1, 0)], stops[upper])
        let t = b.location > a.location ? (place - a.location) / (b.location - a.location) : 1
        func mix(_ x: Double, _ y: Double) -> Double { x + (y - x) * t }
        return Color(
            mix(a.color.red, b.color.red), mix(a.color.green, b.color.green), mix(a.color.blue, b.color.blue),
            mix(a.color.alpha, b.color.alpha))
    }
}

/// Whether a gradient goes on before its first and after its last color.
public struct CGGradientDrawingOptions: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The first color goes on before the start.
    public static let drawsBeforeStartLocation = CGGradientDrawingOptions(rawValue: 1)
    /// The last color goes on after the end.
    public static let drawsAfterEndLocation = CGGradientDrawingOptions(rawValue: 2)
}
