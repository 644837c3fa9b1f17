// Numbers as the shortest text that reads back as the same number. What a property keeps in single precision gets the shortest
// text for that: 0.3, not 0.30000001192092896.

package enum NumberText {
    /// - Parameter isSingle: The reader keeps the value in single precision.
    package static func text(_ number: Double, isSingle: Bool = false) -> String {
        if isSingle {
            let single = Float(number)
            if Double(single) == number {
                let short = plain("\(single)")
                // Read as a double first: rounded twice, it may be its neighbor.
                if let read = Double(short), Float(read) == single { return short }
            }
        }
        return plain("\(number)")
    }

    /// With single spaces between.
    package static func list(_ numbers: [Double]) -> String { numbers.map { text($0) }.joined(separator: " ") }

    private static func plain(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
