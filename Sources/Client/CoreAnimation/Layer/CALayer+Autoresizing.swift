// Autoresizing by the rule that was measured: the leading margin, the extent and the trailing margin each own a third of the
// superlayer's growth. The third of a part that is not flexible goes to the flexible margins in equal shares, or to the
// extent when no margin is flexible. Flexible margins are rounded down; a flexible extent takes what is left.
// Source: semantic reference, §1.13.

import LayerModel

extension CALayer {
    final func autoresize(fromSuperlayerSize old: Size) {
        guard !autoresizingMask.isEmpty, let parent else { return }
        let space = parent.properties.bounds
        guard space.size != old else { return }
        let frame = frameRect
        let x = AutoresizedSpan(
            leadingIsFlexible: autoresizingMask.contains(.layerMinXMargin),
            extentIsFlexible: autoresizingMask.contains(.layerWidthSizable),
            trailingIsFlexible: autoresizingMask.contains(.layerMaxXMargin),
            leading: frame.minX - space.minX, extent: frame.width, oldSpace: old.width, newSpace: space.width)
        let y = AutoresizedSpan(
            leadingIsFlexible: autoresizingMask.contains(.layerMinYMargin),
            extentIsFlexible: autoresizingMask.contains(.layerHeightSizable),
            trailingIsFlexible: autoresizingMask.contains(.layerMaxYMargin),
            leading: frame.minY - space.minY, extent: frame.height, oldSpace: old.height, newSpace: space.height)
        self.frame = CGRect(Rect(space.minX + x.leading, space.minY + y.leading, x.extent, y.extent))
    }
}

/// One axis of an autoresized layer.
struct AutoresizedSpan: Equatable {
    private(set) var leading: Double
    private(set) var extent: Double

    init(
        leadingIsFlexible: Bool, extentIsFlexible: Bool, trailingIsFlexible: Bool, leading: Double, extent: Double,
        oldSpace: Double, newSpace: Double
    ) {
        self.leading = leading
        self.extent = extent
        let growth = newSpace - oldSpace
        guard growth != 0, leadingIsFlexible || extentIsFlexible || trailingIsFlexible else { return }

        let third = growth / 3
        let margins = (leadingIsFlexible ? 1.0 : 0) + (trailingIsFlexible ? 1.0 : 0)
        let homeless = 3 - margins - (extentIsFlexible ? 1 : 0)
        let margin = margins > 0 ? third + third * homeless / margins : 0
        let oldTrailing = oldSpace - leading - extent
        if leadingIsFlexible { self.leading = AutoresizedSpan.floor(leading + margin) }
        guard extentIsFlexible else { return }
        let trailing = trailingIsFlexible ? AutoresizedSpan.floor(oldTrailing + margin) : oldTrailing
        self.extent = max(newSpace - self.leading - trailing, 0)
    }

    /// Rounds down, but takes what misses a whole number by rounding error for that number.
    private static func floor(_ value: Double) -> Double {
        let nearest = value.rounded()
        return abs(value - nearest) < 1e-9 * max(1, abs(value)) ? nearest : value.rounded(.down)
    }
}
