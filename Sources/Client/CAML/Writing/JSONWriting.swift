// JSON as text: objects and lists of objects a member a line, two spaces a level; lists of numbers and words on one line. Keys stay
// in their order. Source: RFC 8259.

/// A JSON value to write.
package enum WrittenJSON {
    /// A number, true, false or null, as its text.
    case plain(String)
    case string(String)
    case array([WrittenJSON])
    case object([(key: String, value: WrittenJSON)])

    /// The file.
    package var document: String {
        var text = ""
        write(to: &text, indent: 0)
        return text + "\n"
    }

    /// Values from this one to the innermost.
    package var count: Int {
        switch self {
        case .plain, .string: 1
        case .array(let values): values.reduce(1) { $0 + $1.count }
        case .object(let members): members.reduce(1) { $0 + $1.value.count }
        }
    }

    /// Holds no object, and no list of lists of lists.
    private var isShort: Bool {
        switch self {
        case .plain, .string: true
        case .array(let values): values.allSatisfy(\.isFlat)
        case .object: false
        }
    }

    private var isFlat: Bool {
        switch self {
        case .plain, .string: true
        case .array(let values):
            values.allSatisfy {
                switch $0 {
                case .plain, .string: true
                default: false
                }
            }
        case .object: false
        }
    }

    private func write(to text: inout String, indent: Int) {
        switch self {
        case .plain(let value): text += value
        case .string(let value): WrittenJSON.write(value, to: &text)
        case .array(let values):
            Self.write(values.map { (nil, $0) }, "[", "]", isShort: isShort, to: &text, indent: indent)
        case .object(let members):
            Self.write(
                members.map { ($0.key, $0.value) }, "{", "}", isShort: members.isEmpty, to: &text, indent: indent)
        }
    }

    private static func write(
        _ members: [(key: String?, value: WrittenJSON)], _ open: String, _ close: String, isShort: Bool,
        to text: inout String, indent: Int
    ) {
        text += open
        for (index, member) in members.enumerated() {
            if index > 0 { text += isShort ? ", " : "," }
            if !isShort { text += "\n" + String(repeating: "  ", count: indent + 1) }
            if let key = member.key {
                write(key, to: &text)
                text += ": "
            }
            member.value.write(to: &text, indent: indent + 1)
        }
        if !isShort { text += "\n" + String(repeating: "  ", count: indent) }
        text += close
    }

    /// A string in quotes.
    package static func write(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
