// From a scene in JSON to layers as values.
//
// A value of the wrong type or size is an error with its place and its key path; a key that is not known, or not drawn yet,
// is a warning. y grows downwards, and the gravities `top` and `bottom` mean the picture's, so they are exchanged wherever
// the layer's own y runs down the picture. Source: docs/scene-json.md.

import Foundation
import LayerModel
import Quartz2D

/// What a JSON scene says besides its layers.
package struct SceneJSON {
    package var name: String?
    /// Points.
    package var size = CGSize.zero
    /// Pixels a point.
    package var scale = 1.0
    package var background: Color?
    package var tree = SceneTree()
}

/// Reads one JSON scene.
package struct SceneJSONReader {
    let json: JSONTree
    private let warnings: SceneWarnings
    private let pictures: PictureLibrary
    private let folder: BundlePath
    private let layerLimit: Int
    let namedParts = NamedParts()

    private struct PendingLayer {
        var value: Int
        var parent: Int
        var path: KeyPathChain
        var isMask = false
        /// True where the layer's own y runs down the picture.
        var isDown: Bool
    }

    /// - Parameter layerLimit: Most layers of the scene.
    /// - Throws: `SceneError` with line, column and key path.
    package static func read(
        _ json: JSONTree, folder: BundlePath, pictures: PictureLibrary, layerLimit: Int, warnings: SceneWarnings
    ) throws -> SceneJSON {
        let reader = SceneJSONReader(
            json: json, warnings: warnings, pictures: pictures, folder: folder, layerLimit: layerLimit)
        return try reader.readScene()
    }

    private func readScene() throws -> SceneJSON {
        guard case .object = json[0].kind else { throw error(0, "a scene is an object, not \(json[0].kind.noun)") }
        let members = members(of: 0)
        var scene = SceneJSON()
        for (key, value) in members { try collect { try readSceneValue(key, value, into: &scene) } }
        if !members.contains(where: { $0.key == "size" }) {
            try collect { throw error(0, "size is missing: [width, height] in points") }
        }
        guard let root = members.last(where: { $0.key == "root" })?.value else {
            throw error(0, "root is missing: the scene's layer")
        }
        scene.tree = try readLayers(from: root)
        if let first = warnings.errors.first { throw first }
        return scene
    }

    /// Goes on after an error, so that one reading finds them all.
    private func collect(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as SceneError {
            guard warnings.add(error) else { throw error }
        }
    }

    private func readSceneValue(_ key: String, _ value: Int, into scene: inout SceneJSON) throws {
        switch key {
        case "size":
            let n = try numbers(value, count: 2, "size")
            guard n[0] > 0, n[1] > 0 else { throw error(value, "size is not above 0") }
            scene.size = CGSize(width: n[0], height: n[1])
        case "scale":
            scene.scale = try number(value, "scale")
            guard scene.scale > 0 else { throw error(value, "scale is not above 0") }
        case "background": scene.background = try color(value, "background")
        case "name":
            if case .string(let name) = json[value].kind { scene.name = name }
        case "root", "format", "expect": break
        default: warnUnknown(value, key, NameHint.near(key, among: ["size", "scale", "background", "name", "root"]))
        }
    }

    private func readLayers(from root: Int) throws -> SceneTree {
        var scene = SceneTree()
        var pending = [PendingLayer(value: root, parent: -1, path: KeyPathChain("root"), isDown: true)]
        while let layer = pending.popLast() {
            guard case .object = json[layer.value].kind else {
                try collect { throw error(layer.value, "\(layer.path) is \(json[layer.value].kind.noun), not a layer") }
                continue
            }
            guard scene.nodes.count < layerLimit else { throw error(layer.value, "more than \(layerLimit) layers") }
            let members = members(of: layer.value)
            let (node, isDown) = try readLayer(layer, members)
            let index = scene.append(node)
            if let mask = members.last(where: { $0.key == "mask" })?.value, json[mask].kind != .null {
                pending.append(
                    PendingLayer(
                        value: mask, parent: index, path: layer.path.appending(".mask"), isMask: true, isDown: isDown))
            }
            guard let list = members.last(where: { $0.key == "sublayers" })?.value, json[list].kind != .null else {
                continue
            }
            guard case .array = json[list].kind else {
                try collect {
                    throw error(list, "\(layer.path).sublayers is \(json[list].kind.noun), not a list of layers")
                }
                continue
            }
            let children = Array(json.children(of: list))
            for (position, child) in children.enumerated().reversed() {
                pending.append(
                    PendingLayer(
                        value: child, parent: index, path: layer.path.appending(".sublayers[\(position)]"),
                        isDown: isDown))
            }
        }
        return scene
    }

    private func readLayer(_ layer: PendingLayer, _ members: [(key: String, value: Int)]) throws -> (
        SceneNode, isDown: Bool
    ) {
        var node = SceneNode(parent: layer.parent)
        node.isMask = layer.isMask
        var className = "CALayer"
        // What other keys mean depends on it.
        if let value = members.last(where: { $0.key == "class" })?.value {
            try collect { node.layerClass = try layerClass(value, layer.path) }
            if case .string("CATextLayer") = json[value].kind { node.text = SceneText() }
            if case .string(let name) = json[value].kind {
                node.client.layerClass = SceneClientClass(rawValue: name)
                className = name
            }
        }
        var isIsolated = false
        for (key, value) in members {
            try collect { try readValue(key, value, of: layer, className, into: &node, isIsolated: &isIsolated) }
        }
        let parts = NameableParts(node)
        for reference in namedParts.take() {
            guard let lack = parts.lack(of: reference.target) else { continue }
            warn(reference.offset, "\(reference.message)\(lack)\(reference.subject)")
            reference.animation?.isFaultReported = true
        }
        if isIsolated { node.isolate() }
        let isDown = layer.isDown != (node.value(of: .geometryFlipped) == .bool(true))
        if isDown {
            node.settings = node.settings.map { setting in
                guard setting.property == .contentsGravity, case .code(let code) = setting.value,
                    let gravity = ContentsGravity(rawValue: code)
                else { return setting }
                return SceneNode.Setting(property: .contentsGravity, value: .code(gravity.upsideDown.rawValue))
            }
        }
        return (node, isDown)
    }

    private func readValue(
        _ key: String, _ value: Int, of layer: PendingLayer, _ className: String, into node: inout SceneNode,
        isIsolated: inout Bool
    ) throws {
        let place = { "\(layer.path).\(key)" }
        switch key {
        case "class", "sublayers", "mask": return
        case "contents":
            node.image = try image(value, place(), without: "nothing is drawn for it")
            return
        case "emitterCells" where node.layerClass == .emitterLayer:
            node.emitterCells = try cells(value, place())
            return
        case "filters":
            node.filters = try filters(value, place())
            return
        case "backgroundFilters":
            node.backgroundFilters = try filters(value, place())
            return
        case "compositingFilter":
            try readCompositingFilter(value, place(), into: &node)
            return
        case "animations":
            node.animations = try animations(value, place(), of: (node.layerClass, className))
            return
        case "isolate":
            isIsolated = try flag(value, place())
            return
        default: break
        }
        let meaning = SceneJSONReader.meaning(of: key, in: node.layerClass)
        if case .property(let property) = meaning {
            node.set(property, try self.value(of: property, value, place()))
        } else if case .backdropEnabled = meaning {
            node.backdropIsEnabled = try flag(value, place())
        } else if case .text(let textKey) = meaning {
            guard node.text != nil else {
                warn(json[value].keyOffset, "\(layer.path).\(key) is ignored: only a CATextLayer has it")
                return
            }
            switch textKey.kind {
            case .number: node.text?.set(textKey, NSNumber(value: try number(value, place())))
            case .flag: node.text?.set(textKey, NSNumber(value: try flag(value, place())))
            case .color: node.text?.setColor(try color(value, place()))
            default: node.text?.set(textKey, try string(value, place()))
            }
        } else if case .client(let clientKey) = meaning {
            guard node.client.has(clientKey) else {
                warn(
                    json[value].keyOffset,
                    "\(layer.path).\(key) is ignored: only a \(clientKey.owner?.rawValue ?? "CALayer") has it")
                return
            }
            node.client.set(clientKey, try self.value(of: clientKey, value, place()))
        } else if case .elsewhere(let classes, _) = meaning {
            guard !isEmpty(value) else { return }
            warn(json[value].keyOffset, "\(layer.path).\(key) is ignored: only \(NameHint.only(classes)) it")
        } else if case .later(let feature, _) = meaning {
            guard !isEmpty(value) else { return }
            warn(json[value].keyOffset, "\(layer.path).\(key) is ignored: not drawn yet (\(feature))")
        } else if key == "frame" {
            warn(json[value].keyOffset, "\(layer.path).frame is ignored: write bounds and position")
        } else {
            warnUnknown(value, "\(layer.path).\(key)", NameHint.layerKey(key, in: node.layerClass))
        }
    }

    /// What a key means, by CAML's names.
    package static func meaning(of key: String, in layerClass: LayerClass = .layer) -> CAMLMeaning {
        switch key {
        case "states", "stateTransitions", "modules", "scriptObject", "scriptObjects", "scriptComponents",
            "shadowPathIsBounds", "invertsShadow":
            return .unknown
        default: return CAMLVocabulary.meaning(of: key, in: layerClass)
        }
    }

    private func layerClass(_ value: Int, _ path: KeyPathChain) throws -> LayerClass {
        guard case .string(let name) = json[value].kind else {
            throw error(value, "\(path).class is \(json[value].kind.noun), not a class name")
        }
        if let known = CAMLVocabulary.layerClass(named: name) { return known }
        if let feature = CAMLVocabulary.laterClasses[name] {
            warn(json[value].offset, "\(path): \(name) is drawn as a plain layer: not drawn yet (\(feature))")
        } else {
            warn(
                json[value].offset,
                "\(path): \(name.prefix(60)) is not a known layer class"
                    + NameHint.near(name, among: CAMLVocabulary.layerClassNames) + "; it is drawn as a plain layer")
        }
        return .layer
    }

    /// The image of a file; nil for null, and after a warning that says what the layer is without it.
    func image(_ value: Int, _ path: String, without consequence: String) throws -> CGImage? {
        switch json[value].kind {
        case .null: return nil
        case .string(let source):
            do throws(PictureFault) {
                return try pictures.image(source, from: folder)
            } catch {
                warn(json[value].offset, "\(path): \(error.message); \(consequence)")
                return nil
            }
        default: throw error(value, "\(path) is \(json[value].kind.noun), not the name of an image file")
        }
    }

    // MARK: Values

    private func value(of property: LayerProperty, _ value: Int, _ path: String) throws -> PropertyValue {
        let kind = json[value].kind
        switch property.kind {
        case .bool: return .bool(try flag(value, path))
        case .number: return .number(try number(value, path))
        case .point:
            let n = try numbers(value, count: 2, path)
            return .point(Point(n[0], n[1]))
        case .rect:
            let n = try numbers(value, count: 4, path)
            return .rect(Rect(n[0], n[1], n[2], n[3]))
        case .transform:
            let transform = Transform(elements: try numbers(value, count: 16, path)) ?? .identity
            guard transform.isFinite else { throw error(value, "\(path) is too large") }
            return .transform(transform)
        case .color: return .color(try color(value, path))
        case .string:
            return .string(kind == .null ? nil : try string(value, path))
        case .code: return .code(try code(of: property, value, path))
        case .path:
            if kind == .null || kind == .string("") { return .path(nil) }
            guard case .string(let text) = kind else {
                throw error(value, "\(path) is \(kind.noun), not SVG path data")
            }
            do throws(ScalarFault) {
                return .path(try PathSyntax.path(text))
            } catch {
                throw self.error(value, "\(path) \(error.message)")
            }
        case .numbers:
            if kind == .null { return .numbers([]) }
            guard let numbers = json.numbers(of: value), numbers.count <= property.mostValues else {
                throw error(
                    value, "\(path) is \(kind.noun), not a list of at most \(property.mostValues) numbers")
            }
            return .numbers(numbers)
        case .colors:
            if kind == .null { return .colors([]) }
            guard case .array(let count) = kind, count <= property.mostValues else {
                throw error(value, "\(path) is \(kind.noun), not a list of at most \(property.mostValues) colors")
            }
            var colors: [Color] = []
            for (number, item) in json.children(of: value).enumerated() {
                guard let color = try color(item, "\(path)[\(number)]") else {
                    throw error(item, "\(path)[\(number)] is null, not a color")
                }
                colors.append(color)
            }
            return .colors(colors)
        case .image, .layer, .filters, .cells: throw error(value, "\(path) is not a value")
        }
    }

    private func value(of key: SceneClientKey, _ value: Int, _ path: String) throws -> Any {
        do throws(ScalarFault) {
            switch key.kind {
            case .string: return try key.value(of: (try? string(value, path)) ?? "")
            case .size: return try key.value(of: json.numbers(of: value) ?? [])
            default: return try key.value(of: (try? number(value, path)) ?? .infinity)
            }
        } catch {
            throw self.error(value, "\(path) \(error.message)")
        }
    }

    func flag(_ value: Int, _ path: String) throws -> Bool {
        guard case .bool(let flag) = json[value].kind else {
            throw error(value, "\(path) is \(json[value].kind.noun), not true or false")
        }
        return flag
    }

    func string(_ value: Int, _ path: String) throws -> String {
        guard case .string(let string) = json[value].kind else {
            throw error(value, "\(path) is \(json[value].kind.noun), not a string")
        }
        return string
    }

    private func code(of property: LayerProperty, _ value: Int, _ path: String) throws -> UInt8 {
        switch json[value].kind {
        case .string(let name) where !property.isBitSet:
            if let code = property.code(named: name) { return code }
        case .number(let number) where property.isBitSet:
            if let bits = Int(exactly: number), (0...15).contains(bits) { return UInt8(bits) }
        case .array where property.isBitSet:
            var bits: UInt8 = 0
            for child in json.children(of: value) {
                guard case .string(let name) = json[child].kind, let bit = property.code(named: name) else {
                    throw error(child, "\(path) holds something else than: \(property.codeNames)")
                }
                bits |= bit
            }
            return bits
        default: break
        }
        throw error(value, "\(path) is not one of: \(property.codeNames)")
    }

    func number(_ value: Int, _ path: String) throws -> Double {
        guard case .number(let number) = json[value].kind else {
            throw error(value, "\(path) is \(json[value].kind.noun), not a number")
        }
        return number
    }

    func numbers(_ value: Int, count: Int, _ path: String) throws -> [Double] {
        guard let numbers = json.numbers(of: value), numbers.count == count else {
            throw error(value, "\(path) is \(json[value].kind.noun), not a list of \(count) numbers")
        }
        return numbers
    }

    func color(_ value: Int, _ path: String) throws -> Color? {
        if json[value].kind == .null { return nil }
        guard let n = json.numbers(of: value), n.count == 4 else {
            throw error(value, "\(path) is \(json[value].kind.noun), not a color: [red, green, blue, alpha] or null")
        }
        return Color(n[0], n[1], n[2], n[3])
    }

    // MARK: Objects and messages

    /// The members of an object: of a key written twice, the last, after a warning at it.
    func members(of object: Int) -> [(key: String, value: Int)] {
        var members: [(key: String, value: Int)] = []
        var places: [String: Int] = [:]
        for child in json.children(of: object) {
            let key = json[child].key ?? ""
            if let place = places[key] {
                warn(json[child].keyOffset, "\"\(key.prefix(60))\" is written twice; the last one counts")
                members[place].value = child
            } else {
                places[key] = members.count
                members.append((key, child))
            }
        }
        return members
    }

    /// Null, false, "", [] and {}: nothing would be drawn for it either.
    private func isEmpty(_ value: Int) -> Bool {
        switch json[value].kind {
        case .null, .bool(false), .string(""), .array(0), .object(0): true
        default: false
        }
    }

    /// - Parameter hint: What may have been meant.
    func warnUnknown(_ value: Int, _ path: String, _ hint: @autoclosure () -> String = "") {
        warn(json[value].keyOffset, "the key \(path.suffix(200)) is not known\(hint()); it is ignored")
    }

    func warn(_ offset: Int, _ message: @autoclosure () -> String) {
        warnings.add(json.text, at: offset, message())
    }

    func error(_ value: Int, _ message: String) -> SceneError {
        json.text.error(at: json[value].offset, message)
    }
}

extension SceneNode {
    /// An opacity just below its own: the layer is a group, and no pixel differs for it.
    fileprivate mutating func isolate() {
        guard case .number(let opacity) = value(of: .opacity) else { return }
        set(.opacity, .number(opacity * 0.99999))
    }
}

/// A key path such as "root.sublayers[2]", written out only when a message needs it.
private final class KeyPathChain: CustomStringConvertible {
    private let parent: KeyPathChain?
    private let piece: String

    init(_ piece: String, parent: KeyPathChain? = nil) {
        self.piece = piece
        self.parent = parent
    }

    func appending(_ piece: String) -> KeyPathChain {
        KeyPathChain(piece, parent: self)
    }

    var description: String {
        var pieces: [String] = []
        var link: KeyPathChain? = self
        while let current = link {
            pieces.append(current.piece)
            link = current.parent
        }
        return pieces.reversed().joined()
    }
}
