import LayerModel

/// A display's pixels between frames: slot 0 of its plans, and the coverage atlas that they draw from.
///
/// Belongs to the executor that made it, and to its thread. Dropping the last reference gives the memory back at the
/// executor's next call.
package final class RootTarget {
    /// Pixels.
    package let size: PixelSize
    let target: Target
    let coverage: CoveragePages
    let sprites = SpriteTargets()
    let registry: RootRegistry

    init(target: Target, coverage: CoveragePages, registry: RootRegistry) {
        size = target.size
        self.target = target
        self.coverage = coverage
        self.registry = registry
        registry.alive[ObjectIdentifier(self)] = RootRegistry.Resources(
            target: target, coverage: coverage, sprites: sprites)
    }

    deinit {
        if let resources = registry.alive.removeValue(forKey: ObjectIdentifier(self)) {
            registry.dropped.append(resources)
        }
    }
}

/// The GL objects of an executor's roots, so that they can be freed after their owners and while the context is current.
final class RootRegistry {
    struct Resources {
        var target: Target
        var coverage: CoveragePages
        var sprites: SpriteTargets
    }

    fileprivate(set) var alive: [ObjectIdentifier: Resources] = [:]
    fileprivate var dropped: [Resources] = []

    /// What nobody owns any more; the caller frees it.
    func takeDropped() -> [Resources] {
        defer { dropped = [] }
        return dropped
    }
}
