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
        // The parser goes on after some errors and then says that all went well: the first one counts.
        let parsed = parser.parse()
        if let place = events.firstError {
            throw SceneError(
                file: text.file, line: max(place.line, 1), column: max(place.column, 1), message: "not well-formed XML")
        }
        guard parsed, !events.lostTrack, !events.builder.tree.elements.isEmpty else {
            throw text.error(at: 0, "not well-formed XML")
        }
        return events.builder.tree
    }
}

private final class EventReader: NSObject, XMLParserDelegate {
    var builder: MarkupTreeBuilder
    /// The parser saw other tags than the scan.
    var lostTrack = false
    var firstError: (line: Int, column: Int)?

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

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: Error) {
        if firstError == nil { firstError = (parser.lineNumber, parser.columnNumber) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        builder.note(text: string)
    }
}
