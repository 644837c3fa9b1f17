// Paths and transforms as the text of scene files.

import Foundation
import LayerModel

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
