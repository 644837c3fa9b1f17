// From the elements of a CAML file to layers as values.
//
// Every element and attribute of a layer is either set on the layer, known to make no difference, or reported: nothing is
// passed over in silence. The walk keeps its own stack, so a deep file costs memory, never the thread's stack.
// Source: the semantic reference, §8; the measured facts, X1 to X3, F5.

import LayerModel

/// Reads the layers of one CAML file.
package struct CAMLReader {
    let tree: MarkupTree
    let warnings: SceneWarnings
    let pictures: PictureLibrary
    /// The folder that `src` starts from.
    let folder: BundlePath
    /// The first element of each id.
    let elementsByID: [String: Int]
    /// Of animations and states.
    let motionBudget = MotionBudget()
    let subject = AnimationSubject()
    let namedParts = NamedParts()

    /// - Throws: `SceneError` if the file holds no layer.
    package static func read(
        _ tree: MarkupTree, folder: BundlePath, pictures: PictureLibrary, warnings: SceneWarnings
    ) throws -> SceneTree {
        let reader = CAMLReader(tree: tree, folder: folder, pictures: pictures, warnings: warnings)
        return reader.readLayers(from: try reader.rootLayer())
    }

    private init(tree: MarkupTree, folder: BundlePath, pictures: PictureLibrary, warnings: SceneWarnings) {
        self.tree = tree
        self.folder = folder
        self.pictures = pictures
        self.warnings = warnings
        var elementsByID: [String: Int] = [:]
        for (index, element) in tree.elements.enumerated() {
            guard let id = element.attribute("id")?.value, !id.isEmpty, elementsByID[id] == nil else { continue }
            elementsByID[id] = index
        }
        self.elementsByID = elementsByID
    }

    func warn(_ element: Int, _ message: @autoclosure () -> String) {
        warnings.add(tree.text, at: tree[element].offset, message() + subject.text)
    }

    func warn(_ attribute: MarkupAttribute, _ message: @autoclosure () -> String) {
        warnings.add(tree.text, at: attribute.offset, message() + subject.text)
    }

    // MARK: Layers

    private func rootLayer() throws -> Int {
        let top = tree[0]
        if CAMLVocabulary.isLayer(top.name) {
            warn(0, "<\(top.name)> is the file's root; <caml> is expected around it")
            return 0
        }
        guard top.name == "caml" else {
            throw tree.text.error(at: top.offset, "<\(top.name)> is not a layer file; <caml> is expected")
        }
        var root: Int?
        for child in tree.children(of: 0) {
            let element = tree[child]
            guard CAMLVocabulary.isLayer(element.name) else {
                reportSkipped(child, "the element <\(element.name)> is ignored: it is not a layer")
                continue
            }
            if root == nil {
                root = child
            } else {
                reportSkipped(child, "<\(element.name)> is ignored: a CAML file has one root layer")
            }
        }
        guard let root else { throw tree.text.error(at: top.offset, "<caml> holds no layer, such as <CALayer …>") }
        return root
    }

    private func readLayers(from root: Int) -> SceneTree {
        var scene = SceneTree()
        var pending = [(element: root, parent: -1, place: Place.sublayer)]
        while let (element, parent, place) = pending.popLast() {
            var node = SceneNode(parent: parent)
            node.isMask = place == .mask
            node.isDetached = place == .detached
            node.element = element
            var below = LayersBelow()
            readLayer(element, into: &node, below: &below)
            let index = scene.append(node)
            for layer in below.detached.reversed() { pending.append((layer, index, .detached)) }
            if let mask = below.mask { pending.append((mask, index, .mask)) }
            for sublayer in below.sublayers.reversed() { pending.append((sublayer, index, .sublayer)) }
        }
        scene.lookUp(namedParts.take()) { warnings.add(tree.text, at: $0, $1) }
        return scene
    }

    /// How a layer hangs on the one before it.
    private enum Place {
        case sublayer
        case mask
        /// In one of its states.
        case detached
    }

    /// The elements of the layers that a layer holds.
    struct LayersBelow {
        var sublayers: [Int] = []
        var mask: Int?
        var detached: [Int] = []
    }

    private func readLayer(_ index: Int, into node: inout SceneNode, below: inout LayersBelow) {
        let element = tree[index]
        node.layerClass = layerClass(of: index)
        if className(of: index) == "CATextLayer" { node.text = SceneText() }
        node.client.layerClass = SceneClientClass(rawValue: className(of: index))
        node.id = element.attribute("id")?.value
        if element.hasText { warn(index, "text in <\(element.name)> is ignored") }
        var painting = ContentsPainting()
        for attribute in element.attributes where element.name != "mask" || attribute.name != "type" {
            apply(attribute, named: attribute.name, value: attribute.value, to: &node, painting: &painting)
        }
        for child in tree.children(of: index) {
            readChild(child, into: &node, below: &below, painting: &painting)
        }
        readContents(painting, into: &node)
    }

    /// A mask may be its own element, of the class that it names.
    private func className(of index: Int) -> String {
        let element = tree[index]
        return element.name == "mask" ? element.attribute("type")?.value ?? "CALayer" : element.name
    }

    private func layerClass(of index: Int) -> LayerClass {
        let name = className(of: index)
        if let known = CAMLVocabulary.layerClass(named: name) { return known }
        if let feature = CAMLVocabulary.laterClasses[name] {
            warn(index, "\(name) is drawn as a plain layer: not drawn yet (\(feature))")
        } else {
            let hint = NameHint.near(name, among: CAMLVocabulary.layerClassNames)
            warn(index, "\(name) is not a known layer class\(hint); it is drawn as a plain layer")
        }
        return .layer
    }

    private func readChild(
        _ child: Int, into node: inout SceneNode, below: inout LayersBelow, painting: inout ContentsPainting
    ) {
        let element = tree[child]
        switch element.name {
        case "sublayers":
            for sublayer in tree.children(of: child) {
                if CAMLVocabulary.isLayer(tree[sublayer].name) {
                    below.sublayers.append(sublayer)
                } else {
                    reportSkipped(sublayer, "<\(tree[sublayer].name)> is ignored: it is not a layer")
                }
            }
        case "contents":
            painting.element = child
        case "mask":
            readMask(child, into: &below)
        case "filters":
            node.filters = readFilters(child)
        case "backgroundFilters":
            node.backgroundFilters = readFilters(child)
        case "compositingFilter":
            readCompositingFilter(child, into: &node)
        case "animations":
            note(subjectLayer: node.element)
            node.animations += readAnimations(child, of: node.layerClass)
        case "states":
            node.states += readStates(child, of: node.element, detached: &below.detached)
        case "stateTransitions":
            node.stateTransitions += readStateTransitions(child, of: node.element)
        case "modules", "scriptComponents":
            reportCollection(child)
        default:
            if CAMLVocabulary.isLayer(element.name) {
                reportSkipped(child, "<\(element.name)> is ignored: a sublayer belongs in <sublayers>")
            } else {
                readPropertyElement(child, into: &node, painting: &painting)
            }
        }
    }

    // MARK: Properties

    /// Sets what one name and value say. `place` is where a warning points.
    private func apply(
        _ place: MarkupAttribute, named name: String, value: String, to node: inout SceneNode,
        painting: inout ContentsPainting
    ) {
        do throws(ScalarFault) {
            switch CAMLVocabulary.meaning(of: name, in: node.layerClass) {
            case .property(let property):
                node.set(property, try ScalarSyntax.value(of: property, value))
            case .shadowPathIsBounds:
                node.boundsCastShadow = try ScalarSyntax.boolean(value)
            case .backdropEnabled:
                node.backdropIsEnabled = try ScalarSyntax.boolean(value)
            case .continuousCorners:
                let curve: CornerCurve = try ScalarSyntax.boolean(value) ? .continuous : .circular
                node.set(.cornerCurve, .code(curve.rawValue))
            case .multiplyColor:
                painting.multiply = try ScalarSyntax.color(value)
            case .text(let key):
                guard node.text != nil else {
                    return warn(place, "\(name) is ignored: only a CATextLayer has it")
                }
                try node.text?.set(key, from: value)
            case .client(let key):
                guard node.client.has(key) else {
                    return warn(place, "\(name) is ignored: only a \(key.owner?.rawValue ?? "CALayer") has it")
                }
                node.client.set(key, try key.value(from: value))
            case .noEffect:
                break
            case .elsewhere(let classes, let neutral):
                guard !CAMLReader.isNeutral(value, among: neutral) else { break }
                warn(place, "\(name) is ignored: only \(NameHint.only(classes)) it")
            case .later(let feature, let neutral):
                guard !CAMLReader.isNeutral(value, among: neutral) else { break }
                warn(place, "\(name)=\"\(value.prefix(60))\" is ignored: not drawn yet (\(feature))")
            case .unknown where name == "contents":
                painting.source = place
            case .unknown where name.contains("."):
                try applyKeyPath(place, named: name, value: value, to: &node)
            case .unknown:
                let hint = NameHint.layerKey(name, in: node.layerClass)
                warn(place, "the attribute \(name) is not known\(hint); it is ignored")
            }
        } catch {
            warn(place, "\(name)=\"\(value.prefix(60))\" \(error.message); it is ignored")
        }
    }

    private func applyKeyPath(
        _ place: MarkupAttribute, named name: String, value: String, to node: inout SceneNode
    ) throws(ScalarFault) {
        guard KeyPathSyntax.isSettable(name) else {
            warn(
                place, "the key path \(name) is not known\(NameHint.keyPath(name, in: node.layerClass)); it is ignored")
            return
        }
        if name.hasSuffix(".translation") {
            let n = try ScalarSyntax.numbers(value, count: 1...2)
            node.keyPaths.append(.init(keyPath: name + ".x", value: n[0]))
            if n.count == 2 { node.keyPaths.append(.init(keyPath: name + ".y", value: n[1])) }
        } else {
            node.keyPaths.append(.init(keyPath: name, value: try ScalarSyntax.number(value)))
        }
    }

    private func readPropertyElement(
        _ index: Int, into node: inout SceneNode, painting: inout ContentsPainting
    ) {
        let element = tree[index]
        let place = MarkupAttribute(name: element.name, value: "", offset: element.offset)
        switch CAMLVocabulary.meaning(of: element.name, in: node.layerClass) {
        case .noEffect:
            break
        case .later(let feature, let neutral):
            if let value = element.attribute("value")?.value, CAMLReader.isNeutral(value, among: neutral) { return }
            guard element.hasChildren || !element.attributes.isEmpty || element.hasText else { return }
            reportSkipped(index, "<\(element.name)>\(detail(of: index)) is ignored: not drawn yet (\(feature))")
        case .elsewhere(let classes, let neutral):
            if let value = element.attribute("value")?.value, CAMLReader.isNeutral(value, among: neutral) { return }
            reportSkipped(
                index, "<\(element.name)>\(detail(of: index)) is ignored: only \(NameHint.only(classes)) it")
        case .property(let property) where property.kind == .color:
            guard let color = readColor(index) else { break }
            node.set(property, .color(color.value))
        case .multiplyColor:
            painting.multiply = readColor(index)?.value
        case .text(.foregroundColor) where node.text != nil:
            if let color = readColor(index) { node.text?.setColor(color.value) }
        case .text where element.attribute("type")?.value == "null":
            break
        case .property(let property) where property.kind == .path && element.attribute("type")?.value == "null":
            node.set(property, .path(nil))
        case .property(let property) where property.kind == .numbers && element.attribute("value") == nil:
            readNumbers(index, property, into: &node)
        case .property(.colors): readColors(index, into: &node)
        case .property(.emitterCells): readCells(index, into: &node)
        case .property, .continuousCorners, .shadowPathIsBounds, .backdropEnabled, .text, .client:
            guard let value = element.attribute("value") else {
                warn(index, "<\(element.name)> has no value attribute; it is ignored")
                return
            }
            var valuePlace = place
            valuePlace.offset = value.offset
            apply(valuePlace, named: element.name, value: value.value, to: &node, painting: &painting)
        case .unknown:
            let hint = NameHint.layerKey(element.name, in: node.layerClass)
            reportSkipped(index, "the element <\(element.name)> is not known\(hint); it is ignored")
        }
    }

    /// A list of elements with a number each.
    private func readNumbers(_ index: Int, _ property: LayerProperty, into node: inout SceneNode) {
        guard tree[index].attribute("type")?.value != "null" else { return node.set(property, .numbers([])) }
        var pieces: [String] = []
        for child in tree.children(of: index) {
            guard let value = tree[child].attribute("value") else {
                warn(child, "<\(tree[child].name)> has no value attribute; <\(tree[index].name)> is ignored")
                return
            }
            pieces.append(value.value)
        }
        do throws(ScalarFault) {
            node.set(property, try ScalarSyntax.value(of: property, pieces.joined(separator: " ")))
        } catch {
            warn(index, "<\(tree[index].name)> \(error.message); it is ignored")
        }
    }

    /// A list of `CGColor` elements.
    private func readColors(_ index: Int, into node: inout SceneNode) {
        guard tree[index].attribute("type")?.value != "null" else { return node.set(.colors, .colors([])) }
        var colors: [Color] = []
        for child in tree.children(of: index) {
            guard let color = readColor(child)?.value else { return }
            colors.append(color)
        }
        guard colors.count <= GradientProperties.mostStops else {
            return warn(
                index,
                "<colors> has \(colors.count) colors, at most \(GradientProperties.mostStops) are allowed; it is ignored"
            )
        }
        node.set(.colors, .colors(colors))
    }

    /// The color of `<backgroundColor value="r g b" opacity="a"/>` or of a `<CGColor …/>` in it; nil after a warning.
    func readColor(_ index: Int) -> (value: Color?, Void)? {
        var element = tree[index]
        if element.attribute("value") == nil,
            let inner = tree.children(of: index).first(where: { tree[$0].name == "CGColor" })
        {
            element = tree[inner]
        }
        if element.attribute("type")?.value == "null" || element.name == "null" { return (nil, ()) }
        guard let value = element.attribute("value") else {
            warn(index, "<\(tree[index].name)> has no value attribute; it is ignored")
            return nil
        }
        var place = value
        do throws(ScalarFault) {
            var color = try ScalarSyntax.color(value.value)
            if let opacity = element.attribute("opacity") {
                place = opacity
                color.alpha *= try ScalarSyntax.number(opacity.value)
            }
            return (color, ())
        } catch {
            warn(
                place,
                "\(place.name)=\"\(place.value.prefix(60))\" of <\(tree[index].name)> \(error.message); it is ignored")
            return nil
        }
    }

    /// True for a value that makes no difference: compared as numbers where both are.
    static func isNeutral(_ value: String, among neutral: [String]) -> Bool {
        let trimmed = ScalarSyntax.trim(value)
        let number = try? ScalarSyntax.anyNumber(trimmed)
        return neutral.contains { candidate in
            trimmed == candidate || (number != nil && number == (try? ScalarSyntax.anyNumber(candidate)))
                || (candidate == "0" && ["false", "NO"].contains(trimmed))
                || (candidate == "1" && ["true", "YES"].contains(trimmed))
        }
    }
}
