import Foundation

/// A property list whose top is a dictionary: `index.xml` and `Wallpaper.plist`, as XML or binary.
package struct PropertyListFile {
    package let file: String
    package let dictionary: [String: Any]
    /// The text of one written as XML: where its keys stand.
    private let text: SourceText?

    /// Most values of one list.
    private static let valueLimit = 20_000

    /// - Throws: `SceneError`: not a property list, over a limit, entity declarations, references without end.
    package init(_ bytes: [UInt8], file: String, limits: SceneLimits) throws {
        self.file = file
        if BinaryPropertyListCheck.isBinary(bytes) {
            text = nil
            do throws(BinaryPropertyListCheck.Fault) {
                try BinaryPropertyListCheck.check(bytes, values: PropertyListFile.valueLimit, depth: limits.depth)
            } catch {
                throw SceneError(file: file, message: error.message)
            }
        } else {
            let source = try SourceText(bytes, file: file)
            let tags = try XMLScanner.scan(source, limits: limits, documentType: .externalOnly)
            guard tags[0].name == "plist" else {
                throw source.error(at: tags[0].offset, "<\(tags[0].name)> is not a property list; <plist> is expected")
            }
            guard tags.count <= PropertyListFile.valueLimit else {
                throw source.error(
                    at: tags[0].offset, "a property list of more than \(PropertyListFile.valueLimit) elements")
            }
            text = source
        }
        guard let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil),
            let dictionary = list as? [String: Any]
        else {
            throw text?.error(at: 0, "not a property list with a dictionary")
                ?? SceneError(file: file, message: "not a property list with a dictionary")
        }
        self.dictionary = dictionary
    }

    /// - Throws: `SceneError` if the value is there and no string.
    package func string(_ key: String) throws -> String? {
        guard let value = dictionary[key] else { return nil }
        guard let string = value as? String else { throw error(key, "is not a string") }
        return string
    }

    /// - Throws: `SceneError` if the value is there and neither a boolean nor a number.
    package func boolean(_ key: String) throws -> Bool {
        guard let value = dictionary[key] else { return false }
        guard let number = value as? NSNumber else { throw error(key, "is not true or false") }
        return number.boolValue
    }

    /// - Throws: `SceneError` if the value is there and no number.
    package func number(_ key: String) throws -> Double? {
        guard let value = dictionary[key] else { return nil }
        guard let number = value as? NSNumber else { throw error(key, "is not a number") }
        return number.doubleValue
    }

    /// Where a key stands, 0 and 0 in a binary list.
    package func position(of key: String) -> (line: Int, column: Int) {
        guard let text else { return (0, 0) }
        let pattern = Array("<key>\(key)</key>".utf8)
        let bytes = text.bytes
        var index = 0
        while index + pattern.count <= bytes.count {
            if bytes[index] == pattern[0], bytes[index..<index + pattern.count].elementsEqual(pattern) {
                return text.position(at: index)
            }
            index += 1
        }
        return text.position(at: 0)
    }

    package func error(_ key: String, _ message: String) -> SceneError {
        let (line, column) = position(of: key)
        return SceneError(file: file, line: line, column: column, message: "\(key) \(message)")
    }
}
