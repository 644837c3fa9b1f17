// One animation of one layer, from `add` to its end.
//
// It waits until its layer is committed in a display; then its begin is resolved, and the description goes to the server. The
// client never hears from the server again: both know when it ends. Images in its values have ids of the layer's own until
// they are sent.

import LayerModel
import Quartz2D

final class LayerAnimation: @unchecked Sendable {
    /// Nil: stays beside others without one.
    let key: String?
    /// The copy that was made when it was added.
    let animation: CAAnimation
    weak let layer: CALayer?
    /// Tells the order in which animations were added.
    let number: UInt64

    private(set) var description: AnimationDescription
    /// In the order of their local ids, which follow `imageBase`.
    let images: [CGImage]
    let imageBase: UInt32
    private(set) var custom: [CustomMotion]

    /// Nil until its layer is committed.
    private(set) var prepared: PreparedAnimation?

    /// The recorder that it was sent with.
    var session: UInt64 = 0
    /// None where there is nothing for the server to show.
    var id = AnimationID.none
    var sentImages: [ImageID] = []
    /// How many values the server has of it; 0 where it has none.
    var sentWeight = 0

    enum State {
        case waiting, started
        /// Came to its end.
        case ended
        /// Was taken away before; on screen until that is committed.
        case removed
    }

    var state = State.waiting
    /// Opened when it ends, however it ends.
    var gates: [CompletionGate] = []
    /// Where its display lists it as running.
    var listIndex: Int?
    /// Entries of a schedule from before the last change of timing are stale.
    var schedule: UInt32 = 0

    init(
        _ animation: CAAnimation, key: String?, layer: CALayer, number: UInt64, description: AnimationDescription,
        images: [CGImage], imageBase: UInt32, custom: [CustomMotion]
    ) {
        self.animation = animation
        self.key = key
        self.layer = layer
        self.number = number
        self.description = description
        self.images = images
        self.imageBase = imageBase
        self.custom = custom
    }

    var timing: AnimationTiming { description.timing }
    var isCommitted: Bool { prepared != nil }
    var isDone: Bool { state == .ended || state == .removed }

    /// True where a server has something to show.
    var isShown: Bool { description.content != .group([]) }

    /// Seconds; a begin closer to 0, such as 1e-100, is 0 itself. Source: semantic reference, §4.3.
    private static let atZero = 1e-9

    /// - Parameter now: The layer's time at the commit: where a begin of 0 is.
    func resolve(now: Double) {
        if description.timing.beginTime == 0 {
            let begin = now.isFinite ? now : 0
            description.timing.beginTime = begin
            animation.beginTime = begin
            for index in custom.indices { custom[index].description.timing.beginTime = begin }
        } else if abs(description.timing.beginTime) < LayerAnimation.atZero {
            // Written to mean the layer's time 0, where it begins and not just after: a manual clock may stand there.
            description.timing.beginTime = 0
            for index in custom.indices { custom[index].description.timing.beginTime = 0 }
        }
        prepared = PreparedAnimation(description)
        for index in custom.indices { custom[index].prepare() }
    }

    /// Nothing of it is to be seen any more; it begins and ends as it would.
    func showNothing() {
        description.content = .group([])
        prepared = PreparedAnimation(description)
    }

    /// How it is named in faults: by its key, and by the key path where it has one.
    var place: String {
        let name = key.map { "animation \"\($0.prefix(64))\"" } ?? "animation"
        return (animation as? CAPropertyAnimation)?.keyPath.map { "\(name) of \($0.prefix(128))" } ?? name
    }

    /// True when it has ended and is not to stay.
    /// - Parameter time: Of the layer.
    func isOver(at time: Double) -> Bool {
        state == .ended && description.isRemovedOnCompletion || (prepared?.isOver(at: time) ?? false)
    }

    /// The image of a local id.
    func image(_ id: ImageID) -> CGImage? {
        guard id.rawValue > imageBase, id.rawValue - imageBase <= UInt32(images.count) else { return nil }
        return images[Int(id.rawValue - imageBase) - 1]
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var lastNumber: UInt64 = 0

    static func nextNumber() -> UInt64 {
        lock.withLock {
            lastNumber += 1
            return lastNumber
        }
    }
}

/// An animation of a key that is no property: the client samples it, and displays the layer again each time the clock moves.
///
/// The shared model animates properties, so one of the same kind stands in: it has the value of the key before, and the
/// animated one after.
struct CustomMotion {
    let keyPath: String
    /// Of the property that stands in; inside the groups that the animation is in.
    var description: AnimationDescription
    private var prepared: PreparedAnimation?

    init(keyPath: String, description: AnimationDescription) {
        self.keyPath = keyPath
        self.description = description
    }

    mutating func prepare() { prepared = PreparedAnimation(description) }

    var key: String { String(keyPath.prefix { $0 != "." }) }

    static func standIn(for kind: PropertyValue.Kind) -> LayerProperty {
        switch kind {
        case .point: .position
        case .rect: .bounds
        case .transform: .transform
        case .color: .backgroundColor
        case .path: .shadowPath
        default: .zPosition
        }
    }

    private static func standIn(in description: AnimationDescription) -> LayerProperty? {
        switch description.content {
        case .property(let animation): animation.target.property
        case .group(let members): members.first.flatMap { standIn(in: $0) }
        case .transition: nil
        }
    }

    /// Changes the value of the key to what it is at a time of the layer.
    ///
    /// - Parameter values: The values by key, to read and to change.
    func apply(to values: inout [String: Any], base: Any?, at time: Double) {
        guard let prepared, let property = CustomMotion.standIn(in: description) else { return }
        let path = keyPath.split(separator: ".", omittingEmptySubsequences: false)[...].dropFirst()
        let whole = values[key] ?? base
        let part = path.isEmpty ? whole : whole.flatMap { try? KeyPathComponents.get(path, of: $0) }
        var properties = LayerProperties()
        if let part, let value = try? AnimationValue.value(of: part, as: property.kind, image: { _ in .none }) {
            try? properties.set(property, to: value)
        }
        let before = properties[property]
        prepared.apply(to: &properties, at: time)
        let after = properties[property]
        guard after != before || part == nil, let object = AnimationValue.object(after, like: part) else { return }
        if path.isEmpty {
            values[key] = object
        } else if let whole, let changed = try? KeyPathComponents.set(path, of: whole, to: object) {
            values[key] = changed
        }
    }
}

extension AnimationDescription {
    /// The same with other ids for its images.
    package func mappingImages(_ map: (ImageID) -> ImageID) -> AnimationDescription {
        var copy = self
        switch content {
        case .group(let members): copy.content = .group(members.map { $0.mappingImages(map) })
        case .transition: break
        case .property(var animation):
            func mapped(_ value: PropertyValue) -> PropertyValue {
                if case .image(let id) = value, id != .none { return .image(map(id)) }
                return value
            }
            func mapped(_ ends: MotionEnds) -> MotionEnds {
                MotionEnds(from: ends.from.map(mapped), to: ends.to.map(mapped), by: ends.by.map(mapped))
            }
            switch animation.motion {
            case .basic(let ends): animation.motion = .basic(mapped(ends))
            case .spring(let ends, let curve): animation.motion = .spring(mapped(ends), curve)
            case .keyframes(var frames):
                frames.values = frames.values.map(mapped)
                animation.motion = .keyframes(frames)
            }
            copy.content = .property(animation)
        }
        return copy
    }
}
