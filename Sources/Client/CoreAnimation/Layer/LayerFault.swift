/// A mistake that a layer was asked to make: a number that is not finite, a value of the wrong type, a cycle in the tree.
///
/// Setters and tree operations don't throw, so the layer keeps what it had and remembers the fault; the display throws it
/// at the next snapshot, or hands it to its fault handler.
public struct LayerFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The class and, where it has one, the name of the layer.
    public var layer: String
    /// The key, the key path or the operation.
    public var key: String
    /// What is wrong and what would be right.
    public var message: String

    package init(layer: String, key: String, message: String) {
        self.layer = layer
        self.key = key
        self.message = message
    }

    /// All three, for people.
    public var description: String { "\(layer), \(key): \(message)" }
}

/// The faults of one layer or one display: the first ones in full, the rest counted.
package struct FaultList: Sendable {
    package private(set) var faults: [LayerFault] = []
    /// Faults that were not kept because there were too many.
    package private(set) var dropped = 0
    private let limit: Int

    package init(limit: Int) { self.limit = limit }

    package mutating func append(_ fault: LayerFault) {
        if faults.count < limit { faults.append(fault) } else { dropped += 1 }
    }

    package mutating func append(contentsOf other: FaultList) {
        for fault in other.faults { append(fault) }
        dropped += other.dropped
    }

    /// Hands out what there is and starts again.
    package mutating func take() -> [LayerFault] {
        defer { self = FaultList(limit: limit) }
        guard dropped > 0 else { return faults }
        return faults + [LayerFault(layer: "display", key: "faults", message: "\(dropped) more faults were not kept")]
    }
}
