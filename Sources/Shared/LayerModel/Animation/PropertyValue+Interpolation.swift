// Arithmetic of values: interpolation, addition and its inverse, distance. Source: semantic reference, §5.1 and §5.8.
//
// Values of different kinds, and kinds that have no in-between, show the first until the end, then the second. Nothing is
// clamped: progress may lie outside 0…1, and what a property can't take is clamped when it is drawn.

extension PropertyValue {
    /// The value between two: `a` at 0, `b` at 1.
    package static func interpolate(_ a: PropertyValue, _ b: PropertyValue, _ u: Double) -> PropertyValue {
        switch (a, b) {
        case (.number(let a), .number(let b)): .number(mix(a, b, u))
        case (.point(let a), .point(let b)): .point(mix(a, b, u))
        case (.rect(let a), .rect(let b)): .rect(mix(a, b, u))
        case (.transform(let a), .transform(let b)): .transform(.interpolate(a, b, u))
        case (.color(let a), .color(let b)):
            a == nil && b == nil ? .color(nil) : .color(mix(a ?? .clear, b ?? .clear, u))
        // 0 and 1, and true unless it is exactly 0.
        case (.bool(let a), .bool(let b)): .bool(mix(a ? 1 : 0, b ? 1 : 0, u) != 0)
        case (.numbers(let a), .numbers(let b)) where a.count == b.count:
            .numbers(zip(a, b).map { mix($0, $1, u) })
        case (.colors(let a), .colors(let b)) where a.count == b.count:
            .colors(zip(a, b).map { mix($0, $1, u) })
        case (.path(let a?), .path(let b?)): .path(.interpolate(a, b, u))
        case (.path, .path): b
        case (.filters(let a), .filters(let b)) where [LayerFilter].haveSameShape(a, b):
            .filters(zip(a, b).map { LayerFilter.interpolate($0, $1, u) })
        default: u < 1 ? a : b
        }
    }

    /// What `by` means, and what additive and cumulative animations do: `value` on top of `base`. Transforms are
    /// concatenated, `value` first; what can't be added stays as it is in `base`.
    package static func sum(_ base: PropertyValue, _ value: PropertyValue) -> PropertyValue {
        switch (base, value) {
        case (.number(let a), .number(let b)): .number(a + b)
        case (.point(let a), .point(let b)): .point(a + b)
        case (.rect(let a), .rect(let b)):
            .rect(
                Rect(
                    a.origin.x + b.origin.x, a.origin.y + b.origin.y, a.size.width + b.size.width,
                    a.size.height + b.size.height))
        case (.transform(let a), .transform(let b)): .transform(b.concatenating(a))
        case (.color(let a), .color(let b)): a == nil && b == nil ? base : .color((a ?? .clear) + (b ?? .clear))
        case (.numbers(let a), .numbers(let b)) where a.count == b.count: .numbers(zip(a, b).map { $0 + $1 })
        case (.colors(let a), .colors(let b)) where a.count == b.count: .colors(zip(a, b).map { $0 + $1 })
        default: base
        }
    }

    /// `base` without `value`: `sum(difference(a, b), b)` is a, where there is such a value.
    package static func difference(_ base: PropertyValue, _ value: PropertyValue) -> PropertyValue {
        switch (base, value) {
        case (.transform(let a), .transform(let b)):
            b.inverse.map { .transform($0.concatenating(a)) } ?? base
        default: sum(base, scaled(value, by: -1))
        }
    }

    /// The value `count` times in a row.
    package static func scaled(_ value: PropertyValue, by count: Double) -> PropertyValue {
        switch value {
        case .number(let a): .number(a * count)
        case .point(let a): .point(Point(a.x * count, a.y * count))
        case .rect(let a):
            .rect(Rect(a.origin.x * count, a.origin.y * count, a.size.width * count, a.size.height * count))
        case .color(let a):
            .color(a.map { Color($0.red * count, $0.green * count, $0.blue * count, $0.alpha * count) })
        case .numbers(let a): .numbers(a.map { $0 * count })
        case .colors(let a):
            .colors(a.map { Color($0.red * count, $0.green * count, $0.blue * count, $0.alpha * count) })
        case .transform(let a): .transform(a.power(count))
        default: value
        }
    }

    /// What a missing end means where values are added: nothing.
    package static func zero(like value: PropertyValue) -> PropertyValue {
        switch value {
        case .bool: .bool(false)
        case .number: .number(0)
        case .point: .point(.zero)
        case .rect: .rect(.zero)
        case .transform: .transform(.identity)
        case .color: .color(.clear)
        case .numbers(let a): .numbers([Double](repeating: 0, count: a.count))
        case .colors(let a): .colors([Color](repeating: .clear, count: a.count))
        default: value
        }
    }

    /// How far apart two values are, for pacing; nil for kinds that have no measure.
    package static func distance(_ a: PropertyValue, _ b: PropertyValue) -> Double? {
        func length(_ squares: [Double]) -> Double { squares.reduce(0) { $0 + $1 * $1 }.squareRoot() }
        switch (a, b) {
        case (.number(let a), .number(let b)): return abs(a - b)
        case (.point(let a), .point(let b)): return length([a.x - b.x, a.y - b.y])
        case (.rect(let a), .rect(let b)):
            return length([
                a.origin.x - b.origin.x, a.origin.y - b.origin.y, a.size.width - b.size.width,
                a.size.height - b.size.height,
            ])
        case (.color(let a), .color(let b)):
            let (a, b) = (a ?? .clear, b ?? .clear)
            return length([a.red - b.red, a.green - b.green, a.blue - b.blue, a.alpha - b.alpha])
        case (.numbers(let a), .numbers(let b)) where a.count == b.count: return length(zip(a, b).map { $0 - $1 })
        default: return nil
        }
    }
}

@inline(__always) func mix(_ a: Double, _ b: Double, _ u: Double) -> Double {
    // Exact at both ends.
    u == 1 ? b : a + (b - a) * u
}

private func mix(_ a: Point, _ b: Point, _ u: Double) -> Point { Point(mix(a.x, b.x, u), mix(a.y, b.y, u)) }

private func mix(_ a: Rect, _ b: Rect, _ u: Double) -> Rect {
    Rect(
        mix(a.origin.x, b.origin.x, u), mix(a.origin.y, b.origin.y, u), mix(a.size.width, b.size.width, u),
        mix(a.size.height, b.size.height, u))
}

private func mix(_ a: Color, _ b: Color, _ u: Double) -> Color {
    Color(
        mix(a.red, b.red, u), mix(a.green, b.green, u), mix(a.blue, b.blue, u), mix(a.alpha, b.alpha, u))
}

private func + (a: Color, b: Color) -> Color {
    Color(a.red + b.red, a.green + b.green, a.blue + b.blue, a.alpha + b.alpha)
}

private func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }

extension VectorPath {
    /// Point by point where both have the same verbs; else `b` at once.
    package static func interpolate(_ a: VectorPath, _ b: VectorPath, _ u: Double) -> VectorPath {
        guard a.verbs == b.verbs else { return b }
        return VectorPath(verbs: a.verbs, points: zip(a.points, b.points).map { mix($0, $1, u) }) ?? b
    }
}
