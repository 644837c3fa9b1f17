// The values of CAML attributes as text: numbers, booleans, lists, colors, names. Separators are spaces or commas.
// Source: the semantic reference, §8.3 and §8.8.

import LayerModel

/// What is wrong with a value, for a message: "is not …".
package struct ScalarFault: Error, Equatable {
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// Reads scalar values of CAML.
package enum ScalarSyntax {
    /// A finite number.
    package static func number(_ text: some StringProtocol) throws(ScalarFault) -> Double {
        let number = try anyNumber(text)
        guard number.isFinite else { throw ScalarFault("is not finite") }
        return number
    }

    /// A number that may be infinite ("inf", "+infinity"), never NaN.
    package static func anyNumber(_ text: some StringProtocol) throws(ScalarFault) -> Double {
        let trimmed = trim(text)
        if trimmed == "undefined" { throw ScalarFault("is not a number (an editor wrote \"undefined\")") }
        guard let first = trimmed.utf8.first, trimmed.utf8.count <= 400,
            // `Double` would also read hexadecimal and "nan(…)".
            trimmed.utf8.allSatisfy({ $0 != UInt8(ascii: "x") && $0 != UInt8(ascii: "X") && $0 != UInt8(ascii: "(") }),
            first != UInt8(ascii: "_"), let number = Double(String(trimmed)), !number.isNaN
        else { throw ScalarFault("is not a number") }
        return number
    }

    /// 0, 1, true, false, YES, NO.
    package static func boolean(_ text: String) throws(ScalarFault) -> Bool {
        switch trim(text).lowercased() {
        case "1", "true", "yes", "1.0": return true
        case "0", "false", "no", "0.0": return false
        default: throw ScalarFault("is not 0 or 1")
        }
    }

    /// Exactly `count` finite numbers.
    package static func numbers(_ text: String, count: Int) throws(ScalarFault) -> [Double] {
        try numbers(text, count: count...count)
    }

    package static func numbers(_ text: String, count: ClosedRange<Int>) throws(ScalarFault) -> [Double] {
        let pieces = pieces(text, limit: count.upperBound)
        guard count.contains(pieces.count) else {
            let wanted =
                count.count == 1 ? "\(count.lowerBound) are" : "\(count.lowerBound) to \(count.upperBound) are"
            let found =
                switch pieces.count {
                case 1: "1 number"
                case 0...count.upperBound: "\(pieces.count) numbers"
                default: "more than \(count.upperBound) numbers"
                }
            throw ScalarFault("has \(found) where \(wanted) expected")
        }
        var numbers: [Double] = []
        for piece in pieces { numbers.append(try number(piece)) }
        return numbers
    }

    /// "r g b" or "r g b a", encoded sRGB, straight alpha.
    package static func color(_ text: String) throws(ScalarFault) -> Color {
        let n = try numbers(text, count: 3...4)
        return Color(n[0], n[1], n[2], n.count == 4 ? n[3] : 1)
    }

    /// The value of a property. Contents are no scalar; asking for them is a fault.
    package static func value(of property: LayerProperty, _ text: String) throws(ScalarFault) -> PropertyValue {
        switch property.kind {
        case .bool: return .bool(try boolean(text))
        case .number: return .number(try number(text))
        case .point:
            let n = try numbers(text, count: 2)
            return .point(Point(n[0], n[1]))
        case .rect:
            let n = try numbers(text, count: 4)
            return .rect(Rect(n[0], n[1], n[2], n[3]))
        case .transform: return .transform(try TransformSyntax.transform(text))
        case .color: return .color(try color(text))
        case .code: return .code(try code(of: property, text))
        case .string: return .string(text)
        case .path: return .path(trim(text).isEmpty ? nil : try PathSyntax.path(text))
        case .numbers: return .numbers(try numbers(text, count: 0...property.mostValues))
        case .image, .layer, .filters, .colors, .cells: throw ScalarFault("is not a scalar")
        }
    }

    private static func code(of property: LayerProperty, _ text: String) throws(ScalarFault) -> UInt8 {
        let fault = ScalarFault(
            property == .compositingFilter ? "is not known" : "is not one of: \(property.codeNames)")
        guard property.isBitSet else {
            guard let code = property.code(named: String(trim(text))) else { throw fault }
            return code
        }
        // Bits beyond the known ones are dropped, as Core Animation does.
        if let bits = UInt32(String(trim(text))) { return UInt8(bits & 15) }
        var bits: UInt8 = 0
        for piece in text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "|" }) {
            guard let bit = property.code(named: String(piece)) else { throw fault }
            bits |= bit
        }
        return bits
    }

    /// The pieces between spaces and commas; at most one more than `limit`, so that a long list costs no more than its
    /// refusal.
    package static func pieces(_ text: String, limit: Int) -> [Substring] {
        var pieces = text.split(maxSplits: limit, whereSeparator: isSeparator)
        // What is left over begins with separators where the limit was reached.
        if pieces.count > limit {
            let rest = pieces[limit].drop(while: isSeparator)
            if rest.isEmpty { pieces.removeLast() } else { pieces[limit] = rest }
        }
        return pieces
    }

    package static func isSeparator(_ character: Character) -> Bool {
        character == " " || character == "," || character == "\t" || character == "\n" || character == "\r\n"
            || character == "\r"
    }

    package static func trim(_ text: some StringProtocol) -> Substring {
        var trimmed = Substring(text)
        while let first = trimmed.first, first.isWhitespace { trimmed.removeFirst() }
        while let last = trimmed.last, last.isWhitespace { trimmed.removeLast() }
        return trimmed
    }
}
