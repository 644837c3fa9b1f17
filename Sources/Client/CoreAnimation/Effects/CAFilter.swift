// A filter as an app makes it: a type, and inputs under names. What it is for the server is computed when a layer takes it.
// Source: semantic reference, §6.14, and the measured fact F4.

import LayerModel
import LayerWire

/// One entry of a layer's `filters` or `backgroundFilters`, or its `compositingFilter`.
///
/// A layer keeps a copy: changing a filter afterwards changes no layer until it is set again. To change an input in place,
/// name the filter and use the key path `filters.NAME.INPUT` of the layer.
///
/// A type that is not known, here or to the server, is kept and has no effect; a warning says so once.
public final class CAFilter: NSObject, NSCopying, @unchecked Sendable {
    /// Such as `gaussianBlur` or `multiplyBlendMode`.
    public let type: String
    /// For key paths. A filter without a name is found by its type.
    public var name: String?
    /// False: as if it were not there.
    public var isEnabled = true

    package private(set) var inputs: [String: Any] = [:]

    /// A filter whose inputs have their defaults. The types and their inputs: docs/effects/filters.md,
    /// docs/effects/blend-modes.md.
    public init(type: String) {
        self.type = type
    }

    /// A filter of the same type, name, state and inputs.
    public func copy(with zone: NSZone? = nil) -> Any { duplicate() }

    func duplicate() -> CAFilter {
        let copy = CAFilter(type: type)
        copy.name = name
        copy.isEnabled = isEnabled
        copy.inputs = inputs
        return copy
    }

    /// An input, or `type`, `name`, `enabled`. Nil for an input that was not set.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "type": type
        case "name": name
        case "enabled", "isEnabled": NSNumber(value: isEnabled)
        default: inputs[key]
        }
    }

    /// Sets an input, `name` or `enabled`; nil takes an input back to its default.
    public func setValue(_ value: Any?, forKey key: String) {
        let value = KeyedValue.given(value)
        switch key {
        case "type": break
        case "name": name = value.flatMap { KeyedValue.string($0) }
        case "enabled", "isEnabled": isEnabled = value.flatMap { KeyedValue.bool($0) } ?? true
        default: inputs[key] = value
        }
    }

    /// Takes all inputs back to their defaults.
    public func setDefaults() { inputs = [:] }

    /// Equal when type, name, state and inputs are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CAFilter else { return false }
        guard type == other.type, name == other.name, isEnabled == other.isEnabled else { return false }
        guard inputs.count == other.inputs.count else { return false }
        return inputs.allSatisfy { key, value in other.inputs[key].map { KeyedValue.isSame(value, $0) } ?? false }
    }

    public override var hash: Int { type.hashValue }

    public override var description: String {
        let values = inputs.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return "CAFilter \(type)" + (name.map { " \"\($0)\"" } ?? "") + (isEnabled ? "" : " off") + values
    }
}

extension CAFilter {
    /// What an input takes, in words; nil where `value` is it.
    static func problem(with value: Any, for input: LayerFilter.Input) -> String? {
        if case .inputMaskImage = input { return value is CGImage ? nil : "a CGImage" }
        guard convert(value, for: input) == nil else { return nil }
        switch input {
        case .inputRadius, .inputAmount, .inputAngle, .inputBias, .inputScale: return "a number"
        case .inputNormalizeEdges, .inputHardEdges: return "a Bool"
        case .inputColor: return "a CGColor"
        case .inputColorMatrix: return "20 numbers, four rows of five"
        case .inputOffset: return "a CGSize"
        case .inputMaskImage: return "a CGImage"
        }
    }

    /// Every input but the image; nil for a value of the wrong type.
    private static func convert(_ value: Any, for input: LayerFilter.Input) -> LayerFilter.Value? {
        switch input {
        case .inputRadius, .inputAmount, .inputAngle, .inputBias, .inputScale:
            return KeyedValue.number(value).map { .number($0) }
        case .inputNormalizeEdges, .inputHardEdges: return KeyedValue.bool(value).map { .flag($0) }
        case .inputColor: return (value as? CGColor).map { .color($0.color) }
        case .inputColorMatrix:
            guard let rows = value as? [Any] else { return nil }
            let numbers = rows.flatMap { ($0 as? [Any]) ?? [$0] }.compactMap { KeyedValue.number($0) }
            let count = rows.reduce(0) { $0 + (($1 as? [Any])?.count ?? 1) }
            return numbers.count == 20 && count == 20 ? .numbers(numbers) : nil
        case .inputOffset:
            switch value {
            case let size as CGSize: return .point(Point(Double(size.width), Double(size.height)))
            case let point as CGPoint: return .point(Point(point))
            default: return nil
            }
        case .inputMaskImage: return nil
        }
    }

    /// For the server; nil for a type that it doesn't know.
    ///
    /// - Parameters:
    ///   - images: Takes the images of the inputs, one after the other. Until they have ids, the input is the image `none`.
    ///   - fault: Called with an input of the wrong type, which is left out.
    func layerFilter(images: inout [CGImage], fault: (String) -> Void) -> LayerFilter? {
        guard let kind = LayerFilter.Kind(typeName: type) else { return nil }
        let knownName = name.flatMap { $0.utf8.count <= WireLimits.nameBytes ? $0 : nil }
        var filter = LayerFilter(kind, name: knownName, isEnabled: isEnabled)
        for input in LayerFilter.Input.allCases {
            guard let value = inputs["\(input)"] else { continue }
            if case .inputMaskImage = input, let image = value as? CGImage {
                images.append(image)
                filter.inputs[input] = .image(.none)
            } else if let converted = CAFilter.convert(value, for: input) {
                filter.inputs[input] = converted
            } else {
                let wanted = CAFilter.problem(with: value, for: input) ?? "something else"
                fault("\(type): \(input) takes \(wanted), not a value of type \(Swift.type(of: value)); it is left out")
            }
        }
        return filter
    }
}
