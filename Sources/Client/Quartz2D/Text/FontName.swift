// A font's name taken apart: `HelveticaNeue-CondensedBold` is the family "Helvetica Neue", condensed and bold. What follows the
// last hyphen counts only where it is made of nothing but words for weight, width and slant.

/// A name as an app gives it, and what fontconfig is asked for.
package struct FontName: Hashable, Sendable {
    package private(set) var text: String
    /// Names of the family, best first, separated by commas.
    package private(set) var families: String
    /// Pango's: 400 is regular, 700 bold.
    private(set) var weight: Int32 = 400
    private(set) var isItalic = false
    /// Pango's: 2 is condensed, 4 normal.
    private(set) var stretch: Int32 = 4

    private static let words: [(String, @Sendable (inout FontName) -> Void)] = [
        ("ultralight", { $0.weight = 200 }), ("extralight", { $0.weight = 200 }), ("demibold", { $0.weight = 600 }),
        ("semibold", { $0.weight = 600 }), ("extrabold", { $0.weight = 800 }), ("condensed", { $0.stretch = 2 }),
        ("oblique", { $0.isItalic = true }), ("regular", { _ in }), ("italic", { $0.isItalic = true }),
        ("medium", { $0.weight = 500 }), ("light", { $0.weight = 300 }), ("heavy", { $0.weight = 800 }),
        ("black", { $0.weight = 900 }), ("roman", { _ in }), ("plain", { _ in }), ("thin", { $0.weight = 100 }),
        ("book", { $0.weight = 380 }), ("bold", { $0.weight = 700 }), ("it", { $0.isItalic = true }), ("mt", { _ in }),
        ("ps", { _ in }),
    ]

    package init(_ name: String) {
        let name = String(name.prefix(200))
        text = name
        families = ""
        var family = name[...]
        if let hyphen = name.lastIndex(of: "-") {
            var style = name[name.index(after: hyphen)...].lowercased()[...]
            var parsed = self
            var isStyle = !style.isEmpty
            while isStyle, !style.isEmpty {
                guard let word = FontName.words.first(where: { style.hasPrefix($0.0) }) else {
                    isStyle = false
                    break
                }
                word.1(&parsed)
                style = style.dropFirst(word.0.count)
            }
            if isStyle {
                self = parsed
                family = name[..<hyphen]
            }
        }
        if family.hasPrefix(".") { family = "Helvetica" }
        let whole = String(family.filter { $0 != "," })
        let spaced = FontName.spaced(whole)
        families = spaced == whole ? whole : "\(whole),\(spaced)"
    }

    /// "HelveticaNeue" as "Helvetica Neue".
    private static func spaced(_ name: String) -> String {
        var result = ""
        var isAfterLower = false
        for character in name {
            if character.isUppercase, isAfterLower { result.append(" ") }
            result.append(character)
            isAfterLower = character.isLowercase
        }
        return result
    }
}
