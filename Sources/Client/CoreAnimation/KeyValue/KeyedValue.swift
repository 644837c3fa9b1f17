// What key-value access takes and hands out. A cast between NSNumber and CGFloat is nil on Linux, and so is one between
// numbers of different types, so every kind is asked for by name.

import LayerModel

/// Conversions of untyped values; nil where the type does not fit.
package enum KeyedValue {
    /// What was given, ready to be looked at: nil for `NSNull`, and the point, size, rectangle or transform in an
    /// `NSValue`, which Foundation on Linux does not cast to those.
    package static func given(_ value: Any?) -> Any? {
        guard let value, !(value is NSNull) else { return nil }
        return unwrapped(value)
    }

    /// The point, size, rectangle or transform in an `NSValue`; any other value as it is.
    package static func unwrapped(_ value: Any) -> Any {
        guard type(of: value) is AnyClass, let object = value as? NSValue, !(object is NSNumber) else { return value }
        switch String(cString: object.objCType) {
        case "{CGPoint=dd}": return object.pointValue
        case "{CGSize=dd}": return object.sizeValue
        case "{CGRect={CGPoint=dd}{CGSize=dd}}": return object.rectValue
        case NSValue.transformEncoding: return object.caTransform3DValue
        default: return value
        }
    }

    /// Any number, a Bool counting as 0 or 1.
    package static func number(_ value: Any) -> Double? {
        switch value {
        case let value as Double: value
        case let value as CGFloat: Double(value)
        case let value as Float: Double(value)
        case let value as Int: Double(value)
        case let value as Bool: value ? 1 : 0
        case let value as any BinaryInteger: Double(value)
        case let value as NSNumber: value.doubleValue
        default: nil
        }
    }

    /// A Bool, or any number: true unless it is exactly 0.
    package static func bool(_ value: Any) -> Bool? {
        if let value = value as? Bool { return value }
        return number(value).map { $0 != 0 }
    }

    /// A string, or one of the name types such as `CALayerContentsGravity`.
    package static func string(_ value: Any) -> String? {
        switch value {
        case let value as String: value
        case let value as NSString: value.description
        case let value as any NameConstant: value.rawValue
        default: nil
        }
    }

    /// The bits of a mask, as a number or one of the mask types.
    package static func bits(_ value: Any) -> UInt? {
        switch value {
        case let value as CACornerMask: value.rawValue
        case let value as CAEdgeAntialiasingMask: UInt(value.rawValue)
        case let value as CAAutoresizingMask: UInt(value.rawValue)
        default: number(value).flatMap { UInt(exactly: $0) }
        }
    }

    package static func transform(_ value: Any) -> CATransform3D? {
        switch value {
        case let value as CATransform3D: value
        case let value as CGAffineTransform: CATransform3DMakeAffineTransform(value)
        default: nil
        }
    }

    /// A value as the type that the caller wants, where the two are numbers, names or the same.
    static func convert<T>(_ value: Any, to type: T.Type) -> T? {
        if type == Bool.self { return bool(value) as? T }
        if let exact = value as? T { return exact }
        if let number = number(value) {
            switch type {
            case is Double.Type: return number as? T
            case is CGFloat.Type: return CGFloat(number) as? T
            case is Float.Type: return Float(number) as? T
            case is Int.Type: return Int(exactly: number) as? T
            case is UInt.Type: return UInt(exactly: number) as? T
            case is CACornerMask.Type: return UInt(exactly: number).map { CACornerMask(rawValue: $0) } as? T
            case is CAEdgeAntialiasingMask.Type:
                return UInt32(exactly: number).map { CAEdgeAntialiasingMask(rawValue: $0) } as? T
            case is CAAutoresizingMask.Type:
                return UInt32(exactly: number).map { CAAutoresizingMask(rawValue: $0) } as? T
            default: return nil
            }
        }
        guard let name = string(value), let type = type as? any NameConstant.Type else { return nil }
        return type.init(rawValue: name) as? T
    }

    /// True when both are the same value, as far as that can be told.
    static func isSame(_ a: Any, _ b: Any) -> Bool {
        if let a = a as? AnyHashable, let b = b as? AnyHashable { return a == b }
        return type(of: a) is AnyClass && type(of: b) is AnyClass && (a as AnyObject) === (b as AnyObject)
    }
}
