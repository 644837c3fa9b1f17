// How a model value changes: the one way in for setters and key-value access.
//
// 1. A value that is not finite is refused, with a fault. 2. The same value again does nothing. 3. The display's list of
// changed layers takes the layer, with its values as they were committed. 4. The action is looked up while the old value
// can still be read. 5. The value is stored and marked. 6. The action runs.

import LayerModel

extension CALayer {
    static let opaqueBlack = CGColor(.black)

    /// Stores a model value. `isFinite` says whether every number of the value is.
    final func change<V: Equatable>(
        _ property: LayerProperty, _ field: WritableKeyPath<LayerProperties, V>, to value: V, isFinite: Bool = true
    ) {
        guard isFinite else { return refuseNotFinite(property.key) }
        guard properties[keyPath: field] != value else { return }
        let action = modelWillChange(property)
        properties[keyPath: field] = value
        modelDidChange(property, action: action)
    }

    final func changeColor(
        _ property: LayerProperty, _ field: WritableKeyPath<LayerProperties, Color?>,
        _ object: ReferenceWritableKeyPath<CALayer, CGColor?>, to value: CGColor?
    ) {
        let color = value?.color
        guard color?.isFinite ?? true else { return refuseNotFinite(property.key) }
        guard properties[keyPath: field] != color else { return }
        let action = modelWillChange(property)
        properties[keyPath: field] = color
        self[keyPath: object] = value
        modelDidChange(property, action: action)
    }

    final func changeContents(to value: Any?) {
        let image = value as? CGImage
        if value != nil, image == nil {
            if !(value is NSNull) {
                return recordFault("contents", "takes a CGImage or nil, not a \(type(of: value!))")
            }
        }
        guard image !== storedContents else { return }
        let action = modelWillChange(.contents)
        storedContents = image
        modelDidChange(.contents, action: action)
    }

    final func changeBounds(to value: Rect) {
        guard value.isFinite else { return refuseNotFinite(LayerProperty.bounds.key) }
        let rect = value.standardized
        let old = properties.bounds
        guard rect != old else { return }
        let action = modelWillChange(.bounds)
        properties.bounds = rect
        if rect.size != old.size {
            resizeSublayers(withOldSize: CGSize(old.size))
            if needsDisplayOnBoundsChange { setNeedsDisplay() }
        }
        setNeedsLayout()
        modelDidChange(.bounds, action: action)
    }

    /// Called before a model value is stored. This is where implied animations are resolved: what the action search found,
    /// for a layer that a display shows.
    ///
    /// - Parameter filters: The new value of a list of filters.
    final func modelWillChange(_ property: LayerProperty, filters: [LayerFilter]? = nil) -> CAAction? {
        guard let context = hosting.context else { return nil }
        let transaction = context.noteChange(of: self)
        guard hosting.id != .none, property.isAnimatable || property == .mask, !transaction.disablesActions else {
            return nil
        }
        return actionOrImplied(property, to: filters)
    }

    final func modelDidChange(_ property: LayerProperty, action: CAAction?) {
        hosting.changed.insert(property)
        assigned.insert(property)
        if property == .bounds || property == .transform { invalidateConstraints() }
        if type(of: self).needsDisplay(forKey: property.key) { setNeedsDisplay() }
        action?.run(forKey: property.key, object: self, arguments: nil)
        if property == .hidden { runAction(forKey: properties.isHidden ? kCAOnOrderOut : kCAOnOrderIn) }
    }

    /// Takes over everything of another layer but its place in the tree.
    final func copyValues(of layer: CALayer) {
        properties = layer.properties
        storedContents = layer.storedContents
        storedBackgroundColor = layer.storedBackgroundColor
        storedBorderColor = layer.storedBorderColor
        effects = layer.effects
        assigned = layer.assigned
        keyedValues = layer.keyedValues
        delegate = layer.delegate
        layoutManager = layer.layoutManager
        actions = layer.actions
        style = layer.style
        autoresizingMask = layer.autoresizingMask
        storedConstraints = layer.storedConstraints
        needsDisplayOnBoundsChange = layer.needsDisplayOnBoundsChange
        if layer.drawing != nil { contentsFormat = layer.contentsFormat }
    }

    // MARK: Faults

    final func refuseNotFinite(_ key: String) {
        recordFault(key, "must be finite; the old value stays")
    }

    /// Keeps a fault for the display, until there is one with the layer.
    final func recordFault(_ key: String, _ message: String) {
        let fault = LayerFault(layer: label, key: key, message: message)
        if let context = hosting.context {
            context.record(fault)
        } else {
            var list = pendingFaults ?? FaultList(limit: 16)
            list.append(fault)
            pendingFaults = list
        }
    }

    /// The faults of a layer that is in no display. Those of a layer in one are the display's.
    package final func takeFaults() -> [LayerFault] {
        defer { pendingFaults = nil }
        return pendingFaults?.take() ?? []
    }

    /// Class and name, for people.
    final var label: String {
        let kind = String(describing: type(of: self))
        guard let name = properties.name else { return kind }
        return "\(kind) \"\(name)\""
    }

    /// How far a corner of the curve reaches along its edges, in radii: 1.528665 for `continuous`, 1 for `circular` and
    /// any other.
    public static func cornerCurveExpansionFactor(_ curve: CALayerCornerCurve) -> CGFloat {
        curve == .continuous ? 1.528665 : 1
    }
}
