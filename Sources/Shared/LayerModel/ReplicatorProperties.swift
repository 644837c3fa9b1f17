// How a replicator layer shows its sublayers more than once. Source: semantic reference, §6.4.

/// What differs from one instance of the sublayers to the next.
package struct ReplicatorProperties: Hashable, Sendable {
    /// Animated it may be broken: what counts is `instances`.
    package var count = 1.0
    /// The sublayers keep their depth, in the space around the layer; the layer itself draws nothing then.
    package var preservesDepth = false
    /// Seconds that each instance is behind the one before it.
    package var delay = 0.0
    /// From one instance to the next, about the layer's anchor point.
    package var transform = Transform.identity
    /// Multiplied into the first instance; nil counts as opaque white.
    package var color = Color?.some(Color(red: 1, green: 1, blue: 1, alpha: 1))
    /// Added for each instance.
    package var redOffset = 0.0
    package var greenOffset = 0.0
    package var blueOffset = 0.0
    package var alphaOffset = 0.0

    package init() {}

    package static let defaults = ReplicatorProperties()

    /// How many instances there are: whole, not negative, and never more than an `Int32` holds.
    package var instances: Int { count >= 1 ? Int(min(count, Double(Int32.max))) : 0 }

    /// What an instance's colors are multiplied with: each part 0…1.
    package func tint(of instance: Int) -> Color {
        func clamped(_ value: Double) -> Double { min(max(value, 0), 1) }
        let base = color ?? Color(red: 1, green: 1, blue: 1, alpha: 1)
        let steps = Double(instance)
        return Color(
            red: clamped(base.red + steps * redOffset), green: clamped(base.green + steps * greenOffset),
            blue: clamped(base.blue + steps * blueOffset), alpha: clamped(base.alpha + steps * alphaOffset))
    }
}

extension LayerProperties {
    package var replicator: ReplicatorProperties {
        get { rare?.value.replicator?.value ?? .defaults }
        set {
            let isDefault = newValue == .defaults
            setRarely(isDefault: isDefault) { $0.replicator = isDefault ? nil : Boxed(newValue) }
        }
    }
}
