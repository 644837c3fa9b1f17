// What a layer shows: the committed values, and on top of them the animations that run, at the display's time. The same code
// makes the server's frames of them. Source: semantic reference, §4 and §5.

import LayerModel
import Quartz2D

struct PresentedValues {
    /// Without an image in `contents`.
    var properties: LayerProperties
    var contents: CGImage?
    var effects: SharedEffects?
    /// Values of keys that are no properties, where they are animated.
    var custom: [String: Any] = [:]

    /// A list of filters with the inputs that are animated as they are now.
    func filterObjects(_ property: LayerProperty) -> [Any] {
        let objects = (effects?.objects ?? EffectObjects())[keyPath: EffectObjects.list(of: property)].copies
        let values = property == .backgroundFilters ? properties.backgroundFilters : properties.filters
        var next = values.makeIterator()
        for object in objects {
            guard let filter = object as? CAFilter, LayerFilter.Kind(typeName: filter.type) != nil,
                let value = next.next()
            else { continue }
            for (input, value) in value.inputs {
                let object: Any? =
                    switch value {
                    case .number(let number): NSNumber(value: number)
                    case .flag(let flag): NSNumber(value: flag)
                    case .color(let color): CGColor(color)
                    case .numbers(let numbers): numbers.map { NSNumber(value: $0) }
                    case .point(let point): CGSize(width: point.x, height: point.y)
                    case .image: nil
                    }
                if let object { filter.setValue(object, forKey: "\(input)") }
            }
        }
        return objects
    }

    /// Applies animations in the order they were added.
    ///
    /// - Parameter time: Of the layer.
    mutating func apply(_ animations: [LayerAnimation], of layer: CALayer, at time: Double) {
        // The committed image has the id 1 meanwhile; images of animations have others.
        let committed = contents
        let id = committed == nil ? ImageID.none : ImageID(1)
        properties.contents = id
        let before = (properties.filters, properties.backgroundFilters)
        for animation in animations {
            guard let prepared = animation.prepared, !animation.isOver(at: time) else { continue }
            prepared.apply(to: &properties, at: time)
            for motion in animation.custom {
                motion.apply(to: &custom, base: layer.keyedValue(forKey: motion.key), at: time)
            }
        }
        if properties.contents != id {
            let shown = properties.contents
            contents = shown == .none ? nil : animations.lazy.compactMap { $0.image(shown) }.first
        }
        properties.contents = .none
        properties.contentsFade = nil
        guard before != (properties.filters, properties.backgroundFilters) else { return }
        var objects = effects?.objects ?? EffectObjects()
        objects.filters.objects = filterObjects(.filters)
        objects.backgroundFilters.objects = filterObjects(.backgroundFilters)
        effects = SharedEffects(objects)
    }
}

extension CALayer {
    /// Nil for a layer that no display has yet.
    final func valuesOnScreen() -> PresentedValues? {
        guard modelLayer == nil, let context = hosting.context, hosting.id != .none else { return nil }
        return context.presentedValues(of: self)
    }
}
