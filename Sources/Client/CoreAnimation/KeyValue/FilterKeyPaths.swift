// Key paths into filters: filters.NAME.INPUT, backgroundFilters.NAME.INPUT, compositingFilter.INPUT, and on into an input
// that has parts (inputOffset.width). A filter is found by its name, else by its type. Setting makes a changed copy and sets
// the whole list, so a subclass's own setter is asked. Source: semantic reference, §1.11.

import LayerModel

enum FilterKeyPath {
    /// The filter of a list that a name means.
    static func index(of name: Substring, in list: [Any]) -> Int? {
        func first(_ matches: (CAFilter) -> Bool) -> Int? {
            list.firstIndex { ($0 as? CAFilter).map(matches) ?? false }
        }
        return first { $0.name ?? "" == name } ?? first { $0.type == name }
    }

    /// - Parameter path: The input, and what of it.
    static func get(_ path: ArraySlice<Substring>, of filter: CAFilter) throws(KeyPathComponents.Problem) -> Any? {
        guard let key = path.first else { return filter }
        guard let value = filter.value(forKey: String(key)) else { return nil }
        return try KeyPathComponents.get(path.dropFirst(), of: value)
    }

    /// A copy of `filter` with an input changed; nil as a value takes it back to its default.
    static func set(
        _ path: ArraySlice<Substring>, of filter: CAFilter, to value: Any?
    ) throws(KeyPathComponents.Problem) -> CAFilter {
        guard let first = path.first else { throw .noComponent("") }
        let key = String(first)
        let rest = path.dropFirst()
        let changed = filter.duplicate()
        var new = KeyedValue.given(value)
        if !rest.isEmpty {
            let whole = filter.value(forKey: key) ?? CGSize.zero
            new = try KeyPathComponents.set(rest, of: whole, to: new ?? 0)
        }
        switch key {
        case "name":
            if let new, KeyedValue.string(new) == nil { throw .wrongType("a String") }
        case "enabled", "isEnabled":
            if let new, KeyedValue.bool(new) == nil { throw .wrongType("a Bool") }
        default:
            guard key.hasPrefix("input") else { throw .noComponent(path.joined(separator: ".")) }
            if let new, let input = LayerFilter.Input(name: key),
                let wanted = CAFilter.problem(with: new, for: input)
            {
                throw .wrongType(wanted)
            }
        }
        changed.setValue(new, forKey: key)
        return changed
    }
}

extension CALayer {
    /// True for keys whose values are filters.
    static func holdsFilters(_ key: String) -> Bool {
        key == "filters" || key == "backgroundFilters" || key == "compositingFilter"
    }

    /// - Parameter path: What comes after the property's key; not empty.
    final func filterValue(_ key: String, _ path: ArraySlice<Substring>) throws(KeyPathComponents.Problem) -> Any? {
        guard let value = value(forKey: key) else { return nil }
        if let filter = value as? CAFilter { return try FilterKeyPath.get(path, of: filter) }
        guard let list = value as? [Any], let index = FilterKeyPath.index(of: path.first!, in: list),
            let filter = list[index] as? CAFilter
        else { throw .noComponent(path.joined(separator: ".")) }
        return try FilterKeyPath.get(path.dropFirst(), of: filter)
    }

    final func setFilterValue(
        _ value: Any?, _ key: String, _ path: ArraySlice<Substring>
    ) throws(KeyPathComponents.Problem) {
        let whole = self.value(forKey: key)
        if let filter = whole as? CAFilter {
            return setValue(try FilterKeyPath.set(path, of: filter, to: value), forKey: key)
        }
        guard var list = whole as? [Any], let index = FilterKeyPath.index(of: path.first!, in: list),
            let filter = list[index] as? CAFilter
        else { throw .noComponent(path.joined(separator: ".")) }
        list[index] = try FilterKeyPath.set(path.dropFirst(), of: filter, to: value)
        setValue(list, forKey: key)
    }
}
