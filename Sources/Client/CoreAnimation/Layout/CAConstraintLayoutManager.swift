// Places sublayers by their constraints.
//
// What is solved for is one axis of one layer. It waits for the axes that its constraints read; what waits for nothing any
// more is laid out, and so on. What then still waits is a cycle, or waits for one: it stays as it is. So the result doesn't
// depend on the order of the sublayers. Source: semantic reference, §6.9, and docs/scrolling-and-layout.md for what is not said there.

import LayerModel
import Synchronization

/// Places a layer's sublayers by their `constraints`. One can serve many layers, of several displays at once.
public final class CAConstraintLayoutManager: NSObject, CALayoutManager {
    /// The layers whose sublayers' changes come from here.
    private let layers = Mutex<Set<ObjectIdentifier>>([])

    /// True while it places the sublayers of a layer.
    func isLayingOut(_ layer: CALayer) -> Bool {
        layers.withLock { $0.contains(ObjectIdentifier(layer)) }
    }

    /// Sets the frames of the sublayers that have constraints. What a cycle of them depends on stays as it is.
    public func layoutSublayers(of layer: CALayer) {
        let isOutermost = layers.withLock { $0.insert(ObjectIdentifier(layer)).inserted }
        defer { if isOutermost { _ = layers.withLock { $0.remove(ObjectIdentifier(layer)) } } }
        var solver = ConstraintSolver(layer)
        solver.solve()
        for (layer, frame) in solver.changedFrames { layer.frame = frame }
    }
}

private struct ConstraintSolver {
    /// One axis of one sublayer: twice its index, and 1 more for the vertical one.
    private typealias Axis = Int

    private struct Rule {
        var part: ConstrainedSpan.Part
        /// Nil: the superlayer.
        var source: Axis?
        var isVertical: Bool
        var sourcePart: ConstrainedSpan.Part
        var scale: Double
        var offset: Double
    }

    private let layers: [CALayer]
    private let space: Rect
    private let old: [Rect]
    private var spans: [ConstrainedSpan] = []
    private var rules: [[Rule]] = []

    init(_ layer: CALayer) {
        layers = layer.children
        space = layer.properties.bounds
        old = layers.map(\.frameRect)
        for frame in old {
            spans.append(ConstrainedSpan(min: frame.minX, max: frame.maxX))
            spans.append(ConstrainedSpan(min: frame.minY, max: frame.maxY))
        }
        var indices: [String: Int] = [:]
        for (index, layer) in layers.enumerated() {
            if let name = layer.name, indices[name] == nil { indices[name] = index }
        }
        rules = Array(repeating: [], count: spans.count)
        for (index, layer) in layers.enumerated() {
            for constraint in layer.constraints ?? [] {
                var source: Int?
                if constraint.sourceName != "superlayer" {
                    source = indices[constraint.sourceName]
                    guard source != nil else {
                        ClientWarnings.shared.warnOnce(
                            "\(layer.label): a constraint names \"\(constraint.sourceName)\", and none of its siblings is "
                                + "called so; the constraint is ignored")
                        continue
                    }
                }
                let (attribute, read) = (constraint.attribute, constraint.sourceAttribute)
                rules[2 * index + (attribute.isVertical ? 1 : 0)].append(
                    Rule(
                        part: attribute.part, source: source.map { 2 * $0 + (read.isVertical ? 1 : 0) },
                        isVertical: read.isVertical, sourcePart: read.part, scale: Double(constraint.scale),
                        offset: Double(constraint.offset)))
            }
        }
    }

    mutating func solve() {
        var waiting = rules.map { rules in rules.count { $0.source != nil } }
        var readers: [Axis: [Axis]] = [:]
        for (axis, rules) in rules.enumerated() {
            for rule in rules { if let source = rule.source { readers[source, default: []].append(axis) } }
        }
        var ready = waiting.indices.filter { waiting[$0] == 0 }
        while let axis = ready.popLast() {
            layOut(axis)
            for reader in readers[axis] ?? [] {
                waiting[reader] -= 1
                if waiting[reader] == 0 { ready.append(reader) }
            }
        }
    }

    /// What its constraints read is laid out.
    private mutating func layOut(_ axis: Axis) {
        guard !rules[axis].isEmpty else { return }
        let values = rules[axis].map { rule in
            let source =
                rule.source.map { spans[$0] }
                ?? (rule.isVertical
                    ? ConstrainedSpan(min: space.minY, max: space.maxY)
                    : ConstrainedSpan(min: space.minX, max: space.maxX))
            return (part: rule.part, value: rule.scale * source[rule.sourcePart] + rule.offset)
        }
        var span = spans[axis]
        span.apply(values)
        guard span.min.isFinite, span.max.isFinite else {
            return layers[axis / 2].recordFault("constraints", "give a frame that is not finite; the old one stays")
        }
        spans[axis] = span
    }

    var changedFrames: [(CALayer, CGRect)] {
        layers.indices.compactMap { index in
            let (x, y) = (spans[2 * index], spans[2 * index + 1])
            let before = old[index]
            guard x.min != before.minX || x.max != before.maxX || y.min != before.minY || y.max != before.maxY else {
                return nil
            }
            return (layers[index], CGRect(Rect(x.min, y.min, x.max - x.min, y.max - y.min)))
        }
    }
}
