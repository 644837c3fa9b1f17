// What a gradient layer draws, and the color at each place of it. Source: semantic reference, §6.2; measured facts, G1 to G8.

/// How the place in a gradient follows from the place in the layer.
package enum GradientKind: UInt8, Sendable, CaseIterable {
    /// Along the line from start to end.
    case axial = 0
    /// Outwards from the start, in an ellipse that the end gives the radii of.
    case radial = 1
    /// Around the start, from the direction of the end on, clockwise where y runs down.
    case conic = 2
}

/// Stops, and how they lie in the unit square of the layer's bounds.
package struct GradientProperties: Hashable, Sendable {
    package var colors: [Color] = []
    /// Of each color, 0…1; none of them are even steps.
    package var locations: [Double] = []
    /// In units of the bounds.
    package var start = Point(0.5, 0)
    package var end = Point(0.5, 1)
    package var kind = GradientKind.axial

    /// Colors and locations of one layer.
    package static let mostStops = 1_024

    package init() {}

    package static let defaults = GradientProperties()

    /// Some pixel may be covered: there are two colors, a place for each, and an axis; an ellipse has two radii.
    package var draws: Bool {
        guard colors.count >= 2, locations.isEmpty || locations.count == colors.count,
            colors.contains(where: { $0.alpha > 0 })
        else { return false }
        switch kind {
        case .axial, .conic: return start != end
        case .radial: return start.x != end.x && start.y != end.y
        }
    }

    /// No color lets anything through.
    package var isOpaque: Bool { colors.allSatisfy { $0.alpha >= 1 } }

    /// The place in the gradient at a place in the unit square; beyond 0…1 the first and the last color go on.
    package func fraction(at place: Point) -> Double {
        let (x, y) = (place.x - start.x, place.y - start.y)
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        switch kind {
        case .axial: return (x * dx + y * dy) / (dx * dx + dy * dy)
        case .radial:
            let (u, v) = (x / dx, y / dy)
            return (u * u + v * v).squareRoot()
        case .conic:
            let turns = (arcTangent(y, x) - arcTangent(dy, dx)) / (2 * Double.pi)
            return turns - turns.rounded(.down)
        }
    }

    /// The locations as they count: even where there are none, and never before the one before.
    package var steadyLocations: [Double] {
        guard !locations.isEmpty else { return colors.indices.map { Double($0) / Double(max(colors.count - 1, 1)) } }
        var last = -Double.infinity
        return locations.map { location in
            last = max(last, location)
            return last
        }
    }
}

extension LayerProperties {
    package var gradient: GradientProperties {
        get { rare?.value.gradient?.value ?? .defaults }
        set {
            let isDefault = newValue == .defaults
            setRarely(isDefault: isDefault) { $0.gradient = isDefault ? nil : Boxed(newValue) }
        }
    }

    /// A gradient is drawn: asked of every layer.
    package var drawsGradient: Bool { rare != nil && rare!.value.gradient != nil && gradient.draws }
}
