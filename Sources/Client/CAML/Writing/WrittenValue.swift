// Values on their way into a scene file, before they have the form of one of the formats.

import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

/// A value that both formats can say.
package enum WrittenValue {
    case nothing
    case flag(Bool)
    /// Its text; "inf" and "-inf" too.
    case number(String)
    /// So many that belong together: a point, a size, a rectangle.
    case numbers([String])
    /// As many as there are.
    case list([WrittenValue])
    case color(Color)
    case transform(Transform)
    /// One of the words of a closed set, or bits.
    case word(String)
    /// Any text.
    case text(String)
    case path(VectorPath)
    case picture(CGImage)
    case curve(CAMediaTimingFunction)

    package static func numbers(_ numbers: Double...) -> WrittenValue {
        .numbers(numbers.map { NumberText.text($0) })
    }

    package static func number(_ number: Double) -> WrittenValue { .number(NumberText.text(number)) }
}

extension WrittenValue {
    /// The value of a property; nil for what is none: images, layers, filters, cells.
    package init?(_ value: PropertyValue, of property: LayerProperty) {
        switch value {
        case .bool(let flag): self = .flag(flag)
        case .number(let number): self = .number(NumberText.text(number, isSingle: property.isSingle))
        case .point(let p): self = .numbers(p.x, p.y)
        case .rect(let r): self = .numbers(r.origin.x, r.origin.y, r.size.width, r.size.height)
        case .transform(let transform): self = .transform(transform)
        case .color(let color): self = color.map { .color($0) } ?? .nothing
        case .code(let code):
            switch property.object(ofCode: code) {
            case let name as String: self = .word(name)
            case let bits as Int: self = .number(String(bits))
            default: return nil
            }
        case .string(let string): self = string.map { .text($0) } ?? .nothing
        case .path(let path): self = path.map { .path($0) } ?? .nothing
        case .numbers(let numbers): self = .list(numbers.map { .number($0) })
        case .colors(let colors): self = .list(colors.map { .color($0) })
        case .image, .layer, .filters, .cells: return nil
        }
    }

    /// An object as key-value access takes it, of the kind that a key path has; nil for one of another kind, and where a number
    /// is not finite.
    package init?(_ object: Any, as kind: SceneValueKind) {
        if object is NSNull {
            guard kind.takesNull else { return nil }
            self = .nothing
            return
        }
        switch kind {
        case .flag:
            guard let flag = KeyedValue.bool(object) else { return nil }
            self = .flag(flag)
        case .number:
            guard let number = KeyedValue.number(object), number.isFinite else { return nil }
            self = .number(number)
        case .point, .size:
            let point: CGPoint
            switch object {
            case let some as CGPoint: point = some
            case let size as CGSize: point = CGPoint(x: size.width, y: size.height)
            default: return nil
            }
            guard point.x.isFinite, point.y.isFinite else { return nil }
            self = .numbers(point.x, point.y)
        case .rect:
            guard let r = object as? CGRect, Rect(r).isFinite else { return nil }
            self = .numbers(r.origin.x, r.origin.y, r.size.width, r.size.height)
        case .transform:
            guard let transform = KeyedValue.transform(object).map({ Transform($0) }), transform.isFinite else {
                return nil
            }
            self = .transform(transform)
        case .color:
            guard let color = object as? CGColor else { return nil }
            self = .color(color.color)
        case .path:
            guard let path = object as? CGPath, path.vectorPath.isFinite else { return nil }
            self = .path(path.vectorPath)
        case .image:
            guard let image = object as? CGImage else { return nil }
            self = .picture(image)
        case .code, .string:
            if let word = KeyedValue.string(object) {
                self = kind == .string ? .text(word) : .word(word)
            } else if kind != .string, let bits = KeyedValue.bits(object) {
                self = .number(String(bits))
            } else {
                return nil
            }
        case .list(let property):
            guard let list = object as? [Any], list.count <= property.mostValues else { return nil }
            let numbers = list.compactMap { KeyedValue.number($0) }
            guard numbers.count == list.count, numbers.allSatisfy(\.isFinite) else { return nil }
            self = .list(numbers.map { .number($0) })
        case .colors:
            guard let list = object as? [Any], list.count <= LayerProperty.colors.mostValues else { return nil }
            let colors = list.compactMap { ($0 as? CGColor)?.color }
            guard colors.count == list.count else { return nil }
            self = .list(colors.map { .color($0) })
        case .numbers(let count):
            guard let list = object as? [Any] else { return nil }
            let numbers = list.compactMap { KeyedValue.number($0) }
            guard numbers.count == count, list.count == count, numbers.allSatisfy(\.isFinite) else { return nil }
            self = .numbers(numbers.map { NumberText.text($0) })
        }
    }
}
