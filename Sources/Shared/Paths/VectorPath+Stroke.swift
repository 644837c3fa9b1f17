// Lines along paths: for the rasterizer, and as paths of their own.

import LayerModel

extension VectorPath {
    /// The contours of a line along the path under a homography, cut to a little more than `clip`; fill them by the non-zero
    /// rule.
    package func strokeOutline(_ style: StrokeStyle, projectedBy plane: Homography, near clip: PixelRect) -> Outline {
        guard style.draws, !isEmpty, !clip.isEmpty, plane.isFinite, isFinite else { return Outline() }
        let tolerance = Self.tolerance / max(scale(of: plane), 1e-9)
        // Chords of round corners reach further out than the circle.
        let sight = PathSight(plane, clip, reach: style.reach * 1.125)
        return strokeOutline(style, tolerance: tolerance, in: sight).projected(by: plane, near: clip)
    }

    /// The contours of a line along the path, in its own space.
    ///
    /// - Parameter tolerance: How far off the rim may be, units of the path.
    package func strokeOutline(_ style: StrokeStyle, tolerance: Double) -> Outline {
        strokeOutline(style, tolerance: tolerance, in: nil)
    }

    /// - Parameter sight: What it misses may be left out.
    private func strokeOutline(_ style: StrokeStyle, tolerance: Double, in sight: PathSight?) -> Outline {
        guard style.draws, isFinite, tolerance > 0 else { return Outline() }
        var stroker = Stroker(style, tolerance: tolerance)
        // The chords of curves lie on one side of them.
        stroker.add(flattened(style, tolerance: tolerance / 2, in: sight))
        return stroker.outline.isFinite ? stroker.outline : Outline()
    }

    /// The pieces that a line is drawn along: trimmed first, then in dashes.
    ///
    /// - Parameter sight: Pieces that it misses are left out. Nil misses none.
    func flattened(_ style: StrokeStyle, tolerance: Double, in sight: PathSight? = nil) -> FlatPath {
        let isWhole = style.start <= 0 && style.end >= 1
        // Trimming and dashes measure the path, what isn't seen too.
        var path = FlatPath(
            self, tolerance: tolerance, halfWidth: style.width / 2,
            sight: isWhole && style.dashes.isEmpty ? sight : nil)
        if !isWhole { path = path.trimmed(from: style.start, to: style.end) }
        if !style.dashes.isEmpty { path = path.dashed(style.dashes, phase: style.dashPhase, in: sight) }
        return sight.map { path.seen(in: $0) } ?? path
    }

    /// What a line along the path covers, as a path to be filled by the non-zero rule: contours of lines.
    package func stroked(_ style: StrokeStyle, tolerance: Double) -> VectorPath {
        VectorPath(strokeOutline(style, tolerance: tolerance))
    }

    /// The path in dashes: contours of lines.
    package func dashed(_ lengths: [Double], phase: Double, tolerance: Double) -> VectorPath {
        VectorPath(FlatPath(self, tolerance: tolerance).dashed(lengths, phase: phase))
    }

    package init(_ outline: Outline) {
        self.init()
        var start = 0
        for end in outline.contourEnds {
            move(to: outline.points[start])
            for index in start + 1..<end { line(to: outline.points[index]) }
            close()
            start = end
        }
    }

    package init(_ path: FlatPath) {
        self.init()
        for contour in path.contours {
            guard let first = contour.pieces.first else { continue }
            move(to: path.pieces[first].from)
            for index in contour.pieces {
                if contour.isClosed, index == contour.pieces.last { break }
                line(to: path.pieces[index].to)
            }
            if contour.isClosed { close() }
        }
    }
}
