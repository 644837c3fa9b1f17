// Timing of layers and animations. Source: semantic reference, §4.

import LayerModel

/// What shows of an animation outside of its active time. An unknown mode counts as `removed`.
public struct CAMediaTimingFillMode: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing; the default.
    public static let removed = CAMediaTimingFillMode(rawValue: "removed")
    /// After the end what showed at the end, where `isRemovedOnCompletion` is false.
    public static let forwards = CAMediaTimingFillMode(rawValue: "forwards")
    /// Before the begin what will show at the begin.
    public static let backwards = CAMediaTimingFillMode(rawValue: "backwards")
    /// As `forwards` and `backwards`.
    public static let both = CAMediaTimingFillMode(rawValue: "both")

    /// An unknown mode fills neither side.
    package var mode: FillMode {
        switch self {
        case .forwards: .forwards
        case .backwards: .backwards
        case .both: .both
        default: .removed
        }
    }
}

/// When something runs, in the time of what it belongs to: an animation in its layer's, a layer in its superlayer's.
///
/// Of a layer only `beginTime`, `timeOffset` and `speed` have an effect.
public protocol CAMediaTiming: AnyObject {
    /// Seconds of the parent's time. For an animation that is added to a layer, 0 means the moment of the commit.
    var beginTime: CFTimeInterval { get set }
    /// Seconds of one cycle. 0 for animations: the transaction's duration.
    var duration: CFTimeInterval { get set }
    /// How fast local time runs; 0 stands still, below 0 runs back.
    var speed: Float { get set }
    /// Seconds of local time.
    var timeOffset: CFTimeInterval { get set }
    /// Cycles; 0 counts as one. May be a fraction, or infinite.
    var repeatCount: Float { get set }
    /// Seconds that cycles are repeated for; 0 leaves it to `repeatCount`.
    var repeatDuration: CFTimeInterval { get set }
    /// Each cycle runs forward and then back.
    var autoreverses: Bool { get set }
    /// What shows before the begin and after the end.
    var fillMode: CAMediaTimingFillMode { get set }
}
