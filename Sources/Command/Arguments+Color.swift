import LayerModel

extension Arguments {
    /// A straight color: `#rrggbb`, `#rrggbbaa`, `r,g,b` or `r,g,b,a` from 0 to 1, `transparent`, `white` or `black`.
    func color(_ name: String) throws -> Color? {
        guard let text = text(name) else { return nil }
        switch text {
        case "transparent": return .clear
        case "white": return Color(1, 1, 1, 1)
        case "black": return Color(0, 0, 0, 1)
        default: break
        }
        let parts = text.hasPrefix("#") ? Self.hexadecimal(text.dropFirst()) : Self.decimal(text)
        guard let parts else {
            throw bad(
                name,
                "must be #rrggbb, #rrggbbaa, r,g,b or r,g,b,a with numbers from 0 to 1, transparent, white or black, "
                    + "not \"\(text)\"")
        }
        return Color(parts[0], parts[1], parts[2], parts.count == 4 ? parts[3] : 1)
    }

    private static func hexadecimal(_ digits: Substring) -> [Double]? {
        guard digits.utf8.count == 6 || digits.utf8.count == 8, digits.allSatisfy(\.isHexDigit),
            digits.allSatisfy(\.isASCII)
        else { return nil }
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).map { index in
            Double(UInt8(String(digits[index...index + 1]), radix: 16) ?? 0) / 255
        }
    }

    private static func decimal(_ text: String) -> [Double]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(part.drop { $0 == " " }) ?? .nan
        }
        guard numbers.count == 3 || numbers.count == 4, numbers.allSatisfy({ $0 >= 0 && $0 <= 1 }) else { return nil }
        return numbers
    }
}
