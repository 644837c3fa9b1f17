// Filters, emitter cells and animations of a layer that both formats can say; what they can't is a warning.

import CoreAnimation
import Foundation
import LayerModel

/// How a layer meets what is below it, as files say it.
package enum WrittenCompositing {
    case filter(CAFilter)
    /// A mode's name.
    case name(String)
}

extension WritingSession {
    /// Nil after a warning: for an object of a list of filters that no file can say.
    package func filter(_ object: Any, of layer: CALayer, in key: String) -> CAFilter? {
        guard let filter = object as? CAFilter else {
            warn(layer, "\(key): a \(type(of: object)) is left out")
            return nil
        }
        guard FilterVocabulary.isKnown(filter.type) else {
            warn(
                layer, "\(key): the filter \(WritingSession.clean(filter.type.prefix(64))) is not known; it is left out"
            )
            return nil
        }
        return filter
    }

    /// The compositing filter; nil where there is none, and after a warning.
    package func compositing(of layer: CALayer) -> WrittenCompositing? {
        guard let object = layer.compositingFilter else { return nil }
        if let filter = object as? CAFilter, CompositingMode(filterName: filter.type) != nil { return .filter(filter) }
        if let name = KeyedValue.string(object), let mode = CompositingMode(filterName: name) {
            return .name(mode.filterName)
        }
        warn(layer, "compositingFilter is left out: it is none that is known")
        return nil
    }

    /// Cells at a depth, 1 for those of the layer itself; none after a warning.
    package func cells(_ cells: [CAEmitterCell], of layer: CALayer, depth: Int) -> [ObjectDescription] {
        guard depth <= EmitterCell.deepest || cells.isEmpty else {
            warn(layer, "emitterCells: cells lie at most \(EmitterCell.deepest) deep in one another")
            return []
        }
        return cells.map { ObjectDescription($0, of: layer, session: self) }
    }

    /// The animations that files can say, with their keys; a key is nil where the reader gives it the same.
    package func motions(of layer: CALayer) -> [(key: String?, motion: MotionDescription)] {
        let animations = layer.addedAnimations
        return zip(animations, animations.writtenKeys).compactMap { added, writtenKey in
            let name = added.key ?? writtenKey ?? (added.animation as? CAPropertyAnimation)?.keyPath ?? ""
            return MotionDescription(added.animation, of: layer, key: name, session: self).map { (writtenKey, $0) }
        }
    }
}
