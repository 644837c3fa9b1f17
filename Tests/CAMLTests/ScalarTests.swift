import CAML
import LayerModel
import Testing

@Suite("Scalars of CAML")
struct ScalarTests {
    private func message<R>(_ body: () throws -> R) -> String {
        do {
            _ = try body()
            return "no fault"
        } catch let fault as ScalarFault {
            return fault.message
        } catch {
            return "\(error)"
        }
    }

    @Test("Numbers: decimal and exponent; infinity only where it is asked for")
    func numbers() throws {
        #expect(try ScalarSyntax.number(" -1.5e2 ") == -150)
        #expect(try ScalarSyntax.anyNumber("+infinity") == .infinity)
        #expect(try ScalarSyntax.anyNumber("inf") == .infinity)
        #expect(message { try ScalarSyntax.number("inf") } == "is not finite")
        for text in [
            "", "nan", "0x10", "1 2", "undefined", "nan(0x1)", "1e", "--1", String(repeating: "9", count: 100_000),
        ] {
            #expect(message { try ScalarSyntax.number(text) }.hasPrefix("is not"), "\(text.prefix(20))")
        }
    }

    @Test("Lists: spaces and commas, exactly as many as asked for")
    func lists() throws {
        #expect(try ScalarSyntax.numbers("1, 2  3,4", count: 4) == [1, 2, 3, 4])
        #expect(try ScalarSyntax.numbers(" 1 2 ", count: 2) == [1, 2])
        #expect(message { try ScalarSyntax.numbers("1 2 3", count: 4) } == "has 3 numbers where 4 are expected")
        #expect(
            message { try ScalarSyntax.numbers("1 2 3 4 5 6", count: 4) }
                == "has more than 4 numbers where 4 are expected")
        #expect(message { try ScalarSyntax.numbers("1 2 x 4", count: 4) } == "is not a number")
    }

    @Test("Booleans as they are seen in files")
    func booleans() throws {
        for text in ["1", "true", "YES", " true "] { #expect(try ScalarSyntax.boolean(text)) }
        for text in ["0", "false", "NO"] { #expect(try !ScalarSyntax.boolean(text)) }
        #expect(message { try ScalarSyntax.boolean("2") } == "is not 0 or 1")
    }

    @Test("Colors: three or four numbers")
    func colors() throws {
        #expect(try ScalarSyntax.color("1 0.5 0") == Color(1, 0.5, 0, 1))
        #expect(try ScalarSyntax.color("1 0.5 0 0.25") == Color(1, 0.5, 0, 0.25))
        #expect(message { try ScalarSyntax.color("1 0") }.hasPrefix("has 2 numbers"))
    }

    @Test("Names of closed sets, and bits beyond the known ones dropped")
    func codes() throws {
        #expect(
            try ScalarSyntax.value(of: .contentsGravity, "bottomLeft") == .code(ContentsGravity.bottomLeft.rawValue))
        #expect(try ScalarSyntax.value(of: .cornerCurve, "continuous") == .code(1))
        #expect(try ScalarSyntax.value(of: .maskedCorners, "3") == .code(3))
        #expect(try ScalarSyntax.value(of: .maskedCorners, "255") == .code(15))
        #expect(try ScalarSyntax.value(of: .maskedCorners, "minXminY, maxXmaxY") == .code(9))
        #expect(message { try ScalarSyntax.value(of: .contentsGravity, "middle") }.hasPrefix("is not one of: resize "))
    }
}

@Suite("Transforms of CAML")
struct TransformSyntaxTests {
    /// Where a point goes, by the row-vector rule.
    private func map(_ text: String, _ p: Point) throws -> Point {
        try TransformSyntax.transform(text).planar.apply(p)
    }

    private func expect(_ p: Point, _ x: Double, _ y: Double, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(abs(p.x - x) < 1e-12 && abs(p.y - y) < 1e-12, "\(p)", sourceLocation: sourceLocation)
    }

    @Test("The leftmost function is outermost: the one written last happens first")
    func order() throws {
        expect(try map("translate(10, 0) rotate(90deg)", Point(1, 0)), 10, 1)
        expect(try map("rotate(90deg) translate(10, 0)", Point(1, 0)), 0, 11)
        expect(try map("translate(1,2,3) scale(2) translate(5)", Point(1, 1)), 13, 4)
    }

    @Test("Angles are radians, or degrees with deg")
    func angles() throws {
        expect(try map("rotate(1.5707963267948966)", Point(1, 0)), 0, 1)
        expect(try map("rotate(90deg)", Point(1, 0)), 0, 1)
        expect(try map("rotate(90deg, 0, 0, -2)", Point(1, 0)), 0, -1)
        expect(try map("rotate(60deg, 0, 1, 0)", Point(1, 1)), 0.5, 1)
        expect(try map("rotate(60deg, 1, 0, 0)", Point(1, 1)), 1, 0.5)
    }

    @Test("Rotation about x takes y towards z, about y takes z towards x")
    func handedness() throws {
        let x = try TransformSyntax.transform("rotate(90deg, 1, 0, 0)")
        #expect(abs(x.m23 - 1) < 1e-12 && abs(x.m32 + 1) < 1e-12)
        let y = try TransformSyntax.transform("rotate(90deg, 0, 1, 0)")
        #expect(abs(y.m31 - 1) < 1e-12 && abs(y.m13 + 1) < 1e-12)
    }

    @Test("A transform that Apple wrote: turned about x, then moved")
    func written() throws {
        let t = try TransformSyntax.transform("translate(0, -2.86, -18.67) rotate(-36.1deg, 1, 0, 0)")
        let angle = -36.1 * Double.pi / 180
        #expect(t.m41 == 0 && t.m42 == -2.86 && t.m43 == -18.67)
        #expect(abs(t.m22 - _cosine(angle)) < 1e-12)
    }

    /// A Taylor series, so that the expected value is not from the code under test.
    private func _cosine(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        for n in 1...12 {
            term *= -x * x / Double((2 * n - 1) * (2 * n))
            sum += term
        }
        return sum
    }

    @Test("Matrices of 16 and of 6 numbers; perspective; nothing is the identity")
    func matrices() throws {
        #expect(try TransformSyntax.transform("").isIdentity)
        #expect(try TransformSyntax.transform("  ").isIdentity)
        let numbers = (1...16).map(String.init).joined(separator: " ")
        #expect(try TransformSyntax.transform("matrix(\(numbers))").elements == (1...16).map(Double.init))
        #expect(try TransformSyntax.transform(numbers).elements == (1...16).map(Double.init))
        expect(try map("matrix(1, 2, 3, 4, 5, 6)", Point(1, 10)), 1 + 30 + 5, 2 + 40 + 6)
        #expect(try TransformSyntax.transform("perspective(500)").m34 == -1.0 / 500)
    }

    @Test(
        "What is no transform is said to be none",
        arguments: [
            "rotate", "rotate(", "rotate()", "rotate(1, 2)", "spin(3)", "matrix(1 2 3)", "perspective(0)",
            "scale(1,2,3,4)",
            "rotate(90grad)", "translate(inf)", "scale(1e200) scale(1e200)", "1 2 3", "rotate(nan)",
        ])
    func faults(text: String) {
        #expect(throws: ScalarFault.self) { try TransformSyntax.transform(text) }
    }

    @Test("A list of many functions is refused")
    func many() {
        #expect(throws: ScalarFault.self) {
            try TransformSyntax.transform(String(repeating: "scale(1) ", count: 100_000))
        }
    }
}
