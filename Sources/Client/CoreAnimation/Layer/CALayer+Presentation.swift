// Presentation copies: the values that the display has, without what was changed since the last commit.

import LayerModel

extension CALayer {
    /// Nil for a layer that no display has yet.
    final func makePresentation() -> CALayer? {
        guard modelLayer == nil else { return self }
        guard let context = hosting.context, hosting.id != .none else { return nil }
        let copy = makeCopy()
        if let (properties, contents, effects) = context.committedValues(of: self) {
            copy.properties = properties
            copy.storedContents = contents
            copy.effects = effects
            if storedBackgroundColor?.color != properties.backgroundColor {
                copy.storedBackgroundColor = properties.backgroundColor.map { CGColor($0) }
            }
            if storedBorderColor?.color != properties.borderColor {
                copy.storedBorderColor = properties.borderColor.map { CGColor($0) }
            }
        }
        copy.modelLayer = self
        return copy
    }

    /// A copy of the layer's own class where that class can be copied, else of the nearest class of this module.
    private final func makeCopy() -> CALayer {
        let kind = type(of: self)
        guard kind != frameworkClass else { return makeFrameworkCopy() }
        if let copying = kind as? any CALayerCopying.Type { return copying.init(layer: self) }
        ClientWarnings.shared.warnOnce(
            "presentation copies of \(kind) are plain \(frameworkClass)s. For copies of its own type, let it conform to "
                + "CALayerCopying and write `required override init(layer: Any)`.")
        return makeFrameworkCopy()
    }
}
