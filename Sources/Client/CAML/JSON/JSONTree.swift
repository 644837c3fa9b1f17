/// The values of a JSON file, flat, each with its place. Indices stand for values; nothing here recurses.
package struct JSONTree {
    package let text: SourceText
    package private(set) var values: [JSONValue] = []

    package init(text: SourceText) {
        self.text = text
    }

    package subscript(_ index: Int) -> JSONValue { values[index] }

    /// Elements of an array or members of an object, in order.
    package func children(of index: Int) -> JSONChildren {
        JSONChildren(values: values, upcoming: values[index].firstChild)
    }

    /// The numbers of an array that holds nothing else; nil for anything else or more than `limit` of them.
    package func numbers(of index: Int, limit: Int = 1024) -> [Double]? {
        guard case .array(let count) = values[index].kind, count <= limit else { return nil }
        var numbers: [Double] = []
        for child in children(of: index) {
            guard case .number(let number) = values[child].kind else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}

/// One value. -1 stands for no value.
package struct JSONValue {
    package enum Kind: Equatable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array(count: Int)
        case object(count: Int)

        /// For messages.
        package var noun: String {
            switch self {
            case .null: "null"
            case .bool: "a boolean"
            case .number: "a number"
            case .string: "a string"
            case .array(let count): "a list of \(count)"
            case .object: "an object"
            }
        }
    }

    package var kind: Kind
    /// First byte of the value.
    package var offset: Int
    /// In an object: the member's name and its first byte.
    package var key: String?
    package var keyOffset = 0
    fileprivate var firstChild = -1
    fileprivate var nextSibling = -1

    package init(kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

/// Walks along siblings.
package struct JSONChildren: Sequence, IteratorProtocol {
    fileprivate let values: [JSONValue]
    fileprivate var upcoming: Int

    package mutating func next() -> Int? {
        guard upcoming >= 0 else { return nil }
        defer { upcoming = values[upcoming].nextSibling }
        return upcoming
    }
}

extension JSONTree {
    mutating func append(_ value: JSONValue, in parent: Int, after sibling: Int) -> Int {
        let index = values.count
        values.append(value)
        if sibling >= 0 {
            values[sibling].nextSibling = index
        } else if parent >= 0 {
            values[parent].firstChild = index
        }
        return index
    }

    mutating func setKind(_ kind: JSONValue.Kind, of index: Int) {
        values[index].kind = kind
    }
}
