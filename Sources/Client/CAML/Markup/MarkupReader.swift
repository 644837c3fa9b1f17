import Foundation
import FoundationXML

/// Reads an XML file into a tree of elements with exact positions.
package enum MarkupReader {
    /// - Throws: `SceneError` with line and column: not well formed, over a limit, a document type declaration.
    package static func read(_ text: SourceText, limits: SceneLimits) throws -> MarkupTree {
        let tags = try XMLScanner.scan(text, limits: limits)
        let events = EventReader(MarkupTreeBuilder(text: text, tags: tags))
        let parser = XMLParser(data: Data(text.bytes))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
        parser.delegate = events
        let parsed = parser.parse()
        guard parsed, !events.lostTrack, !events.builder.tree.elements.isEmpty else {
            let line = max(parser.lineNumber, 1)
            let column = max(parser.columnNumber, 1)
            throw SceneError(file: text.file, line: line, column: column, message: "not well-formed XML")
        }
        return events.builder.tree
    }
}

private final class EventReader: NSObject, XMLParserDelegate {
    var builder: MarkupTreeBuilder
    /// The parser saw other tags than the scan.
    var lostTrack = false

    init(_ builder: MarkupTreeBuilder) {
        self.builder = builder
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        guard !builder.open(elementName, values: attributes) else { return }
        lostTrack = true
        parser.abortParsing()
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        builder.close()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        builder.note(text: string)
    }
}
