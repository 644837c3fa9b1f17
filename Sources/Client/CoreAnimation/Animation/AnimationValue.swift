// Values of animations: from what an app gives to what the shared model interpolates, and back.

import LayerModel
import LayerWire
import Quartz2D

enum AnimationValue {
    /// What can't be a value, with what would be right.
    struct Problem: Error {
        let wanted: String
        init(_ wanted: String) { self.wanted = wanted }
    }

    /// A value of a kind.
    ///
    /// - Parameter image: Called with an image; gives it an id.
    static func value(
        of any: Any, as kind: PropertyValue.Kind, image: (CGImage) -> ImageID
    ) throws(Problem) -> PropertyValue {
        let value = try anyValue(of: KeyedValue.unwrapped(any), as: kind, image: image)
        guard value.isFinite else { throw Problem("finite numbers") }
        return value
    }

    private static func anyValue(
        of any: Any, as kind: PropertyValue.Kind, image: (CGImage) -> ImageID
    ) throws(Problem) -> PropertyValue {
        switch kind {
        case .bool:
            if let flag = KeyedValue.bool(any) { return .bool(flag) }
            throw Problem("a Bool")
        case .number:
            if let number = KeyedValue.number(any) { return .number(number) }
            throw Problem("a number")
        case .point:
            if let point = point(any) { return .point(point) }
            throw Problem("a CGPoint or a CGSize")
        case .rect:
            if let rect = any as? CGRect { return .rect(Rect(rect)) }
            throw Problem("a CGRect")
        case .transform:
            if let transform = KeyedValue.transform(any) { return .transform(Transform(transform)) }
            throw Problem("a CATransform3D")
        case .color:
            if any is NSNull { return .color(nil) }
            if let color = any as? CGColor { return .color(color.color) }
            throw Problem("a CGColor")
        case .path:
            guard let shape = (any as? CGPath)?.vectorPath else { throw Problem("a CGPath") }
            guard shape.verbs.count <= WireLimits.pathVerbs else { throw Problem("a shorter path") }
            return .path(shape)
        case .image:
            if any is NSNull { return .image(.none) }
            if let picture = any as? CGImage { return .image(image(picture)) }
            throw Problem("a CGImage")
        case .numbers:
            if let list = any as? [Any] {
                let numbers = list.compactMap(KeyedValue.number)
                if numbers.count == list.count { return .numbers(numbers) }
            }
            throw Problem("an array of numbers")
        case .colors:
            if let list = any as? [CGColor] { return .colors(list.map(\.color)) }
            throw Problem("an array of CGColors")
        case .filters: return try filters(any)
        case .code:
            if let mode = compositingMode(any) { return .code(mode.rawValue) }
            throw Problem("the name of a compositing filter")
        case .string, .layer, .cells: throw Problem("nothing: it can't be animated")
        }
    }

    private static func point(_ any: Any) -> Point? {
        switch any {
        case let point as CGPoint: Point(point)
        case let size as CGSize: Point(Double(size.width), Double(size.height))
        default: nil
        }
    }

    private static func filters(_ any: Any) throws(Problem) -> PropertyValue {
        guard let list = any as? [Any] else { throw Problem("an array of filters") }
        var images: [CGImage] = []
        var values: [LayerFilter] = []
        for object in list {
            guard let filter = object as? CAFilter, let value = filter.layerFilter(images: &images, fault: { _ in })
            else { throw Problem("an array of filters") }
            values.append(value)
        }
        guard values.count <= WireLimits.filters else { throw Problem("at most \(WireLimits.filters) filters") }
        guard images.isEmpty else { throw Problem("filters without images") }
        return .filters(values)
    }

    private static func compositingMode(_ any: Any) -> CompositingMode? {
        let name = (any as? CAFilter)?.type ?? KeyedValue.string(any)
        return name.flatMap { name in CompositingMode.allCases.first { $0.filterName == name } }
    }

    /// A value of a filter's input.
    static func value(
        of any: Any, for input: LayerFilter.Input
    ) throws(Problem) -> PropertyValue {
        let kind: PropertyValue.Kind =
            switch input {
            case .inputRadius, .inputAmount, .inputAngle, .inputBias, .inputScale: .number
            case .inputColor: .color
            case .inputColorMatrix: .numbers
            case .inputNormalizeEdges, .inputHardEdges: .bool
            case .inputOffset: .point
            case .inputMaskImage: .layer
            }
        // A matrix may come as rows.
        let flat = (any as? [Any]).map { rows in rows.flatMap { ($0 as? [Any]) ?? [$0] } as Any } ?? any
        return try value(of: kind == .numbers ? flat : any, as: kind) { _ in .none }
    }

    /// The kind of a value of an app's own key; nil for what can't be interpolated.
    static func kind(of any: Any) -> PropertyValue.Kind? {
        switch KeyedValue.unwrapped(any) {
        case is CGPoint, is CGSize: .point
        case is CGRect: .rect
        case is CATransform3D, is CGAffineTransform: .transform
        case is CGColor: .color
        case is CGPath: .path
        default: KeyedValue.number(any) == nil ? nil : .number
        }
    }

    /// A value as key-value access hands it out, of the type that `model` has.
    static func object(_ value: PropertyValue, like model: Any?) -> Any? {
        switch value {
        case .number(let number):
            switch model {
            case is CGFloat: return CGFloat(number)
            case is Double: return number
            case is Float: return Float(number)
            case is Int: return Int(exactly: number.rounded()) ?? 0
            default: return NSNumber(value: number)
            }
        case .bool(let flag): return NSNumber(value: flag)
        case .point(let point):
            return model is CGSize ? CGSize(width: point.x, height: point.y) : CGPoint(point)
        case .rect(let rect): return CGRect(rect)
        case .transform(let transform):
            return model is CGAffineTransform
                ? CATransform3DGetAffineTransform(CATransform3D(transform)) : CATransform3D(transform)
        case .color(let color): return color.map { CGColor($0) }
        case .path(let path): return path.map { CGPath($0) }
        case .numbers(let numbers): return numbers.map { NSNumber(value: $0) }
        case .colors(let colors): return colors.map { CGColor($0) }
        case .code, .image, .string, .layer, .filters, .cells: return nil
        }
    }
}
