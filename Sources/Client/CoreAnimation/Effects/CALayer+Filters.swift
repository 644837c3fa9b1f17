// How `filters`, `backgroundFilters` and `compositingFilter` are taken apart: the objects are kept for the getters, the values
// go into the model. Source: semantic reference, §1.11, §6.14 and §6.15; the measured fact F4.

import LayerModel
import LayerWire

extension CALayer {
    final func filterObjects(_ property: LayerProperty) -> [Any]? {
        let list = effectObjects[keyPath: EffectObjects.list(of: property)]
        return list.objects.isEmpty ? nil : list.copies
    }

    /// - Parameter property: `filters` or `backgroundFilters`.
    final func changeFilters(
        _ property: LayerProperty, _ field: WritableKeyPath<LayerProperties, [LayerFilter]>, to objects: [Any]?
    ) {
        var list = EffectObjects.FilterList()
        list.objects = (objects ?? []).map { ($0 as? CAFilter)?.duplicate() ?? $0 }
        var values: [LayerFilter] = []
        for object in list.objects {
            guard let filter = object as? CAFilter else {
                ClientWarnings.shared.warnOnce("\(property.key) holds a \(type(of: object)), which has no effect.")
                continue
            }
            let value = filter.layerFilter(images: &list.images) { recordFault(property.key, $0) }
            if let value {
                values.append(value)
            } else {
                ClientWarnings.shared.warnOnce("the filter \(filter.type) is not known; it has no effect.")
            }
        }
        guard values.allSatisfy(\.isFinite) else { return refuseNotFinite(property.key) }
        guard values.count <= WireLimits.filters else {
            return recordFault(
                property.key,
                "has at most \(WireLimits.filters) filters, not \(values.count); the old value stays")
        }
        let path = EffectObjects.list(of: property)
        let oldImages = effectObjects[keyPath: path].images
        guard properties[keyPath: field] != values || !oldImages.elementsEqual(list.images, by: ===) else {
            if !list.objects.isEmpty || effects != nil { effectObjects[keyPath: path] = list }
            return
        }
        let action = modelWillChange(property, filters: values)
        properties[keyPath: field] = values
        effectObjects[keyPath: path] = list
        modelDidChange(property, action: action)
    }

    /// What was set; the mode's name where only the model value is known.
    final var compositingObject: Any? {
        let object = effectObjects.compositingFilter
        if let filter = object as? CAFilter { return filter.duplicate() }
        if let object { return object }
        return properties.compositingMode == .normal ? nil : properties.compositingMode.filterName
    }

    final func changeCompositingFilter(to value: Any?) {
        var object = value is NSNull ? nil : value
        if let filter = object as? CAFilter { object = filter.duplicate() }
        let mode = object.map { compositingMode(of: $0) } ?? .normal
        guard properties.compositingMode != mode else {
            if object != nil || effects != nil { effectObjects.compositingFilter = object }
            return
        }
        let action = modelWillChange(.compositingFilter)
        properties.compositingMode = mode
        effectObjects.compositingFilter = object
        modelDidChange(.compositingFilter, action: action)
    }

    /// Normal for what is not known.
    private final func compositingMode(of object: Any) -> CompositingMode {
        let name: String
        if let filter = object as? CAFilter {
            guard filter.isEnabled else { return .normal }
            name = filter.type
        } else if let string = KeyedValue.string(object) {
            name = string
        } else {
            ClientWarnings.shared.warnOnce("a compositingFilter of type \(type(of: object)) has no effect.")
            return .normal
        }
        if let mode = CompositingMode(filterName: name) { return mode }
        ClientWarnings.shared.warnOnce("the compositing filter \(name) is not known; it has no effect.")
        return .normal
    }

    final func changeShadowPath(to path: CGPath?) {
        changePath(.shadowPath, \.shadowPath, to: path)
    }

    final var shadowColorObject: CGColor? {
        guard let color = properties.shadowColor else { return nil }
        if let object = effectObjects.shadowColor, object.color == color { return object }
        return color == .black ? CALayer.opaqueBlack : CGColor(color)
    }

    final func changeShadowColor(to value: CGColor?) {
        change(.shadowColor, \.shadowColor, to: value?.color, isFinite: value?.color.isFinite ?? true)
        guard properties.shadowColor == value?.color, value != nil || effects != nil else { return }
        effectObjects.shadowColor = value
    }
}
