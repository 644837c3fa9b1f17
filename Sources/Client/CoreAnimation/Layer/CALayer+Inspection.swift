// What writers of scene files ask of a layer besides its properties.

extension CALayer {
    /// The keys of the app's own, or of the class's, that have a value; in the order of the alphabet.
    package final var ownKeys: [String] { keyedValues.keys.sorted() }

    /// Every animation that the layer has, in the order in which they are applied; those without a key too.
    package final var addedAnimations: [(key: String?, animation: CAAnimation)] {
        animationList.map { ($0.key, $0.animation) }
    }

    /// True where the contents were drawn by the layer itself or its delegate, and set by nobody.
    package final var contentsAreDrawn: Bool {
        guard let image = storedContents else { return false }
        return drawing?.last?.image === image && contents as? CGImage === image
    }
}

extension CAAnimation {
    /// The keys that are no properties of the class and have a value; in the order of the alphabet.
    package final var ownKeys: [String] { keyedValues.keys.sorted() }
}
