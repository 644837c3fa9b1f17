// Presentation copies: what is on screen now, without what was changed since the last commit.

import LayerModel

extension CALayer {
    /// Nil for a layer that no display has yet.
    final func makePresentation() -> CALayer? {
        guard modelLayer == nil else { return self }
        guard let shown = valuesOnScreen() else { return nil }
        let copy = makeCopy()
        copy.properties = shown.properties
        copy.storedContents = shown.contents
        copy.effects = shown.effects
        copy.keyedValues.merge(shown.custom) { $1 }
        if storedBackgroundColor?.color != shown.properties.backgroundColor {
            copy.storedBackgroundColor = shown.properties.backgroundColor.map { CGColor($0) }
        }
        if storedBorderColor?.color != shown.properties.borderColor {
            copy.storedBorderColor = shown.properties.borderColor.map { CGColor($0) }
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
