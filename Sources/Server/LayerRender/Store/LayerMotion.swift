// When a layer's picture changed, and when only its place did: what the planner needs to know to bake a picture that is
// carried about (Plan/FramePlanner+Baking.swift). Stamps count commits, never frames, so that two sessions with the same
// commits bake alike, whichever frames they drew.

import LayerModel

/// Since when a picture is the same, and whether that is long enough for it to be worth baking.
package struct LayerSettling: Sendable {
    /// The commit that last changed it.
    package private(set) var changed: UInt64 = 0
    /// What the last change was told of.
    private(set) var carried: UInt64 = 0
    /// Commits that the picture must stay the same for before it is worth baking.
    package private(set) var patience: UInt64 = 1

    /// The longest patience: a picture that changes over and over while it is carried is baked that rarely.
    private static let longestPatience: UInt64 = 64

    /// - Parameter carried: The last but one commit that moved the layer or one above it.
    mutating func noteChange(_ stamp: UInt64, carried: UInt64) {
        if isSettled(carried: carried) {
            // It was baked. Was it for nothing?
            let served = carried - changed - patience
            patience = served < 4 * patience ? min(patience * 2, Self.longestPatience) : 1
        }
        changed = stamp
        self.carried = carried
    }

    /// The picture is carried about unchanged: two moves since it last changed, and some patience more.
    package func isSettled(carried: UInt64) -> Bool { carried > 0 && carried >= changed + patience }
}

/// What commits did to one layer. Stamps are numbers of transactions; 0 is never.
package struct LayerMotion: Sendable {
    /// Another number, another picture of the layer and all below it. Animations change it, too: it tells what is kept
    /// from what is not, and nothing about what should be.
    package private(set) var revision: UInt64 = 0
    /// Of its own drawing and everything below it.
    package private(set) var whole = LayerSettling()
    /// Of its own drawing alone.
    package private(set) var own = LayerSettling()
    /// Its place last changed by anything but whole points along the axes.
    package private(set) var jumped: UInt64 = 0
    /// The last two commits that moved or faded it, and those that moved its sublayers by its bounds' origin.
    package private(set) var moved: (last: UInt64, before: UInt64) = (0, 0)
    package private(set) var scrolled: (last: UInt64, before: UInt64) = (0, 0)

    /// - Parameter carried: The last but one commit that moved the layer or one above it.
    mutating func noteChange(_ stamp: UInt64, carried: UInt64, revision: UInt64) {
        self.revision = revision
        whole.noteChange(stamp, carried: carried)
    }

    mutating func noteOwnChange(_ stamp: UInt64, carried: UInt64) { own.noteChange(stamp, carried: carried) }

    mutating func noteShown(_ revision: UInt64) { self.revision = revision }

    /// What commits did to another layer, whose copy this is.
    mutating func follow(_ other: LayerMotion) {
        let own = revision
        self = other
        revision = own
    }

    mutating func noteJump(_ stamp: UInt64) { jumped = stamp }

    mutating func noteMove(_ stamp: UInt64) { if moved.last != stamp { moved = (stamp, moved.last) } }

    mutating func noteScroll(_ stamp: UInt64) { if scrolled.last != stamp { scrolled = (stamp, scrolled.last) } }
}

/// How a change of a property bears on a layer's picture.
enum MotionKind {
    /// No pixel changes.
    case none
    /// The picture is shown elsewhere, by whole points.
    case move
    /// It is shown in another place or shape.
    case jump
    /// What lies in the layer moves by whole points.
    case scroll
    /// Another picture.
    case change

    /// - Parameter properties: As they are before.
    init(_ property: LayerProperty, _ value: PropertyValue, _ properties: LayerProperties) {
        func isWhole(_ from: Point, _ to: Point) -> Bool {
            let (x, y) = (to.x - from.x, to.y - from.y)
            return x == x.rounded() && y == y.rounded()
        }
        switch (property, value) {
        case (.name, _): self = .none
        case (.position, .point(let place)): self = isWhole(properties.position, place) ? .move : .jump
        case (.opacity, _), (.hidden, _): self = .move
        case (.transform, _), (.zPosition, _), (.anchorPoint, _), (.anchorPointZ, _): self = .jump
        case (.bounds, .rect(let bounds)):
            let old = properties.bounds
            let isSame = old.width == bounds.width && old.height == bounds.height
            let isMoved = isWhole(Point(old.minX, old.minY), Point(bounds.minX, bounds.minY))
            self = isSame && isMoved ? .scroll : .change
        default: self = .change
        }
    }
}
