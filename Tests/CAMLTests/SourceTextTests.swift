import CAML
import Testing

@Suite("Text and its places")
struct SourceTextTests {
    @Test("Lines end at LF, CR and CRLF; columns count characters")
    func positions() throws {
        let text = try SourceText(Array("ab\ncé€𝄞d\r\nx\ry".utf8), file: "f")
        // ab\n is 3 bytes; c is 1, é 2, € 3, 𝄞 4.
        #expect(text.position(at: 0) == (1, 1))
        #expect(text.position(at: 2) == (1, 3))
        #expect(text.position(at: 3) == (2, 1))
        #expect(text.position(at: 13) == (2, 5))
        #expect(text.position(at: 16) == (3, 1))
        #expect(text.position(at: 18) == (4, 1))
        #expect(text.position(at: 99) == (4, 2))
    }

    @Test("Columns stay exact on a line of many blocks, wherever characters straddle their borders", arguments: 0..<4)
    func longLine(shift: Int) throws {
        let lead = String(repeating: "a", count: shift)
        let text = try SourceText(Array((lead + String(repeating: "€", count: 6000) + "!").utf8), file: "f")
        for character in [0, 1, 1364, 1365, 1366, 2730, 4000, 5999, 6000] {
            #expect(text.position(at: shift + character * 3).column == shift + character + 1)
        }
    }

    @Test("Bytes that are not UTF-8 text are refused where they stand")
    func refused() {
        func message(_ bytes: [UInt8]) -> String { sceneError { try SourceText(bytes, file: "f") } }
        #expect(message([0xFF, 0xFE, 0x3C, 0]).hasPrefix("1:1 the file is UTF-16"))
        #expect(message([0, 0x3C, 0, 0x63]).hasPrefix("1:1 the file is UTF-16"))
        #expect(message([0xFF, 0xFE, 0, 0]).hasPrefix("1:1 the file is UTF-32"))
        #expect(message(Array("<a>\n x".utf8) + [0]).hasPrefix("2:3 a NUL byte"))
        #expect(message(Array("<a b=\"".utf8) + [1]).hasPrefix("1:7 a control character"))
        // "é" as Latin-1.
        #expect(message(Array("<a>\nn".utf8) + [0xE9, 0x22]).hasPrefix("2:2 this byte (0xE9) is not UTF-8"))
        // Overlong, surrogate, past the last plane, cut short.
        for bytes: [UInt8] in [
            [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
        ] {
            #expect(message([0x20] + bytes).hasPrefix("1:2 this byte"), "\(bytes)")
        }
    }

    @Test("A byte order mark is taken off")
    func mark() throws {
        #expect(try SourceText([0xEF, 0xBB, 0xBF, 0x3C], file: "f").bytes == [0x3C])
    }
}
