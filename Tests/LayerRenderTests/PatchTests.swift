// A plan whose drawings were exchanged in part is the one that a whole walk makes. Plans only: nothing is drawn here.

import LayerModel
import Testing

@testable import LayerRender

@Suite("Patched plans")
struct PatchTests {
    /// A tree of any layers that changes by seeded steps, planned with and without patches.
    private struct Changing {
        var store = LayerStore()
        let display = DisplayGeometry(size: PixelSize(width: 160, height: 120))
        let coverage = CoverageCache()
        var patching = FramePlanner(session: 1)
        var whole = FramePlanner(session: 1)
        var random: SeededNumbers
        var time = 0.0
        var layers: [LayerID] = []
        private let switches: Switches
        /// Layers may be turned about the y axis, too.
        private let tilts: Bool
        /// Layers may show their sublayers several times.
        private let repeats: Bool
        /// Two of the layers emit particles.
        private let emits: Bool

        init(seed: UInt64, switches: Switches, repeats: Bool = false, emits: Bool = false) throws {
            (self.repeats, self.emits) = (repeats, emits)
            random = SeededNumbers(seed)
            self.switches = switches
            tilts = seed % 4 == 0
            patching.switches = switches
            whole.switches = switches.subtracting(.damage)
            var ops: [TransactionOp] = []
            let root = make(&ops, depth: 0, Rect(0, 0, 160, 120))
            ops.append(.set(root, .bounds, .rect(Rect(0, 0, 160, 120))))
            ops.append(.set(root, .anchorPoint, .point(.zero)))
            ops.append(.set(root, .position, .point(.zero)))
            ops.append(.setRoot(root))
            if emits { ops.insert(.defineImage(ImageID(1), Self.image), at: 0) }
            try store.apply(Transaction(time: 0, ops: ops))
            _ = whole.plan(store, at: 0, on: display, coverage: coverage)
            _ = patching.plan(store, at: 0, on: display, coverage: coverage)
            store.beginChanges()
        }

        private mutating func make(_ ops: inout [TransactionOp], depth: Int, _ around: Rect) -> LayerID {
            let layer = LayerID(UInt32(layers.count + 1))
            layers.append(layer)
            let isReplicator = repeats && depth > 0 && random.below(3) == 0
            let isEmitter = emits && (layers.count == 4 || layers.count == 9)
            ops.append(
                .createLayer(
                    layer,
                    isEmitter
                        ? .emitterLayer
                        : random.below(24) == 0 && depth > 0
                            ? .transformLayer : isReplicator ? .replicatorLayer : .layer))
            if isReplicator { ops.append(contentsOf: instances(of: layer)) }
            if isEmitter { ops.append(contentsOf: emission(of: layer)) }
            let size = Point(Double(10 + random.below(60)), Double(10 + random.below(50)))
            ops.append(.set(layer, .bounds, .rect(Rect(0, 0, size.x, size.y))))
            ops.append(
                .set(
                    layer, .position,
                    .point(Point(random.unit() * around.width, random.unit() * around.height))))
            ops.append(.set(layer, .backgroundColor, .color(color())))
            for _ in 0..<random.below(3) { ops.append(change(of: layer)) }
            guard depth < 4 else { return layer }
            let children = (0..<(depth == 0 ? 8 : random.below(4))).map { _ in
                make(&ops, depth: depth + 1, Rect(0, 0, size.x, size.y))
            }
            ops.append(.setSublayers(layer, children))
            return layer
        }

        /// Up to three of them, in any colors.
        private mutating func instances(of layer: LayerID) -> [TransactionOp] {
            let step =
                random.below(2) == 0
                ? Transform.translation(Double(random.below(30)), Double(random.below(20)), 0)
                : .rotation(random.unit() * 3, 0, 0, 1)
            return [
                .set(layer, .instanceCount, .number(Double(random.below(4)))),
                .set(layer, .instanceTransform, .transform(step)),
                .set(layer, .instanceColor, .color(random.below(2) == 0 ? .white : color())),
                .set(layer, .instanceGreenOffset, .number(random.below(2) == 0 ? 0 : -0.3)),
                .set(layer, .instanceDelay, .number(Double(random.below(3)) / 30)),
                .set(layer, .preservesDepth, .bool(random.below(8) == 0)),
            ]
        }

        private static let image = ImageContent(
            width: 4, height: 4, bytesPerRow: 16, isOpaque: true,
            pixels: PixelStorage([UInt8](repeating: 255, count: 64)))

        private mutating func emission(of layer: LayerID) -> [TransactionOp] {
            var cell = EmitterCell()
            cell.birthRate = Double(20 + random.below(200))
            cell.lifetime = EmitterRange(0.3)
            cell.velocity = EmitterRange(60)
            cell.emissionRange = 6
            cell.contents = ImageID(1)
            return [
                .set(layer, .emitterCells, .cells([cell])), .set(layer, .emitterPosition, .point(Point(10, 10))),
                .set(layer, .renderMode, .code(UInt8(random.below(2)))),
            ]
        }

        private mutating func color() -> Color {
            Color(random.unit(), random.unit(), random.unit(), random.below(3) == 0 ? 0.6 : 1)
        }

        /// Any change of one layer.
        mutating func change(of layer: LayerID) -> TransactionOp {
            switch random.below(22) {
            case 0, 1, 2, 3:
                .set(layer, .position, .point(Point(Double(random.below(160)), Double(random.below(120)))))
            case 4, 5: .set(layer, .backgroundColor, .color(color()))
            case 6: .set(layer, .opacity, .number(Double(random.below(5)) / 4))
            case 7: .set(layer, .hidden, .bool(random.below(4) == 0))
            case 8: .set(layer, .cornerRadius, .number(Double(random.below(12))))
            case 9: .set(layer, .masksToBounds, .bool(random.below(2) == 0))
            case 10, 11: .set(layer, .transform, .transform(.rotation(random.unit() * 3, 0, 0, 1)))
            case 12: .set(layer, .transform, .transform(.identity))
            case 13 where tilts: .set(layer, .zPosition, .number(Double(random.below(3) - 1)))
            case 14: .set(layer, .shadowOpacity, .number(Double(random.below(2)) / 2))
            case 15: .set(layer, .borderWidth, .number(Double(random.below(4))))
            case 16: .set(layer, .allowsGroupOpacity, .bool(random.below(2) == 0))
            case 17:
                .set(layer, .compositingFilter, .code(random.below(2) == 0 ? CompositingMode.multiply.rawValue : 0))
            case 18: .set(layer, .shouldRasterize, .bool(random.below(2) == 0))
            case 19:
                .set(layer, .bounds, .rect(Rect(0, 0, Double(8 + random.below(60)), Double(8 + random.below(60)))))
            case 20 where tilts: .set(layer, .transform, .transform(.rotation(random.unit(), 0, 1, 0)))
            default: .set(layer, .name, .string("a name"))
            }
        }

        /// One transaction, or a time of the animations.
        /// - Returns: True when the plan was patched.
        mutating func step() throws -> Bool {
            time += 1.0 / 60
            var ops: [TransactionOp] = []
            for _ in 0..<(1 + random.below(2)) { ops.append(change(of: layers[random.below(layers.count)])) }
            if repeats, random.below(6) == 0 {
                // Of a layer of another class it says nothing.
                ops.append(instances(of: layers[random.below(layers.count)])[random.below(6)])
            }
            if random.below(30) == 0 {
                let layer = layers[1 + random.below(layers.count - 1)]
                ops.append(.addAnimation(layer, AnimationID(UInt32(time * 60)), key: "a", turning()))
            }
            try store.apply(Transaction(time: time, ops: ops))
            store.present(at: time)
            let (number, old) = (patching.planNumber, whole.memory)
            _ = whole.plan(store, at: time, on: display, coverage: coverage)
            let plan = patching.plan(store, at: time, on: display, coverage: coverage).plan
            store.beginChanges()
            if !switches.contains(.sprites), let old, let new = whole.memory, let damage = plan.damage {
                // A pixel that isn't drawn has the same drawings as before.
                for y in stride(from: Int(time * 60) % 11, to: 120, by: 11) {
                    for x in stride(from: Int(time * 60) % 13, to: 160, by: 13) {
                        if damage.contains(where: { $0.holds(x, y) }) { continue }
                        let before = old.root.filter { $0.bounds.holds(x, y) }
                        let after = new.root.filter { $0.bounds.holds(x, y) }
                        let isSame =
                            before.count == after.count
                            && zip(before, after).allSatisfy { FrameMemory.same($0, old, $1, new) }
                        if !isSame {
                            let first = zip(before, after).first { !FrameMemory.same($0, old, $1, new) }
                            Issue.record(
                                "pixel \(x), \(y) has changed and is not drawn: \(before.count) drawings, \(after.count) now, \(first.map { "\($0) \($1)" } ?? "")"
                            )
                            return false
                        }
                    }
                }
            }
            return patching.planNumber == number
        }

        private func turning() -> AnimationDescription {
            AnimationDescription(
                .property(
                    PropertyAnimation(
                        .component(.transform, .rotationZ),
                        .basic(MotionEnds(from: .number(0), to: .number(3))))),
                timing: AnimationTiming(duration: 0.3))
        }

        /// What differs between the two planners' frames; nil when nothing does.
        var difference: String? {
            guard let a = patching.memory, let b = whole.memory else { return "a frame is missing" }
            guard a.root.count == b.root.count else { return "\(a.root.count) drawings instead of \(b.root.count)" }
            for (index, (x, y)) in zip(a.root, b.root).enumerated() where !Self.same(x, a, y, b) {
                return "drawing \(index): \(x) instead of \(y)"
            }
            // What is kept says nothing of how it came about.
            if switches.contains(.sprites) { return nil }
            let words = (patching.notes.map { "\($0)" }, whole.notes.map { "\($0)" })
            return words.0 == words.1 ? nil : "notes: \(words.0) instead of \(words.1)"
        }

        /// The same drawings, down to those of surfaces; what is kept from an earlier frame has none.
        private static func same(_ x: Quad, _ a: FrameMemory, _ y: Quad, _ b: FrameMemory) -> Bool {
            guard x.bounds == y.bounds, x.mask == y.mask, x.color == y.color, x.mode == y.mode, x.layer == y.layer,
                x.isOpaquePaint == y.isOpaquePaint, (x.maskSurface < 0) == (y.maskSurface < 0)
            else { return false }
            func sameSurface(_ s: Int32, _ t: Int32) -> Bool {
                let (s, t) = (a.surfaces[Int(s)], b.surfaces[Int(t)])
                guard s.reason == t.reason, s.layer == t.layer, s.bounds == t.bounds, s.isOver == t.isOver else {
                    return false
                }
                if s.quads.isEmpty || t.quads.isEmpty { return s.step?.effect == t.step?.effect }
                return s.quads.count == t.quads.count && zip(s.quads, t.quads).allSatisfy { same($0, a, $1, b) }
            }
            if x.maskSurface >= 0, !sameSurface(x.maskSurface, y.maskSurface) { return false }
            switch (x.paint, y.paint) {
            case (.solid, .solid): return true
            case (.surface(let s), .surface(let t)), (.surfaceAlpha(let s), .surfaceAlpha(let t)),
                (.over(let s), .over(let t)):
                return sameSurface(s, t)
            case (.sprite(let s, let m, _), .sprite(let t, let n, _)):
                return sameSurface(s, t) && a.mappings[Int(m)] == b.mappings[Int(n)]
            case (.particles(let i, let m, let revision), .particles(let j, let n, let revision2)):
                let (group, other) = (a.particles[Int(i)], b.particles[Int(j)])
                return revision == revision2 && a.mappings[Int(m)] == b.mappings[Int(n)] && group.bounds == other.bounds
                    && group.runs.map(\.range) == other.runs.map(\.range)
                    && group.sprites.elementsEqual(other.sprites) {
                        $0.x0 == $1.x0 && $0.y3 == $1.y3 && $0.color == $1.color
                    }
            default: return false
            }
        }
    }

    @Test("Changes of a few layers give the plan that a whole walk gives", arguments: 1...60)
    func changes(seed: UInt64) throws {
        let switches: Switches =
            switch seed % 3 {
            case 0: .all
            case 1: .all.subtracting([.baking, .sprites])
            default: .all.subtracting(.baking)
            }
        var scene = try Changing(seed: seed, switches: switches)
        var patched = 0
        for step in 1...40 {
            if try scene.step() { patched += 1 }
            if let difference = scene.difference {
                Issue.record("step \(step): \(difference.prefix(500))")
                return
            }
        }
        // Most steps change little; where layers cross, all of them are done again.
        if seed % 4 != 0 { #expect(patched > 0) }
    }
}

extension PatchTests {
    @Test("Emitters among the layers, too: the others stay where they are", arguments: 1...40)
    func emitters(seed: UInt64) throws {
        let switches: Switches = seed % 2 == 0 ? .all : .all.subtracting([.baking, .sprites])
        var scene = try Changing(seed: seed &+ 1_700, switches: switches, emits: true)
        var patched = 0
        for step in 1...40 {
            if try scene.step() { patched += 1 }
            if let difference = scene.difference {
                Issue.record("step \(step): \(difference.prefix(500))")
                return
            }
        }
        let particles = scene.patching.memory?.particles.reduce(0) { $0 + $1.sprites.count } ?? 0
        let needed = scene.whole.memory?.particles.reduce(0) { $0 + $1.sprites.count } ?? 0
        #expect(particles == needed, "\(particles) particles are kept, \(needed) are drawn")
        // Not every tree is ever patched; these are.
        if [3, 5, 9, 11].contains(seed) { #expect(patched > 0) }
    }

    @Test("Replicators among the layers, too", arguments: 1...40)
    func replicators(seed: UInt64) throws {
        let switches: Switches = seed % 2 == 0 ? .all : .all.subtracting([.baking, .sprites])
        var scene = try Changing(seed: seed &+ 900, switches: switches, repeats: true)
        for step in 1...40 {
            _ = try scene.step()
            if let difference = scene.difference {
                Issue.record("step \(step): \(difference.prefix(500))")
                return
            }
        }
    }
}

extension PixelRect {
    fileprivate func holds(_ x: Int, _ y: Int) -> Bool { minX <= x && x < maxX && minY <= y && y < maxY }
}

/// Numbers that are the same in every run.
private struct SeededNumbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func below(_ count: Int) -> Int { Int(next() >> 33) % count }

    mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
