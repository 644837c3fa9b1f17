import CAML
import Testing

@Suite("JSON with places")
struct JSONTests {
    private func read(_ text: String, limits: SceneLimits = SceneLimits()) throws -> JSONTree {
        try JSONReader.read(try SourceText(Array(text.utf8), file: "f"), limits: limits)
    }

    private func message(_ text: String, limits: SceneLimits = SceneLimits()) -> String {
        sceneError { try read(text, limits: limits) }
    }

    @Test("Values and names know their places")
    func places() throws {
        let tree = try read("{\n  \"a\": [1, -2.5e1, true],\n  \"é\": {\"b\": null}\n}")
        let members = Array(tree.children(of: 0))
        #expect(members.map { tree[$0].key } == ["a", "é"])
        #expect(tree.text.position(at: tree[members[0]].keyOffset) == (2, 3))
        #expect(tree.text.position(at: tree[members[0]].offset) == (2, 8))
        let list = tree.children(of: members[0]).map { tree[$0] }
        #expect(list.map(\.kind) == [.number(1), .number(-25), .bool(true)])
        #expect(list.map { tree.text.position(at: $0.offset).column } == [9, 12, 20])
        #expect(tree.text.position(at: tree[members[1]].offset) == (3, 8))
        #expect(tree[members[1]].kind == .object(count: 1))
    }

    @Test("Escapes become characters")
    func escapes() throws {
        #expect(try read(#""\"\\\/\b\f\n\r\té\ud834\udd1e""#)[0].kind == .string("\"\\/\u{8}\u{C}\n\r\té𝄞"))
    }

    @Test(
        "Mistakes are named where they are",
        arguments: [
            ("", "1:1 the file holds no value"),
            ("[1,\n 2", "1:1 this [ is never closed"),
            ("{\"a\": {", "1:7 this { is never closed"),
            ("[1 2]", "1:4 expected , or ] here"),
            ("[1,]", "1:4 expected a value here"),
            ("{\"a\" 1}", "1:6 expected : after \"a\""),
            ("{a: 1}", "1:2 expected a name in quotes here"),
            ("{\"a\": 1,}", "1:9 expected a name in quotes here"),
            ("[1] 2", "1:5 more text after the end of the scene"),
            ("[NaN]", "1:2 NaN is not a number that JSON knows; write a finite one"),
            ("[-Infinity]", "1:2 -Infinity is not a number"),
            ("[1e999]", "1:2 this number is too large"),
            ("[01]", "1:2 01 is not a number"),
            ("[1.]", "1:2 1. is not a number"),
            ("[.5]", "1:2 .5 is not a value; strings are written in quotes"),
            ("[+1]", "1:2 +1 is not a value; strings are written in quotes"),
            ("[\"a\nb\"]", "1:2 a string must end on its line; write \\n for a line feed"),
            ("[\"a", "1:2 this string never ends"),
            ("[\"\\x\"]", "1:3 \\x is not an escape"),
            ("[\"\\ud800\"]", "1:3 half of a surrogate pair"),
            ("[\"\\u12\"]", "1:3 \\u needs four hexadecimal digits"),
            ("[// no\n1]", "1:2 expected a value here"),
        ])
    func mistakes(text: String, expected: String) {
        #expect(message(text) == expected)
    }

    @Test("Depth, values and strings are limited, without recursion")
    func limits() {
        #expect(message(String(repeating: "[", count: 500_000)) == "1:257 values are nested deeper than 256")
        var few = SceneLimits()
        few.jsonValues = 3
        few.textBytes = 4
        #expect(message("[1,2,3]", limits: few) == "1:6 more than 3 values")
        #expect(message("[\"abcde\"]", limits: few) == "1:2 a string is longer than 4 bytes")
    }
}
