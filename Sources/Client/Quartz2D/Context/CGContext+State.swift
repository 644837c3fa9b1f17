import CCairo
import Foundation
import LayerModel

extension CGContext {
    // MARK: Lines

    /// In user space when the line is drawn; 0 draws the thinnest line there is, a pixel wide. Negative ones are ignored.
    public func setLineWidth(_ width: CGFloat) {
        guard width >= 0, width.isFinite else { return }
        state.lineWidth = width
    }

    /// How lines and dashes end; `butt` at first.
    public func setLineCap(_ cap: CGLineCap) { state.lineCap = cap }
    /// How lines turn at corners; `miter` at first.
    public func setLineJoin(_ join: CGLineJoin) { state.lineJoin = join }

    /// A miter longer than this many widths becomes a bevel; 10 at first. What is below 1 counts as 1.
    public func setMiterLimit(_ limit: CGFloat) {
        guard limit.isFinite else { return }
        state.miterLimit = max(limit, 1)
    }

    /// Lengths of dashes and gaps in turn; an odd number of them is gone through twice. Empty, or all 0: a solid line. With a
    /// negative length or one that is not finite nothing changes.
    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {
        guard phase.isFinite, lengths.count <= 10_000, lengths.allSatisfy({ $0 >= 0 && $0.isFinite }) else { return }
        state.dashPhase = phase
        state.dashLengths = lengths.contains { $0 > 0 } ? lengths : []
    }

    /// How far a curve drawn as lines may be off, in pixels; 0 is as exact as is useful.
    public func setFlatness(_ flatness: CGFloat) {
        guard flatness >= 0, flatness.isFinite else { return }
        state.flatness = flatness
    }

    // MARK: Looks

    /// 0…1, for everything drawn from now on.
    public func setAlpha(_ alpha: CGFloat) {
        guard alpha.isFinite else { return }
        state.alpha = min(max(Double(alpha), 0), 1)
    }

    /// How everything drawn from now on meets what is there; `normal` at first.
    public func setBlendMode(_ mode: CGBlendMode) { state.blendMode = mode }
    /// False: a pixel is drawn to whole or not at all; true at first. Saved with the state.
    public func setShouldAntialias(_ shouldAntialias: Bool) { state.shouldAntialias = shouldAntialias }
    /// False: as `setShouldAntialias(false)`, whatever that says; true at first. Not saved with the state.
    public func setAllowsAntialiasing(_ allowsAntialiasing: Bool) { self.allowsAntialiasing = allowsAntialiasing }
    /// Kept, and without effect: colors are not converted between gamuts.
    public func setRenderingIntent(_ intent: CGColorRenderingIntent) { state.renderingIntent = intent }

    /// How pictures are sampled from now on; `default` at first.
    public var interpolationQuality: CGInterpolationQuality {
        get { state.interpolationQuality }
        set { state.interpolationQuality = newValue }
    }

    // MARK: Shadows

    /// A shadow under everything drawn from now on: a third of opaque black.
    public func setShadow(offset: CGSize, blur: CGFloat) {
        setShadow(offset: offset, blur: blur, color: CGColor(gray: 0, alpha: 1.0 / 3))
    }

    /// A shadow under everything drawn from now on.
    ///
    /// - Parameters:
    ///   - offset: In base space, whatever the ctm: y up in a bitmap context.
    ///   - blur: Twice the Gaussian's standard deviation, base space too.
    ///   - color: Nil: none.
    public func setShadow(offset: CGSize, blur: CGFloat, color: CGColor?) {
        guard let color, color.alpha > 0 else { return state.shadow = nil }
        guard offset.width.isFinite, offset.height.isFinite, blur.isFinite else {
            return warn("a shadow that is not finite is ignored")
        }
        state.shadow = GraphicsState.Shadow(offset: offset, blur: max(blur, 0), color: color.color)
    }

    // MARK: Colors

    /// What areas and text are filled with; opaque black at first.
    public func setFillColor(_ color: CGColor) {
        state.fill = .color(color.color)
        state.fillSpace = color.colorSpace ?? .standard
    }

    /// What lines are drawn with; opaque black at first.
    public func setStrokeColor(_ color: CGColor) {
        state.stroke = .color(color.color)
        state.strokeSpace = color.colorSpace ?? .standard
    }

    /// As `setFillColor(_:)`, from sRGB components.
    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        setFillColor(CGColor(red: red, green: green, blue: blue, alpha: alpha))
    }

    /// As `setStrokeColor(_:)`, from sRGB components.
    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        setStrokeColor(CGColor(red: red, green: green, blue: blue, alpha: alpha))
    }

    /// As `setFillColor(_:)`, with a gray.
    public func setFillColor(gray: CGFloat, alpha: CGFloat) { setFillColor(CGColor(gray: gray, alpha: alpha)) }
    /// As `setStrokeColor(_:)`, with a gray.
    public func setStrokeColor(gray: CGFloat, alpha: CGFloat) { setStrokeColor(CGColor(gray: gray, alpha: alpha)) }

    /// As `setFillColor(_:)`, from inks, 0…1, without a profile: a channel is what its ink and black leave.
    public func setFillColor(cyan: CGFloat, magenta: CGFloat, yellow: CGFloat, black: CGFloat, alpha: CGFloat) {
        setFillColor(.plainInks(cyan, magenta, yellow, black, alpha))
    }

    /// As `setStrokeColor(_:)`, from inks, 0…1, without a profile.
    public func setStrokeColor(cyan: CGFloat, magenta: CGFloat, yellow: CGFloat, black: CGFloat, alpha: CGFloat) {
        setStrokeColor(.plainInks(cyan, magenta, yellow, black, alpha))
    }

    /// The space of the components given from now on; the color becomes opaque black.
    public func setFillColorSpace(_ space: CGColorSpace) {
        state.fillSpace = space
        state.fill = .color(.black)
    }

    /// The space of the components given for lines from now on; their color becomes opaque black.
    public func setStrokeColorSpace(_ space: CGColorSpace) {
        state.strokeSpace = space
        state.stroke = .color(.black)
    }

    /// Components of the current space, alpha last. With fewer than those nothing changes.
    public func setFillColor(_ components: [CGFloat]) {
        if let color = CGColor(colorSpace: state.fillSpace, components: components) { setFillColor(color) }
    }

    /// Components of the current space of lines, alpha last. With fewer than those nothing changes.
    public func setStrokeColor(_ components: [CGFloat]) {
        if let color = CGColor(colorSpace: state.strokeSpace, components: components) { setStrokeColor(color) }
    }
}

extension CGColor {
    /// Inks without a profile: a channel is what its ink and black leave.
    fileprivate static func plainInks(
        _ cyan: CGFloat, _ magenta: CGFloat, _ yellow: CGFloat, _ black: CGFloat, _ alpha: CGFloat
    ) -> CGColor {
        func left(_ ink: CGFloat) -> CGFloat { (1 - min(max(ink, 0), 1)) * (1 - min(max(black, 0), 1)) }
        return CGColor(red: left(cyan), green: left(magenta), blue: left(yellow), alpha: alpha)
    }
}
