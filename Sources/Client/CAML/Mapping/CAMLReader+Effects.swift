// Masks and filters of a CAML layer.
//
// A mask is a layer in `<mask>`, or `<mask type="CALayer" …>` itself. A filter is `<CAFilter filter="…" name="…"
// inputRadius="…"/>`, its inputs attributes or elements; `<filters>` holds a list of them, `<compositingFilter>` is one. What is
// not known is left out, with a warning and nothing else. Source: the semantic reference, §6.14 and §8.2 to §8.4; the
// measured facts, X3 and F4.

import CoreAnimation
import LayerModel

extension CAMLReader {
    func readMask(_ index: Int, into below: inout LayersBelow) {
        let element = tree[index]
        guard element.hasChildren || !element.attributes.isEmpty else { return }
        var found: Int?
        if let type = element.attribute("type")?.value, CAMLVocabulary.isLayer(type) {
            found = index
        } else if element.attribute("type")?.value == "null" {
            return
        } else {
            for child in tree.children(of: index) {
                if CAMLVocabulary.isLayer(tree[child].name), found == nil {
                    found = child
                } else {
                    reportSkipped(child, "<\(tree[child].name)> in <mask> is ignored: a mask is one layer")
                }
            }
        }
        guard let found else {
            return reportSkipped(index, "<mask> is ignored: it holds no layer, such as <CALayer …>")
        }
        if below.mask != nil {
            return reportSkipped(index, "this <mask> is ignored: the layer has one already")
        }
        below.mask = found
    }

    func readFilters(_ index: Int) -> [CAFilter] {
        var filters: [CAFilter] = []
        for child in tree.children(of: index) {
            guard let filter = readFilter(child), isKnown(filter, at: child) else { continue }
            filters.append(filter)
        }
        return filters
    }

    /// A filter that a state adds; nil after a report.
    func readFilterObject(_ index: Int) -> CAFilter? {
        guard let filter = readFilter(index), isKnown(filter, at: index) else { return nil }
        return filter
    }

    private func isKnown(_ filter: CAFilter, at index: Int) -> Bool {
        if FilterVocabulary.isKnown(filter.type) { return true }
        let hint = NameHint.near(filter.type, among: FilterVocabulary.types)
        reportSkipped(index, "the filter \(filter.type.prefix(60)) is not known\(hint); it is left out")
        return false
    }

    func readCompositingFilter(_ index: Int, into node: inout SceneNode) {
        let element = tree[index]
        if element.attribute("type")?.value == "null" { return }
        var place = index
        if element.attribute("filter") == nil, element.attribute("value") == nil,
            let inner = tree.children(of: index).first(where: { tree[$0].attribute("filter") != nil })
        {
            place = inner
        }
        guard let filter = readFilter(place) else { return }
        guard CompositingMode(filterName: filter.type) != nil else {
            let hint = NameHint.compositing(filter.type)
            return warn(place, "the compositing filter \(filter.type.prefix(60)) is not known\(hint); it is left out")
        }
        node.compositingFilter = filter
    }

    /// Nil, after a warning, for an element that names no type of filter.
    private func readFilter(_ index: Int) -> CAFilter? {
        let element = tree[index]
        // `type` of a property element is its class.
        var type = element.attribute("filter") ?? element.attribute("value")
        if type == nil, element.name == "CAFilter" { type = element.attribute("type") }
        guard let type else {
            warn(index, "<\(element.name)> names no type of filter (filter); it is left out")
            return nil
        }
        let filter = CAFilter(type: String(ScalarSyntax.trim(type.value)))
        for attribute in element.attributes where attribute.offset != type.offset && attribute.name != "type" {
            set(attribute, attribute.value, of: filter, in: element.name)
        }
        for child in tree.children(of: index) { readInput(child, into: filter) }
        return filter
    }

    private func readInput(_ index: Int, into filter: CAFilter) {
        let element = tree[index]
        if let input = LayerFilter.Input(name: element.name),
            let lack = FilterVocabulary.lack(of: input, in: filter.type)
        {
            return warn(index, "\(element.name) \(lack); it is ignored")
        }
        if let source = element.attribute("src"), LayerFilter.Input(name: element.name) == .inputMaskImage {
            return setImage(source, of: filter)
        }
        if LayerFilter.Input(name: element.name) == .inputColor {
            if case .some(let color?) = readColor(index)?.value { filter.set(.inputColor, .color(color)) }
            return
        }
        guard let value = element.attribute("value") else {
            return warn(index, "<\(element.name)> has no value attribute; it is ignored")
        }
        let place = MarkupAttribute(name: element.name, value: value.value, offset: element.offset)
        set(place, value.value, of: filter, in: filter.type)
    }

    /// Sets what an attribute says of a filter.
    private func set(_ place: MarkupAttribute, _ value: String, of filter: CAFilter, in holder: String) {
        let name = place.name
        do throws(ScalarFault) {
            switch name {
            case "name": filter.name = value
            case "enabled": filter.isEnabled = try ScalarSyntax.boolean(value)
            case _ where FilterVocabulary.unaffecting.contains(name): break
            default:
                guard let input = LayerFilter.Input(name: name) else {
                    let hint = NameHint.near(name, among: FilterVocabulary.inputs)
                    return warn(
                        place, "the attribute \(name.prefix(60)) of <\(holder)> is not known\(hint); it is ignored")
                }
                if let lack = FilterVocabulary.lack(of: input, in: filter.type) {
                    return warn(place, "\(name) \(lack); it is ignored")
                }
                switch FilterInputKind(input) {
                case .number: filter.set(input, .number(try ScalarSyntax.number(value)))
                case .flag: filter.set(input, .flag(try ScalarSyntax.boolean(value)))
                case .color: filter.set(input, .color(try ScalarSyntax.color(value)))
                case .matrix: filter.set(input, .numbers(try ScalarSyntax.numbers(value, count: 20)))
                case .size:
                    let n = try ScalarSyntax.numbers(value, count: 2)
                    filter.set(input, .point(Point(n[0], n[1])))
                case .image: setImage(MarkupAttribute(name: name, value: value, offset: place.offset), of: filter)
                }
            }
        } catch {
            warn(place, "\(name)=\"\(value.prefix(60))\" \(error.message); it is ignored")
        }
    }

    private func setImage(_ source: MarkupAttribute, of filter: CAFilter) {
        do throws(PictureFault) {
            filter.setValue(try pictures.image(source.value, from: folder), forKey: "inputMaskImage")
        } catch {
            warn(source, error.message + "; the filter has no image")
        }
    }
}
