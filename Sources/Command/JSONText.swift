import CAML

/// A JSON value whose keys stay in the order in which they were written.
enum JSONText: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case unsigned(UInt64)
    case number(Double)
    case string(String)
    case array([JSONText])
    case object([(key: String, value: JSONText)])

    static func optional(_ number: UInt64?) -> JSONText { number.map { .unsigned($0) } ?? .null }
    static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }

    /// One line without spaces at its ends and without a newline.
    var line: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .unsigned(let value): text += String(value)
        // JSON has no word for what is not finite.
        case .number(let value):
            text +=
                !value.isFinite
                ? "null" : value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
        case .string(let value): WrittenJSON.write(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let pairs):
            text += "{"
            for (index, pair) in pairs.enumerated() {
                if index > 0 { text += "," }
                WrittenJSON.write(pair.key, to: &text)
                text += ":"
                pair.value.write(to: &text)
            }
            text += "}"
        }
    }
}
