import CAML
import Testing

@Suite("XML")
struct MarkupTests {
    private func read(_ text: String, limits: SceneLimits = SceneLimits()) throws -> MarkupTree {
        try MarkupReader.read(try SourceText(Array(text.utf8), file: "f"), limits: limits)
    }

    private func message(_ text: String, limits: SceneLimits = SceneLimits()) -> String {
        sceneError { try read(text, limits: limits) }
    }

    @Test("Tags and attributes know their exact places, whatever stands between them")
    func places() throws {
        let tree = try read(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <!-- <not a="tag"> -->
            <a><![CDATA[<b c="d">]]>
              <b  c = 'x > y'
                 dé="2"/><?pi <q>?><c/>
            </a>
            """)
        #expect(tree.elements.map(\.name) == ["a", "b", "c"])
        func at(_ offset: Int) -> String { "\(tree.text.position(at: offset))" }
        #expect(at(tree[0].offset) == "(line: 3, column: 1)")
        #expect(at(tree[1].offset) == "(line: 4, column: 3)")
        #expect(at(tree[1].attributes[0].offset) == "(line: 4, column: 7)")
        #expect(at(tree[1].attributes[1].offset) == "(line: 5, column: 6)")
        #expect(at(tree[2].offset) == "(line: 5, column: 24)")
        #expect(tree[1].attributes.map(\.value) == ["x > y", "2"])
    }

    @Test("Children and subtrees follow document order")
    func structure() throws {
        let tree = try read("<a><b><c/><d/></b><e><f/></e></a>")
        #expect(tree.children(of: 0).map { tree[$0].name } == ["b", "e"])
        #expect(tree.children(of: 1).map { tree[$0].name } == ["c", "d"])
        #expect(tree.subtree(of: 1).map { tree[$0].name } == ["b", "c", "d"])
        #expect(tree.subtree(of: 4).map { tree[$0].name } == ["e", "f"])
    }

    @Test("References are decoded")
    func references() throws {
        let tree = try read("<a b=\"&lt;&#65;&#x42;&amp;&quot;\"/>")
        #expect(tree[0].attributes[0].value == "<AB&\"")
    }

    @Test(
        "Mistakes are named where they are",
        arguments: [
            ("<a>\n <b>\n</a>", "3:1 </a> where </b> (opened on line 2) must be closed first"),
            ("<a><b></b>", "1:1 <a> is never closed"),
            ("<a/><b/>", "1:5 a second root element"),
            ("<a>\n<?x?></a>", "2:1 an instruction without content"),
            ("<??><a/>", "1:1 an instruction without content"),
            ("<?><a/>", "1:1 this instruction is never closed with ?>"),
            ("<a b='1' b='2'/>", "1:10 the attribute b is written twice"),
            ("<a b=1/>", "1:6 the value of b is not in quotes"),
            ("<a b/>", "1:4 the attribute b has no value; write b=\"…\""),
            ("<a b=\"1\"c=\"2\"/>", "1:9 a space is missing before the attribute c"),
            ("<a b=\"1><c/>", "1:9 a < in the value of b; is its closing quote missing?"),
            ("<a>&nbsp;</a>", "1:4 the reference &nbsp; is not known"),
            ("<a>a & b</a>", "1:6 a lone &; write &amp; for the character"),
            ("<a>&#0;</a>", "1:4 the reference &#0; is not known"),
            ("<a>\n<!-- x</a>", "2:1 this comment is never closed with -->"),
            ("<a>x</a>y", "1:9 text outside the root element"),
            ("x<a/>", "1:1 text outside the root element"),
            ("</a>", "1:1 </a> closes nothing"),
            ("<a>< b/></a>", "1:4 a < that begins no tag; write &lt; for the character"),
            ("<a 1='x'/>", "1:4 expected an attribute, > or /> in <a>"),
            ("<1/>", "1:1 a < that begins no tag; write &lt; for the character"),
            ("", "1:1 the file holds no element"),
            ("<!-- -->", "1:1 the file holds no element"),
            (" <?xml version='1.0'?><a/>", "1:2 the XML declaration must be the first thing in the file"),
            (
                "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
                "1:1 the file says that its encoding is iso-8859-1; save it as UTF-8"
            ),
        ])
    func mistakes(text: String, expected: String) {
        #expect(message(text) == expected)
    }

    @Test(
        "What only the parser notices still has a line and a column",
        arguments: ["<a><!-- a -- b --></a>", "<a ×='x'/>", "<a>]]></a>"])
    func parserErrors(text: String) {
        let message = message(text)
        #expect(message.hasPrefix("1:") && message.hasSuffix("not well-formed XML"), "\(message)")
    }

    @Test("Document types are refused: entities that multiply, entities from outside")
    func documentTypes() {
        let laughs = "<!DOCTYPE a [<!ENTITY b \"lol\"><!ENTITY c \"&b;&b;&b;&b;\">]>\n<a>&c;</a>"
        #expect(message(laughs).hasPrefix("1:1 a document type declaration is not allowed"))
        let outside = "<?xml version=\"1.0\"?>\n<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>"
        #expect(message(outside).hasPrefix("2:1 a document type declaration is not allowed"))
        #expect(message("<a><!ENTITY b 'c'></a>").hasPrefix("1:4 a declaration is not allowed"))
    }

    @Test("Depth, elements, attributes and lengths are limited, without recursion")
    func limits() {
        let deep = String(repeating: "<a>", count: 200_000)
        #expect(message(deep) == "1:769 elements are nested deeper than 256")
        var few = SceneLimits()
        few.elements = 3
        few.attributesPerElement = 1
        #expect(message("<a><b/><b/><b/></a>", limits: few) == "1:12 more than 3 elements")
        #expect(message("<a b='' c=''/>", limits: few) == "1:9 more than 1 attributes")
        let long = String(repeating: "M0 0 ", count: 1 << 18)
        #expect(message("<a d=\"\(long)\"/>") == "1:4 the value of d is longer than 1048576 bytes")
        #expect(message("<a>\(long)</a>") == "1:4 a text is longer than 1048576 bytes")
    }

    @Test("Exactly the allowed depth is allowed")
    func depth() throws {
        let text = String(repeating: "<a>", count: 256) + String(repeating: "</a>", count: 256)
        #expect(try read(text).elements.count == 256)
    }
}
