// A scene as CAML. What is a word or a few numbers is an attribute; colors that are not opaque, lists and objects are elements, as
// Core Animation writes them. Only what differs from a class's default is there. Source: the semantic reference, §8.2 to §8.6;
// docs/caml.md, "Writing".

import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

/// Writes one CAML file.
package struct CAMLWriter {
    let source: SceneSource
    let session: WritingSession
    /// What states call the layers, and what readers find them by.
    var ids: SceneIDs

    /// - Parameter hasIndex: An index says which way y runs, and how large the document is.
    /// - Throws: `SceneError` for a tree that no file can hold.
    package static func write(_ source: SceneSource, hasIndex: Bool, session: WritingSession) throws -> String {
        try source.checkStates(session)
        var writer = CAMLWriter(source: source, session: session, ids: SceneIDs(source, session))
        let root = try writer.root(hasIndex: hasIndex)
        let caml = WrittenElement("caml", [("xmlns", "http://www.apple.com/CoreAnimation/1.0")], [root])
        let extent = caml.extent
        guard extent.depth <= session.limits.depth, extent.count <= session.limits.elements else {
            throw session.error(
                nil,
                "the scene has \(extent.count) elements, \(extent.depth) deep; a file may have \(session.limits.elements), \(session.limits.depth) deep"
            )
        }
        if source.scale != 1 {
            session.warn(nil, "scale is left out: CAML doesn't say how many pixels a point has")
        }
        return caml.document
    }

    // MARK: Layers

    private mutating func root(hasIndex: Bool) throws -> WrittenElement {
        if let root = source.rootInCorner {
            let isWhole = CGSize(width: root.bounds.width, height: root.bounds.height) == source.size
            if hasIndex || (isWhole && !source.isGeometryFlipped) {
                return try layer(root, standsInCorner: true, depth: 1)
            }
        }
        return try canvas(isFlipped: source.isGeometryFlipped && !hasIndex)
    }

    /// A layer of the document's size around all of it.
    private mutating func canvas(isFlipped: Bool) throws -> WrittenElement {
        var element: WrittenElement
        if let canvas = source.canvas, source.onlyRoot == nil {
            element = try own(canvas, standsInCorner: false, depth: 1)
        } else {
            let size =
                "0 0 \(NumberText.text(Double(source.size.width))) \(NumberText.text(Double(source.size.height)))"
            element = WrittenElement("CALayer", [("bounds", size), ("anchorPoint", "0 0")])
        }
        // How the canvas stands on its display is the display's.
        element.attributes.removeAll { $0.name == "geometryFlipped" }
        if isFlipped { element.set("geometryFlipped", "1") }
        if let background = source.background {
            let isTaken = source.canvas?.backgroundColor != nil
            if isTaken {
                session.warn(nil, "background is left out: the canvas has a color of its own")
            } else {
                set([("backgroundColor", .color(background))], of: &element, source.canvas)
            }
        }
        var sublayers: [WrittenElement] = []
        for root in source.roots {
            sublayers.append(try layer(root, standsInCorner: source.placesRootInCorner, depth: 2))
        }
        if !sublayers.isEmpty { element.children.append(WrittenElement("sublayers", [], sublayers)) }
        return element
    }

    /// A layer with all that is in it.
    mutating func layer(_ layer: CALayer, standsInCorner: Bool = false, depth: Int) throws -> WrittenElement {
        try SceneSource.checkDepth(depth, layer, session)
        var element = try own(layer, standsInCorner: standsInCorner, depth: depth)
        var sublayers: [WrittenElement] = []
        for sublayer in layer.sublayers ?? [] {
            sublayers.append(try self.layer(sublayer, depth: depth + 1))
        }
        if !sublayers.isEmpty { element.children.append(WrittenElement("sublayers", [], sublayers)) }
        try addStates(of: layer, to: &element, depth: depth)
        return element
    }

    /// Without sublayers and states.
    private mutating func own(_ layer: CALayer, standsInCorner: Bool, depth: Int) throws -> WrittenElement {
        let description = LayerDescription(layer, standsInCorner: standsInCorner, session: session)
        var element = WrittenElement(description.className)
        if let id = ids[layer] { element.set("id", id) }
        // The name first: it is what people look for.
        set(description.values.filter { $0.key == "name" }, of: &element, layer)
        set(description.values.filter { $0.key != "name" }, of: &element, layer)
        addContents(of: layer, to: &element)
        addCells(of: layer, to: &element)
        addFilters(of: layer, to: &element)
        if let mask = layer.mask {
            element.children.append(WrittenElement("mask", [], [try self.layer(mask, depth: depth + 1)]))
        }
        addAnimations(of: layer, to: &element)
        return element
    }

    private func addContents(of layer: CALayer, to element: inout WrittenElement) {
        guard let image = layer.contents as? CGImage else { return }
        // What a text layer draws, it draws again.
        if layer is CATextLayer, layer.contentsAreDrawn { return }
        if let contents = picture("contents", image, layer, key: "contents") { element.children.append(contents) }
    }

    // MARK: Values

    /// Attributes, and elements for what is more than a word.
    ///
    /// - Parameter layer: For messages.
    func set(_ values: [(key: String, value: WrittenValue)], of element: inout WrittenElement, _ layer: CALayer?) {
        for (key, value) in values {
            switch value {
            case .flag(let flag): element.set(key, flag ? "1" : "0")
            case .number(let number): element.set(key, number)
            case .numbers(let numbers): element.set(key, numbers.joined(separator: " "))
            case .word(let word) where key == "type": element.children.append(WrittenElement(key, [("value", word)]))
            case .word(let word): element.set(key, word)
            case .color(let color) where color.alpha == 1: element.set(key, CAMLWriter.components(color))
            case .transform(let transform): element.set(key, transform.sceneText)
            case .path(let path): setText(key, path.pathData, of: &element, layer)
            case .text(let text) where key == "string" || key == "font":
                var child = WrittenElement(key, [("type", "string")])
                setText("value", text, of: &child, layer, key: key)
                if child.attributes.count > 1 { element.children.append(child) }
            case .text(let text): setText(key, text, of: &element, layer)
            case .curve(let curve): element.set(key, curve.sceneName ?? curve.scenePoints.joined(separator: " "))
            case .nothing, .color, .list, .picture:
                if let child = self.element(key, value, layer, key: key, isNamed: true) {
                    element.children.append(child)
                }
            }
        }
    }

    private static func components(_ color: Color) -> String {
        NumberText.list([color.red, color.green, color.blue])
    }

    /// Text that a file can hold; another is a warning, and what can be said of it.
    private func setText(
        _ name: String, _ text: String, of element: inout WrittenElement, _ layer: CALayer?, key: String? = nil
    ) {
        let key = key ?? name
        var text = text
        if let clean = MarkupText.replacingForbidden(text) {
            session.warn(layer, "\(key): a character that XML can't hold is written as U+FFFD")
            text = clean
        }
        guard text.utf8.count <= session.limits.textBytes,
            MarkupText.escape(text).utf8.count <= session.limits.textBytes
        else {
            return session.warn(layer, "\(key) is left out: its text is over \(session.limits.textBytes) bytes")
        }
        element.set(name, text)
    }

    /// A value as an element of its own. Nil after a warning.
    ///
    /// - Parameters:
    ///   - name: The element's name; nil for the class of the value.
    ///   - isNamed: The element is a property's: what the value is stands in `type`, where it isn't plain from the value.
    func element(
        _ name: String?, _ value: WrittenValue, _ layer: CALayer?, key: String, kind: SceneValueKind? = nil,
        isNamed: Bool = false
    ) -> WrittenElement? {
        func make(_ className: String, _ attributes: [(name: String, value: String)]) -> WrittenElement {
            guard let name else { return WrittenElement(className, attributes) }
            return WrittenElement(name, isNamed ? attributes : [("type", className)] + attributes)
        }
        switch value {
        case .nothing: return name.map { WrittenElement($0, [("type", "null")]) } ?? WrittenElement("null")
        case .flag(let flag): return make("integer", [("value", flag ? "1" : "0")])
        case .number(let number):
            if case .code = kind { return make("integer", [("value", number)]) }
            return make("real", [("value", number)])
        case .numbers(let numbers):
            let text = numbers.joined(separator: " ")
            switch kind {
            case .size: return make("CGSize", [("value", text)])
            case .rect: return make("CGRect", [("value", text)])
            case .numbers where numbers.count > 1:
                var list = make("NSArray", [])
                list.children = numbers.map { WrittenElement("real", [("value", $0)]) }
                return list
            default: return make("CGPoint", [("value", text)])
            }
        case .color(let color):
            let opacity = color.alpha == 1 ? [] : [(name: "opacity", value: NumberText.text(color.alpha))]
            return make("CGColor", [("value", CAMLWriter.components(color))] + opacity)
        case .transform(let transform): return make("CATransform3D", [("value", transform.sceneText)])
        case .path(let path):
            var element = make("CGPath", [])
            setText("value", path.pathData, of: &element, layer, key: key)
            return element.attributes.contains { $0.name == "value" } ? element : nil
        case .word(let word): return make("string", [("value", word)])
        case .text(let text):
            var element = make("string", [])
            setText("value", text, of: &element, layer, key: key)
            return element
        case .picture(let image): return picture(name, image, layer, key: key)
        case .curve(let curve):
            if let name = curve.sceneName { return WrittenElement("CAMediaTimingFunction", [("name", name)]) }
            return WrittenElement(
                "CAMediaTimingFunction", [("controlPoints", curve.scenePoints.joined(separator: " "))])
        case .list(let values):
            var list = make("NSArray", [])
            list.children = values.compactMap { element(nil, $0, layer, key: key, kind: kind) }
            return list
        }
    }

    /// An image by its file; nil after a warning.
    func picture(_ name: String?, _ image: CGImage, _ layer: CALayer?, key: String) -> WrittenElement? {
        guard let file = session.fileName(of: image, for: layer, key: key) else { return nil }
        return name.map { WrittenElement($0, [("type", "CGImage"), ("src", file)]) }
            ?? WrittenElement("CGImage", [("src", file)])
    }
}
