// A layer that is a window to its sublayers. Scrolling is a change of the bounds' origin, so it is animated, sent and drawn as
// that. Source: semantic reference, §6.6. See docs/scrolling-and-layout.md.

import LayerModel

/// The directions in which a layer scrolls. An unknown name counts as `both`.
public struct CAScrollLayerScrollMode: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not at all.
    public static let none = CAScrollLayerScrollMode(rawValue: "none")
    /// Along y.
    public static let vertically = CAScrollLayerScrollMode(rawValue: "vertically")
    /// Along x.
    public static let horizontally = CAScrollLayerScrollMode(rawValue: "horizontally")
    /// Along x and y; the default.
    public static let both = CAScrollLayerScrollMode(rawValue: "both")

    var isHorizontal: Bool { self != .none && self != .vertically }
    var isVertical: Bool { self != .none && self != .horizontally }
}

/// Shows a part of what its sublayers show: it clips them, and scrolls by its bounds' origin.
open class CAScrollLayer: CALayer, @unchecked Sendable {
    public override init() {
        super.init()
        properties.masksToBounds = true
        assigned.insert(.masksToBounds)
    }

    public override init(layer: Any) {
        super.init(layer: layer)
        if let layer = layer as? CAScrollLayer { scrollMode = layer.scrollMode }
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The directions in which `scroll(to:)` moves; `both` by default.
    open var scrollMode = CAScrollLayerScrollMode.both

    /// Brings a point of the layer's coordinates to the bounds' origin, as far as `scrollMode` lets it. The implied animation
    /// is that of the bounds.
    open func scroll(to p: CGPoint) {
        let origin = bounds.origin
        let target = CGPoint(x: scrollMode.isHorizontal ? p.x : origin.x, y: scrollMode.isVertical ? p.y : origin.y)
        bounds.origin = target
    }

    /// Scrolls just as far as is needed to show a rectangle of the layer's coordinates. Along an axis where it is larger than
    /// the bounds, its origin is shown.
    open func scroll(to r: CGRect) {
        let (rect, shown) = (r.standardized, bounds)
        guard !rect.isNull, !rect.isInfinite else { return }
        func origin(_ wanted: Range<CGFloat>, _ shown: Range<CGFloat>) -> CGFloat {
            let (length, room) = (wanted.upperBound - wanted.lowerBound, shown.upperBound - shown.lowerBound)
            if length > room || wanted.lowerBound < shown.lowerBound { return wanted.lowerBound }
            return wanted.upperBound > shown.upperBound ? wanted.upperBound - room : shown.lowerBound
        }
        guard rect.minX <= rect.maxX, rect.minY <= rect.maxY else { return }
        scroll(
            to: CGPoint(
                x: origin(rect.minX..<rect.maxX, shown.minX..<shown.maxX),
                y: origin(rect.minY..<rect.maxY, shown.minY..<shown.maxY)))
    }

    // MARK: Class

    open override func value(forKey key: String) -> Any? {
        key == "scrollMode" ? scrollMode.rawValue : super.value(forKey: key)
    }

    open override func setValue(_ value: Any?, forKey key: String) {
        let value = KeyedValue.given(value)
        switch key {
        case "scrollMode":
            guard let name = KeyedValue.string(value ?? CAScrollLayerScrollMode.both.rawValue) else {
                return refuse(value, forKey: key, wants: "a name")
            }
            scrollMode = CAScrollLayerScrollMode(rawValue: name)
        case "masksToBounds" where value == nil: masksToBounds = true
        default: super.setValue(value, forKey: key)
        }
    }

    open override class func defaultValue(forKey key: String) -> Any? {
        switch key {
        case "scrollMode": CAScrollLayerScrollMode.both.rawValue
        case "masksToBounds": NSNumber(value: true)
        default: super.defaultValue(forKey: key)
        }
    }

    open override func presentation() -> CAScrollLayer? { makePresentation() as? CAScrollLayer }

    package override var frameworkClass: CALayer.Type { CAScrollLayer.self }
    package override func makeFrameworkCopy() -> CALayer { CAScrollLayer(layer: self) }
}
