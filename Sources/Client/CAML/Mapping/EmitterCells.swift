// Cells of emitters in both formats: in CAML an element with attributes, in JSON an object, with the same names. What they
// stand for: the semantic reference, §6.8. A cell beyond the limits is left out, with a warning and nothing else.

import CoreAnimation
import LayerModel

/// The names of a cell.
enum CellName {
    case number(EmitterCell.Number)
    case name, enabled, color, contentsRect, duration
    case minificationFilter, magnificationFilter
    case contents, cells
    /// Known, and the picture is the same without it.
    case noEffect

    /// All that make a difference.
    static let names =
        EmitterCell.Number.allCases.filter(\.isKey).map(\.key) + [
            "name", "enabled", "color", "contentsRect", "duration", "minificationFilter", "magnificationFilter",
            "contents",
            "emitterCells",
        ]

    /// Nil for one that is not known.
    init?(_ name: String) {
        if let number = EmitterCell.Number(key: name), number.isKey {
            self = .number(number)
            return
        }
        switch name {
        case "name": self = .name
        case "enabled": self = .enabled
        case "color": self = .color
        case "contentsRect": self = .contentsRect
        case "duration": self = .duration
        case "minificationFilter": self = .minificationFilter
        case "magnificationFilter": self = .magnificationFilter
        case "contents": self = .contents
        case "emitterCells": self = .cells
        case "id", "mass", "massRange", "particleType", "emitterBehaviors", "style", "fillMode", "repeatCount",
            "repeatDuration", "autoreverses", "type":
            self = .noEffect
        default: return nil
        }
    }
}

extension CAMLReader {
    /// `<emitterCells>`.
    func readCells(_ index: Int, into node: inout SceneNode) {
        var count = 0
        node.emitterCells = cells(in: index, depth: 1, &count)
    }

    private func cells(in index: Int, depth: Int, _ count: inout Int) -> [CAEmitterCell] {
        var cells: [CAEmitterCell] = []
        for child in tree.children(of: index) {
            guard tree[child].name == "CAEmitterCell" else {
                reportSkipped(child, "<\(tree[child].name)> is ignored: it is not an emitter cell")
                continue
            }
            count += 1
            guard count <= EmitterCell.most, depth <= EmitterCell.deepest else {
                reportSkipped(
                    child,
                    "<CAEmitterCell> is ignored: at most \(EmitterCell.most) cells, \(EmitterCell.deepest) inside one another, are drawn"
                )
                return cells
            }
            cells.append(cell(child, depth, &count))
        }
        return cells
    }

    private func cell(_ index: Int, _ depth: Int, _ count: inout Int) -> CAEmitterCell {
        let cell = CAEmitterCell()
        for attribute in tree[index].attributes where !attribute.name.hasPrefix("caplay") {
            set(attribute, named: attribute.name, of: cell)
        }
        for child in tree.children(of: index) {
            let element = tree[child]
            switch CellName(element.name) {
            case .contents:
                var inner = SceneNode(parent: -1)
                var painting = ContentsPainting()
                painting.element = child
                readContents(painting, into: &inner)
                cell.contents = inner.image
            case .color: if let color = readColor(child) { cell.color = color.value.map { CGColor($0) } }
            case .cells: cell.emitterCells = cells(in: child, depth: depth + 1, &count)
            case .noEffect: break
            case nil:
                let hint = NameHint.near(element.name, among: CellName.names)
                reportSkipped(child, "the element <\(element.name)> is not known\(hint); it is ignored")
            default:
                guard let value = element.attribute("value") else {
                    warn(child, "<\(element.name)> has no value attribute; it is ignored")
                    continue
                }
                set(value, named: element.name, of: cell)
            }
        }
        return cell
    }

    private func set(_ place: MarkupAttribute, named name: String, of cell: CAEmitterCell) {
        let value = place.value
        do throws(ScalarFault) {
            switch CellName(name) {
            case .number(let number): cell.setNumber(number, to: try ScalarSyntax.number(value))
            case .name: cell.name = value
            case .enabled: cell.isEnabled = try ScalarSyntax.boolean(value)
            case .color: cell.color = CGColor(try ScalarSyntax.color(value))
            case .contentsRect:
                let n = try ScalarSyntax.numbers(value, count: 4...4)
                cell.contentsRect = CGRect(x: n[0], y: n[1], width: n[2], height: n[3])
            // Without end where it is no number.
            case .duration: cell.duration = (try? ScalarSyntax.number(value)) ?? .infinity
            case .minificationFilter: cell.minificationFilter = value
            case .magnificationFilter: cell.magnificationFilter = value
            case .contents:
                var inner = SceneNode(parent: -1)
                var painting = ContentsPainting()
                painting.source = place
                readContents(painting, into: &inner)
                cell.contents = inner.image
            case .noEffect: break
            case .cells, nil:
                warn(
                    place,
                    "the attribute \(name) is not known\(NameHint.near(name, among: CellName.names)); it is ignored")
            }
        } catch {
            warn(place, "\(name)=\"\(value.prefix(60))\" \(error.message); it is ignored")
        }
    }
}

extension SceneJSONReader {
    /// The value of `emitterCells`; nil for null.
    func cells(_ value: Int, _ path: String) throws -> [CAEmitterCell]? {
        var count = 0
        return try cells(value, path, depth: 1, &count)
    }

    private func cells(_ value: Int, _ path: String, depth: Int, _ count: inout Int) throws -> [CAEmitterCell]? {
        if json[value].kind == .null { return nil }
        guard case .array(let length) = json[value].kind else {
            throw error(value, "\(path) is \(json[value].kind.noun), not a list of emitter cells")
        }
        count += length
        guard count <= EmitterCell.most, depth <= EmitterCell.deepest else {
            throw error(
                value,
                "\(path): at most \(EmitterCell.most) cells, \(EmitterCell.deepest) inside one another, are allowed")
        }
        var cells: [CAEmitterCell] = []
        for (position, child) in json.children(of: value).enumerated() {
            let place = "\(path)[\(position)]"
            guard case .object = json[child].kind else {
                throw error(child, "\(place) is \(json[child].kind.noun), not an emitter cell")
            }
            let cell = CAEmitterCell()
            for (key, member) in members(of: child) {
                try set(key, member, of: cell, "\(place).\(key)", depth: depth, &count)
            }
            cells.append(cell)
        }
        return cells
    }

    private func set(
        _ key: String, _ value: Int, of cell: CAEmitterCell, _ path: String, depth: Int, _ count: inout Int
    ) throws {
        switch CellName(key) {
        case .number(let number): cell.setNumber(number, to: try self.number(value, path))
        case .name: cell.name = json[value].kind == .null ? nil : try string(value, path)
        case .enabled: cell.isEnabled = try flag(value, path)
        case .color: cell.color = try color(value, path).map { CGColor($0) }
        case .contentsRect:
            let n = try numbers(value, count: 4, path)
            cell.contentsRect = CGRect(x: n[0], y: n[1], width: n[2], height: n[3])
        case .duration: cell.duration = json[value].kind == .null ? .infinity : try number(value, path)
        case .minificationFilter: cell.minificationFilter = try string(value, path)
        case .magnificationFilter: cell.magnificationFilter = try string(value, path)
        case .contents: cell.contents = try image(value, path, without: "its particles show nothing")
        case .cells: cell.emitterCells = try cells(value, path, depth: depth + 1, &count)
        case .noEffect: break
        case nil: warnUnknown(value, path, NameHint.near(key, among: CellName.names))
        }
    }
}
