// The rows of the property table that only shape layers have, for key-value access.

import LayerModel

extension CAShapeLayer {
    /// Nil for a property that is none of shapes.
    final func shapeValue(_ property: LayerProperty) -> Any? {
        switch property {
        case .path: path
        case .fillColor: fillColor
        case .fillRule: fillRule.rawValue
        case .strokeColor: strokeColor
        case .strokeStart: NSNumber(value: Double(strokeStart))
        case .strokeEnd: NSNumber(value: Double(strokeEnd))
        case .lineWidth: NSNumber(value: Double(lineWidth))
        case .miterLimit: NSNumber(value: Double(miterLimit))
        case .lineCap: lineCap.rawValue
        case .lineJoin: lineJoin.rawValue
        case .lineDashPhase: NSNumber(value: Double(lineDashPhase))
        case .lineDashPattern: lineDashPattern
        default: nil
        }
    }

    /// - Parameter value: Nil sets an object to nil and anything else to its default.
    final func setShapeValue(_ property: LayerProperty, to value: Any?, keyPath: String) {
        switch property {
        case .path:
            guard value == nil || value is CGPath else { return refuse(value, forKey: keyPath, wants: "a CGPath") }
            path = value as? CGPath
        case .fillColor, .strokeColor:
            guard value == nil || value is CGColor else { return refuse(value, forKey: keyPath, wants: "a CGColor") }
            if property == .fillColor { fillColor = value as? CGColor } else { strokeColor = value as? CGColor }
        case .fillRule, .lineCap, .lineJoin:
            guard let value else { return setName(property, nil) }
            guard let name = KeyedValue.string(value) else { return refuse(value, forKey: keyPath, wants: "a name") }
            setName(property, name)
        case .lineDashPattern:
            guard let value else { return lineDashPattern = nil }
            guard let list = value as? [Any] else {
                return refuse(value, forKey: keyPath, wants: "an array of numbers")
            }
            let numbers = list.compactMap(KeyedValue.number)
            guard numbers.count == list.count else {
                return refuse(value, forKey: keyPath, wants: "an array of numbers")
            }
            lineDashPattern = numbers.map { NSNumber(value: $0) }
        default:
            let wanted = value ?? CAShapeLayer.defaultShape.shapeValue(property) ?? 0
            guard let number = KeyedValue.number(wanted) else {
                return refuse(value, forKey: keyPath, wants: "a number")
            }
            setNumber(property, CGFloat(number))
        }
    }

    private func setName(_ property: LayerProperty, _ name: String?) {
        switch property {
        case .fillRule: fillRule = name.map { CAShapeLayerFillRule(rawValue: $0) } ?? .nonZero
        case .lineCap: lineCap = name.map { CAShapeLayerLineCap(rawValue: $0) } ?? .butt
        default: lineJoin = name.map { CAShapeLayerLineJoin(rawValue: $0) } ?? .miter
        }
    }

    private func setNumber(_ property: LayerProperty, _ number: CGFloat) {
        switch property {
        case .strokeStart: strokeStart = number
        case .strokeEnd: strokeEnd = number
        case .lineWidth: lineWidth = number
        case .miterLimit: miterLimit = number
        default: lineDashPhase = number
        }
    }
}
