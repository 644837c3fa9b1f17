/// How the files of a sequence are called: `frames/` holds 00000.png, 00001.png, …; `frames/card-%04d.png` holds card-0000.png, ….
package struct SequenceNames: Sendable, Hashable {
    /// Without a slash at its end.
    package let folder: String
    private let before: String
    private let after: String
    private let digits: Int

    /// - Parameter isFolder: The path is a folder that is there.
    /// - Throws: `ClipError.badFormat` for a pattern that does not say where the number goes.
    package init(_ path: String, isFolder: Bool) throws(ClipError) {
        if isFolder || path.hasSuffix("/") {
            let trimmed = String(path.reversed().drop { $0 == "/" }.reversed())
            folder = trimmed.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : trimmed
            (before, after, digits) = ("", ".png", 5)
            return
        }
        let name: Substring
        if let slash = path.lastIndex(of: "/") {
            folder = slash == path.startIndex ? "/" : String(path[..<slash])
            name = path[path.index(after: slash)...]
        } else {
            folder = "."
            name = path[...]
        }
        let parts = name.split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count == 2, let end = parts[1].firstIndex(of: "d") else {
            throw .badFormat(
                "\(path): a sequence needs a folder (frames/) or a name with one place for the number (frame-%05d.png)")
        }
        let width = parts[1][..<end]
        guard width.isEmpty || width.first == "0" && width.count <= 3, let digits = Int(width.isEmpty ? "1" : width),
            (1...10).contains(digits)
        else {
            throw .badFormat("\(path): %\(width)d is no place for a number; write %d, or %05d for five digits")
        }
        self.digits = digits
        before = String(parts[0])
        after = String(parts[1][parts[1].index(after: end)...])
    }

    /// The name of a frame's file, without its folder.
    package func name(_ number: Int) -> String {
        let text = String(number)
        return before + String(repeating: "0", count: max(digits - text.count, 0)) + text + after
    }

    /// True for what is called like a file of the sequence.
    package func matches(_ name: String) -> Bool {
        guard name.hasPrefix(before), name.hasSuffix(after), name.count > before.count + after.count else {
            return false
        }
        let middle = name.dropFirst(before.count).dropLast(after.count)
        return middle.count >= digits && middle.allSatisfy { $0.isASCII && $0.isNumber }
    }
}
