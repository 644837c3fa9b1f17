// Key-value access: every property by its key, its parts by key path, anything else by any key.
//
// Numbers come out as NSNumber, names as String, structs as themselves. Setting goes through the property's own setter, so a
// subclass that overrides it is asked. A value of the wrong type changes nothing and leaves a fault. Nil and NSNull set a
// property back to its default. Source: semantic reference, §1.12.

import LayerModel

extension CALayer {
    /// A value as the type you want: `layer.value(forKeyPath: "position.x", as: CGFloat.self)`. Nil where there is none or
    /// it is of another type.
    public final func value<T>(forKeyPath keyPath: String, as type: T.Type = T.self) -> T? {
        value(forKeyPath: keyPath).flatMap { KeyedValue.convert($0, to: type) }
    }

    // MARK: By key

    final func keyedValue(forKey key: String) -> Any? {
        if let property = property(forKey: key) { return propertyValue(property) }
        switch key {
        case "frame": return frame
        case "superlayer": return superlayer
        case "sublayers": return sublayers
        case "delegate": return delegate
        case "layoutManager": return layoutManager
        case "constraints": return constraints
        case "actions": return actions
        case "style": return style
        case "autoresizingMask": return NSNumber(value: autoresizingMask.rawValue)
        case "needsDisplayOnBoundsChange": return NSNumber(value: needsDisplayOnBoundsChange)
        case "contentsFormat": return contentsFormat.rawValue
        case "drawsAsynchronously": return NSNumber(value: drawsAsynchronously)
        case "enabled", "isEnabled":
            if let backdrop = self as? CABackdropLayer { return NSNumber(value: backdrop.isEnabled) }
            return storedValue(forKey: key)
        default: return storedValue(forKey: key)
        }
    }

    private final func storedValue(forKey key: String) -> Any? {
        keyedValues[key] ?? styleValue(forKey: key) ?? type(of: self).defaultValue(forKey: key)
    }

    /// The property that a key names in a layer of this class.
    final func property(forKey key: String) -> LayerProperty? {
        guard let property = LayerProperty(key: key, of: layerClass) ?? LayerProperty(keyOrGetter: key) else {
            return nil
        }
        return property.owner == nil || property.owner == layerClass ? property : nil
    }

    final func setKeyedValue(_ value: Any?, forKey key: String) {
        let value = KeyedValue.given(value)
        if let property = property(forKey: key) { return setProperty(property, to: value, keyPath: key) }
        switch key {
        case "frame":
            guard let rect = (value ?? CGRect.zero) as? CGRect else {
                return refuse(value, forKey: key, wants: "a CGRect")
            }
            frame = rect
        case "sublayers":
            guard let layers = (value ?? [CALayer]()) as? [CALayer] else {
                return refuse(value, forKey: key, wants: "an array of layers")
            }
            sublayers = layers
        case "superlayer": recordFault(key, "can only be read; add the layer to another one")
        case "delegate":
            guard value == nil || value is CALayerDelegate else {
                return refuse(value, forKey: key, wants: "a CALayerDelegate")
            }
            delegate = value as? CALayerDelegate
        case "layoutManager":
            guard value == nil || value is CALayoutManager else {
                return refuse(value, forKey: key, wants: "a CALayoutManager")
            }
            layoutManager = value as? CALayoutManager
        case "constraints":
            guard value == nil || value is [CAConstraint] else {
                return refuse(value, forKey: key, wants: "an array of constraints")
            }
            constraints = value as? [CAConstraint]
        case "actions":
            guard value == nil || value is [String: CAAction] else {
                return refuse(value, forKey: key, wants: "actions by event")
            }
            actions = value as? [String: CAAction]
        case "style":
            guard value == nil || value is [AnyHashable: Any] else {
                return refuse(value, forKey: key, wants: "a dictionary")
            }
            style = value as? [AnyHashable: Any]
        case "autoresizingMask":
            guard let bits = KeyedValue.bits(value ?? 0).flatMap({ UInt32(exactly: $0) }) else {
                return refuse(value, forKey: key, wants: "a mask")
            }
            autoresizingMask = CAAutoresizingMask(rawValue: bits)
        case "needsDisplayOnBoundsChange":
            guard let flag = KeyedValue.bool(value ?? false) else { return refuse(value, forKey: key, wants: "a Bool") }
            needsDisplayOnBoundsChange = flag
        case "contentsFormat":
            guard let name = KeyedValue.string(value ?? CALayerContentsFormat.RGBA8Uint.rawValue) else {
                return refuse(value, forKey: key, wants: "a name")
            }
            contentsFormat = CALayerContentsFormat(rawValue: name)
        case "drawsAsynchronously":
            guard let flag = KeyedValue.bool(value ?? false) else { return refuse(value, forKey: key, wants: "a Bool") }
            drawsAsynchronously = flag
        case "enabled", "isEnabled":
            guard let backdrop = self as? CABackdropLayer else { return setStoredValue(value, forKey: key) }
            guard let flag = KeyedValue.bool(value ?? true) else { return refuse(value, forKey: key, wants: "a Bool") }
            backdrop.isEnabled = flag
        default: setStoredValue(value, forKey: key)
        }
    }

    /// A value under a key of the app's own: takes part in actions and display as properties do.
    private final func setStoredValue(_ value: Any?, forKey key: String) {
        switch (keyedValues[key], value) {
        case (nil, nil): return
        case (let old?, let new?) where KeyedValue.isSame(old, new): return
        default: break
        }
        var action: CAAction?
        if let context = hosting.context, hosting.id != .none, !context.currentTransactionTouches().disablesActions {
            action = actionOrImplied(ownKey: key)
        }
        keyedValues[key] = value
        if type(of: self).needsDisplay(forKey: key) { setNeedsDisplay() }
        action?.run(forKey: key, object: self, arguments: nil)
    }

    // MARK: By key path

    /// Longer key paths are refused: nothing is nested so deeply, and each part may call the next.
    private static let maximumParts = 256

    final func keyedValue(forKeyPath keyPath: String) -> Any? {
        var path = keyPath.split(separator: ".", omittingEmptySubsequences: false)[...]
        guard path.count <= CALayer.maximumParts else { return nil }
        var layer = self
        // From superlayer to superlayer without recursion.
        while path.count > 1, path.first == "superlayer" {
            guard let superlayer = layer.superlayer else { return nil }
            layer = superlayer
            path = path.dropFirst()
        }
        guard path.count > 1 else { return layer.value(forKey: String(path.first ?? "")) }
        let key = String(path.first!)
        let rest = path.dropFirst()
        if CALayer.holdsFilters(key) {
            do {
                return try layer.filterValue(key, rest)
            } catch {
                layer.recordFault(keyPath, "\(key) has no such filter or input")
                return nil
            }
        }
        guard let value = layer.value(forKey: key) else { return nil }
        if let inner = value as? CALayer { return inner.value(forKeyPath: rest.joined(separator: ".")) }
        if let layers = value as? [CALayer] {
            return layers.compactMap { $0.value(forKeyPath: rest.joined(separator: ".")) }
        }
        do {
            return try KeyPathComponents.get(rest, of: value)
        } catch {
            if property(forKey: key) != nil {
                recordFault(keyPath, "\(key) has no part \"\(rest.joined(separator: "."))\"")
            }
            return nil
        }
    }

    final func setKeyedValue(_ value: Any?, forKeyPath keyPath: String) {
        let path = keyPath.split(separator: ".", omittingEmptySubsequences: false)[...]
        guard path.count <= CALayer.maximumParts else {
            return recordFault(String(keyPath.prefix(64)) + "…", "a key path has at most \(CALayer.maximumParts) parts")
        }
        let key = String(path.first ?? "")
        let rest = path.dropFirst()
        guard !rest.isEmpty else { return setValue(value, forKey: key) }
        if key == "superlayer" {
            guard let superlayer else { return recordFault(keyPath, "the layer has no superlayer") }
            return superlayer.setValue(value, forKeyPath: rest.joined(separator: "."))
        }
        let isProperty = property(forKey: key) != nil || key == "frame"
        guard !CALayer.holdsFilters(key) else { return setFilterPart(rest, of: key, to: value, keyPath: keyPath) }
        guard let whole = self.value(forKey: key) else {
            return recordFault(keyPath, "there is no value \"\(key)\" to change a part of")
        }
        if let inner = whole as? CALayer { return inner.setValue(value, forKeyPath: rest.joined(separator: ".")) }
        do throws(KeyPathComponents.Problem) {
            let new: Any
            if let value = KeyedValue.given(value) {
                new = try KeyPathComponents.set(rest, of: whole, to: value)
            } else {
                new = try partReset(rest, of: whole, key: key)
            }
            setValue(new, forKey: key)
        } catch {
            switch error {
            case .noComponent(let name):
                let what = isProperty ? key : "the value \"\(key)\""
                recordFault(keyPath, "\(what) has no part \"\(name)\"")
            case .wrongType(let wanted):
                recordFault(keyPath, "takes \(wanted), not \(CALayer.typeName(of: value)); the old value stays")
            }
        }
    }

    private final func setFilterPart(_ path: ArraySlice<Substring>, of key: String, to value: Any?, keyPath: String) {
        do throws(KeyPathComponents.Problem) {
            try setFilterValue(value, key, path)
        } catch {
            switch error {
            case .noComponent: recordFault(keyPath, "\(key) has no such filter or input")
            case .wrongType(let wanted):
                recordFault(keyPath, "takes \(wanted), not \(CALayer.typeName(of: value)); the old value stays")
            }
        }
    }

    /// `whole` with one part as it is by default.
    private final func partReset(
        _ path: ArraySlice<Substring>, of whole: Any, key: String
    ) throws(KeyPathComponents.Problem) -> Any {
        let standard = property(forKey: key).flatMap { CALayer.defaults.propertyValue($0) }
        if let standard {
            return try KeyPathComponents.set(path, of: whole, to: KeyPathComponents.get(path, of: standard))
        }
        return try KeyPathComponents.set(path, of: whole, to: 0)
    }

    // MARK: Faults and names

    final func refuse(_ value: Any?, forKey key: String, wants wanted: String) {
        recordFault(key, "takes \(wanted), not \(CALayer.typeName(of: value)); the old value stays")
    }

    private static func typeName(of value: Any?) -> String {
        guard let value else { return "nil" }
        return "a value of type \(type(of: value))"
    }

    /// A layer nobody changes: where defaults are read.
    static let defaults = CALayer()

    static func frameworkDefaultValue(forKey key: String) -> Any? {
        guard let property = LayerProperty(keyOrGetter: key),
            property.owner == nil || property.owner == .backdropLayer
        else { return nil }
        switch LayerProperties.defaultValues[property] {
        case .bool(false), .number(0), .point(.zero), .rect(.zero), .color(nil), .image, .string(nil): return nil
        default: return defaults.propertyValue(property)
        }
    }
}

extension LayerProperty {
    /// By its key, or by the getter's name of a Bool: "hidden" and "isHidden" are the same.
    init?(keyOrGetter key: String) {
        if let property = LayerProperty(key: key) {
            self = property
            return
        }
        switch key {
        case "isHidden": self = .hidden
        case "isOpaque": self = .opaque
        case "isDoubleSided": self = .doubleSided
        case "isGeometryFlipped": self = .geometryFlipped
        default: return nil
        }
    }
}
