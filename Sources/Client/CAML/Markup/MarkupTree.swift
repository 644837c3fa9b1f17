/// The elements of an XML file, flat, in document order. Indices stand for elements; nothing here recurses.
package struct MarkupTree {
    package let text: SourceText
    package fileprivate(set) var elements: [MarkupElement] = []

    package init(text: SourceText) {
        self.text = text
    }

    package subscript(_ index: Int) -> MarkupElement { elements[index] }

    /// The direct children of an element, in order.
    package func children(of index: Int) -> MarkupChildren {
        MarkupChildren(elements: elements, upcoming: elements[index].firstChild)
    }

    /// The element and everything in it: a range, because document order is depth first.
    package func subtree(of index: Int) -> Range<Int> {
        index..<elements[index].end
    }

    fileprivate mutating func open(_ element: MarkupElement, in parent: Int, after sibling: Int) -> Int {
        let index = elements.count
        elements.append(element)
        if sibling >= 0 {
            elements[sibling].nextSibling = index
        } else if parent >= 0 {
            elements[parent].firstChild = index
        }
        return index
    }

    fileprivate mutating func close(_ index: Int) {
        elements[index].end = elements.count
    }

    fileprivate mutating func noteText(in index: Int) {
        elements[index].hasText = true
    }
}

/// One element. -1 stands for no element.
package struct MarkupElement {
    package var name: String
    /// Byte of the `<` of its start tag.
    package var offset: Int
    package var attributes: [MarkupAttribute]
    /// True when it holds characters other than spaces.
    package var hasText = false
    fileprivate var firstChild = -1
    fileprivate var nextSibling = -1
    fileprivate var end = 0

    package init(name: String, offset: Int, attributes: [MarkupAttribute]) {
        self.name = name
        self.offset = offset
        self.attributes = attributes
    }

    package var hasChildren: Bool { firstChild >= 0 }

    package func attribute(_ name: String) -> MarkupAttribute? {
        attributes.first { $0.name == name }
    }
}

/// One attribute, decoded.
package struct MarkupAttribute {
    package var name: String
    package var value: String
    /// Byte of the name's first character.
    package var offset: Int
}

/// Walks along siblings.
package struct MarkupChildren: Sequence, IteratorProtocol {
    fileprivate let elements: [MarkupElement]
    fileprivate var upcoming: Int

    package mutating func next() -> Int? {
        guard upcoming >= 0 else { return nil }
        defer { upcoming = elements[upcoming].nextSibling }
        return upcoming
    }
}

/// Grows a tree from a parser's events.
package struct MarkupTreeBuilder {
    package private(set) var tree: MarkupTree
    private let tags: [ScannedTag]
    private var nextTag = 0
    /// The open elements with the last child that each has so far.
    private var open: [(index: Int, lastChild: Int)] = []

    package init(text: SourceText, tags: [ScannedTag]) {
        tree = MarkupTree(text: text)
        self.tags = tags
        tree.elements.reserveCapacity(tags.count)
    }

    /// False when the events don't follow the tags that the scan found.
    package mutating func open(_ name: String, values: [String: String]) -> Bool {
        guard nextTag < tags.count, tags[nextTag].name == name else { return false }
        let tag = tags[nextTag]
        nextTag += 1
        var attributes: [MarkupAttribute] = []
        attributes.reserveCapacity(tag.attributes.count)
        for attribute in tag.attributes {
            guard let value = values[attribute.name] else { continue }
            attributes.append(MarkupAttribute(name: attribute.name, value: value, offset: attribute.offset))
        }
        let parent = open.last ?? (-1, -1)
        let index = tree.open(
            MarkupElement(name: name, offset: tag.offset, attributes: attributes), in: parent.index,
            after: parent.lastChild)
        if !open.isEmpty { open[open.count - 1].lastChild = index }
        open.append((index, -1))
        return true
    }

    package mutating func close() {
        guard let last = open.popLast() else { return }
        tree.close(last.index)
    }

    package mutating func note(text: String) {
        guard let last = open.last, text.utf8.contains(where: { $0 > 0x20 }) else { return }
        tree.noteText(in: last.index)
    }
}
