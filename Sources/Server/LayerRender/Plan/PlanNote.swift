import LayerModel

/// A road the planner took that has no pass to show for it.
package struct PlanNote: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Group opacity multiplied into drawings that don't overlap.
        case foldedOpacity(quads: Int)
        /// A clip multiplied into the drawings at its rim.
        case fastClip(quads: Int)
        /// A layer that crosses others, its weights multiplied into the drawings at its seams.
        case fastCrossing(quads: Int)
        /// A mask layer that is one shape, as a clip.
        case maskAsClip
        /// The shadow of a `shadowPath`: a mask that is kept.
        case shadowOfPath
        /// The shadow of the layer's bounds, everything else being inside them: a mask that is kept.
        case shadowOfBounds
        /// A layer that is one path in one color.
        case shadowOfShape
        /// Color filters on the colors of drawings.
        case foldedFilters(quads: Int)
        /// Group opacity applied to each drawing, because a limit was reached.
        case flattenedOpacity
        /// So many shapes are not drawn, because the masks of a frame may take no more bytes.
        case shapesLeftOut(Int, bytes: Int)
        /// A gradient at fewer pixels than it covers, because the pictures of a frame may take no more bytes.
        case coarseGradient
        /// Instances of a replicator, or layers in them, that are left out: a session may have no more.
        case instancesLeftOut(limit: Int)
        /// More particles than are drawn.
        case particlesLeftOut
        /// Sublayers that cross in depth more often than they are cut.
        case uncutCrossing
        /// A surface that should be, or an effect in full, left out because a limit was reached.
        case degraded(SurfaceReason, Limit)
    }

    package enum Limit: Sendable, Equatable {
        /// Surfaces inside one another.
        case nesting(Int)
        /// Bytes of the surfaces of a frame.
        case bytes(Int)
        /// Pixels along a side of a target.
        case side(Int)
        /// Pixels that blend modes read of what lies below.
        case pixelsReadBelow(Int)
        /// Layers drawn once more where their shadows fall.
        case redraws
        /// Pixels of a blur's standard deviation.
        case deviation(Int)
        /// Pixels of a bitmap.
        case bitmap(Int)
    }

    package var layer: LayerID
    package var kind: Kind

    package init(layer: LayerID, kind: Kind) {
        self.layer = layer
        self.kind = kind
    }

    /// True when the picture is not what it should be.
    package var isDegradation: Bool {
        switch kind {
        case .flattenedOpacity, .uncutCrossing, .shapesLeftOut, .coarseGradient, .instancesLeftOut, .particlesLeftOut,
            .degraded:
            true
        case .foldedOpacity, .fastClip, .fastCrossing, .maskAsClip, .shadowOfPath, .shadowOfBounds, .shadowOfShape,
            .foldedFilters:
            false
        }
    }
}
