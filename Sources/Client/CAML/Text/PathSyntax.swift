// SVG path data: commands of one letter with their numbers. M L H V C S Q T A Z, capital letters with absolute points, small
// ones relative to the current point. Commas and spaces may be left out where no number becomes another: `1-2.5.5` is three
// numbers, and the two flags of an arc are one digit each.
//
// An arc is given by its end, radii, rotation and two flags; it becomes the part of an ellipse around a center, then cubics
// of at most a quarter turn with handles of 4/3 · tan(θ/4). Radii too small to reach the end grow until they do.
// Source: SVG 2, chapter 9, "Paths", and its appendix on arcs.

import Foundation
import LayerModel

/// Reads path data.
package enum PathSyntax {
    /// Most verbs of one path.
    package static let verbLimit = 100_000

    /// - Throws: What is wrong and at which character, counted from 1.
    package static func path(_ text: String) throws(ScalarFault) -> VectorPath {
        var reader = PathReader(text)
        return try reader.read()
    }
}

private struct PathReader {
    private let bytes: [UInt8]
    private var offset = 0
    private var path = VectorPath()
    private var current = Point.zero
    private var start = Point.zero
    /// After a close, where a contour goes on without a move.
    private var isClosed = false
    /// The last control point of a curve just before, for the smooth commands.
    private var lastCubicControl: Point?
    private var lastQuadControl: Point?

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func read() throws(ScalarFault) -> VectorPath {
        skipSeparators()
        while offset < bytes.count {
            let place = offset
            let letter = bytes[offset]
            offset += 1
            guard path.isEmpty == false || letter == UInt8(ascii: "M") || letter == UInt8(ascii: "m") else {
                throw fault("begins with something else than a move (M)", at: place)
            }
            skipSeparators()
            try readCommand(letter, at: place)
            skipSeparators()
        }
        guard path.isFinite else { throw ScalarFault("is not finite") }
        return path
    }

    /// A command with as many groups of numbers as follow it.
    private mutating func readCommand(_ letter: UInt8, at place: Int) throws(ScalarFault) {
        let isRelative = letter >= UInt8(ascii: "a")
        var kind = letter & 0xDF
        if kind == UInt8(ascii: "Z") {
            path.close()
            current = start
            isClosed = true
            forgetControls()
            return
        }
        guard "MLHVCSQTA".utf8.contains(kind), letter < 0x80, letter >= UInt8(ascii: "A") else {
            throw fault("has something else than one of the commands M L H V C S Q T A Z", at: place)
        }
        repeat {
            guard path.verbs.count < PathSyntax.verbLimit else {
                throw fault("has more than \(PathSyntax.verbLimit) lines and curves", at: place)
            }
            try readGroup(kind, relativeTo: isRelative ? current : .zero, isRelative: isRelative)
            // More points after a move are lines.
            if kind == UInt8(ascii: "M") { kind = UInt8(ascii: "L") }
            skipSeparators()
        } while offset < bytes.count && PathReader.beginsNumber(bytes[offset])
    }

    private mutating func readGroup(_ kind: UInt8, relativeTo base: Point, isRelative: Bool) throws(ScalarFault) {
        if kind != UInt8(ascii: "M"), isClosed { path.move(to: start) }
        isClosed = false
        switch kind {
        case UInt8(ascii: "M"):
            current = try point(base)
            start = current
            path.move(to: current)
            forgetControls()
        case UInt8(ascii: "L"): line(to: try point(base))
        case UInt8(ascii: "H"): line(to: Point(base.x + (try number()), current.y))
        case UInt8(ascii: "V"): line(to: Point(current.x, base.y + (try number())))
        case UInt8(ascii: "C"):
            let control1 = try point(base)
            let control2 = try point(base)
            cubic(control1, control2, try point(base))
        case UInt8(ascii: "S"):
            let control1 = mirror(lastCubicControl)
            let control2 = try point(base)
            cubic(control1, control2, try point(base))
        case UInt8(ascii: "Q"):
            let control = try point(base)
            quad(control, try point(base))
        case UInt8(ascii: "T"):
            let control = mirror(lastQuadControl)
            quad(control, try point(base))
        default:
            let radii = try point(.zero)
            let rotation = try number() * .pi / 180
            let isLarge = try flag()
            let isGrowing = try flag()
            arc(radii: radii, rotation: rotation, isLarge: isLarge, isGrowing: isGrowing, to: try point(base))
        }
    }

    // MARK: Drawing

    private mutating func line(to end: Point) {
        path.line(to: end)
        current = end
        forgetControls()
    }

    private mutating func cubic(_ control1: Point, _ control2: Point, _ end: Point) {
        path.cubic(to: end, control1, control2)
        current = end
        forgetControls()
        lastCubicControl = control2
    }

    private mutating func quad(_ control: Point, _ end: Point) {
        path.quad(to: end, control: control)
        current = end
        forgetControls()
        lastQuadControl = control
    }

    private mutating func forgetControls() {
        lastCubicControl = nil
        lastQuadControl = nil
    }

    /// A control point on the other side of the current point; the current point where there is none.
    private func mirror(_ control: Point?) -> Point {
        guard let control else { return current }
        return Point(2 * current.x - control.x, 2 * current.y - control.y)
    }

    private mutating func arc(radii: Point, rotation: Double, isLarge: Bool, isGrowing: Bool, to end: Point) {
        guard end != current else { return }
        var (rx, ry) = (abs(radii.x), abs(radii.y))
        guard rx > 0, ry > 0 else { return line(to: end) }
        let (cosine, sine) = (cos(rotation), sin(rotation))
        // Half the way back from the end to the start, in the ellipse's own directions.
        let (hx, hy) = ((current.x - end.x) / 2, (current.y - end.y) / 2)
        let (x, y) = (cosine * hx + sine * hy, cosine * hy - sine * hx)
        let reach = ((x / rx) * (x / rx) + (y / ry) * (y / ry)).squareRoot()
        if reach > 1 { (rx, ry) = (rx * reach, ry * reach) }
        // On the unit circle: the chord's middle, and the center at a right angle to it.
        let (ux, uy) = (x / rx, y / ry)
        let square = ux * ux + uy * uy
        let along = (max(0, 1 - square) / square).squareRoot() * (isLarge == isGrowing ? -1 : 1)
        let (cx, cy) = (along * uy, -along * ux)
        let first = atan2(uy - cy, ux - cx)
        var sweep = atan2(-uy - cy, -ux - cx) - first
        if isGrowing, sweep < 0 { sweep += 2 * .pi }
        if !isGrowing, sweep > 0 { sweep -= 2 * .pi }
        let middle = Point((current.x + end.x) / 2, (current.y + end.y) / 2)
        func place(_ a: Double, _ b: Double) -> Point {
            let (px, py) = ((a + cx) * rx, (b + cy) * ry)
            return Point(middle.x + cosine * px - sine * py, middle.y + sine * px + cosine * py)
        }
        guard sweep.isFinite else { return line(to: end) }
        let count = max(1, Int((abs(sweep) / (.pi / 2) - 1e-9).rounded(.up)))
        let step = sweep / Double(count)
        let handle = 4.0 / 3 * tan(step / 4)
        for piece in 0..<count {
            let (a, b) = (first + step * Double(piece), first + step * Double(piece + 1))
            let to = piece + 1 == count ? end : place(cos(b), sin(b))
            cubic(
                place(cos(a) - handle * sin(a), sin(a) + handle * cos(a)),
                place(cos(b) + handle * sin(b), sin(b) - handle * cos(b)), to)
        }
        forgetControls()
    }

    // MARK: Text

    private mutating func point(_ base: Point) throws(ScalarFault) -> Point {
        let x = try number()
        return Point(base.x + x, base.y + (try number()))
    }

    private mutating func flag() throws(ScalarFault) -> Bool {
        skipSeparators()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "0") || bytes[offset] == UInt8(ascii: "1") else {
            throw fault("has something else than 0 or 1 as a flag of an arc", at: offset)
        }
        offset += 1
        return bytes[offset - 1] == UInt8(ascii: "1")
    }

    private mutating func number() throws(ScalarFault) -> Double {
        skipSeparators()
        let begin = offset
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") || bytes[offset] == UInt8(ascii: "+") {
            offset += 1
        }
        var digits = skipDigits()
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            digits += skipDigits()
        }
        guard digits > 0 else { throw fault("has something else where a number is expected", at: begin) }
        skipExponent()
        guard offset - begin <= 400, let number = Double(String(decoding: bytes[begin..<offset], as: UTF8.self)),
            number.isFinite
        else { throw fault("has a number that is too large", at: begin) }
        return number
    }

    private mutating func skipExponent() {
        let begin = offset
        guard offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") else { return }
        offset += 1
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") || bytes[offset] == UInt8(ascii: "+") {
            offset += 1
        }
        if skipDigits() == 0 { offset = begin }
    }

    private mutating func skipDigits() -> Int {
        let begin = offset
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) { offset += 1 }
        return offset - begin
    }

    private mutating func skipSeparators() {
        while offset < bytes.count, " ,\t\n\r\u{0C}".utf8.contains(bytes[offset]) { offset += 1 }
    }

    private static func beginsNumber(_ byte: UInt8) -> Bool { "+-.0123456789".utf8.contains(byte) }

    private func fault(_ message: String, at offset: Int) -> ScalarFault {
        // Characters, not bytes.
        let before = bytes.prefix(offset).reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        return ScalarFault("\(message) (character \(before + 1))")
    }
}
