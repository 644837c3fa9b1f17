// States of a layer as a scene file describes them, before any `CALayer` is made. Layers are meant by the place of their element
// in the file. Source: the semantic reference, §6.13 and §8.6.

import CoreAnimation

/// A named set of changes to layers.
package struct SceneState {
    package var name: String
    /// The state whose changes come first.
    package var basedOn: String?
    /// What `setInitialStates` chooses.
    package var isInitial = false
    package var elements: [SceneStateElement] = []

    package init(name: String) {
        self.name = name
    }
}

/// One change of a state.
package struct SceneStateElement {
    package enum Change {
        /// Under a key path; `NSNull` is nothing.
        case set(keyPath: String, value: Any)
        case addAnimation(SceneAnimation)
        case removeAnimation(key: String)
        /// Into the sublayers.
        case addSublayer(SceneLayerReference, before: SceneLayerReference?)
        case removeSublayer(SceneLayerReference)
        /// Into a list of filters, before the one of a name.
        case addFilter(keyPath: String, CAFilter, before: String?)
        case removeFilter(keyPath: String, name: String)
    }

    package var target: SceneLayerReference
    package var change: Change

    package init(target: SceneLayerReference, change: Change) {
        self.target = target
        self.change = change
    }
}

/// A layer by its element's place in the file.
package struct SceneLayerReference: Hashable {
    package var element: Int

    package init(_ element: Int) {
        self.element = element
    }
}

/// How the way from one state to another is animated.
package struct SceneStateTransition {
    /// "*" is any, also none.
    package var from: String
    package var to: String
    package var elements: [Element] = []

    /// One animation of what changes under a key path.
    package struct Element {
        package var target: SceneLayerReference
        package var keyPath: String
        package var animation: CAAnimation
        /// Seconds after the change.
        package var delay = 0.0
    }

    package init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}
