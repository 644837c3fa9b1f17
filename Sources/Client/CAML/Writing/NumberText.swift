// Numbers as the shortest text that reads back as the same number. What a property keeps in single precision gets the shortest
// text for that: 0.3, not 0.30000001192092896.

import Foundation
import LayerModel

package enum NumberText {
    /// - Parameter isSingle: The reader keeps the value in single precision.
    package static func text(_ number: Double, isSingle: Bool = false) -> String {
        if isSingle {
            let single = Float(number)
            if Double(single) == number {
                let short = plain("\(single)")
                // Read as a double first: rounded twice, it may be its neighbor.
                if let read = Double(short), Float(read) == single { return short }
            }
        }
        return plain("\(number)")
    }

    /// With single spaces between.
    package static func list(_ numbers: [Double]) -> String { numbers.map { text($0) }.joined(separator: " ") }

    private static func plain(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension LayerProperty {
    /// Kept as a `Float` by the layer.
    package var isSingle: Bool {
        switch self {
        case .opacity, .shadowOpacity, .minificationFilterBias, .speed, .instanceRedOffset, .instanceGreenOffset,
            .instanceBlueOffset, .instanceAlphaOffset, .birthRate, .lifetime, .velocity, .emitterScale, .spin:
            true
        default: false
        }
    }
}

extension VectorPath {
    /// SVG path data. An empty path is a move alone: no text would be no path.
    package var pathData: String {
        guard !isEmpty else { return "M 0 0" }
        var text = ""
        var next = 0
        for verb in verbs {
            if !text.isEmpty { text += " " }
            switch verb {
            case .move: text += "M"
            case .line: text += "L"
            case .quad: text += "Q"
            case .cubic: text += "C"
            case .close: text += "Z"
            }
            for point in points[next..<next + verb.pointCount] {
                text += " \(NumberText.text(point.x)) \(NumberText.text(point.y))"
            }
            next += verb.pointCount
        }
        return text
    }
}

extension Transform {
    /// Functions where they say exactly this transform, else all 16 numbers; nothing for the identity.
    package var sceneText: String {
        if isIdentity { return "" }
        for text in candidates where (try? TransformSyntax.transform(text)) == self { return text }
        return "matrix(\(elements.map { NumberText.text($0) }.joined(separator: ", ")))"
    }

    private var candidates: [String] {
        func list(_ numbers: Double...) -> String { numbers.map { NumberText.text($0) }.joined(separator: ", ") }
        let move = m43 == 0 ? "translate(\(list(m41, m42)))" : "translate(\(list(m41, m42, m43)))"
        var candidates = [move]
        if m34 != 0 { candidates.append("perspective(\(list(-1 / m34)))") }
        let before = m41 == 0 && m42 == 0 && m43 == 0 ? "" : move + " "
        candidates.append(before + "scale(\(list(m11, m22, m33)))")
        let angle = atan2(m12, m11)
        let degrees = angle * 180 / .pi
        candidates.append(before + "rotate(\(list((degrees * 1e6).rounded() / 1e6))deg)")
        candidates.append(before + "rotate(\(list(angle)))")
        return candidates
    }
}
