// What a transition makes of a layer's values: how its two pictures stand, and which values belong to them. Source:
// semantic reference, §5.5; docs/layer-order.md, "Transitions".

import LayerModel

/// How the two pictures stand at a time.
struct ShownTransition {
    /// In the layer's own coordinates.
    var oldOffset = Point.zero
    var newOffset = Point.zero
    var isOldAbove = false
    var showsNew = true
    /// Pictures that move are cut off at the bounds.
    var slides = false
    var dissolve = -1.0

    /// Nil where the layer shows as it is now: the transition is over or not begun, or there is nothing to slide over.
    init?(_ transition: (LayerTransition, Double)?, _ properties: LayerProperties) {
        guard let (transition, progress) = transition, progress < 1 else { return nil }
        if transition.kind == .fade {
            showsNew = progress > 0
            if showsNew { dissolve = progress }
            return
        }
        let size = properties.bounds.size
        guard size.width > 0, size.height > 0 else { return nil }
        slides = true
        // From where the new picture comes: the old one goes the other way.
        let from =
            switch transition.direction {
            case .fromLeft: Point(-size.width, 0)
            case .fromRight: Point(size.width, 0)
            case .fromTop: Point(0, size.height)
            case .fromBottom: Point(0, -size.height)
            }
        let coming = Point(from.x * (1 - progress), from.y * (1 - progress))
        let leaving = Point(-from.x * progress, -from.y * progress)
        switch transition.kind {
        case .fade: break
        case .moveIn: newOffset = coming
        case .push: (newOffset, oldOffset) = (coming, leaving)
        case .reveal:
            oldOffset = leaving
            isOldAbove = true
        }
    }
}

extension LayerProperties {
    var anchorInBounds: Point {
        Point(bounds.minX + anchorPoint.x * bounds.width, bounds.minY + anchorPoint.y * bounds.height)
    }

    /// Images that it shows, as often as it does.
    var shownImages: [ImageID] {
        var images = filterImages
        if contents != .none { images.append(contents) }
        if rare != nil, let from = contentsFade?.from, from != .none { images.append(from) }
        return images
    }

    /// What belongs to a layer's picture.
    func picture(isPane: Bool) -> LayerProperties {
        var picture = self
        picture.opacity = 1
        picture.zPosition = 0
        picture.isDoubleSided = true
        picture.anchorPointZ = 0
        guard rare != nil else { return picture }
        picture.transform = .identity
        picture.mask = .none
        picture.compositingMode = .normal
        picture.shouldRasterize = false
        picture.backgroundFilters = []
        if isPane { picture.filters = [] }
        return picture
    }

    /// What stays outside of it.
    func shell(isPane: Bool, slides: Bool) -> LayerProperties {
        var shell = self
        shell.isHidden = false
        shell.allowsGroupOpacity = true
        shell.masksToBounds = slides
        shell.backgroundColor = nil
        shell.contents = .none
        shell.borderWidth = 0
        guard rare != nil else {
            if slides { shell.cornerRadius = 0 }
            return shell
        }
        // What shows the backdrop has the corners of the layer.
        if slides, !isPane, shell.backgroundFilters.isEmpty { shell.cornerRadius = 0 }
        shell.contentsFade = nil
        shell.shape = .defaults
        shell.gradient = .defaults
        shell.replicator = .defaults
        shell.sublayerTransform = .identity
        shell.shadowOpacity = 0
        shell.shadowPath = nil
        if !isPane { shell.filters = [] }
        return shell
    }
}
