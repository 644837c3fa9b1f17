// Which layer is under a point.
//
// The direct sublayers of a layer share its space, and those of a transform layer join the space their parent is in. A point
// is a line of sight through that space: it meets each sublayer's plane in one point, found with the inverse of the plane's
// 3×3 matrix, and the sublayers are tried from the nearest of these points to the farthest. So where planes cross, the one
// that is in front there is hit. Equal depths go by zPosition, then by order, the members of a transform layer together at
// its place, as in painting. What a subclass makes of `hitTest` and `contains` is respected.
//
// The walk keeps its own stack, so a tree of any depth can be tested; only layers whose class may override `hitTest` are
// called, and no deeper than the display would draw. Of a replicator only the first instance is there. Not looked at:
// opacity, masks, contents' alpha. Corners of a clipped layer count as circular, which differs from the continuous curve by
// less than a tenth of the radius. Source: semantic reference, §1.4, and the decision that sublayers share their superlayer's
// space.

import LayerModel

struct HitTest {
    /// Trees deeper than this are not drawn.
    private static let maximumDepth = 1024

    /// - Parameter point: In the superlayer's coordinates of `layer`.
    static func run(from layer: CALayer, at point: Point) -> CALayer? {
        let thread = ThreadTransactions.current
        guard thread.hitTestDepth < maximumDepth else { return nil }
        thread.hitTestDepth += 1
        defer { thread.hitTestDepth -= 1 }
        var test = HitTest(receiver: layer)
        test.addCandidates([layer], at: point)
        return test.firstHit()
    }

    private enum Step {
        /// A layer and the point in its own coordinates.
        case enter(CALayer, Point)
        case testSelf(CALayer, Point)
    }

    private struct Candidate {
        var layer: CALayer
        var point: Point
        var depth: Double
        var order: Int
    }

    private let receiver: CALayer
    private var steps: [Step] = []

    private init(receiver: CALayer) { self.receiver = receiver }

    private mutating func firstHit() -> CALayer? {
        while let step = steps.popLast() {
            switch step {
            case .testSelf(let layer, let point):
                if layer.contains(CGPoint(point)) { return layer }
            case .enter(let layer, let point):
                if layer !== receiver, type(of: layer) != layer.frameworkClass {
                    let outside = layer.matrixToSuperlayer.planar.apply(point)
                    if let hit = layer.hitTest(CGPoint(outside)) { return hit }
                    continue
                }
                guard !layer.properties.masksToBounds || layer.clipContains(point) else { continue }
                steps.append(.testSelf(layer, point))
                addCandidates(layer.treeSublayers, at: point)
            }
        }
        return nil
    }

    /// Pushes the layers that the line of sight through `point` meets, the nearest last.
    ///
    /// - Parameter point: In the coordinates of the layers' superlayer.
    private mutating func addCandidates(_ layers: [CALayer], at point: Point) {
        var candidates: [Candidate] = []
        var order = 0
        // Layers still to look at, the matrix from their superlayer to the space of `point`, and whether an odd number of
        // flipped transform layers lies between.
        var pending: [(CALayer, Transform?, Bool)] = Self.inPaintOrder(layers).reversed().map { ($0, nil, false) }
        while let (layer, space, isMirrored) = pending.popLast() {
            guard !layer.properties.isHidden else { continue }
            var matrix = layer.matrixToSuperlayer
            if let space { matrix = matrix.concatenating(space) }
            order += 1
            if layer.passesThrough, layer === receiver || type(of: layer) == layer.frameworkClass {
                let mirrors = isMirrored != layer.properties.isGeometryFlipped
                pending.append(
                    contentsOf: Self.inPaintOrder(layer.treeSublayers).reversed().map { ($0, matrix, mirrors) })
                continue
            }
            let plane = matrix.planar
            guard let inverse = plane.inverse else { continue }
            let local = inverse.apply(point)
            let w = plane.homogeneous(local).w
            guard local.isFinite, w > 0, layer.properties.isDoubleSided || layer.faces(plane, isMirrored) else {
                continue
            }
            let z = local.x * matrix.m13 + local.y * matrix.m23 + matrix.m43
            candidates.append(Candidate(layer: layer, point: local, depth: z / w, order: order))
        }
        HitTest.sortByDepth(&candidates)
        for candidate in candidates { steps.append(.enter(candidate.layer, candidate.point)) }
    }

    /// By zPosition, equal ones as they are. Most often nothing has to move.
    private static func inPaintOrder(_ layers: [CALayer]) -> [CALayer] {
        var last = -Double.infinity
        for layer in layers {
            let z = layer.properties.zPosition
            // Swift's sort is stable.
            if z < last { return layers.sorted { $0.properties.zPosition < $1.properties.zPosition } }
            last = z
        }
        return layers
    }

    /// Far before near; what lies within rounding of the same depth keeps its order.
    private static func sortByDepth(_ candidates: inout [Candidate]) {
        guard candidates.count > 1 else { return }
        candidates.sort { ($0.depth, $0.order) < ($1.depth, $1.order) }
        var start = 0
        while start < candidates.count {
            var end = start + 1
            while end < candidates.count, isCoplanar(candidates[end - 1].depth, candidates[end].depth) { end += 1 }
            if end - start > 1 {
                candidates[start..<end].sort { $0.order < $1.order }
            }
            start = end
        }
    }

    private static func isCoplanar(_ a: Double, _ b: Double) -> Bool {
        abs(a - b) <= 1e-6 * max(1, max(abs(a), abs(b)))
    }
}

extension CALayer {
    /// True when the layer's front is seen: its area is not turned over. The layer's own flip, and those of the transform
    /// layers in between, turn nothing over.
    fileprivate func faces(_ plane: Homography, _ isMirrored: Bool) -> Bool {
        let area = plane.determinant
        return properties.isGeometryFlipped != isMirrored ? area < 0 : area > 0
    }

    /// True inside the bounds with their rounded corners.
    ///
    /// - Parameter point: In the layer's coordinates.
    fileprivate func clipContains(_ point: Point) -> Bool {
        let bounds = properties.bounds
        guard bounds.contains(point) else { return false }
        let radius = min(max(properties.cornerRadius, 0), min(bounds.width, bounds.height) / 2)
        guard radius > 0 else { return true }
        let atMinX = point.x < bounds.minX + radius
        let atMaxX = point.x > bounds.maxX - radius
        let atMinY = point.y < bounds.minY + radius
        let atMaxY = point.y > bounds.maxY - radius
        guard atMinX || atMaxX, atMinY || atMaxY else { return true }
        let corner: CornerMask =
            atMinY ? (atMinX ? .minXMinY : .maxXMinY) : (atMinX ? .minXMaxY : .maxXMaxY)
        guard properties.maskedCorners.contains(corner) else { return true }
        let dx = point.x - (atMinX ? bounds.minX + radius : bounds.maxX - radius)
        let dy = point.y - (atMinY ? bounds.minY + radius : bounds.maxY - radius)
        return dx * dx + dy * dy <= radius * radius
    }
}
