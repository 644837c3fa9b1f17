// Keyframes with what can be computed once: the times of the frames, tangents, lengths. Source: semantic reference, §5.3.

/// Keyframes ready to be sampled.
struct PreparedKeyframes: Sendable {
    private let values: [PropertyValue]
    private let path: KeyframePath?
    /// Lengths along the path's segments, where it is paced.
    private let measures: [[Double]]
    /// Ascending, 0…1: a begin for each segment, and the end.
    private let times: [Double]
    /// One a segment, or empty.
    private let curves: [TimingCurve]
    private let mode: Keyframes.Mode
    private let rotation: Keyframes.Rotation
    /// What leaves and what comes into each frame, of the cubic modes.
    private let tangents: [(out: PropertyValue, into: PropertyValue)]

    /// Nil where there is nothing to show.
    init?(_ frames: Keyframes) {
        mode = frames.mode
        rotation = frames.rotation
        if let shape = frames.path {
            let path = KeyframePath(shape)
            guard !path.segments.isEmpty else { return nil }
            self.path = path
            values = []
            tangents = []
            let count = path.segments.count
            if frames.mode.isPaced {
                measures = path.segments.map(\.measure)
                times = Self.paced(measures.map { $0.last ?? 0 })
                curves = []
            } else {
                measures = []
                times = Self.valid(frames.keyTimes, count: count + 1) ?? Self.even(count)
                curves = frames.curves
            }
            return
        }
        path = nil
        measures = []
        values = frames.values
        guard let first = values.first else { return nil }
        let kind = first.kind
        guard values.allSatisfy({ $0.kind == kind }) else { return nil }
        if frames.mode == .discrete {
            times = Self.valid(frames.keyTimes, count: values.count + 1) ?? Self.even(values.count)
            curves = []
            tangents = []
            return
        }
        let segments = values.count - 1
        let times: [Double]
        if frames.mode.isPaced {
            let distances = zip(frames.values, frames.values.dropFirst()).compactMap(PropertyValue.distance)
            times = distances.count == segments ? Self.paced(distances) : Self.even(segments)
            curves = []
        } else {
            times = Self.valid(frames.keyTimes, count: segments + 1) ?? Self.even(segments)
            curves = frames.curves
        }
        self.times = times
        tangents =
            frames.mode.isCubic && segments > 0 && Self.isVector(kind)
            ? Self.tangents(of: frames, values: frames.values, times: times) : []
    }

    /// Where between which values a motion is; nil for a path.
    enum Span {
        case hold(PropertyValue)
        case between(PropertyValue, PropertyValue, Double)
        case value(PropertyValue)
    }

    /// - Parameter u: Progress through the whole; outside 0…1 the first or last segment goes on.
    func span(at u: Double) -> Span {
        let (segment, fraction) = place(at: u)
        if let path {
            return .value(.point(path.segments[segment].point(at: parameter(segment, fraction))))
        }
        if mode == .discrete || values.count == 1 { return .hold(values[min(segment, values.count - 1)]) }
        let (a, b) = (values[segment], values[segment + 1])
        guard !tangents.isEmpty else { return .between(a, b, fraction) }
        return .value(Self.hermite(a, tangents[segment].out, b, tangents[segment + 1].into, fraction))
    }

    /// How far a layer is turned with the path, radians.
    func angle(at u: Double) -> Double? {
        guard rotation != .none, let path else { return nil }
        let (segment, fraction) = place(at: u)
        guard let angle = path.segments[segment].angle(at: parameter(segment, fraction)) else { return nil }
        return rotation == .autoReverse ? angle + .pi : angle
    }

    /// What a cycle adds to the next, where they are cumulative.
    var total: PropertyValue {
        path.map { .point($0.displacement) } ?? values[values.count - 1]
    }

    var first: PropertyValue {
        path.map { .point($0.segments[0].p0) } ?? values[0]
    }

    var isPath: Bool { path != nil }

    // MARK: Times

    private func place(at u: Double) -> (segment: Int, fraction: Double) {
        let count = times.count - 1
        guard count > 0 else { return (0, 0) }
        // The last frame that has begun; of several at one time the last.
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if times[middle] <= u { low = middle } else { high = middle - 1 }
        }
        // The end of all belongs to the last segment that has a length.
        while low > 0, times[low + 1] == times[low], u >= 1 { low -= 1 }
        let length = times[low + 1] - times[low]
        var fraction = length > 0 ? (u - times[low]) / length : (u >= times[low + 1] ? 1 : 0)
        if low < curves.count { fraction = curves[low].value(at: fraction) }
        return (low, fraction)
    }

    /// The Bézier parameter: the fraction itself, or where that part of the length is reached.
    private func parameter(_ segment: Int, _ fraction: Double) -> Double {
        if mode == .discrete { return 0 }
        return mode.isPaced ? CubicSegment.parameter(atPart: fraction, of: measures[segment]) : fraction
    }

    /// Nil unless there are as many as there must be, from 0 to 1, none before the last.
    private static func valid(_ times: [Double], count: Int) -> [Double]? {
        guard times.count == count, count > 1, times.first == 0, times.last == 1 else { return nil }
        for (a, b) in zip(times, times.dropFirst()) where !(a <= b) { return nil }
        return times
    }

    private static func even(_ segments: Int) -> [Double] {
        guard segments > 0 else { return [0] }
        return (0...segments).map { Double($0) / Double(segments) }
    }

    private static func paced(_ distances: [Double]) -> [Double] {
        let total = distances.reduce(0, +)
        guard total > 0, total.isFinite else { return even(distances.count) }
        var times = [0.0]
        var sum = 0.0
        for distance in distances {
            sum += distance
            times.append(min(sum / total, 1))
        }
        times[times.count - 1] = 1
        return times
    }

    // MARK: Kochanek-Bartels

    /// Kinds that are numbers throughout, and can be multiplied and added.
    private static func isVector(_ kind: PropertyValue.Kind) -> Bool {
        switch kind {
        case .number, .point, .rect, .color, .numbers, .colors: true
        default: false
        }
    }

    private static func tangents(
        of frames: Keyframes, values: [PropertyValue], times: [Double]
    ) -> [(out: PropertyValue, into: PropertyValue)] {
        values.indices.map { i in
            func parameter(_ list: [Double]) -> Double { list.indices.contains(i) ? list[i] : 0 }
            let (t, c, b) = (
                parameter(frames.tensions), parameter(frames.continuities), parameter(frames.biases)
            )
            // Beyond the ends the adjacent difference goes on.
            let before = i > 0 ? i - 1 : 0
            let after = min(i, values.count - 2)
            let back = PropertyValue.difference(values[before + 1], values[before])
            let ahead = PropertyValue.difference(values[after + 1], values[after])
            func blend(_ p: Double, _ q: Double, _ scale: Double) -> PropertyValue {
                .sum(.scaled(back, by: p * scale), .scaled(ahead, by: q * scale))
            }
            // Uneven intervals: as fast on both sides.
            let intervals = (times[before + 1] - times[before], times[after + 1] - times[after])
            let sum = intervals.0 + intervals.1
            let (scaleIn, scaleOut) =
                sum > 0 && i > 0 && i < values.count - 1
                ? (2 * intervals.0 / sum, 2 * intervals.1 / sum) : (1, 1)
            return (
                out: blend((1 - t) * (1 + c) * (1 + b) / 2, (1 - t) * (1 - c) * (1 - b) / 2, scaleOut),
                into: blend((1 - t) * (1 - c) * (1 + b) / 2, (1 - t) * (1 + c) * (1 - b) / 2, scaleIn)
            )
        }
    }

    private static func hermite(
        _ a: PropertyValue, _ out: PropertyValue, _ b: PropertyValue, _ into: PropertyValue, _ s: Double
    ) -> PropertyValue {
        let (s2, s3) = (s * s, s * s * s)
        let ends = PropertyValue.sum(
            .scaled(a, by: 2 * s3 - 3 * s2 + 1), .scaled(b, by: 3 * s2 - 2 * s3))
        return .sum(ends, .sum(.scaled(out, by: s3 - 2 * s2 + s), .scaled(into, by: s3 - s2)))
    }
}
