import CoreAnimation
import LayerModel
import Quartz2D

/// A layer as a scene file describes it, before any `CALayer` is made.
package struct SceneNode {
    package var layerClass = LayerClass.layer
    /// The name that the file's own references use; not the layer's name.
    package var id: String?
    /// Index of the superlayer in the tree, -1 for the root.
    package var parent: Int
    /// True: the mask of its superlayer, none of its sublayers.
    package var isMask = false
    /// In the order in which they are set: the last value of a property counts.
    package var settings: [Setting] = []
    /// Numbers for key paths such as "transform.rotation.z", set after `settings`.
    package var keyPaths: [KeyPathSetting] = []
    package var image: CGImage?
    /// Of an emitter layer; nil where the file says nothing.
    package var emitterCells: [CAEmitterCell]?
    /// Nil where the file says nothing, as for the other lists.
    package var filters: [CAFilter]?
    package var backgroundFilters: [CAFilter]?
    /// A compositing filter that has a name of its own; one that is a mere name is a setting.
    package var compositingFilter: CAFilter?
    /// Of a text layer; nil of any other.
    package var text: SceneText?
    /// Of a scroll or tiled layer, and how the layer follows its superlayer's size.
    package var client = SceneClientValues()
    /// The bounds with their corners cast the shadow.
    package var boundsCastShadow = false
    /// Of a backdrop layer.
    package var backdropIsEnabled: Bool?
    package var animations: [SceneAnimation] = []
    package var states: [SceneState] = []
    package var stateTransitions: [SceneStateTransition] = []
    /// Where its element is in the file, which states mean it by.
    package var element = -1
    /// True: in the tree only while a state has added it. `parent` is the layer with that state.
    package var isDetached = false

    package struct Setting: Equatable {
        package var property: LayerProperty
        package var value: PropertyValue
    }

    package struct KeyPathSetting: Equatable {
        package var keyPath: String
        package var value: Double
    }

    package init(parent: Int) {
        self.parent = parent
    }

    package mutating func set(_ property: LayerProperty, _ value: PropertyValue) {
        settings.append(Setting(property: property, value: value))
    }

    /// The value that counts, or the property's default.
    package func value(of property: LayerProperty) -> PropertyValue {
        settings.last { $0.property == property }?.value ?? LayerProperties()[property]
    }
}

/// One scene file's layers, flat: every layer after its superlayer, sublayers in order, the root first.
package struct SceneTree {
    package var nodes: [SceneNode] = []

    package init() {}

    package mutating func append(_ node: SceneNode) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }
}
