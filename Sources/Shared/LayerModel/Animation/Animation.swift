// An animation as it is committed: everything resolved that only the client can know (begin, duration, the value on screen
// when it was added), nothing that depends on the frame. Source: semantic reference, §5.

/// An animation of one layer, within one session. Given by the client, never used twice, 0 is none.
package struct AnimationID: Hashable, Sendable, RawRepresentable, Comparable, CustomStringConvertible {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let none = AnimationID(0)

    package static func < (a: AnimationID, b: AnimationID) -> Bool { a.rawValue < b.rawValue }

    package var description: String { "animation \(rawValue)" }
}

/// One animation of a layer.
package struct AnimationDescription: Hashable, Sendable {
    package var timing = AnimationTiming()
    /// Maps elapsed to shown progress; nil is linear.
    package var curve: TimingCurve?
    package var isRemovedOnCompletion = true
    package var content: Content

    package init(_ content: Content, timing: AnimationTiming = AnimationTiming(), curve: TimingCurve? = nil) {
        self.content = content
        self.timing = timing
        self.curve = curve
    }

    package indirect enum Content: Hashable, Sendable {
        case property(PropertyAnimation)
        /// Run in the group's time, from 0 at its begin; the group's duration cuts them off.
        case group([AnimationDescription])
        case transition(LayerTransition)
    }

    /// How deep groups may lie in groups.
    package static let maximumDepth = 16
}

/// An animation of one property, a part of one or a filter's input.
package struct PropertyAnimation: Hashable, Sendable {
    package var target: AnimationTarget
    package var motion: Motion
    /// The value is added to what is there.
    package var isAdditive = false
    /// Each cycle goes on from where the last ended.
    package var isCumulative = false
    /// What makes transforms of the values, which are then numbers.
    package var function: ValueFunction?

    package init(_ target: AnimationTarget, _ motion: Motion) {
        self.target = target
        self.motion = motion
    }

    package enum Motion: Hashable, Sendable {
        case basic(MotionEnds)
        case spring(MotionEnds, SpringCurve)
        case keyframes(Keyframes)
    }
}

/// From where to where. What is not set follows from the others and from the value below.
package struct MotionEnds: Hashable, Sendable {
    package var from: PropertyValue?
    package var to: PropertyValue?
    package var by: PropertyValue?

    package init(from: PropertyValue? = nil, to: PropertyValue? = nil, by: PropertyValue? = nil) {
        self.from = from
        self.to = to
        self.by = by
    }
}

/// Values at times in between which it is interpolated.
package struct Keyframes: Hashable, Sendable {
    package enum Mode: UInt8, Sendable, CaseIterable {
        case linear = 0
        case discrete = 1
        case paced = 2
        case cubic = 3
        case cubicPaced = 4

        package var isPaced: Bool { self == .paced || self == .cubicPaced }
        package var isCubic: Bool { self == .cubic || self == .cubicPaced }
    }

    package enum Rotation: UInt8, Sendable, CaseIterable {
        case none = 0
        /// Along the path.
        case auto = 1
        /// Against it.
        case autoReverse = 2
    }

    /// The most values of one animation, and the most of each list beside them but the key times, which may be one more.
    package static let mostValues = 1 << 17

    package var values: [PropertyValue] = []
    /// For points; goes before the values.
    package var path: VectorPath?
    /// 0…1 of the duration; empty, or not as they must be: even.
    package var keyTimes: [Double] = []
    /// One a segment.
    package var curves: [TimingCurve] = []
    package var mode = Mode.linear
    /// Kochanek-Bartels parameters by key frame, of the cubic modes; missing ones are 0.
    package var tensions: [Double] = []
    package var continuities: [Double] = []
    package var biases: [Double] = []
    package var rotation = Rotation.none

    package init(_ values: [PropertyValue] = []) {
        self.values = values
    }
}

/// What a layer shows changes from how it looked before the commit that added the transition to how it looks now.
package struct LayerTransition: Hashable, Sendable {
    package enum Kind: UInt8, Sendable, CaseIterable {
        case fade = 0
        case moveIn = 1
        case push = 2
        case reveal = 3
    }

    package enum Direction: UInt8, Sendable, CaseIterable {
        case fromLeft = 0
        case fromRight = 1
        case fromTop = 2
        case fromBottom = 3
    }

    package var kind = Kind.fade
    package var direction = Direction.fromLeft
    package var startProgress = 0.0
    package var endProgress = 1.0

    package init(_ kind: Kind = .fade, _ direction: Direction = .fromLeft) {
        self.kind = kind
        self.direction = direction
    }
}
