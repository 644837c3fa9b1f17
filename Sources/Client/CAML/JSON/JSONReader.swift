// JSON with places: RFC 8259, no extensions, no recursion.
//
// Foundation's decoder does not say where a value stands in the file, and a scene's errors must. The reader keeps the open
// brackets on a stack of its own; depth, the number of values and string lengths are limited. A member written twice is
// kept twice: the reader of the scene warns and takes the last.

/// Reads a JSON file into a tree of values.
package struct JSONReader {
    private struct Container {
        var index: Int
        var isObject: Bool
        var lastChild = -1
        var count = 0
        var offset: Int
    }

    /// What may come next.
    private enum Expectation {
        case value
        /// A value or `]`, just after `[`.
        case firstElement
        /// A name or `}`, just after `{`.
        case firstName
        case name
        /// A comma or a closing bracket.
        case separator
        case end
    }

    private let text: SourceText
    private let bytes: [UInt8]
    private let limits: SceneLimits
    private var index = 0
    private var tree: JSONTree
    private var open: [Container] = []
    private var pendingKey: (name: String, offset: Int)?

    /// - Throws: `SceneError` at the first fault.
    package static func read(_ text: SourceText, limits: SceneLimits) throws -> JSONTree {
        var reader = JSONReader(text: text, limits: limits)
        try reader.run()
        return reader.tree
    }

    private init(text: SourceText, limits: SceneLimits) {
        self.text = text
        bytes = text.bytes
        self.limits = limits
        tree = JSONTree(text: text)
    }

    private mutating func run() throws {
        var expectation = Expectation.value
        while true {
            skipSpace()
            if index == bytes.count {
                guard expectation == .end else { throw truncated() }
                return
            }
            let byte = bytes[index]
            switch expectation {
            case .end:
                throw text.error(at: index, "more text after the end of the scene")
            case .separator:
                expectation = try readSeparator(byte)
            case .firstName where byte == UInt8(ascii: "}"), .firstElement where byte == UInt8(ascii: "]"):
                expectation = try close()
            case .firstName, .name:
                try readName(byte)
                expectation = .value
            case .firstElement, .value:
                expectation = try readValue(byte)
            }
        }
    }

    private func truncated() -> SceneError {
        guard let container = open.last else { return text.error(at: bytes.count, "the file holds no value") }
        let bracket = container.isObject ? "{" : "["
        return text.error(at: container.offset, "this \(bracket) is never closed")
    }

    private mutating func readSeparator(_ byte: UInt8) throws -> Expectation {
        guard let container = open.last else { return .end }
        if byte == UInt8(ascii: ",") {
            index += 1
            return container.isObject ? .name : .value
        }
        if byte == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return try close() }
        throw text.error(at: index, "expected , or \(container.isObject ? "}" : "]") here")
    }

    private mutating func close() throws -> Expectation {
        index += 1
        guard let container = open.popLast() else { return .end }
        tree.setKind(
            container.isObject ? .object(count: container.count) : .array(count: container.count), of: container.index)
        return open.isEmpty ? .end : .separator
    }

    private mutating func readName(_ byte: UInt8) throws {
        guard byte == UInt8(ascii: "\"") else { throw text.error(at: index, "expected a name in quotes here") }
        let start = index
        let name = try readString()
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
            throw text.error(at: index, "expected : after \"\(name.prefix(60))\"")
        }
        index += 1
        pendingKey = (name, start)
    }

    private mutating func readValue(_ byte: UInt8) throws -> Expectation {
        let start = index
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < limits.depth else {
                throw text.error(at: start, "values are nested deeper than \(limits.depth)")
            }
            index += 1
            let isObject = byte == UInt8(ascii: "{")
            let value = try add(isObject ? .object(count: 0) : .array(count: 0), at: start)
            open.append(Container(index: value, isObject: isObject, offset: start))
            return isObject ? .firstName : .firstElement
        case UInt8(ascii: "\""):
            _ = try add(.string(try readString()), at: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            _ = try add(.number(try readNumber()), at: start)
        default:
            _ = try add(try readWord(), at: start)
        }
        return open.isEmpty ? .end : .separator
    }

    private mutating func add(_ kind: JSONValue.Kind, at offset: Int) throws -> Int {
        guard tree.values.count < limits.jsonValues else {
            throw text.error(at: offset, "more than \(limits.jsonValues) values")
        }
        var value = JSONValue(kind: kind, offset: offset)
        if let pending = pendingKey {
            value.key = pending.name
            value.keyOffset = pending.offset
            pendingKey = nil
        }
        let parent = open.last
        let added = tree.append(value, in: parent?.index ?? -1, after: parent?.lastChild ?? -1)
        if !open.isEmpty {
            open[open.count - 1].lastChild = added
            open[open.count - 1].count += 1
        }
        return added
    }

    // MARK: Scalars

    private mutating func readWord() throws -> JSONValue.Kind {
        let start = index
        while index < bytes.count, isWord(bytes[index]) { index += 1 }
        switch text.string(start..<index) {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case "": throw text.error(at: start, "expected a value here")
        case "NaN", "nan", "Infinity", "inf", "Inf":
            throw text.error(
                at: start, "\(text.string(start..<index)) is not a number that JSON knows; write a finite one")
        default:
            let word = text.string(start..<min(index, start + 40))
            throw text.error(at: start, "\(word) is not a value; strings are written in quotes")
        }
    }

    private func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private mutating func readNumber() throws -> Double {
        let start = index
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        let whole = index
        skipDigits()
        var isValid = index > whole && !(bytes[whole] == UInt8(ascii: "0") && index > whole + 1)
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            let fraction = index
            skipDigits()
            isValid = isValid && index > fraction
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            let exponent = index
            skipDigits()
            isValid = isValid && index > exponent
        }
        while index < bytes.count, isWord(bytes[index]) {
            isValid = false
            index += 1
        }
        guard isValid, index - start <= 1024, let number = Double(text.string(start..<index)) else {
            throw text.error(at: start, "\(text.string(start..<min(index, start + 40))) is not a number")
        }
        guard number.isFinite else { throw text.error(at: start, "this number is too large") }
        return number
    }

    private mutating func skipDigits() {
        while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
    }

    private mutating func readString() throws -> String {
        let start = index
        index += 1
        var content: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            let byte = bytes[index]
            if byte < 0x20 { throw text.error(at: start, "a string must end on its line; write \\n for a line feed") }
            if byte == UInt8(ascii: "\\") {
                try readEscape(into: &content)
            } else {
                content.append(byte)
                index += 1
            }
            guard content.count <= limits.textBytes else {
                throw text.error(at: start, "a string is longer than \(limits.textBytes) bytes")
            }
        }
        guard index < bytes.count else { throw text.error(at: start, "this string never ends") }
        index += 1
        return String(decoding: content, as: UTF8.self)
    }

    private mutating func readEscape(into content: inout [UInt8]) throws {
        let start = index
        guard index + 1 < bytes.count else { throw text.error(at: start, "an escape is cut short") }
        let letter = bytes[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(letter)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            var code = try readHex(from: start)
            if (0xD800...0xDBFF).contains(code), index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u")
            {
                index += 2
                let low = try readHex(from: start)
                guard (0xDC00...0xDFFF).contains(low) else { throw text.error(at: start, "half of a surrogate pair") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw text.error(at: start, "half of a surrogate pair") }
            content.append(contentsOf: String(Character(scalar)).utf8)
        default: throw text.error(at: start, "\\\(Character(Unicode.Scalar(letter))) is not an escape")
        }
    }

    private mutating func readHex(from start: Int) throws -> UInt32 {
        guard index + 4 <= bytes.count, bytes[index..<index + 4].allSatisfy({ isHex($0) }),
            let code = UInt32(text.string(index..<index + 4), radix: 16)
        else { throw text.error(at: start, "\\u needs four hexadecimal digits") }
        index += 4
        return code
    }

    private func isHex(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    }
}
