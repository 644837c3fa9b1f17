import LayerModel

/// How a rendered picture differs from the reference's, premultiplied, in levels of 255.
package struct ImageDifference: CustomStringConvertible {
    /// What is allowed: 2 levels, 3 where a blur took part, 20 where a coverage strictly between 0 and 1 did; and
    /// everywhere what the reference's slack says.
    package struct Tolerance: Sendable {
        package var inside: Int
        package var edge: Int
        package var blur: Int

        package init(inside: Int = 2, edge: Int = 20, blur: Int = 3) {
            self.inside = inside
            self.edge = edge
            self.blur = blur
        }
    }

    /// A pixel that differs by more than is allowed.
    package struct Offense: Sendable {
        package var x: Int
        package var y: Int
        package var isEdge: Bool
        /// Levels.
        package var allowed: Int
        /// Red, green, blue, alpha; premultiplied.
        package var expected: [UInt8]
        package var actual: [UInt8]
    }

    /// The largest difference of a component, edge pixels aside.
    package private(set) var maxInside = 0
    package private(set) var maxOnEdges = 0
    /// 0…1.
    package private(set) var edgeShare = 0.0
    /// Pixels left out because the reference itself may go either way there.
    package private(set) var doubtfulCount = 0
    package private(set) var offenseCount = 0
    /// In reading order.
    package private(set) var firstOffense: Offense?
    /// The one that is farthest off.
    package private(set) var worstOffense: Offense?
    /// What is drawn at the first offense, back to front.
    package private(set) var drawings: [ReferenceDrawing] = []
    /// Why nothing could be compared: the buffer is too small.
    package private(set) var fault: String?

    package var isWithinTolerance: Bool { offenseCount == 0 && fault == nil }

    /// Compares a buffer of premultiplied BGRA, rows from the top, with a reference image.
    ///
    /// - Parameters:
    ///   - bytesPerRow: Of `actual`; nil when there is no padding.
    ///   - scene: Names the layers at the first offense.
    package init(
        _ actual: [UInt8], bytesPerRow: Int? = nil, to reference: ReferenceImage, scene: ReferenceScene? = nil,
        tolerance: Tolerance = Tolerance()
    ) {
        let width = reference.size.width
        let height = reference.size.height
        let stride = bytesPerRow ?? width * 4
        guard stride >= width * 4, actual.count >= stride * max(height - 1, 0) + width * 4 else {
            fault = "\(actual.count) bytes in rows of \(stride) are no picture of \(reference.size)"
            return
        }
        edgeShare = reference.edgeShare
        var worstExcess = 0
        for y in 0..<height {
            for x in 0..<width {
                let pixel = y * width + x
                if reference.isDoubtful[pixel] {
                    doubtfulCount += 1
                    continue
                }
                var difference = 0
                for c in 0..<4 {
                    difference = max(
                        difference, abs(Int(actual[y * stride + x * 4 + c]) - Int(reference.pixels[pixel * 4 + c])))
                }
                let isEdge = reference.isEdge[pixel]
                if isEdge { maxOnEdges = max(maxOnEdges, difference) } else { maxInside = max(maxInside, difference) }
                let allowed = reference.tolerance(
                    pixel, inside: tolerance.inside, edge: tolerance.edge, blur: tolerance.blur)
                let excess = difference - allowed
                guard excess > 0 else { continue }
                offenseCount += 1
                let at = y * stride + x * 4
                let offense = Offense(
                    x: x, y: y, isEdge: isEdge, allowed: allowed, expected: reference.premultiplied(x, y),
                    actual: [actual[at + 2], actual[at + 1], actual[at], actual[at + 3]])
                if firstOffense == nil { firstOffense = offense }
                if excess > worstExcess {
                    worstExcess = excess
                    worstOffense = offense
                }
            }
        }
        if let first = firstOffense, let scene {
            drawings = ReferenceCompositor.drawings(at: first.x, first.y, in: scene)
        }
    }

    package var description: String {
        if let fault { return fault }
        var lines = [
            "largest difference \(maxInside), on edge pixels \(maxOnEdges); \(Int((edgeShare * 100).rounded())) % edge"
                + " pixels, \(doubtfulCount) not compared"
        ]
        func line(_ word: String, _ o: Offense) -> String {
            "\(word) pixel (\(o.x), \(o.y))\(o.isEdge ? " on an edge" : ""), \(o.allowed) allowed: expected \(o.expected), got \(o.actual)"
                + " (red, green, blue, alpha; premultiplied)"
        }
        if let firstOffense, let worstOffense {
            lines.append("\(offenseCount) pixels differ by more than allowed")
            lines.append(line("first", firstOffense))
            lines.append(line("worst", worstOffense))
        }
        if !drawings.isEmpty {
            lines.append("drawn at the first:")
            lines += drawings.map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }
}
