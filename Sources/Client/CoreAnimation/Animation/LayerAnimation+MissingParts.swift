// Animations into filters and emitter cells that a layer does not have. They are looked for when the animation is first committed:
// until then an app may still give the layer what the key path names.

import LayerModel
import Quartz2D

extension LayerAnimation {
    /// Says what of the animation's key paths the layer lacks, once, unless it was said where the animation was written.
    func warnOfMissingParts(of layer: CALayer) {
        var targets: [AnimationTarget] = []
        animation.collectNamedParts(depth: 0, into: &targets)
        for target in targets {
            // On other layers the key path means nothing at all, which was said.
            guard layer.property(forKey: target.property.key) != nil else { continue }
            // An animation of the whole list may bring what is missing.
            guard !layer.animates(target.property) else { continue }
            let properties = layer.properties
            guard
                let lack = target.lack(
                    filters: properties.filters, backgroundFilters: properties.backgroundFilters,
                    cells: properties.emitter.cells)
            else { continue }
            let name = key.map { "animation \"\($0.prefix(64))\"" } ?? "animation"
            ClientWarnings.shared.warnOnce(
                "\(layer.label), \(name) of \(target.keyPath.prefix(128)): \(lack); it shows nothing.")
        }
    }
}

extension CAAnimation {
    /// What it names in filters and cells; of a group, what its members do.
    fileprivate func collectNamedParts(depth: Int, into targets: inout [AnimationTarget]) {
        guard !isFaultReported else { return }
        switch self {
        case let group as CAAnimationGroup where depth < AnimationDescription.maximumDepth:
            for member in group.animations ?? [] { member.collectNamedParts(depth: depth + 1, into: &targets) }
        case let property as CAPropertyAnimation:
            guard let target = property.keyPath.flatMap({ AnimationTarget(keyPath: $0) }), target.isNamedPart else {
                break
            }
            targets.append(target)
        default: break
        }
    }
}

extension CALayer {
    /// Some animation changes the whole of a property.
    fileprivate func animates(_ property: LayerProperty) -> Bool {
        animationList.contains { $0.description.content.changes(property) }
    }
}

extension AnimationDescription.Content {
    fileprivate func changes(_ property: LayerProperty) -> Bool {
        switch self {
        case .transition: false
        case .property(let animation): animation.target == .property(property)
        case .group(let members): members.contains { $0.content.changes(property) }
        }
    }
}
