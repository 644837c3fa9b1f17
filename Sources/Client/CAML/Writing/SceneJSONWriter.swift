// A scene as JSON: the same keys and values as CAML's, in JSON's types. y runs down the picture, so the gravities `top` and `bottom` are
// the picture's, exchanged wherever a layer's own y runs down it; a canvas whose y grows upwards is a flipped layer.
// There are no states and no ids. Source: docs/scene-json.md.

import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

/// Writes one JSON scene.
package struct SceneJSONWriter {
    private typealias Members = [(key: String, value: WrittenJSON)]

    private let source: SceneSource
    private let session: WritingSession

    /// - Throws: `SceneError` for a tree that no file can hold, and for a canvas without a size.
    package static func write(_ source: SceneSource, session: WritingSession) throws -> String {
        try source.checkStates(session)
        guard source.size.width > 0, source.size.height > 0 else {
            throw session.error(
                nil,
                "the scene is \(source.size.width) by \(source.size.height) points; the size of a JSON scene is above 0"
            )
        }
        let writer = SceneJSONWriter(source: source, session: session)
        var members: Members = []
        if !source.name.isEmpty { members.append(("name", .string(source.name))) }
        members.append(("size", writer.json(.numbers(Double(source.size.width), Double(source.size.height)))))
        if source.scale != 1 { members.append(("scale", writer.json(.number(source.scale)))) }
        if let background = source.background { members.append(("background", writer.json(.color(background)))) }
        members.append(("root", try writer.root()))
        if !source.ids.isEmpty { session.warn(nil, "\(source.ids.count) ids are left out: JSON scenes have none") }
        for layer in source.states?.layers ?? [] {
            let count = source.states?.states(of: layer).count ?? 0
            session.warn(layer, "states are left out (\(count)): JSON scenes have none")
        }
        let scene = WrittenJSON.object(members)
        let (count, layers) = (scene.count, source.layerCount)
        guard count <= session.limits.jsonValues, layers <= session.limits.elements else {
            throw session.error(
                nil,
                "the scene has \(layers) layers of \(count) values; a file may have \(session.limits.elements) of \(session.limits.jsonValues)"
            )
        }
        return scene.document
    }

    // MARK: Layers

    private func root() throws -> WrittenJSON {
        var withoutBackground = source
        withoutBackground.background = nil
        if source.isGeometryFlipped, let root = withoutBackground.onlyRoot {
            return try layer(root, standsInCorner: source.placesRootInCorner, isDown: true, depth: 1)
        }
        var members: Members
        if let canvas = source.canvas, withoutBackground.onlyRoot == nil {
            members = own(canvas, standsInCorner: false, isDown: source.isGeometryFlipped)
            members.removeAll { $0.key == "geometryFlipped" }
        } else {
            let (width, height) = (Double(source.size.width), Double(source.size.height))
            members = [("bounds", json(.numbers(0, 0, width, height))), ("anchorPoint", json(.numbers(0, 0)))]
        }
        if !source.isGeometryFlipped { members.append(("geometryFlipped", .plain("true"))) }
        var sublayers: [WrittenJSON] = []
        for root in source.roots {
            sublayers.append(
                try layer(
                    root, standsInCorner: source.placesRootInCorner, isDown: source.isGeometryFlipped, depth: 2))
        }
        if !sublayers.isEmpty { members.append(("sublayers", .array(sublayers))) }
        return .object(members)
    }

    /// - Parameter isDown: The superlayer's y runs down the picture.
    private func layer(_ layer: CALayer, standsInCorner: Bool = false, isDown: Bool, depth: Int) throws -> WrittenJSON {
        try SceneSource.checkDepth(depth, layer, session)
        let isDown = isDown != layer.isGeometryFlipped
        var members = own(layer, standsInCorner: standsInCorner, isDown: isDown)
        if let mask = layer.mask { members.append(("mask", try self.layer(mask, isDown: isDown, depth: depth + 1))) }
        let animations = session.motions(of: layer).map { animation($0.motion, key: $0.key, of: layer) }
        if !animations.isEmpty { members.append(("animations", .array(animations))) }
        var sublayers: [WrittenJSON] = []
        for sublayer in layer.sublayers ?? [] {
            sublayers.append(try self.layer(sublayer, isDown: isDown, depth: depth + 1))
        }
        if !sublayers.isEmpty { members.append(("sublayers", .array(sublayers))) }
        return .object(members)
    }

    /// Without mask, animations and sublayers.
    ///
    /// - Parameter isDown: The layer's own y runs down the picture.
    private func own(_ layer: CALayer, standsInCorner: Bool, isDown: Bool) -> Members {
        let description = LayerDescription(layer, standsInCorner: standsInCorner, session: session)
        var members: Members = []
        if description.className != "CALayer" { members.append(("class", .string(description.className))) }
        for (key, value) in description.values.filter({ $0.key == "name" })
            + description.values.filter({ $0.key != "name" })
        {
            var value = value
            if isDown, key == LayerProperty.contentsGravity.key, case .word(let word) = value,
                let gravity = ContentsGravity(sceneName: word)
            {
                value = .word(gravity.upsideDown.sceneName)
            }
            add(key, value, to: &members, layer)
        }
        if let image = layer.contents as? CGImage, !(layer is CATextLayer && layer.contentsAreDrawn) {
            add("contents", .picture(image), to: &members, layer)
        }
        if let cells = (layer as? CAEmitterLayer)?.emitterCells, !cells.isEmpty {
            members.append(("emitterCells", self.cells(cells, of: layer, depth: 1)))
        }
        for (key, list) in [("filters", layer.filters), ("backgroundFilters", layer.backgroundFilters)] {
            let filters = (list ?? []).compactMap { session.filter($0, of: layer, in: key) }
                .map { object($0, of: layer, in: key) }
            if !filters.isEmpty { members.append((key, .array(filters))) }
        }
        addCompositingFilter(of: layer, to: &members)
        return members
    }

    private func addCompositingFilter(of layer: CALayer, to members: inout Members) {
        switch session.compositing(of: layer) {
        case .filter(let filter):
            members.append(("compositingFilter", object(filter, of: layer, in: "compositingFilter")))
        case .name(let name): members.append(("compositingFilter", .string(name)))
        case nil: break
        }
    }

    private func object(_ filter: CAFilter, of layer: CALayer, in key: String) -> WrittenJSON {
        var members: Members = [("type", .string(filter.type))]
        for (name, value) in ObjectDescription(filter, of: layer, in: key, session: session).values {
            add(name, value, to: &members, layer)
        }
        return .object(members)
    }

    private func cells(_ cells: [CAEmitterCell], of layer: CALayer, depth: Int) -> WrittenJSON {
        var list: [WrittenJSON] = []
        for description in session.cells(cells, of: layer, depth: depth) {
            var members: Members = []
            for (key, value) in description.values { add(key, value, to: &members, layer) }
            if !description.cells.isEmpty {
                members.append(("emitterCells", self.cells(description.cells, of: layer, depth: depth + 1)))
            }
            list.append(.object(members))
        }
        return .array(list)
    }

    // MARK: Animations

    private func animation(_ motion: MotionDescription, key: String?, of layer: CALayer) -> WrittenJSON {
        var members: Members = [("class", .string(motion.className))]
        if let key { members.append(("key", .string(key))) }
        if let path = motion.keyPath { members.append(("keyPath", .string(path))) }
        for (key, value) in motion.values {
            if case .nothing = value {
                session.warn(layer, "animation of \(motion.keyPath ?? ""): a \(key) that is nothing is left out")
                continue
            }
            add(key, value, to: &members, layer)
        }
        if !motion.members.isEmpty {
            members.append(("animations", .array(motion.members.map { animation($0, key: nil, of: layer) })))
        }
        return .object(members)
    }

    // MARK: Values

    /// What can't be said is a warning, and left out.
    private func add(_ key: String, _ value: WrittenValue, to members: inout Members, _ layer: CALayer) {
        switch value {
        case .picture(let image):
            if let name = session.fileName(of: image, for: layer, key: key) { members.append((key, .string(name))) }
        case .list(let values):
            var list: [WrittenJSON] = []
            for case .picture(let image) in values {
                list.append(session.fileName(of: image, for: layer, key: key).map { .string($0) } ?? .plain("null"))
            }
            members.append((key, list.isEmpty ? json(value) : .array(list)))
        default:
            let value = json(value)
            if case .string(let text) = value, text.utf8.count > session.limits.textBytes {
                return session.warn(layer, "\(key) is left out: its text is over \(session.limits.textBytes) bytes")
            }
            members.append((key, value))
        }
    }

    private func json(_ value: WrittenValue) -> WrittenJSON {
        switch value {
        case .nothing, .picture: .plain("null")
        case .flag(let flag): .plain(flag ? "true" : "false")
        case .number(let number): number.hasSuffix("inf") ? .string(number) : .plain(number)
        case .numbers(let numbers): .array(numbers.map { .plain($0) })
        case .color(let c): .array([c.red, c.green, c.blue, c.alpha].map { .plain(NumberText.text($0)) })
        case .transform(let transform): .array(transform.elements.map { .plain(NumberText.text($0)) })
        case .word(let word), .text(let word): .string(word)
        case .path(let path): .string(path.pathData)
        case .curve(let curve):
            curve.sceneName.map { .string($0) } ?? .array(curve.scenePoints.map { .plain($0) })
        case .list(let values): .array(values.map { json($0) })
        }
    }
}
