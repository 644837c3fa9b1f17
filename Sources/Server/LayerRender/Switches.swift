// Every optimization is a switch: off must give the same picture within a stated bound (docs/how-a-frame-works.md).

/// Optimizations that are on unless named in `ROSTRUM_DISABLE` or `--disable`.
package struct Switches: OptionSet, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Draws of one kind share a call even when others were between them, where nothing overlaps. Bytes stay.
    package static let batching = Switches(rawValue: 1 << 0)
    /// Targets are kept and reused between passes and frames. Bytes stay.
    package static let pooling = Switches(rawValue: 1 << 1)
    /// What an opaque rectangle hides is not drawn. Bytes stay.
    package static let occlusion = Switches(rawValue: 1 << 2)
    /// Coverage masks and whole plans are kept between frames. Bytes stay.
    package static let cacheReuse = Switches(rawValue: 1 << 3)
    /// Group opacity is multiplied into drawings that don't overlap. At most 1 level.
    package static let foldedOpacity = Switches(rawValue: 1 << 4)
    /// A clip is multiplied into the drawings at its rim, weights into those at a seam. At most 1 level; at seams, and at a rim
    /// where something else is multiplied in as well, 2: docs/effects/rounded-clips.md.
    package static let fastClips = Switches(rawValue: 1 << 5)
    /// Opaque unscaled contents at the bottom of a pass are copied, not drawn. Bytes stay.
    package static let blitCopies = Switches(rawValue: 1 << 6)

    /// The shadow of a layer that is one rectangle with everything inside it comes from that shape. At most 2 levels.
    package static let shadowShapes = Switches(rawValue: 1 << 7)
    /// Color filters change the colors of drawings that don't overlap. At most 1 level.
    package static let foldedFilters = Switches(rawValue: 1 << 8)

    /// Only what differs from the last frame is drawn and read. Bytes stay.
    package static let damage = Switches(rawValue: 1 << 9)
    /// Surfaces that stay the same keep their pixels between frames. Bytes stay.
    package static let sprites = Switches(rawValue: 1 << 10)

    /// What is carried about while it stays the same is drawn once, and laid down. At most 2 levels.
    package static let baking = Switches(rawValue: 1 << 11)

    package static let all: Switches = [
        .batching, .pooling, .occlusion, .cacheReuse, .foldedOpacity, .fastClips, .blitCopies, .shadowShapes,
        .foldedFilters, .damage, .sprites, .baking,
    ]

    /// The names, as in `ROSTRUM_DISABLE=name,name`.
    package static let names: [(name: String, value: Switches)] = [
        ("batching", .batching), ("pooling", .pooling), ("occlusion", .occlusion), ("cache-reuse", .cacheReuse),
        ("folded-opacity", .foldedOpacity), ("fast-clips", .fastClips), ("blit-copies", .blitCopies),
        ("shadow-shapes", .shadowShapes), ("folded-filters", .foldedFilters),
        ("damage", .damage), ("sprites", .sprites), ("baking", .baking),
    ]

    /// All but the named ones; returns the names that are none.
    package static func disabling(_ list: some StringProtocol) -> (switches: Switches, unknown: [String]) {
        var switches = Switches.all
        var unknown: [String] = []
        for part in list.split(separator: ",") {
            let name = String(part.filter { $0 != " " })
            if name == "all" {
                switches = []
            } else if let entry = names.first(where: { $0.name == name }) {
                switches.remove(entry.value)
            } else if !name.isEmpty {
                unknown.append(name)
            }
        }
        return (switches, unknown)
    }
}
