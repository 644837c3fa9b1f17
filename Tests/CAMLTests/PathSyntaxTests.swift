import CAML
import Foundation
import LayerModel
import Testing

@Suite("SVG path data")
struct PathSyntaxTests {
    /// The points before each verb, as recordings print them.
    private func text(_ data: String) throws -> String {
        let path = try PathSyntax.path(data)
        var (words, next) = ([String](), 0)
        for verb in path.verbs {
            for point in path.points[next..<next + verb.pointCount] {
                words += [point.x, point.y].map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
            }
            next += verb.pointCount
            words.append("\(verb)")
        }
        return words.joined(separator: " ")
    }

    private func fault(_ data: String) -> String {
        do {
            _ = try PathSyntax.path(data)
            return "no fault"
        } catch { return error.message }
    }

    @Test(
        "Commands, absolute and relative",
        arguments: [
            ("M1 2L3 4H5V6Z", "1 2 move 3 4 line 5 4 line 5 6 line close"),
            ("m1 2l3 4h5v6z", "1 2 move 4 6 line 9 6 line 9 12 line close"),
            ("M1,2 3,4 5,6", "1 2 move 3 4 line 5 6 line"), ("m1 2 3 4 5 6", "1 2 move 4 6 line 9 12 line"),
            ("M0 0C1 1 2 2 3 3 4 4 5 5 6 6", "0 0 move 1 1 2 2 3 3 cubic 4 4 5 5 6 6 cubic"),
            ("M1 1c1 1 2 2 3 3", "1 1 move 2 2 3 3 4 4 cubic"),
            ("M0 0C0 1 2 3 4 4S7 8 9 9", "0 0 move 0 1 2 3 4 4 cubic 6 5 7 8 9 9 cubic"),
            ("M1 1s2 2 3 3", "1 1 move 1 1 3 3 4 4 cubic"),
            ("M0 0Q1 2 3 4T5 6t1 1", "0 0 move 1 2 3 4 quad 5 6 5 6 quad 5 6 6 7 quad"),
            ("M0 0q1 2 3 4", "0 0 move 1 2 3 4 quad"),
            ("M5 5h1zl2 0M9 9", "5 5 move 6 5 line close 5 5 move 7 5 line 9 9 move"),
            ("M5 5h1zm1 1", "5 5 move 6 5 line close 6 6 move"),
            (" \n\tM 1 2\n", "1 2 move"), ("", ""),
        ])
    func commands(data: String, expected: String) throws {
        #expect(try text(data) == expected)
    }

    @Test(
        "Numbers stand close together, with signs, points and exponents",
        arguments: [
            ("M1-2.5.5-.25", "1 -2.5 move 0.5 -0.25 line"), ("M+1e1,2E-1", "10 0.2 move"), ("M1.e0 2.", "1 2 move"),
            ("M.5.5", "0.5 0.5 move"),
        ])
    func numbers(data: String, expected: String) throws {
        #expect(try text(data) == expected)
    }

    @Test(
        "Arcs: every end, either way round, lies on an ellipse of the radii",
        arguments: [
            ("A10 10 0 0 1 20 10", 10.0, 10.0, 0.0, Double.pi / 2), ("A10 10 0 0 0 20 10", 10, 10, 0, -Double.pi / 2),
            ("A10 10 0 1 1 20 10", 10, 10, 0, 3 * Double.pi / 2), ("A10 10 0 1 0 20 10", 10, 10, 0, -3 * Double.pi / 2),
            ("a10 10 0 0110 10", 10, 10, 0, Double.pi / 2), ("A20 10 30 1 0 15 8", 20, 10, 30, 0),
        ])
    func arcs(data: String, rx: Double, ry: Double, degrees: Double, sweep: Double) throws {
        let path = try PathSyntax.path("M10 0" + data)
        #expect(path.verbs.dropFirst().allSatisfy { $0 == .cubic })
        if sweep != 0 { #expect(path.verbs.count - 1 == Int((abs(sweep) / (.pi / 2)).rounded())) }
        // All ends of the pieces lie on one ellipse: its center is the same from each pair of neighbors.
        let ends = [path.points[0]] + stride(from: 3, to: path.points.count, by: 3).map { path.points[$0] }
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let unit = ends.map { Point(($0.x * c + $0.y * s) / rx, ($0.y * c - $0.x * s) / ry) }
        func centers(_ a: Point, _ b: Point) -> [Point] {
            let (mx, my) = ((a.x + b.x) / 2, (a.y + b.y) / 2)
            let (dx, dy) = ((b.x - a.x) / 2, (b.y - a.y) / 2)
            let h = (max(0, 1 - dx * dx - dy * dy) / (dx * dx + dy * dy)).squareRoot()
            return [Point(mx - h * dy, my + h * dx), Point(mx + h * dy, my - h * dx)]
        }
        let candidates = centers(unit[0], unit[1])
        let fits = candidates.contains { center in
            unit.allSatisfy { abs(hypot($0.x - center.x, $0.y - center.y) - 1) < 1e-9 }
        }
        #expect(fits, "\(ends)")
        if sweep != 0 {
            // The first quarter of the way goes to the side of the sweep: around (10, 10) or (20, 0).
            let center = (abs(sweep) < 3) == (sweep > 0) ? Point(10, 10) : Point(20, 0)
            #expect(ends.allSatisfy { abs(hypot($0.x - center.x, $0.y - center.y) - 10) < 1e-9 })
        }
    }

    @Test("Arcs that are none: no radius is a line, no way is nothing, a short radius grows to reach")
    func degenerateArcs() throws {
        #expect(try text("M0 0A0 5 0 0 1 4 4") == "0 0 move 4 4 line")
        #expect(try text("M3 3A5 5 0 0 1 3 3") == "3 3 move")
        let path = try PathSyntax.path("M0 0A1 1 0 0 1 20 0")
        // Half a circle of radius 10, growing in angle from (0, 0): over the side of negative y.
        #expect(path.verbs == [.move, .cubic, .cubic])
        #expect(abs(path.points[3].x - 10) < 1e-9 && abs(path.points[3].y + 10) < 1e-9)
    }

    @Test(
        "What is no path data is said with the character",
        arguments: [
            ("L1 2", "begins with something else than a move (M) (character 1)"),
            ("M1", "has something else where a number is expected (character 3)"),
            ("M1 2X", "has something else than one of the commands M L H V C S Q T A Z (character 5)"),
            ("M1 2 3", "has something else where a number is expected (character 7)"),
            ("M1 2A1 1 0 2 0 3 3", "has something else than 0 or 1 as a flag of an arc (character 12)"),
            ("M1 1e999", "has a number that is too large (character 4)"),
            ("M1 2 é", "has something else than one of the commands M L H V C S Q T A Z (character 6)"),
            ("M1e308 0l1e308 0l1e308 0", "is not finite"),
            ("M0 0!", "has something else than one of the commands M L H V C S Q T A Z (character 5)"),
        ])
    func faults(data: String, message: String) {
        #expect(fault(data) == message)
    }

    @Test("A path has a limit")
    func limit() {
        #expect(fault("M0 0" + String(repeating: "h1", count: 99_999)) == "no fault")
        #expect(fault("M0 0" + String(repeating: "h1", count: 100_000)).hasPrefix("has more than 100000 lines"))
    }
}
