// Why a surface is there, as facts that the planner saw when it decided. Sentences and advice are made of them in
// Account/EffectWords.swift.

import LayerModel

/// Which property of a layer asked for a surface, and what stood in the way of drawing without one.
package struct SurfaceCause: Sendable, Equatable {
    /// Nil for the picture itself.
    package var property: LayerProperty?
    package var obstacle: Obstacle

    package enum Obstacle: Sendable, Equatable {
        /// The property always takes a surface, or the picture itself is drawn.
        case none
        /// Drawings of these two layers touch one pixel; both may be the same layer's.
        case overlap(LayerID, LayerID)
        /// More drawings than are searched for overlaps.
        case tooMany(drawings: Int)
        /// A drawing of the layer depends on what lies below it.
        case readsBelow(LayerID)
        /// So many drawings cross a clip's rim, and those of these two layers overlap.
        case rim(drawings: Int, LayerID, LayerID)
        /// The layer's first drawing is not an even background of its own.
        case noBackground
        /// The layer's background is translucent and more is drawn over it.
        case translucentBackground
        /// The layer draws a path, and more than that in one color.
        case drawsPath
        /// The layer draws a gradient that lets something through.
        case drawsGradient
        /// Something that the layer draws reaches out of its bounds.
        case reachesOutside(LayerID)
        /// So many drawings where one would need no surface.
        case severalDrawings(Int)
        /// The one drawing of this layer has an alpha that differs from pixel to pixel.
        case unevenAlpha(LayerID)
        /// A filter that is no matrix of straight colors that leaves alpha alone.
        case notAColorFilter(LayerFilter.Kind)
        /// A drawing of the layer is not of one color.
        case notOneColor(LayerID)
        /// Two pictures show at once, each by a share, and what lies below by what they leave.
        case twoPictures
        /// The road without a surface is switched off.
        case switchedOff(Switches)
    }

    package init(_ reason: SurfaceReason, _ obstacle: Obstacle = .none, property: LayerProperty? = nil) {
        self.property = property ?? reason.property
        self.obstacle = obstacle
    }
}

extension SurfaceReason {
    /// The property that asks for such a surface.
    var property: LayerProperty? {
        switch self {
        case .root: nil
        case .groupOpacity: .opacity
        case .clip: .masksToBounds
        case .crossing: .transform
        case .filters, .filterStep: .filters
        case .shadow: .shadowOpacity
        case .masked, .mask: .mask
        case .blend: .compositingFilter
        case .backdrop: .backgroundFilters
        case .rasterize: .shouldRasterize
        case .baked: .position
        case .contentsFade: .contents
        case .transition: nil
        }
    }
}
