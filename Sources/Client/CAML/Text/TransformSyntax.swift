// Transforms as text: a list of functions, the leftmost outermost.
//
// `translate(t) rotate(r)` rotates first, then translates. Matrices act on row vectors, so the product is last·…·first: each
// function that is read goes in front of what was read before it. An angle is in radians unless it says `deg`.
// Source: the semantic reference, §8.3; the measured facts, X2.

import LayerModel

/// Reads transforms of CAML.
package enum TransformSyntax {
    /// Most functions of one list.
    package static let functionLimit = 64

    /// - Returns: The identity for an empty text; also reads 16 bare numbers, m11 first.
    package static func transform(_ text: String) throws(ScalarFault) -> Transform {
        var rest = ScalarSyntax.trim(text)
        if rest.isEmpty || rest == "none" || rest == "identity" { return .identity }
        if !rest.contains("(") { return try matrix(rest) }
        var result = Transform.identity
        var count = 0
        while !rest.isEmpty {
            guard let bracket = rest.firstIndex(of: "("), let end = rest[bracket...].firstIndex(of: ")") else {
                throw ScalarFault("is not a list of functions such as rotate(45deg)")
            }
            count += 1
            guard count <= functionLimit else { throw ScalarFault("has more than \(functionLimit) functions") }
            let name = ScalarSyntax.trim(rest[..<bracket])
            let function = try function(String(name), rest[rest.index(after: bracket)..<end])
            result = function.concatenating(result)
            rest = rest[rest.index(after: end)...].drop(while: ScalarSyntax.isSeparator)
        }
        guard result.isFinite else { throw ScalarFault("is not finite") }
        return result
    }

    private static func function(_ name: String, _ arguments: Substring) throws(ScalarFault) -> Transform {
        let pieces = ScalarSyntax.pieces(String(arguments), limit: 17)
        switch name {
        case "translate":
            let n = try numbers(pieces, 1...3, of: name)
            return .translation(n[0], n.count > 1 ? n[1] : 0, n.count > 2 ? n[2] : 0)
        case "translateX": return .translation(try numbers(pieces, 1...1, of: name)[0], 0, 0)
        case "translateY": return .translation(0, try numbers(pieces, 1...1, of: name)[0], 0)
        case "translateZ": return .translation(0, 0, try numbers(pieces, 1...1, of: name)[0])
        case "scale":
            let n = try numbers(pieces, 1...3, of: name)
            return .scale(n[0], n.count > 1 ? n[1] : n[0], n.count > 2 ? n[2] : 1)
        case "scaleX": return .scale(try numbers(pieces, 1...1, of: name)[0], 1, 1)
        case "scaleY": return .scale(1, try numbers(pieces, 1...1, of: name)[0], 1)
        case "scaleZ": return .scale(1, 1, try numbers(pieces, 1...1, of: name)[0])
        case "rotate":
            guard pieces.count == 1 || pieces.count == 4 else {
                throw ScalarFault(
                    "has rotate with \(pieces.count) arguments; it takes an angle, or an angle and an axis")
            }
            let angle = try angle(pieces[0])
            if pieces.count == 1 { return .rotation(angle, 0, 0, 1) }
            let axis = try numbers(Array(pieces[1...]), 3...3, of: name)
            return .rotation(angle, axis[0], axis[1], axis[2])
        case "rotateX": return .rotation(try angle(single(pieces, of: name)), 1, 0, 0)
        case "rotateY": return .rotation(try angle(single(pieces, of: name)), 0, 1, 0)
        case "rotateZ": return .rotation(try angle(single(pieces, of: name)), 0, 0, 1)
        case "perspective":
            let distance = try numbers(pieces, 1...1, of: name)[0]
            guard distance != 0 else { throw ScalarFault("has a perspective from distance 0") }
            var transform = Transform.identity
            transform.m34 = -1 / distance
            return transform
        case "matrix", "matrix3d": return try matrix(arguments)
        default:
            throw ScalarFault(
                "has the unknown function \"\(name.prefix(40))\"; known are translate, scale, rotate, perspective, matrix"
            )
        }
    }

    private static func matrix(_ text: Substring) throws(ScalarFault) -> Transform {
        let pieces = ScalarSyntax.pieces(String(text), limit: 16)
        guard pieces.count == 16 || pieces.count == 6 else {
            throw ScalarFault(
                "has a matrix of \(pieces.count > 16 ? "more than 16" : String(pieces.count)) numbers; 16 or 6 are expected"
            )
        }
        let n = try numbers(pieces, 6...16, of: "matrix")
        if n.count == 6 { return Transform(n[0], n[1], 0, 0, n[2], n[3], 0, 0, 0, 0, 1, 0, n[4], n[5], 0, 1) }
        return Transform(elements: n) ?? .identity
    }

    private static func single(_ pieces: [Substring], of name: String) throws(ScalarFault) -> Substring {
        guard pieces.count == 1 else { throw ScalarFault("has \(name) with \(pieces.count) arguments; it takes 1") }
        return pieces[0]
    }

    private static func numbers(_ pieces: [Substring], _ count: ClosedRange<Int>, of name: String) throws(ScalarFault)
        -> [Double]
    {
        guard count.contains(pieces.count) else { throw ScalarFault("has \(name) with \(pieces.count) arguments") }
        var numbers: [Double] = []
        for piece in pieces { numbers.append(try ScalarSyntax.number(piece)) }
        return numbers
    }

    /// Radians.
    private static func angle(_ text: Substring) throws(ScalarFault) -> Double {
        if text.hasSuffix("deg") { return try ScalarSyntax.number(text.dropLast(3)) * .pi / 180 }
        if text.hasSuffix("rad") { return try ScalarSyntax.number(text.dropLast(3)) }
        return try ScalarSyntax.number(text)
    }
}
