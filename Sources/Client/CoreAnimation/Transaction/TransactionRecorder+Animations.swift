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
        forgetImages(of: animation)
    }

    /// The server has no more use for the images of an animation.
    func forgetImages(of animation: LayerAnimation) {
        guard animation.session == session else { return }
        for id in animation.sentImages { images.endUse(id) }
        animation.sentImages = []
    }

    func recordAnimations(
        of layer: CALayer, at time: Double, into record: inout Record, fault: (CALayer, String) -> Void
    ) {
        layer.hosting.animationsChanged = false
        guard !layer.animationList.isEmpty else { return }
        let now = layer.localTime(ofDisplay: time)
        for animation in layer.animationList {
            if !animation.isCommitted { animation.resolve(now: now) }
            guard animation.session != session else { continue }
            animation.session = session
            animation.id = .none
            animation.sentImages = []
            record.newAnimations.append(animation)
            guard animation.isShown, !animation.isOver(at: now) else { continue }
            guard lastAnimationID < UInt32.max else {
                fault(layer, "the display has used up its animation ids; open a new one")
                continue
            }
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
