// How much animations of one session may hold. The server refuses a commit that goes over; a client keeps within it, and says
// which animation it was. Source: docs/wire-protocol.md, "Errors of a commit".

package enum AnimationLimits {
    /// Animations of one layer.
    package static let ofLayer = 1_024
    /// Animations of a session.
    package static let count = 100_000
    /// Values and points of all animations of a session together.
    package static let values = 4_000_000
}

extension AnimationDescription {
    /// How many values it holds, of whatever kind.
    package var weight: Int {
        switch content {
        case .group(let members): 1 + members.reduce(0) { $0 + $1.weight }
        case .transition: 1
        case .property(let animation):
            switch animation.motion {
            case .basic(let ends), .spring(let ends, _):
                1 + [ends.from, ends.to, ends.by].reduce(0) { $0 + ($1?.weight ?? 0) }
            case .keyframes(let frames):
                1 + frames.values.reduce(0) { $0 + $1.weight } + (frames.path?.points.count ?? 0)
                    + frames.keyTimes.count + frames.curves.count
            }
        }
    }
}

extension PropertyValue {
    fileprivate var weight: Int {
        switch self {
        case .path(let path): 1 + (path?.points.count ?? 0)
        case .numbers(let numbers): 1 + numbers.count
        case .colors(let colors): 1 + colors.count
        case .cells(let cells): cells.reduce(1) { $0 + 64 * $1.count }
        case .filters(let filters): 1 + filters.count
        default: 1
        }
    }
}
