// A layer that shows text. The client sets it and draws it into the layer's contents. Source: semantic reference, §6.3.
//
// A picture that is set as the contents lies over the text, which stays (semantic reference, §1.6): both are drawn into one bitmap,
// the picture where its properties place it. Of a picture that is shown in part, by `contentsRect`, there is no text: one bitmap
// can't be both.
//
// Its values are kept under keys of the layer's own, so that key-value access, actions, styles, presentation copies and
// animations (fontSize and foregroundColor: the client draws each frame) work as for any key.

import LayerModel

/// Shows a plain or attributed string from the top of its bounds on. Set `contentsScale` for sharp text.
open class CATextLayer: CALayer, @unchecked Sendable {
    private var lastLayout: (key: TextLayoutKey, layout: TextLayout)?
    /// What the app set as the contents.
    private var picture: CGImage?

    public override init() {
        super.init()
        needsDisplayOnBoundsChange = true
    }

    public override init(layer: Any) {
        super.init(layer: layer)
        picture = (layer as? CATextLayer)?.picture
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    open override func presentation() -> CATextLayer? { makePresentation() as? CATextLayer }

    // MARK: What is shown

    /// A `String` or an `NSAttributedString`; nil by default. Anything else is a fault.
    open var string: Any? {
        get { value(forKey: "string") }
        set { setValue(newValue, forKey: "string") }
    }

    /// A font's name, a `CTFont` (whose size does not count) or a `CGFont`. Helvetica by default; for plain strings.
    open var font: Any? {
        get { value(forKey: "font") }
        set { setValue(newValue, forKey: "font") }
    }

    /// Points; 36 by default. For plain strings.
    open var fontSize: CGFloat {
        get { CGFloat(value(forKey: "fontSize").flatMap { KeyedValue.number($0) } ?? 36) }
        set { setValue(newValue, forKey: "fontSize") }
    }

    /// Opaque white by default; for plain strings.
    open var foregroundColor: CGColor? {
        get { value(forKey: "foregroundColor") as? CGColor }
        set { setValue(newValue, forKey: "foregroundColor") }
    }

    /// True: lines break at the bounds' width too, not only at newlines; false by default.
    open var isWrapped: Bool {
        get { value(forKey: "wrapped").flatMap { KeyedValue.bool($0) } ?? false }
        set { setValue(newValue, forKey: "wrapped") }
    }

    /// What is left out of a line that does not fit; of wrapped text, of the last line that does. `none` by default.
    open var truncationMode: CATextLayerTruncationMode {
        get { CATextLayerTruncationMode(rawValue: value(forKey: "truncationMode") as? String ?? "none") }
        set { setValue(newValue, forKey: "truncationMode") }
    }

    /// `natural`, the default, begins lines where their script does. An attributed string's paragraph style wins.
    open var alignmentMode: CATextLayerAlignmentMode {
        get { CATextLayerAlignmentMode(rawValue: value(forKey: "alignmentMode") as? String ?? "natural") }
        set { setValue(newValue, forKey: "alignmentMode") }
    }

    /// True: glyphs stand at quarters of a pixel; false by default.
    open var allowsFontSubpixelQuantization: Bool {
        get { value(forKey: "allowsFontSubpixelQuantization").flatMap { KeyedValue.bool($0) } ?? false }
        set { setValue(newValue, forKey: "allowsFontSubpixelQuantization") }
    }

    // MARK: A picture over the text

    /// What was set, which lies over the text; else what was drawn.
    open override var contents: Any? {
        get { picture ?? super.contents }
        set {
            if newValue != nil, !(newValue is NSNull), !(newValue is CGImage) { return super.contents = newValue }
            let old = picture
            picture = newValue as? CGImage
            if TextLayoutKey(self) == nil || picture == nil { super.contents = newValue }
            if picture !== old { setNeedsDisplay() }
        }
    }

    open override var contentsGravity: CALayerContentsGravity { didSet { pictureMoved() } }
    open override var contentsRect: CGRect { didSet { pictureMoved() } }
    open override var contentsCenter: CGRect { didSet { pictureMoved() } }

    private func pictureMoved() {
        if picture != nil { setNeedsDisplay() }
    }

    package override func showDrawnContents(_ image: CGImage?) { super.contents = image }

    open override func display() {
        guard let picture else { return super.display() }
        let isWhole = properties.contentsRect == .unit
        if TextLayoutKey(self) != nil, isWhole { return super.display() }
        if !isWhole {
            ClientWarnings.shared.warnOnce("\(label): a picture shown in part (contentsRect) hides the text.")
        }
        super.contents = picture
    }

    // MARK: Keys

    open override class func needsDisplay(forKey key: String) -> Bool {
        switch key {
        case "string", "font", "fontSize", "foregroundColor", "wrapped", "truncationMode", "alignmentMode",
            "allowsFontSubpixelQuantization", "style", "contentsScale":
            true
        default: super.needsDisplay(forKey: key)
        }
    }

    open override class func defaultValue(forKey key: String) -> Any? {
        switch key {
        case "font": "Helvetica"
        case "fontSize": NSNumber(value: 36)
        case "foregroundColor": CGColor.white
        case "truncationMode": CATextLayerTruncationMode.none.rawValue
        case "alignmentMode": CATextLayerAlignmentMode.natural.rawValue
        default: super.defaultValue(forKey: key)
        }
    }

    open override func value(forKey key: String) -> Any? { super.value(forKey: key == "isWrapped" ? "wrapped" : key) }

    open override func setValue(_ value: Any?, forKey key: String) {
        let key = key == "isWrapped" ? "wrapped" : key
        guard let value, !(value is NSNull) else { return super.setValue(nil, forKey: key) }
        switch key {
        case "string":
            guard value is NSAttributedString || KeyedValue.string(value) != nil else {
                return refuse(value, forKey: key, wants: "a String or an NSAttributedString")
            }
            // A copy: an attributed string may be changed later.
            let text = (value as? NSAttributedString).map { NSAttributedString(attributedString: $0) as Any }
            super.setValue(text ?? KeyedValue.string(value), forKey: key)
        case "font":
            guard value is CTFont || value is CGFont || KeyedValue.string(value) != nil else {
                return refuse(value, forKey: key, wants: "a font's name, a CTFont or a CGFont")
            }
            super.setValue(KeyedValue.string(value) ?? value, forKey: key)
        case "fontSize":
            guard let size = KeyedValue.number(value) else { return refuse(value, forKey: key, wants: "a number") }
            guard size.isFinite else { return refuseNotFinite(key) }
            super.setValue(NSNumber(value: size), forKey: key)
        case "foregroundColor":
            guard value is CGColor else { return refuse(value, forKey: key, wants: "a CGColor") }
            super.setValue(value, forKey: key)
        case "wrapped", "allowsFontSubpixelQuantization":
            guard let flag = KeyedValue.bool(value) else { return refuse(value, forKey: key, wants: "a Bool") }
            super.setValue(NSNumber(value: flag), forKey: key)
        case "truncationMode", "alignmentMode":
            guard let name = KeyedValue.string(value) else { return refuse(value, forKey: key, wants: "a name") }
            super.setValue(name, forKey: key)
        default: super.setValue(value, forKey: key)
        }
    }

    package override func isOwnKeyAnimatable(_ key: String) -> Bool { key == "fontSize" || key == "foregroundColor" }

    // MARK: Setting and drawing

    /// The text's own size; wrapped text is as wide as the bounds at most.
    open override func preferredFrameSize() -> CGSize { textLayout()?.size ?? .zero }

    open override func draw(in ctx: CGContext) {
        super.draw(in: ctx)
        drawing?.drewNothing = false
        paintText(in: ctx)
        if let picture { LayerPainter(ctx).paint(picture, of: self) }
    }

    private func paintText(in ctx: CGContext) {
        guard let layout = textLayout() else { return }
        if !layout.missingCharacters.isEmpty { ClientWarnings.shared.warnOnce("\(label): \(layout.missingSentence).") }
        if layout.unitsLeftOut > 0 {
            ClientWarnings.shared.warnOnce(
                "\(label): the text is too long; its last \(layout.unitsLeftOut) units are left out.")
        }
        let isFlipped = contentsAreFlipped()
        let bounds = self.bounds
        ctx.saveGState()
        ctx.setAllowsFontSubpixelQuantization(allowsFontSubpixelQuantization)
        let top = CGPoint(x: bounds.minX, y: isFlipped ? bounds.minY : bounds.maxY)
        ctx.draw(layout, at: top, isFlipped: isFlipped, color: plainColor)
        ctx.restoreGState()
    }

    /// Of what says nothing about its color itself: in attributed strings black, as in Core Text.
    private var plainColor: CGColor {
        string is NSAttributedString ? .black : foregroundColor ?? .clear
    }

    /// Nil where there is nothing to set.
    private func textLayout() -> TextLayout? {
        guard let key = TextLayoutKey(self) else { return nil }
        if let lastLayout, lastLayout.key == key { return lastLayout.layout }
        let layout = TextLayout(key.request)
        lastLayout = (key, layout)
        return layout
    }

    package override var frameworkClass: CALayer.Type { CATextLayer.self }
    package override func makeFrameworkCopy() -> CALayer { CATextLayer(layer: self) }
}

/// Everything that where glyphs stand depends on.
private struct TextLayoutKey: Equatable {
    private enum Text: Equatable {
        case plain(String)
        /// The layer's own copy: nobody changes it.
        case attributed(NSAttributedString)

        static func == (a: Text, b: Text) -> Bool {
            switch (a, b) {
            case (.plain(let a), .plain(let b)): a == b
            case (.attributed(let a), .attributed(let b)): a === b
            default: false
            }
        }
    }

    private var text: Text
    private var font: CTFont
    var width: Double
    var height: Double
    var isWrapped: Bool
    var truncation: CATextLayerTruncationMode
    var alignment: CATextLayerAlignmentMode
    var fonts = TextEngine.shared.generation

    init?(_ layer: CATextLayer) {
        let bounds = layer.bounds
        (width, height) = (Double(bounds.width), Double(bounds.height))
        (isWrapped, truncation, alignment) = (layer.isWrapped, layer.truncationMode, layer.alignmentMode)
        switch layer.string {
        case let attributed as NSAttributedString:
            guard attributed.length > 0 else { return nil }
            text = .attributed(attributed)
            font = CTFont("Helvetica", size: 12)
        case let plain as String:
            guard layer.fontSize > 0, !plain.isEmpty else { return nil }
            text = .plain(plain)
            font = TextLayoutKey.font(layer.font, size: layer.fontSize)
        default: return nil
        }
    }

    private static func font(_ font: Any?, size: CGFloat) -> CTFont {
        switch font {
        case let font as CTFont: CTFont(font.postScriptName, size: size)
        case let font as CGFont: CTFont(font.postScriptName ?? "Helvetica", size: size)
        default: CTFont(font as? String ?? "Helvetica", size: size)
        }
    }

    var request: TextRequest {
        let string =
            switch text {
            case .plain(let plain): NSAttributedString(string: plain)
            case .attributed(let attributed): attributed
            }
        var request = TextRequest(string: string, font: font, color: .black)
        (request.width, request.height, request.isWrapped) = (width, height, isWrapped)
        switch truncation {
        case .start: request.truncation = .start
        case .middle: request.truncation = .middle
        case .end: request.truncation = .end
        default: break
        }
        switch alignment {
        case .left: request.alignment = .left
        case .right: request.alignment = .right
        case .center: request.alignment = .center
        case .justified: request.alignment = .justified
        default: break
        }
        return request
    }
}
