// Filters of a JSON scene: a list of objects with a `type`, and inputs under Core Animation's names. `matrix` is another name
// of `inputColorMatrix`. A type or a compositing filter that is not known is left out, with a warning and nothing else.

import CoreAnimation
import LayerModel

extension SceneJSONReader {
    /// Nil for null.
    func filters(_ value: Int, _ path: String) throws -> [CAFilter]? {
        if json[value].kind == .null { return nil }
        guard case .array = json[value].kind else {
            throw error(value, "\(path) is \(json[value].kind.noun), not a list of filters")
        }
        var filters: [CAFilter] = []
        for (position, child) in json.children(of: value).enumerated() {
            let place = "\(path)[\(position)]"
            let filter = try filter(child, place)
            if FilterVocabulary.isKnown(filter.type) {
                filters.append(filter)
            } else {
                let hint = NameHint.near(filter.type, among: FilterVocabulary.types)
                warn(
                    json[child].offset,
                    "\(place): the filter \(filter.type.prefix(60)) is not known\(hint); it is left out")
            }
        }
        return filters
    }

    /// A name, or a filter of that type.
    func readCompositingFilter(_ value: Int, _ path: String, into node: inout SceneNode) throws {
        let filter: CAFilter
        switch json[value].kind {
        case .null: return
        case .string(let name): filter = CAFilter(type: name)
        case .object: filter = try self.filter(value, path)
        default: throw error(value, "\(path) is \(json[value].kind.noun), not the name of a compositing filter")
        }
        guard let mode = CompositingMode(filterName: filter.type) else {
            let hint = NameHint.compositing(filter.type)
            return warn(
                json[value].offset, "\(path) \"\(filter.type.prefix(60))\" is not known\(hint); it is left out")
        }
        if case .string = json[value].kind {
            node.set(.compositingFilter, .code(mode.rawValue))
        } else {
            node.compositingFilter = filter
        }
    }

    private func filter(_ value: Int, _ path: String) throws -> CAFilter {
        guard case .object = json[value].kind else {
            throw error(value, "\(path) is \(json[value].kind.noun), not a filter")
        }
        let members = members(of: value)
        guard let type = members.first(where: { $0.key == "type" })?.value else {
            throw error(value, "\(path).type is missing: the filter's name, such as \"gaussianBlur\"")
        }
        let filter = CAFilter(type: try string(type, "\(path).type"))
        for (key, member) in members where key != "type" {
            try set(key, member, of: filter, "\(path).\(key)")
        }
        return filter
    }

    private func set(_ key: String, _ value: Int, of filter: CAFilter, _ path: String) throws {
        switch key {
        case "name": filter.name = json[value].kind == .null ? nil : try string(value, path)
        case "enabled": filter.isEnabled = try flag(value, path)
        case _ where FilterVocabulary.unaffecting.contains(key): break
        default:
            guard let input = LayerFilter.Input(name: key == "matrix" ? "inputColorMatrix" : key) else {
                return warnUnknown(value, path, NameHint.near(key, among: FilterVocabulary.inputs))
            }
            if let lack = FilterVocabulary.lack(of: input, in: filter.type) {
                return warn(json[value].keyOffset, "\(path) \(lack); it is ignored")
            }
            switch FilterInputKind(input) {
            case .number: filter.set(input, .number(try number(value, path)))
            case .flag: filter.set(input, .flag(try flag(value, path)))
            case .color: filter.set(input, .color(try color(value, path) ?? .clear))
            case .matrix: filter.set(input, .numbers(try matrix(value, path)))
            case .size:
                let n = try numbers(value, count: 2, path)
                filter.set(input, .point(Point(n[0], n[1])))
            case .image:
                if let image = try image(value, path, without: "the filter has no image") {
                    filter.setValue(image, forKey: "\(input)")
                }
            }
        }
    }

    /// Four rows of five numbers, or 20 numbers.
    private func matrix(_ value: Int, _ path: String) throws -> [Double] {
        if let numbers = json.numbers(of: value), numbers.count == 20 { return numbers }
        if case .array(4) = json[value].kind {
            let rows = json.children(of: value).compactMap { json.numbers(of: $0) }
            if rows.count == 4, rows.allSatisfy({ $0.count == 5 }) { return rows.flatMap { $0 } }
        }
        throw error(value, "\(path) is \(json[value].kind.noun), not four rows of five numbers")
    }
}
