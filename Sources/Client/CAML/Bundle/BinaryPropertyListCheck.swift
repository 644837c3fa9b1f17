// Binary property lists from strangers.
//
// Objects of a binary property list refer to each other by number, so a file of 200 bytes can stand for a tree of a billion
// objects (lists that hold the same list ten times, ten levels deep), or for one without end. Foundation's reader expands
// whatever it is given. This check walks the references once, counts how many objects the expanded tree would have, and
// refuses what is over a limit, cyclic or malformed. It decodes no values.

/// Checks a binary property list before a reader expands it.
package struct BinaryPropertyListCheck {
    package enum Fault: Error, Equatable {
        case malformed, cyclic, tooLarge, keyedArchive

        package var message: String {
            switch self {
            case .malformed: "is a damaged binary property list"
            case .cyclic: "is a property list that contains itself"
            case .tooLarge: "is a property list of too many or too deeply nested values"
            case .keyedArchive: "is a keyed archive, not a plain property list"
            }
        }
    }

    package static func isBinary(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "bplist".utf8)
    }

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let tableOffset: Int

    /// - Parameters:
    ///   - values: Most values that the expanded list may hold.
    ///   - depth: Most containers inside one another.
    package static func check(_ bytes: [UInt8], values: Int, depth: Int) throws(Fault) {
        let (list, top) = try BinaryPropertyListCheck.open(bytes)
        try list.walk(from: top, values: values, depth: depth)
    }

    private static func open(_ bytes: [UInt8]) throws(Fault) -> (BinaryPropertyListCheck, top: Int) {
        guard isBinary(bytes), bytes.count >= 8 + 32 else { throw .malformed }
        let trailer = bytes.count - 32
        guard let count = integer(bytes, at: trailer + 8, size: 8), let top = integer(bytes, at: trailer + 16, size: 8),
            let table = integer(bytes, at: trailer + 24, size: 8)
        else { throw .malformed }
        let list = BinaryPropertyListCheck(
            bytes: bytes, offsetSize: Int(bytes[trailer + 6]), referenceSize: Int(bytes[trailer + 7]), count: count,
            tableOffset: table)
        guard (1...8).contains(list.offsetSize), (1...8).contains(list.referenceSize), count >= 1, top < count,
            table <= trailer, count <= (trailer - table) / list.offsetSize
        else { throw .malformed }
        return (list, top)
    }

    private func walk(from top: Int, values: Int, depth: Int) throws(Fault) {
        // 0: not seen; -1: being walked; otherwise how many values the object expands to.
        var sizes = [Int](repeating: 0, count: count)
        var open: [(object: Int, next: Int, size: Int)] = [(top, 0, 1)]
        sizes[top] = -1
        while let last = open.last {
            guard last.size <= values, open.count <= depth else { throw .tooLarge }
            let references = try references(of: last.object)
            if last.next < references.count {
                open[open.count - 1].next += 1
                let child = try reference(at: references.start + last.next * referenceSize)
                switch sizes[child] {
                case -1: throw .cyclic
                case 0:
                    sizes[child] = -1
                    open.append((child, 0, 1))
                default: open[open.count - 1].size += sizes[child]
                }
            } else {
                open.removeLast()
                sizes[last.object] = last.size
                if !open.isEmpty { open[open.count - 1].size += last.size }
            }
        }
    }

    /// Where the references of a container stand; none for a scalar.
    private func references(of object: Int) throws(Fault) -> (start: Int, count: Int) {
        guard
            let start = BinaryPropertyListCheck.integer(bytes, at: tableOffset + object * offsetSize, size: offsetSize),
            start >= 8, start < tableOffset
        else { throw .malformed }
        let marker = bytes[start]
        let kind = marker >> 4
        if kind == 0x8 { throw .keyedArchive }
        guard kind == 0xA || kind == 0xC || kind == 0xD else { return (0, 0) }
        var count = Int(marker & 0x0F)
        var first = start + 1
        if count == 0x0F {
            guard first < tableOffset, bytes[first] >> 4 == 0x1, bytes[first] & 0x0F <= 3 else { throw .malformed }
            let size = 1 << Int(bytes[first] & 0x0F)
            guard let long = BinaryPropertyListCheck.integer(bytes, at: first + 1, size: size) else { throw .malformed }
            count = long
            first += 1 + size
        }
        guard count <= tableOffset else { throw .malformed }
        if kind == 0xD { count *= 2 }
        guard first <= tableOffset, count <= (tableOffset - first) / referenceSize else { throw .malformed }
        return (first, count)
    }

    private func reference(at offset: Int) throws(Fault) -> Int {
        guard let object = BinaryPropertyListCheck.integer(bytes, at: offset, size: referenceSize), object < count
        else {
            throw .malformed
        }
        return object
    }

    /// A big-endian number; nil if it lies outside the bytes or is over 2^62.
    private static func integer(_ bytes: [UInt8], at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for index in offset..<offset + size { value = value << 8 | UInt64(bytes[index]) }
        return value < 1 << 62 ? Int(value) : nil
    }
}
