// The commonest animations as plain numbers: from one value to another, both given, of a number or a point, neither added nor
// cumulative. What they show is what `PreparedAnimation.apply` makes of them, to the last bit, without values of any kind on
// the way: ten thousand of them are sampled in a frame.

import LayerModel

/// An animation of one number, or of two.
struct SimpleTrack: Sendable {
    enum Field: UInt8, Sendable {
        case opacity
        case position
        case positionX
        case positionY
        case cornerRadius
        case borderWidth
        case rotationZ
    }

    let field: Field
    private let from: Point
    private let to: Point
    private let timing: AnimationTiming
    private let curve: TimingCurve?
    private let isRemovedOnCompletion: Bool

    /// Nil for any other animation.
    init?(_ description: AnimationDescription) {
        guard case .property(let animation) = description.content, case .basic(let ends) = animation.motion,
            !animation.isAdditive, !animation.isCumulative, animation.function == nil, ends.by == nil
        else { return nil }
        switch animation.target {
        case .property(.opacity): field = .opacity
        case .property(.position): field = .position
        case .property(.cornerRadius): field = .cornerRadius
        case .property(.borderWidth): field = .borderWidth
        case .component(.position, .x): field = .positionX
        case .component(.position, .y): field = .positionY
        case .component(.transform, .rotationZ): field = .rotationZ
        default: return nil
        }
        switch (ends.from, ends.to) {
        case (.number(let a)?, .number(let b)?) where field != .position: (from, to) = (Point(a, 0), Point(b, 0))
        case (.point(let a)?, .point(let b)?) where field == .position: (from, to) = (a, b)
        default: return nil
        }
        timing = description.timing
        curve = description.curve
        isRemovedOnCompletion = description.isRemovedOnCompletion
    }

    /// - Parameter time: Of the layer.
    func isOver(at time: Double) -> Bool { isRemovedOnCompletion && timing.phase(at: time) == .after }

    /// What is shown at a time of the layer, a number as x; nil where nothing is, or nothing that is a number.
    func value(at time: Double) -> Point? {
        guard let moment = timing.moment(at: time) else { return nil }
        let fraction = timing.duration > 0 && timing.duration.isFinite ? moment.elapsed / timing.duration : 0
        let u = curve?.value(at: fraction) ?? fraction
        /// As `PropertyValue.interpolate`.
        func mix(_ a: Double, _ b: Double, _ u: Double) -> Double { u == 1 ? b : a + (b - a) * u }
        let value = Point(mix(from.x, to.x, u), mix(from.y, to.y, u))
        return value.x.isFinite && value.y.isFinite ? value : nil
    }
}
