// Animations in a transaction: new ones get their begin and an id, removed ones are named, and images in their values travel as
// those of layers do.

import LayerModel
import Quartz2D

extension TransactionRecorder {
    /// An animation was removed before its end, or after it where it was to stay.
    func noteRemoval(of animation: LayerAnimation) {
        guard animation.session == session, animation.id != .none, let layer = animation.layer,
            layer.hosting.session == session, layer.hosting.id != .none
        else { return }
        removals.append(.removeAnimation(layer.hosting.id, animation.id))
        forget(animation)
    }

    /// The server has an animation and its images no more.
    func forget(_ animation: LayerAnimation) {
        guard animation.session == session, animation.sentWeight > 0 else { return }
        sentAnimations.count -= 1
        sentAnimations.values -= animation.sentWeight
        animation.sentWeight = 0
        for id in animation.sentImages { images.endUse(id) }
        animation.sentImages = []
    }

    /// What a display's animations may not go over; nil where one more fits.
    private func limit(with animation: LayerAnimation) -> String? {
        let weight = animation.description.weight
        guard sentAnimations.count < AnimationLimits.count else {
            return "a display runs at most \(AnimationLimits.count) animations"
        }
        guard sentAnimations.values + weight > AnimationLimits.values else { return nil }
        return
            "all animations of a display hold at most \(AnimationLimits.values) values, and this one would add \(weight)"
    }

    func recordAnimations(
        of layer: CALayer, at time: Double, into record: inout Record, fault: (CALayer, String) -> Void
    ) {
        layer.hosting.animationsChanged = false
        guard !layer.animationList.isEmpty else { return }
        let now = layer.localTime(ofDisplay: time)
        for animation in layer.animationList {
            if !animation.isCommitted {
                animation.resolve(now: now)
                animation.warnOfMissingParts(of: layer)
            }
            guard animation.session != session else { continue }
            animation.session = session
            animation.id = .none
            (animation.sentImages, animation.sentWeight) = ([], 0)
            record.newAnimations.append(animation)
            guard animation.isShown, !animation.isOver(at: now) else { continue }
            guard lastAnimationID < UInt32.max else {
                fault(layer, "the display has used up its animation ids; open a new one")
                continue
            }
            if let limit = limit(with: animation) {
                layer.recordFault(animation.place, "\(limit); it shows nothing")
                animation.showNothing()
                continue
            }
            animation.sentWeight = animation.description.weight
            sentAnimations.count += 1
            sentAnimations.values += animation.sentWeight
            lastAnimationID += 1
            animation.id = AnimationID(lastAnimationID)
            var description = animation.description
            if !animation.images.isEmpty {
                description = description.mappingImages { local in
                    guard let image = animation.image(local), let (id, definition) = images.use(image) else {
                        return .none
                    }
                    if let definition { record.images.append(.defineImage(id, definition)) }
                    animation.sentImages.append(id)
                    return id
                }
            }
            let key = String((animation.key ?? "").prefix(256))
            record.animations.append(.addAnimation(layer.hosting.id, animation.id, key: key, description))
        }
    }
}
