// XML as text: an element a line, two spaces a level, long lists of attributes on several lines. Characters that XML can't hold
// are replaced before they come here (`MarkupText.replacingForbidden`); what an attribute would not give back as it is
// written (quotes, line ends, tabs) becomes a reference. Source: XML 1.0, 2.2, 2.4 and 3.3.3.

/// An element to write.
package struct WrittenElement {
    package var name: String
    /// In the order in which they are written.
    package var attributes: [(name: String, value: String)] = []
    package var children: [WrittenElement] = []

    package init(_ name: String, _ attributes: [(name: String, value: String)] = [], _ children: [WrittenElement] = [])
    {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    package mutating func set(_ name: String, _ value: String) { attributes.append((name, value)) }

    /// Elements from this one to the deepest in it, and how many there are.
    package var extent: (depth: Int, count: Int) {
        var (depth, count, level) = (0, 0, [self])
        while !level.isEmpty {
            depth += 1
            count += level.count
            level = level.flatMap(\.children)
        }
        return (depth, count)
    }

    /// The file.
    package var document: String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        write(to: &text, indent: 0)
        return text
    }

    private func write(to text: inout String, indent: Int) {
        let margin = String(repeating: "  ", count: indent)
        let pieces = attributes.map { "\($0.name)=\"\(MarkupText.escape($0.value))\"" }
        text += margin + "<" + name
        var column = margin.count + 1 + name.count
        for piece in pieces {
            if column + piece.count > 118, column > margin.count + 1 + name.count {
                text += "\n\(margin)    \(piece)"
                column = margin.count + 4 + piece.count
            } else {
                text += " \(piece)"
                column += piece.count + 1
            }
        }
        guard !children.isEmpty else {
            text += "/>\n"
            return
        }
        text += ">\n"
        for child in children { child.write(to: &text, indent: indent + 1) }
        text += "\(margin)</\(name)>\n"
    }
}

package enum MarkupText {
    /// For an attribute in double quotes.
    package static func escape(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\n": text += "&#10;"
            case "\r": text += "&#13;"
            case "\t": text += "&#9;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// True for a character that no XML file can hold, not even as a reference.
    package static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD: false
        case 0..<0x20, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    /// With U+FFFD in place of each of those; nil where there is none.
    package static func replacingForbidden(_ text: String) -> String? {
        guard text.unicodeScalars.contains(where: isForbidden) else { return nil }
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { clean.append(isForbidden(scalar) ? "\u{FFFD}" : scalar) }
        return String(clean)
    }
}
