// Patterns: a cell that an app draws, repeated. The cell is drawn once at the target's scale and repeated as a bitmap; where
// its step is no whole number of pixels, the bitmap is stretched by what is missing.

import CCairo
import Foundation
import LayerModel

/// How cells meet the pixel grid. Without effect: steps are made whole pixels, and the cell is stretched by what is
/// missing.
public enum CGPatternTiling: Int32, Sendable {
    case noDistortion = 0
    case constantSpacingMinimalDistortion = 1
    case constantSpacing = 2
}

/// Draws one cell, in pattern space; with the pattern's info.
public typealias CGPatternDrawPatternCallback = (UnsafeMutableRawPointer?, CGContext) -> Void
/// Called with the pattern's info when the pattern is gone.
public typealias CGPatternReleaseInfoCallback = (UnsafeMutableRawPointer?) -> Void

/// What an app gives a pattern.
public struct CGPatternCallbacks {
    /// 0; not looked at.
    public var version: UInt32
    /// Draws one cell. Nil: cells are empty.
    public var drawPattern: CGPatternDrawPatternCallback?
    /// Called when the pattern is gone; may be nil.
    public var releaseInfo: CGPatternReleaseInfoCallback?

    /// Callbacks of a pattern.
    public init(
        version: UInt32, drawPattern: CGPatternDrawPatternCallback?, releaseInfo: CGPatternReleaseInfoCallback?
    ) {
        (self.version, self.drawPattern, self.releaseInfo) = (version, drawPattern, releaseInfo)
    }
}

/// A cell that is repeated in both directions.
public final class CGPattern {
    let bounds: CGRect
    /// Pattern space to the context's base space: what the app does to the ctm does not move a pattern.
    let matrix: CGAffineTransform
    let step: CGSize
    let isColored: Bool
    private let info: UnsafeMutableRawPointer?
    private let callbacks: CGPatternCallbacks

    /// - Parameters:
    ///   - bounds: The cell; what is drawn outside is cut off.
    ///   - xStep: From one cell to the next; its size counts.
    ///   - isColored: False: the cell is a stencil for the color given when the pattern is set.
    /// Nil for what is not finite, empty bounds or a step of 0.
    public init?(
        info: UnsafeMutableRawPointer?, bounds: CGRect, matrix: CGAffineTransform, xStep: CGFloat, yStep: CGFloat,
        tiling: CGPatternTiling, isColored: Bool, callbacks: UnsafePointer<CGPatternCallbacks>
    ) {
        guard !bounds.isEmpty, !bounds.isInfinite, bounds.maxX.isFinite, bounds.maxY.isFinite, matrix.isFinite,
            xStep.isFinite, yStep.isFinite, xStep != 0, yStep != 0
        else { return nil }
        (self.bounds, self.matrix, self.isColored) = (bounds.standardized, matrix, isColored)
        step = CGSize(width: abs(xStep), height: abs(yStep))
        (self.info, self.callbacks) = (info, callbacks.pointee)
    }

    deinit { callbacks.releaseInfo?(info) }

    func draw(in context: CGContext) { callbacks.drawPattern?(info, context) }
}

extension CGColorSpace {
    /// The space of patterns. With a base space: of a stencil's color.
    public convenience init?(patternBaseSpace baseSpace: CGColorSpace?) {
        self.init(baseSpace?.space ?? .sRGB)
    }
}

extension CGContext {
    /// - Parameter colorComponents: For a pattern with colors of its own its alpha, else the stencil's color and alpha in the
    ///   current space.
    public func setFillPattern(_ pattern: CGPattern, colorComponents: UnsafePointer<CGFloat>) {
        state.fill = ink(pattern, colorComponents, state.fillSpace)
    }

    /// As `setFillPattern`, for lines.
    public func setStrokePattern(_ pattern: CGPattern, colorComponents: UnsafePointer<CGFloat>) {
        state.stroke = ink(pattern, colorComponents, state.strokeSpace)
    }

    /// Where cells begin, in base space.
    public func setPatternPhase(_ phase: CGSize) {
        guard phase.width.isFinite, phase.height.isFinite else { return }
        state.patternPhase = phase
    }

    private func ink(
        _ pattern: CGPattern, _ components: UnsafePointer<CGFloat>, _ space: CGColorSpace
    ) -> GraphicsState.Ink {
        var tint = Color.black
        if pattern.isColored {
            tint.alpha = components[0].isFinite ? Double(components[0]) : 1
        } else {
            let values = UnsafeBufferPointer(start: components, count: space.numberOfComponents + 1)
            tint = CGColor(colorSpace: space, components: Array(values))?.color ?? .black
        }
        return .pattern(pattern, tint: tint, phase: state.patternPhase)
    }

    /// What an ink means now; nil where there is nothing to paint with.
    func source(_ ink: GraphicsState.Ink) -> InkSource? {
        switch ink {
        case .color(let color): return .color(color)
        case .pattern(let pattern, let tint, let phase): return source(pattern, tint, phase)
        }
    }

    /// Pixels a side of a cell's bitmap.
    private static let maximumCell = 4_096.0

    private func source(_ pattern: CGPattern, _ tint: Color, _ phase: CGSize) -> InkSource? {
        let place = pattern.matrix
            .concatenating(initialTransform)
            .concatenating(CGAffineTransform(translationX: phase.width, y: phase.height))
            .concatenating(baseToDevice)
        guard place.cairoMatrix != nil, patternDepth < 8 else { return nil }
        func pixels(_ length: CGFloat, _ x: CGFloat, _ y: CGFloat) -> Int {
            let size = Double(length) * hypot(Double(x), Double(y))
            return Int(min(max((size - 1e-6).rounded(.up), 1), CGContext.maximumCell))
        }
        let width = pixels(pattern.step.width, place.a, place.b)
        let height = pixels(pattern.step.height, place.c, place.d)
        // Cell pixels, y up, to pattern space.
        let fromCell = CGAffineTransform(
            pattern.step.width / CGFloat(width), 0, 0, pattern.step.height / CGFloat(height), pattern.bounds.minX,
            pattern.bounds.minY)
        guard
            let cell = CGContext(
                width: width, height: height, isOpaque: false, initialTransform: fromCell.inverted())
        else { return nil }
        cell.patternDepth = patternDepth + 1
        cell.label = label
        if !pattern.isColored {
            cell.state.fill = .color(tint)
            cell.state.stroke = .color(tint)
        }
        drawCells(of: pattern, into: cell)
        guard let image = cell.makeImage() else { return nil }
        let deviceCell = CGAffineTransform(1, 0, 0, -1, 0, CGFloat(height))
        let toDevice = deviceCell.concatenating(fromCell).concatenating(place)
        guard var matrix = toDevice.cairoMatrix else { return nil }
        let isExact = toDevice.isPixelExact
        let fade = pattern.isColored ? min(max(tint.alpha, 0), 1) : 1
        let picture = ImageSurface(image, fade: fade)
        return InkSource(isSolid: false) { cairo, _ in
            guard let picture else { return }
            cairo_set_matrix(cairo, &matrix)
            cairo_set_source_surface(cairo, picture.surface, 0, 0)
            let source = cairo_get_source(cairo)
            cairo_pattern_set_extend(source, CAIRO_EXTEND_REPEAT)
            cairo_pattern_set_filter(source, isExact ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD)
            cairo_identity_matrix(cairo)
        }
    }

    /// A cell larger than its step reaches into the next ones: neighbors are drawn too, a few of them.
    private func drawCells(of pattern: CGPattern, into cell: CGContext) {
        func count(_ size: CGFloat, _ step: CGFloat) -> Int {
            Int(min(max((Double(size / step) - 1e-6).rounded(.up) - 1, 0), 8))
        }
        let columns = count(pattern.bounds.width, pattern.step.width)
        let rows = count(pattern.bounds.height, pattern.step.height)
        for row in -rows...0 {
            for column in -columns...0 {
                cell.saveGState()
                cell.translateBy(
                    x: CGFloat(column) * pattern.step.width, y: CGFloat(row) * pattern.step.height)
                cell.clip(to: pattern.bounds)
                pattern.draw(in: cell)
                while cell.targets.count > 1 { cell.endTransparencyLayer() }
                while cell.target.savedStates > 0 { cell.restoreGState() }
            }
        }
    }
}

extension CGAffineTransform {
    /// Pixels fall on pixels: no scale, a whole translation, at most flips.
    var isPixelExact: Bool {
        func whole(_ value: CGFloat) -> Bool { abs(value - value.rounded()) < 1e-6 }
        return b == 0 && c == 0 && abs(abs(a) - 1) < 1e-9 && abs(abs(d) - 1) < 1e-9 && whole(tx) && whole(ty)
    }
}
