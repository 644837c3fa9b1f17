// Values of animations and states: `<real value="…"/>`, `<CGPoint value="x y"/>`, `<CGColor value="r g b" opacity="a"/>`,
// `<CGImage src="…"/>`, … What a value is, the key path says; the element's own name or type is not needed for it.
// Source: the semantic reference, §8.2 and §8.3.

import CoreAnimation
import Foundation
import LayerModel

extension CAMLReader {
    /// The object that key-value access takes, `NSNull` for nothing; nil after a report.
    func readValue(_ index: Int, as kind: SceneValueKind) -> Any? {
        guard motionBudget.take(1, report: { reportBudget(index) }),
            var index = followingReference(index, "the value")
        else { return nil }
        // `<fromValue><real value="1"/></fromValue>` is the value in it.
        for _ in 0..<4 {
            guard tree[index].attribute("value") == nil, tree[index].attribute("src") == nil,
                let inner = tree.children(of: index).first(where: { _ in true }), !isList(kind, index)
            else { break }
            guard let next = followingReference(inner, "the value") else { return nil }
            index = next
        }
        let element = tree[index]
        if element.name == "null" || element.attribute("type")?.value == "null" {
            if kind.takesNull { return NSNull() }
            warn(index, "<\(element.name)> is nothing where a value is expected; it is left out")
            return nil
        }
        if kind == .image {
            guard let source = element.attribute("src") ?? element.attribute("value") else {
                warn(index, "<\(element.name)> names no image file (src); nothing is drawn for it")
                return NSNull()
            }
            return readPicture(source)
        }
        if kind == .color {
            guard let read = readColor(index) else { return nil }
            return read.value.map { CGColor($0) } ?? NSNull()
        }
        if element.attribute("value") == nil {
            switch kind {
            case .numbers(let count): return readNumbers(index, count: count)
            case .list(let property): return readList(index, most: property.mostValues, of: .number)
            case .colors: return readList(index, most: LayerProperty.colors.mostValues, of: .color)
            default: break
            }
        }
        guard let value = element.attribute("value") else {
            warn(index, "<\(element.name)> has no value attribute; it is left out")
            return nil
        }
        do throws(ScalarFault) {
            return try kind.object(value.value)
        } catch {
            warn(value, "value=\"\(value.value.prefix(60))\" of <\(element.name)> \(error.message); it is left out")
            return nil
        }
    }

    /// The list itself, not what holds it.
    private func isList(_ kind: SceneValueKind, _ index: Int) -> Bool {
        if kind == .colors || kind.isList {
            return tree.children(of: index).first { _ in true }.map { tree[$0].attribute("value") != nil } ?? false
        }
        guard case .numbers(let count) = kind else { return false }
        return tree.children(of: index).reduce(0) { total, _ in total + 1 } >= min(count, 2)
    }

    /// A list of any length; nil after a report.
    private func readList(_ index: Int, most: Int, of kind: SceneValueKind) -> [Any]? {
        var list: [Any] = []
        for child in tree.children(of: index) {
            guard list.count < most else {
                warn(index, "<\(tree[index].name)> has more than \(most) values; it is left out")
                return nil
            }
            guard let value = readValue(child, as: kind) else { return nil }
            guard !(value is NSNull) else {
                warn(child, "<\(tree[child].name)> is nothing where a value is expected; the list is left out")
                return nil
            }
            list.append(value)
        }
        return list
    }

    private func readNumbers(_ index: Int, count: Int) -> [Double]? {
        var numbers: [Double] = []
        for child in tree.children(of: index) {
            guard numbers.count <= count, let number = readValue(child, as: .number) as? Double else { break }
            numbers.append(number)
        }
        guard numbers.count == count else {
            warn(index, "<\(tree[index].name)> is not a list of \(count) numbers; it is left out")
            return nil
        }
        return numbers
    }

    /// The image of a file; a file that is missing is reported once, and nothing is drawn for it.
    func readPicture(_ source: MarkupAttribute) -> Any? {
        do throws(PictureFault) {
            return try pictures.image(source.value, from: folder)
        } catch {
            if pictures.isNews(source.value) { warn(source, error.message + "; nothing is drawn for it") }
            return NSNull()
        }
    }

    /// The number or word of `<beginTime value="1"/>` or `<beginTime><real value="1"/></beginTime>`.
    func scalar(in index: Int) -> MarkupAttribute? {
        var index = index
        for _ in 0..<4 {
            if let value = tree[index].attribute("value") { return value }
            guard let inner = tree.children(of: index).first(where: { _ in true }) else { break }
            index = inner
        }
        warn(index, "<\(tree[index].name)> has no value attribute; it is ignored")
        return nil
    }

    /// The element itself, or the one that its `object="#id"` names; nil after a report.
    func followingReference(_ index: Int, _ what: String) -> Int? {
        var index = index
        for _ in 0..<8 {
            guard let object = tree[index].attribute("object") else { return index }
            guard let target = element(withReference: object.value) else {
                warn(object, "object=\"\(object.value.prefix(60))\" names no element; \(what) is ignored")
                return nil
            }
            index = target
        }
        warn(index, "\(what) refers to itself; it is ignored")
        return nil
    }
}
