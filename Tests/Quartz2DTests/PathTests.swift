import Foundation
import LayerModel
import Quartz2D
import Testing

@Suite("Paths")
struct PathTests {
    private func elements(_ path: CGPath) -> [CGPath.Element] {
        var list: [CGPath.Element] = []
        path.forEach { list.append($0) }
        return list
    }

    private func point(_ x: Double, _ y: Double) -> CGPoint { CGPoint(x: x, y: y) }

    /// Area of a path with its sign, by Green's theorem over many small steps of every element.
    private func area(_ path: CGPath) -> Double {
        var (sum, start, current) = (0.0, CGPoint.zero, CGPoint.zero)
        func step(to next: CGPoint) {
            sum += Double(current.x * next.y - next.x * current.y) / 2
            current = next
        }
        func curve(_ at: (Double) -> CGPoint) { for i in 1...2_000 { step(to: at(Double(i) / 2_000)) } }
        path.forEach { element in
            let from = current
            switch element {
            case .move(let to): (start, current) = (to, to)
            case .line(let to): step(to: to)
            case .quadCurve(let to, let c):
                curve { t in
                    let u = 1 - t
                    return point(
                        u * u * from.x + 2 * u * t * c.x + t * t * to.x,
                        u * u * from.y + 2 * u * t * c.y + t * t * to.y)
                }
            case .curve(let to, let a, let b):
                curve { t in
                    let u = 1 - t
                    let w = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
                    return point(
                        w.0 * from.x + w.1 * a.x + w.2 * b.x + w.3 * to.x,
                        w.0 * from.y + w.1 * a.y + w.2 * b.y + w.3 * to.y)
                }
            case .closeSubpath: step(to: start)
            }
        }
        return sum
    }

    @Test("A rectangle goes from its min corner towards max x, and is known again as one")
    func rectangle() {
        let path = CGPath(rect: CGRect(x: 1, y: 2, width: 3, height: 4), transform: nil)
        #expect(
            elements(path) == [
                .move(to: point(1, 2)), .line(to: point(4, 2)), .line(to: point(4, 6)), .line(to: point(1, 6)),
                .closeSubpath,
            ])
        var found = CGRect.zero
        #expect(path.isRect(&found) && found == CGRect(x: 1, y: 2, width: 3, height: 4))
        #expect(path.isRect(nil) && path.boundingBox == found && path.boundingBoxOfPath == found)
        #expect(path.currentPoint == point(1, 2))
        var turned = CGAffineTransform(rotationAngle: .pi / 4)
        #expect(!CGPath(rect: found, transform: &turned).isRect(nil))
        #expect(!CGPath(ellipseIn: found, transform: nil).isRect(nil))
        #expect(!CGMutablePath().isRect(nil))
        // A negative size is turned around; closed by a line back is closed.
        let other = CGMutablePath()
        other.addLines(between: [point(4, 6), point(4, 2), point(1, 2), point(1, 6), point(4, 6)])
        #expect(other.isRect(nil))
        #expect(CGPath(rect: CGRect(x: 4, y: 6, width: -3, height: -4), transform: nil) == path)
    }

    @Test("An ellipse starts at its right-hand point, grows in angle, and every point is on it")
    func ellipse() {
        let path = CGPath(ellipseIn: CGRect(x: 10, y: 20, width: 40, height: 20), transform: nil)
        let list = elements(path)
        #expect(list.count == 6 && list[0] == .move(to: point(50, 30)) && list[5] == .closeSubpath)
        if case .curve(let to, _, _) = list[1] { #expect(to == point(30, 40)) } else { Issue.record("no curve") }
        // A quarter circle's cubic has 0.028 % too much area at most.
        #expect(abs(area(path) - .pi * 20 * 10) < 0.0003 * .pi * 200)
        #expect(path.boundingBoxOfPath == CGRect(x: 10, y: 20, width: 40, height: 20))
        #expect(path.boundingBox == CGRect(x: 10, y: 20, width: 40, height: 20))
    }

    @Test(
        "A rounded rectangle lacks the corners' share of its area; corners that don't fit shrink",
        arguments: [(10.0, 5.0), (0, 0), (100, 100), (-3, 2), (50, 0)])
    func roundedRectangle(width: Double, height: Double) {
        let path = CGPath(
            roundedRect: CGRect(x: 0, y: 0, width: 80, height: 40), cornerWidth: width, cornerHeight: height,
            transform: nil)
        let (w, h) = (min(max(width, 0), 40), min(max(height, 0), 20))
        #expect(abs(area(path) - (3_200 - (4 - .pi) * w * h)) < 0.0003 * .pi * w * h + 1e-9)
        #expect(path.boundingBoxOfPath == CGRect(x: 0, y: 0, width: 80, height: 40))
        #expect(elements(path).first == .move(to: point(80, 20)))
    }

    static let arcCases: [(Double, Double, Bool, Double)] = {
        let pi = Double.pi
        return [
            (0, 1, false, 1), (0, 1, true, 1 - 2 * pi), (1, 0, false, 2 * pi - 1), (1, 0, true, -1),
            (0, 2 * pi, false, 2 * pi), (0, 2 * pi, true, -2 * pi), (0, -2 * pi, true, -2 * pi),
            (0, -2 * pi, false, 2 * pi), (-pi / 2, 3 * pi / 2, false, 2 * pi), (-pi / 2, 3 * pi / 2, true, -2 * pi),
            (0.5, 0.5, false, 0), (0.5, 0.5, true, 0), (7, 6, true, -1), (0, pi, false, pi), (0, pi, true, -pi),
        ]
    }()

    @Test("An arc's area is its sector's, in either direction", arguments: PathTests.arcCases)
    func arcs(start: Double, end: Double, clockwise: Bool, sweep: Double) {
        let path = CGMutablePath()
        path.move(to: point(3, 4))
        path.addArc(
            center: point(3, 4), radius: 10, startAngle: start, endAngle: end, clockwise: clockwise)
        path.closeSubpath()
        #expect(abs(area(path) - sweep * 50) < 0.0003 * 50 * abs(sweep) + 1e-9, "\(area(path)) for \(sweep)")
        let ends = elements(path)
        guard case .line(let first) = ends[1] else {
            Issue.record("no line to the arc")
            return
        }
        #expect(hypot(first.x - 3 - 10 * cos(start), first.y - 4 - 10 * sin(start)) < 1e-9)
        if sweep != 0, case .curve(let last, _, _) = ends[ends.count - 2] {
            #expect(hypot(last.x - 3 - 10 * cos(end), last.y - 4 - 10 * sin(end)) < 1e-9)
        }
    }

    @Test("A relative arc goes as far as it says; huge angles stay small paths")
    func relativeArcs() {
        for delta in [0.5, -0.5, 4, -6, 2 * .pi, 1e9, -1e9] {
            let path = CGMutablePath()
            path.addRelativeArc(center: .zero, radius: 2, startAngle: 1, delta: delta)
            #expect(elements(path).count <= 9)
            let end = path.currentPoint
            #expect(hypot(end.x - 2 * cos(1 + delta), end.y - 2 * sin(1 + delta)) < 1e-6, "\(delta)")
        }
        let path = CGMutablePath()
        path.addArc(center: .zero, radius: 1, startAngle: 0, endAngle: 1e300, clockwise: false)
        #expect(elements(path).count <= 9)
    }

    @Test("Every point of an arc lies on its circle within 0.03 % of the radius, in a transform too")
    func onTheCircle() {
        var transform = CGAffineTransform(translationX: 5, y: 6).scaledBy(x: 3, y: 3)
        let path = CGMutablePath()
        path.addArc(center: .zero, radius: 2, startAngle: 0.3, endAngle: 5, clockwise: false, transform: transform)
        var from = CGPoint.zero
        path.forEach { element in
            switch element {
            case .move(let to): from = to
            case .curve(let to, let a, let b):
                for i in 0...50 {
                    let (t, u) = (Double(i) / 50, 1 - Double(i) / 50)
                    let x = u * u * u * from.x + 3 * u * u * t * a.x + 3 * u * t * t * b.x + t * t * t * to.x
                    let y = u * u * u * from.y + 3 * u * u * t * a.y + 3 * u * t * t * b.y + t * t * t * to.y
                    #expect(abs(hypot(x - 5, y - 6) - 6) < 6 * 0.0003)
                }
                from = to
            default: Issue.record("\(element)")
            }
        }
        #expect(
            CGPath(ellipseIn: CGRect(x: -2, y: -2, width: 4, height: 4), transform: &transform).boundingBoxOfPath
                == CGRect(x: -1, y: 0, width: 12, height: 12))
    }

    @Test("An arc by tangents touches both lines; where there is no corner, a line")
    func tangents() {
        let path = CGMutablePath()
        path.move(to: point(0, 0))
        path.addArc(tangent1End: point(10, 0), tangent2End: point(10, 10), radius: 3)
        let list = elements(path)
        #expect(list.count == 3)
        if case .line(let to) = list[1] { #expect(hypot(to.x - 7, to.y) < 1e-12) } else { Issue.record("no line") }
        #expect(hypot(path.currentPoint.x - 10, path.currentPoint.y - 3) < 1e-12)
        #expect(abs(path.boundingBoxOfPath.maxX - 10) < 1e-12 && abs(path.boundingBoxOfPath.minY) < 1e-12)
        // An angle of 60 degrees the other way round: both ends lie r / tan 30° from the corner.
        let sharp = CGMutablePath()
        sharp.move(to: point(20, 0))
        sharp.addArc(tangent1End: .zero, tangent2End: point(10, 10 * 3.0.squareRoot()), radius: 2)
        let along = 2 / tan(Double.pi / 6)
        #expect(hypot(sharp.currentPoint.x - along / 2, sharp.currentPoint.y - along * 3.0.squareRoot() / 2) < 1e-9)
        for (corner, end, radius) in [
            (point(5, 0), point(10, 0), 2.0), (point(0, 0), point(5, 5), 2), (point(5, 0), point(5, 5), 0),
        ] {
            let flat = CGMutablePath()
            flat.move(to: .zero)
            flat.addArc(tangent1End: corner, tangent2End: end, radius: radius)
            #expect(elements(flat) == [.move(to: .zero), .line(to: corner)])
        }
    }

    @Test("Bounding boxes: control points count for one, the curve's extremes for the other")
    func boxes() {
        let path = CGMutablePath()
        path.move(to: point(0, 0))
        path.addCurve(to: point(10, 0), control1: point(0, 8), control2: point(10, 8))
        #expect(path.boundingBox == CGRect(x: 0, y: 0, width: 10, height: 8))
        // y = 3·8·t(1-t): 6 in the middle.
        #expect(path.boundingBoxOfPath == CGRect(x: 0, y: 0, width: 10, height: 6))
        let quad = CGMutablePath()
        quad.move(to: point(0, 0))
        quad.addQuadCurve(to: point(4, 0), control: point(2, -6))
        #expect(abs(quad.boundingBoxOfPath.minY + 3) < 1e-12 && quad.boundingBox.minY == -6)
        #expect(CGMutablePath().boundingBox.isNull && CGMutablePath().boundingBoxOfPath.isNull)
    }

    @Test("Exact boxes hold every point of random curves, and touch them", arguments: 0..<4)
    func boxProperty(seed: UInt64) {
        var random = SystemOfNumbers(seed: seed)
        for _ in 0..<200 {
            let scale = pow(10, Double.random(in: -6...200, using: &random))
            let p = (0..<4).map { _ in
                point(
                    Double.random(in: -1...1, using: &random) * scale, Double.random(in: -1...1, using: &random) * scale
                )
            }
            let path = CGMutablePath()
            path.move(to: p[0])
            path.addCurve(to: p[3], control1: p[1], control2: p[2])
            let box = path.boundingBoxOfPath
            var (minX, maxX) = (Double.infinity, -Double.infinity)
            for i in 0...1_000 {
                let (t, u) = (Double(i) / 1_000, 1 - Double(i) / 1_000)
                let w = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
                let x = (0..<4).reduce(0) { $0 + w[$1] * p[$1].x }
                (minX, maxX) = (min(minX, x), max(maxX, x))
            }
            #expect(abs(minX - box.minX) < 1e-5 * scale && minX > box.minX - 1e-12 * scale, "seed \(seed)")
            #expect(abs(maxX - box.maxX) < 1e-5 * scale && maxX < box.maxX + 1e-12 * scale, "seed \(seed)")
        }
    }

    @Test("Inside or outside: both rules, holes, open contours, curves")
    func containment() {
        let path = CGMutablePath()
        path.addEllipse(in: CGRect(x: 0, y: 0, width: 100, height: 100))
        path.addEllipse(in: CGRect(x: 25, y: 25, width: 50, height: 50))
        #expect(path.contains(point(50, 50)) && !path.contains(point(50, 50), using: .evenOdd))
        #expect(path.contains(point(10, 50), using: .evenOdd) && !path.contains(point(2, 2)))
        for i in 0..<100 {
            let angle = Double(i) / 100 * 2 * .pi
            #expect(path.contains(point(50 + 49.9 * cos(angle), 50 + 49.9 * sin(angle))), "\(i)")
            #expect(!path.contains(point(50 + 50.1 * cos(angle), 50 + 50.1 * sin(angle))), "\(i)")
        }
        let open = CGMutablePath()
        open.addLines(between: [point(0, 0), point(10, 0), point(10, 10)])
        #expect(open.contains(point(8, 4)) && !open.contains(point(4, 8)))
        #expect(open.contains(point(0, 0), transform: CGAffineTransform(translationX: 8, y: 4)))
        #expect(!CGMutablePath().contains(.zero) && !open.contains(point(.nan, 0)))
    }

    @Test("A ray through vertices and along edges counts each crossing once")
    func vertices() {
        // A diamond: the ray through its left and right vertices.
        let diamond = CGMutablePath()
        diamond.addLines(between: [point(5, 0), point(10, 5), point(5, 10), point(0, 5)])
        diamond.closeSubpath()
        for x in [-1.0, 1, 5, 9, 11] { #expect(diamond.contains(point(x, 5)) == (x > 0 && x < 10), "\(x)") }
        #expect(!diamond.contains(point(0, 0)) && !diamond.contains(point(0, 10)))
        let notched = CGMutablePath()
        notched.addLines(between: [point(0, 0), point(4, 0), point(4, 4), point(8, 4), point(8, 8), point(0, 8)])
        #expect(notched.contains(point(2, 4)) && !notched.contains(point(-1, 4)) && !notched.contains(point(6, 2)))
    }

    @Test("Lines and curves without a current point add nothing; a contour goes on from where it closed")
    func currentPoint() {
        let path = CGMutablePath()
        path.addLine(to: point(1, 1))
        path.addQuadCurve(to: point(1, 1), control: .zero)
        path.addCurve(to: point(1, 1), control1: .zero, control2: .zero)
        path.addArc(tangent1End: point(1, 1), tangent2End: point(2, 1), radius: 1)
        path.addLines(between: [])
        path.closeSubpath()
        #expect(path.isEmpty && path.currentPoint == .zero)
        path.addLines(between: [point(1, 2), point(5, 2), point(5, 6)])
        #expect(path.currentPoint == point(5, 6))
        path.closeSubpath()
        path.closeSubpath()
        #expect(path.currentPoint == point(1, 2) && elements(path).count == 4)
        path.addLine(to: point(0, 0))
        #expect(path.currentPoint == .zero && path.boundingBoxOfPath == CGRect(x: 0, y: 0, width: 5, height: 6))
    }

    @Test("Copies are their own: changing a mutable path changes no copy")
    func copies() throws {
        let path = CGMutablePath()
        path.addRect(CGRect(x: 0, y: 0, width: 1, height: 1))
        let copy = try #require(path.copy())
        let other = try #require(path.mutableCopy())
        #expect(copy == path && other == path && copy.hashValue == path.hashValue)
        path.addLine(to: point(7, 7))
        #expect(copy != path && elements(copy).count == 5 && copy == other)
        var move = CGAffineTransform(translationX: 2, y: 3)
        #expect(copy.copy(using: &move)?.boundingBox == CGRect(x: 2, y: 3, width: 1, height: 1))
        #expect(copy.copy(using: nil) == copy)
        #expect(copy.mutableCopy(using: &move)?.boundingBox == CGRect(x: 2, y: 3, width: 1, height: 1))
        other.addPath(copy, transform: move)
        #expect(elements(other).count == 10 && other.boundingBox == CGRect(x: 0, y: 0, width: 3, height: 4))
    }

    @Test("Elements come out in order, by value and by block")
    func blocks() {
        let path = CGMutablePath()
        path.move(to: point(1, 1))
        path.addQuadCurve(to: point(3, 3), control: point(2, 2))
        path.addCurve(to: point(6, 6), control1: point(4, 4), control2: point(5, 5))
        path.closeSubpath()
        var text = ""
        path.applyWithBlock { element in
            let counts = [1, 1, 2, 3, 0]
            let type = element.pointee.type
            text += "\(type)"
            for i in 0..<counts[Int(type.rawValue)] { text += " \(element.pointee.points[i].x)" }
            text += "; "
        }
        #expect(
            text == "moveToPoint 1.0; addQuadCurveToPoint 2.0 3.0; addCurveToPoint 4.0 5.0 6.0; closeSubpath; ")
        #expect(elements(path)[2] == .curve(to: point(6, 6), control1: point(4, 4), control2: point(5, 5)))
    }

    @Test("Degenerate and impossible shapes neither trap nor take memory")
    func degenerate() {
        let path = CGMutablePath()
        for value in [0, -1, .nan, .infinity, -.infinity, 1e300, -1e300] as [CGFloat] {
            path.addRect(CGRect(x: value, y: 0, width: value, height: 1))
            path.addEllipse(in: CGRect(x: 0, y: value, width: 1, height: value))
            path.addRoundedRect(
                in: CGRect(x: 0, y: 0, width: value, height: 4), cornerWidth: value, cornerHeight: value)
            path.addArc(center: .zero, radius: value, startAngle: value, endAngle: value, clockwise: true)
            path.addArc(center: .zero, radius: 1, startAngle: value, endAngle: 1, clockwise: false)
            path.addArc(
                center: CGPoint(x: value, y: value), radius: 1, startAngle: 0, endAngle: value, clockwise: false)
            path.addRelativeArc(center: .zero, radius: 1, startAngle: 0, delta: value)
            path.addArc(
                tangent1End: CGPoint(x: value, y: 0), tangent2End: CGPoint(x: 0, y: value), radius: value)
        }
        path.addRect(.null)
        path.addRect(.infinite)
        path.addEllipse(in: .null)
        _ = (path.boundingBox, path.boundingBoxOfPath, path.contains(.zero), path.isRect(nil), path.description)
        #expect(elements(path).count < 600)
        let circle = CGMutablePath()
        circle.addArc(center: .zero, radius: -1, startAngle: 0, endAngle: 1, clockwise: false)
        #expect(circle.isEmpty)
    }
}

/// Numbers that are the same on every run.
private struct SystemOfNumbers: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
