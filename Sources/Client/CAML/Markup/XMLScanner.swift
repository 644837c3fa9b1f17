// Where things stand in an XML file.
//
// The system's parser decodes names, references and nesting, but tells positions only after a tag and none of its
// attributes'. So the bytes are scanned once before it: tags, attributes, comments, processing instructions and CDATA,
// without recursion and without decoding. The scan also holds every limit (depth, elements, attributes, lengths), refuses
// document type declarations before a parser sees an entity, and names the usual mistakes (a tag never closed, a quote
// that is missing, an unknown entity) at the byte where they are. What it lets pass, the parser still checks.

/// A start tag as it stands in the file.
package struct ScannedTag {
    package var name: String
    /// Byte of the `<`.
    package var offset: Int
    /// In the order in which they are written.
    package var attributes: [ScannedAttribute]
}

/// An attribute as it stands in the file.
package struct ScannedAttribute {
    package var name: String
    /// Byte of the name's first character.
    package var offset: Int
}

/// One pass over the bytes of an XML file.
package struct XMLScanner {
    /// How a document type declaration is taken.
    package enum DocumentType {
        /// An error: CAML has none.
        case refused
        /// Allowed without declarations of its own (`[…]`): what Apple's property lists begin with.
        case externalOnly
    }

    private let text: SourceText
    private let bytes: [UInt8]
    private let limits: SceneLimits
    private let documentType: DocumentType
    private var index = 0
    private var tags: [ScannedTag] = []
    private var open: [(name: Range<Int>, offset: Int)] = []
    private var hasRoot = false

    /// - Returns: The start tags in document order.
    /// - Throws: `SceneError` at the first fault.
    package static func scan(_ text: SourceText, limits: SceneLimits, documentType: DocumentType = .refused) throws
        -> [ScannedTag]
    {
        var scanner = XMLScanner(text: text, limits: limits, documentType: documentType)
        try scanner.run()
        return scanner.tags
    }

    private init(text: SourceText, limits: SceneLimits, documentType: DocumentType) {
        self.text = text
        bytes = text.bytes
        self.limits = limits
        self.documentType = documentType
    }

    private mutating func run() throws {
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<") {
                try readMarkup()
            } else {
                try readText()
            }
        }
        if let unclosed = open.last {
            throw text.error(at: unclosed.offset, "<\(text.string(unclosed.name))> is never closed")
        }
        guard hasRoot else { throw text.error(at: 0, "the file holds no element") }
    }

    private mutating func readMarkup() throws {
        let start = index
        if matches("<!--") {
            try skip(past: "-->", from: start, "this comment is never closed with -->")
        } else if matches("<?") {
            try readInstruction()
        } else if matches("<![CDATA[") {
            guard !open.isEmpty else { throw text.error(at: start, "text outside the root element") }
            try skip(past: "]]>", from: start, "this CDATA section is never closed with ]]>")
        } else if matches("<!DOCTYPE") {
            try readDocumentType()
        } else if matches("<!") {
            throw text.error(at: start, "a declaration is not allowed here")
        } else if matches("</") {
            try readEndTag()
        } else {
            try readStartTag()
        }
    }

    // MARK: Tags

    private mutating func readStartTag() throws {
        let start = index
        index += 1
        let name = nameRange()
        guard XMLScanner.isName(bytes[name]) else {
            throw text.error(at: start, "a < that begins no tag; write &lt; for the character")
        }
        guard !(open.isEmpty && hasRoot) else { throw text.error(at: start, "a second root element") }
        guard tags.count < limits.elements else {
            throw text.error(at: start, "more than \(limits.elements) elements")
        }
        var attributes: [ScannedAttribute] = []
        while true {
            let hadSpace = skipSpace()
            guard index < bytes.count else {
                throw text.error(at: start, "the tag <\(text.string(name))> never ends with >")
            }
            if matches("/>") {
                index += 2
                break
            }
            if bytes[index] == UInt8(ascii: ">") {
                guard open.count < limits.depth else {
                    throw text.error(at: start, "elements are nested deeper than \(limits.depth)")
                }
                open.append((name, start))
                index += 1
                break
            }
            let attribute = try readAttribute(of: name, hadSpace: hadSpace)
            guard !attributes.contains(where: { $0.name == attribute.name }) else {
                throw text.error(at: attribute.offset, "the attribute \(attribute.name) is written twice")
            }
            guard attributes.count < limits.attributesPerElement else {
                throw text.error(at: attribute.offset, "more than \(limits.attributesPerElement) attributes")
            }
            attributes.append(attribute)
        }
        hasRoot = true
        tags.append(ScannedTag(name: text.string(name), offset: start, attributes: attributes))
    }

    private mutating func readAttribute(of tag: Range<Int>, hadSpace: Bool) throws -> ScannedAttribute {
        let start = index
        let nameRange = nameRange()
        guard XMLScanner.isName(bytes[nameRange]) else {
            throw text.error(at: start, "expected an attribute, > or /> in <\(text.string(tag))>")
        }
        let name = text.string(nameRange)
        guard hadSpace else { throw text.error(at: start, "a space is missing before the attribute \(name)") }
        _ = skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
            throw text.error(at: start, "the attribute \(name) has no value; write \(name)=\"…\"")
        }
        index += 1
        _ = skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            throw text.error(at: min(index, bytes.count), "the value of \(name) is not in quotes")
        }
        let quote = bytes[index]
        index += 1
        let value = index
        while index < bytes.count, bytes[index] != quote {
            if bytes[index] == UInt8(ascii: "<") {
                throw text.error(at: index, "a < in the value of \(name); is its closing quote missing?")
            }
            if bytes[index] == UInt8(ascii: "&") { try checkReference() }
            index += 1
        }
        guard index < bytes.count else { throw text.error(at: start, "the value of \(name) never ends") }
        guard index - value <= limits.textBytes else {
            throw text.error(at: start, "the value of \(name) is longer than \(limits.textBytes) bytes")
        }
        index += 1
        return ScannedAttribute(name: name, offset: start)
    }

    private mutating func readEndTag() throws {
        let start = index
        index += 2
        let name = nameRange()
        _ = skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: ">") else {
            throw text.error(at: start, "this end tag never ends with >")
        }
        index += 1
        guard let opened = open.popLast() else {
            throw text.error(at: start, "</\(text.string(name))> closes nothing")
        }
        guard bytes[opened.name].elementsEqual(bytes[name]) else {
            let line = text.position(at: opened.offset).line
            throw text.error(
                at: start,
                "</\(text.string(name))> where </\(text.string(opened.name))> (opened on line \(line)) must be closed first"
            )
        }
    }

    // MARK: Everything else

    private mutating func readInstruction() throws {
        let start = index
        try skip(past: "?>", from: start, "this instruction is never closed with ?>")
        // Foundation's parser reads the content of one that has none, and crashes.
        guard bytes[start + 2..<index - 2].contains(where: XMLScanner.isSpace) else {
            throw text.error(at: start, "an instruction without content")
        }
        guard bytes[start...].starts(with: "<?xml ".utf8) else { return }
        guard start == 0 else { throw text.error(at: start, "the XML declaration must be the first thing in the file") }
        let declaration = text.string(start..<index)
        guard let found = declaration.range(of: "encoding") else { return }
        let value = declaration[found.upperBound...].drop { $0 == "=" || $0 == " " || $0 == "\"" || $0 == "'" }
        let name = value.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }.lowercased()
        guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) else {
            throw text.error(at: start, "the file says that its encoding is \(name); save it as UTF-8")
        }
    }

    private mutating func readDocumentType() throws {
        let start = index
        guard documentType == .externalOnly else {
            throw text.error(at: start, "a document type declaration is not allowed; remove the <!DOCTYPE …>")
        }
        guard open.isEmpty, !hasRoot else {
            throw text.error(at: start, "a document type declaration inside the document")
        }
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            if bytes[index] == UInt8(ascii: "[") {
                throw text.error(at: index, "declarations inside the document type are not allowed")
            }
            index += 1
        }
        guard index < bytes.count else { throw text.error(at: start, "this declaration is never closed with >") }
        index += 1
    }

    private mutating func readText() throws {
        let start = index
        var isBlank = true
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
            let byte = bytes[index]
            if byte == UInt8(ascii: "&") { try checkReference() }
            if !XMLScanner.isSpace(byte), isBlank {
                isBlank = false
                guard !open.isEmpty else { throw text.error(at: index, "text outside the root element") }
            }
            index += 1
        }
        guard index - start <= limits.textBytes || isBlank else {
            throw text.error(at: start, "a text is longer than \(limits.textBytes) bytes")
        }
    }

    /// A reference must be one of the five that XML knows, or a number.
    private func checkReference() throws {
        let end = bytes[index...].prefix(16).firstIndex(of: UInt8(ascii: ";"))
        guard let end else { throw text.error(at: index, "a lone &; write &amp; for the character") }
        let name = text.string(index + 1..<end)
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) { return }
        var digits = name.dropFirst()
        var radix = 10
        if digits.hasPrefix("x") {
            digits = digits.dropFirst()
            radix = 16
        }
        guard name.hasPrefix("#"), let code = UInt32(digits, radix: radix), digits.first != "+", digits.first != "-",
            let scalar = Unicode.Scalar(code),
            scalar.value >= 0x20 || scalar == "\t" || scalar == "\n" || scalar == "\r",
            scalar.value & 0xFFFE != 0xFFFE || scalar.value > 0xFFFF
        else { throw text.error(at: index, "the reference &\(name); is not known") }
    }

    private mutating func skip(past end: StaticString, from start: Int, _ message: String) throws {
        let count = end.utf8CodeUnitCount
        index += count
        while index + count <= bytes.count {
            if matches(end) {
                index += count
                return
            }
            index += 1
        }
        throw text.error(at: start, message)
    }

    private func matches(_ pattern: StaticString) -> Bool {
        let count = pattern.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[index + offset] != pattern.utf8Start[offset] { return false }
        return true
    }

    private mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, XMLScanner.isSpace(bytes[index]) { index += 1 }
        return index > start
    }

    /// The name at `index`, which is moved past it; whether it is one, `isName` says.
    private mutating func nameRange() -> Range<Int> {
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "<"),
                UInt8(ascii: "\""), UInt8(ascii: "'"):
                return start..<index
            default: index += 1
            }
        }
        return start..<index
    }

    /// ASCII is checked here; what lies beyond it, by the parser.
    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        func isStart(_ byte: UInt8) -> Bool {
            byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        guard let first = name.first, isStart(first) else { return false }
        return name.allSatisfy { byte in
            isStart(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
