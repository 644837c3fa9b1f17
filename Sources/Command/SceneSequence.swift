// Scenes as consecutive commits of one session. Each scene is a tree of its own; what an app would have changed between two is
// found by laying the trees over each other: a layer is the same one as before where it stands under the same layer, of the
// same class and name, in the same order among those of its name. So caches see what an app's caches would see.

import CoreAnimation
import Foundation
import LayerModel

package struct SceneSequence {
    /// One layer of a scene.
    private struct Entry {
        var layerClass: LayerClass
        /// Only what was set; references in the session's numbers.
        var values: [LayerProperty: PropertyValue] = [:]
        var sublayers: [LayerID] = []
        /// In the order in which they were added.
        var animations: [Animation] = []
    }

    private struct Animation {
        var id: AnimationID
        var key: String
        var description: AnimationDescription
    }

    /// A scene in numbers of its own.
    private struct Tree {
        var root = LayerID.none
        var layers: [LayerID: Entry] = [:]
        var images: [ImageID: ImageContent] = [:]

        init() {}

        init(_ ops: [TransactionOp]) {
            for op in ops {
                switch op {
                case .createLayer(let id, let layerClass): layers[id] = Entry(layerClass: layerClass)
                case .set(let id, let property, let value): layers[id]?.values[property] = value
                case .setSublayers(let id, let list): layers[id]?.sublayers = list
                case .setRoot(let id): root = id
                case .defineImage(let id, let content): images[id] = content
                case .addAnimation(let id, let animation, let key, let description):
                    layers[id]?.animations.append(Animation(id: animation, key: key, description: description))
                case .removeAnimation(let id, let animation):
                    layers[id]?.animations.removeAll { $0.id == animation }
                case .destroyLayer, .releaseImage: break
                }
            }
        }

        func name(_ id: LayerID) -> String? {
            guard case .string(let name) = layers[id]?.values[.name] else { return nil }
            return name
        }

        func mask(_ id: LayerID) -> LayerID {
            guard case .layer(let mask) = layers[id]?.values[.mask] else { return .none }
            return mask
        }

        /// Layers from the root on, superlayers first, masks before sublayers.
        var preorder: [LayerID] {
            var order: [LayerID] = []
            var waiting = root == .none ? [] : [root]
            while let id = waiting.popLast() {
                order.append(id)
                waiting += (layers[id]?.sublayers ?? []).reversed()
                let mask = mask(id)
                if mask != .none { waiting.append(mask) }
            }
            return order
        }
    }

    /// What the session shows, in its numbers.
    private var shown = Tree()
    private var lastLayer: UInt32 = 0
    private var lastImage: UInt32 = 0
    private var lastAnimation: UInt32 = 0

    package init() {}

    /// The commit that makes the session show a scene.
    ///
    /// - Parameters:
    ///   - ops: The scene as the first commit of a session of its own.
    ///   - time: The commit's stamp, seconds.
    package mutating func commit(_ ops: [TransactionOp], at time: Double) -> Transaction {
        let scene = Tree(ops)
        let order = scene.preorder
        let old = shown.preorder
        var numbers: [LayerID: LayerID] = [:]
        match(scene.root, shown.root, in: scene, &numbers)
        var result: [TransactionOp] = []
        for id in order where numbers[id] == nil {
            lastLayer += 1
            numbers[id] = LayerID(lastLayer)
            result.append(.createLayer(LayerID(lastLayer), scene.layers[id]?.layerClass ?? .layer))
        }
        let (images, defined) = number(scene.images)
        result += defined.map { .defineImage($0.id, $0.content) }

        var next = Tree()
        next.root = numbers[scene.root] ?? .none
        for id in order {
            guard let entry = scene.layers[id], let number = numbers[id] else { continue }
            var renumbered = Entry(layerClass: entry.layerClass)
            renumbered.sublayers = entry.sublayers.compactMap { numbers[$0] }
            renumbered.values = entry.values.mapValues { Self.renumber($0, numbers, images) }
            result += changes(of: number, to: renumbered)
            let (animations, added) = animate(number, entry.animations, images)
            renumbered.animations = animations
            result += added
            next.layers[number] = renumbered
        }
        for id in order {
            guard let number = numbers[id] else { continue }
            let list = next.layers[number]?.sublayers ?? []
            if list != shown.layers[number]?.sublayers ?? [] { result.append(.setSublayers(number, list)) }
        }
        result += old.filter { next.layers[$0] == nil }.map { .destroyLayer($0) }
        next.images = Dictionary(uniqueKeysWithValues: scene.images.map { (images[$0.key]!, $0.value) })
        result += shown.images.keys.filter { next.images[$0] == nil }.sorted { $0.rawValue < $1.rawValue }
            .map { .releaseImage($0) }
        if next.root != shown.root { result.append(.setRoot(next.root)) }
        shown = next
        return Transaction(time: time, ops: result)
    }

    /// Which layer of a scene is which of those shown.
    private func match(
        _ root: LayerID, _ shownRoot: LayerID, in scene: Tree, _ numbers: inout [LayerID: LayerID]
    ) {
        var waiting = [(root, shownRoot)]
        while let (id, old) = waiting.popLast() {
            guard let entry = scene.layers[id], let oldEntry = shown.layers[old],
                entry.layerClass == oldEntry.layerClass
            else { continue }
            numbers[id] = old
            waiting.append((scene.mask(id), shown.mask(old)))
            var left = oldEntry.sublayers
            for child in entry.sublayers {
                let name = scene.name(child)
                let layerClass = scene.layers[child]?.layerClass
                guard
                    let index = left.firstIndex(where: {
                        shown.name($0) == name && shown.layers[$0]?.layerClass == layerClass
                    })
                else { continue }
                waiting.append((child, left.remove(at: index)))
            }
        }
    }

    /// Numbers of a scene's images: an image of the same pixels is the same image.
    private mutating func number(
        _ images: [ImageID: ImageContent]
    ) -> (numbers: [ImageID: ImageID], defined: [(id: ImageID, content: ImageContent)]) {
        var numbers: [ImageID: ImageID] = [:]
        var defined: [(id: ImageID, content: ImageContent)] = []
        var left = shown.images.sorted { $0.key.rawValue < $1.key.rawValue }
        for (id, content) in images.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let index = left.firstIndex(where: { $0.value == content }) {
                numbers[id] = left.remove(at: index).key
            } else {
                lastImage += 1
                numbers[id] = ImageID(lastImage)
                defined.append((ImageID(lastImage), content))
            }
        }
        return (numbers, defined)
    }

    private func changes(of number: LayerID, to entry: Entry) -> [TransactionOp] {
        let defaults = LayerProperties()
        let old = shown.layers[number]
        return LayerProperty.allCases.compactMap { property in
            let value = entry.values[property] ?? defaults[property]
            let before = old?.values[property] ?? defaults[property]
            return value == before ? nil : .set(number, property, value)
        }
    }

    /// The animations of a layer in the session's numbers: those that it has already, in their order, go on; from the first
    /// other one on they are new.
    private mutating func animate(
        _ number: LayerID, _ wanted: [Animation], _ images: [ImageID: ImageID]
    ) -> ([Animation], [TransactionOp]) {
        let old = shown.layers[number]?.animations ?? []
        var animations: [Animation] = []
        var ops: [TransactionOp] = []
        var goesOn = true
        for (position, animation) in wanted.enumerated() {
            var animation = animation
            animation.description = animation.description.mappingImages { images[$0] ?? .none }
            if goesOn, position < old.count, old[position].key == animation.key,
                old[position].description == animation.description
            {
                animations.append(old[position])
                continue
            }
            goesOn = false
            lastAnimation += 1
            animation.id = AnimationID(lastAnimation)
            animations.append(animation)
            ops.append(.addAnimation(number, animation.id, key: animation.key, animation.description))
        }
        let left = Set(animations.map(\.id))
        let removed = old.filter { !left.contains($0.id) }.map { TransactionOp.removeAnimation(number, $0.id) }
        return (animations, removed + ops)
    }

    private static func renumber(
        _ value: PropertyValue, _ layers: [LayerID: LayerID], _ images: [ImageID: ImageID]
    ) -> PropertyValue {
        switch value {
        case .layer(let id): return .layer(layers[id] ?? .none)
        case .image(let id): return .image(images[id] ?? .none)
        case .filters(let filters):
            return .filters(
                filters.map { filter in
                    var filter = filter
                    if filter.maskImage != .none {
                        filter.inputs[.inputMaskImage] = .image(images[filter.maskImage] ?? .none)
                    }
                    return filter
                })
        case .cells(let cells): return .cells(cells.map { $0.mappingImages { images[$0] ?? .none } })
        default: return value
        }
    }
}
