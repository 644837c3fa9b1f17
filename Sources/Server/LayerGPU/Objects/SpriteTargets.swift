import LayerModel

/// Targets of a root that keep their pixels between frames, by the number that the plans give them.
final class SpriteTargets {
    private var targets: [UInt64: Target] = [:]

    var count: Int { targets.count }
    var bytes: Int { targets.values.reduce(0) { $0 + $1.bytes } }

    subscript(sprite: UInt64) -> Target? { targets[sprite] }

    /// The sprite's target, or one from the pool that is its from now on.
    func target(_ sprite: UInt64, of size: PixelSize, from pool: TargetPool) throws(GPUError) -> Target {
        if let target = targets[sprite] { return target }
        let target = try pool.take(size)
        targets[sprite] = target
        return target
    }

    func giveBack(_ sprites: [UInt64], to pool: TargetPool) {
        for sprite in sprites { if let target = targets.removeValue(forKey: sprite) { pool.giveBack(target) } }
    }

    func giveBackAll(to pool: TargetPool) {
        for target in targets.values { pool.giveBack(target) }
        targets = [:]
    }

    func deleteAll(from pool: TargetPool) {
        for target in targets.values { pool.delete(target) }
        targets = [:]
    }
}
