// What the last frame was made of, to tell what is the same in the next one.
//
// Drawings are compared by value: bounds, coverage, paint, color. So whatever changes a pixel is seen, whichever
// property or limit it came from, and nothing else is: a layer that is set to what it shows already changes nothing.

import LayerModel

/// The drawings of one frame.
struct FrameMemory {
    /// The last one is the display's own.
    var surfaces: [PlannedSurface] = []
    /// For each surface: the same number in two frames means the same pixels.
    var contents: [UInt64] = []
    var mappings: ContiguousArray<ImageMapping> = []
    var backdrops: [PlannedBackdrop] = []
    var particles: [ParticleGroup] = []
    /// Some drawing of the display itself depends on what lies below it.
    var looksBelow = true
    /// Of the coverage cache: entries of masks mean the same as long as this is.
    var evictions: UInt64 = 0

    /// The drawings of the display itself.
    var root: ContiguousArray<Quad> { surfaces.last?.quads ?? [] }

    /// True when two drawings of two frames make the same pixels of what lies below.
    static func same(_ a: Quad, _ old: FrameMemory, _ b: Quad, _ new: FrameMemory) -> Bool {
        guard a.bounds == b.bounds, a.mask == b.mask, a.color == b.color, a.isOpaquePaint == b.isOpaquePaint,
            a.mode == b.mode, a.isAtSeam == b.isAtSeam, (a.maskSurface < 0) == (b.maskSurface < 0)
        else { return false }
        if a.maskSurface >= 0, !old.isSameSurface(a.maskSurface, new, b.maskSurface) { return false }
        switch (a.paint, b.paint) {
        case (.solid, .solid): return true
        case (
            .image(let key, let mapping, let sampling, let bias),
            .image(let key2, let mapping2, let sampling2, let bias2)
        ):
            return key == key2 && sampling == sampling2 && bias == bias2
                && old.mappings[Int(mapping)] == new.mappings[Int(mapping2)]
        case (.surface(let s), .surface(let t)), (.surfaceAlpha(let s), .surfaceAlpha(let t)),
            (.over(let s), .over(let t)):
            return old.isSameSurface(s, new, t)
        case (.sprite(let s, let mapping, let sampling), .sprite(let t, let mapping2, let sampling2)):
            return sampling == sampling2 && old.isSameSurface(s, new, t)
                && old.mappings[Int(mapping)] == new.mappings[Int(mapping2)]
        case (.backdrop(let i), .backdrop(let j)):
            let (x, y) = (old.backdrops[Int(i)], new.backdrops[Int(j)])
            return x.capture == y.capture && x.group == y.group && x.steps == y.steps
                && (x.result < 0) == (y.result < 0)
        case (.particles(_, let mapping, let revision), .particles(_, let mapping2, let revision2)):
            return a.layer == b.layer && revision == revision2
                && old.mappings[Int(mapping)] == new.mappings[Int(mapping2)]
        default: return false
        }
    }

    private func isSameSurface(_ mine: Int32, _ other: FrameMemory, _ theirs: Int32) -> Bool {
        contents[Int(mine)] == other.contents[Int(theirs)]
            && surfaces[Int(mine)].bounds == other.surfaces[Int(theirs)].bounds
    }

    static func same(_ a: PlannedSurface, _ old: FrameMemory, _ b: PlannedSurface, _ new: FrameMemory) -> Bool {
        guard a.bounds == b.bounds, a.isOver == b.isOver, a.quads.count == b.quads.count,
            a.sharedCopy?.region == b.sharedCopy?.region,
            (a.step == nil) == (b.step == nil)
        else {
            return false
        }
        if let (effect, source) = a.step, let (effect2, source2) = b.step {
            return effect == effect2 && old.contents[Int(source)] == new.contents[Int(source2)]
        }
        for (x, y) in zip(a.quads, b.quads) where !same(x, old, y, new) { return false }
        return true
    }
}

extension FrameMemory {
    /// The backdrops that a drawing shows, and those of the surfaces that it draws over what lies below.
    static func forEachBackdrop(
        of quad: Quad, _ surfaces: [PlannedSurface], _ backdrops: [PlannedBackdrop], _ body: (PlannedBackdrop) -> Void
    ) {
        switch quad.paint {
        case .backdrop(let number): body(backdrops[Int(number)])
        case .over(let surface):
            for inner in surfaces[Int(surface)].quads { forEachBackdrop(of: inner, surfaces, backdrops, body) }
        default: break
        }
    }

    /// What the backdrops of each name see.
    static func captures(
        of quads: ContiguousArray<Quad>, _ surfaces: [PlannedSurface], _ backdrops: [PlannedBackdrop]
    ) -> [String: PixelRect] {
        var captures: [String: PixelRect] = [:]
        if backdrops.isEmpty { return captures }
        for quad in quads {
            forEachBackdrop(of: quad, surfaces, backdrops) { backdrop in
                guard let group = backdrop.group else { return }
                captures[group] = (captures[group] ?? .empty).union(backdrop.capture)
            }
        }
        return captures
    }
}

/// Gives surfaces their numbers, and keeps the pixels of those that stay the same.
struct SurfaceLedger {
    private struct Key: Hashable {
        var layer: LayerID
        var reason: SurfaceReason
        var bounds: PixelRect
    }

    /// A surface whose pixels are kept in a target of its own.
    private struct Kept {
        var bytes: Int
        /// Display time, seconds.
        var lastUse: Double
    }

    /// What becomes of a surface in this frame.
    enum Treatment: Equatable {
        case draw
        case drawAndKeep(UInt64)
        /// Its pixels are there from an earlier frame.
        case kept(UInt64)
    }

    private var kept: [UInt64: Kept] = [:]
    /// The numbers of surfaces with tokens.
    private var tokens: [UInt64: UInt64] = [:]
    private var keptBytes = 0
    private var next: UInt64 = 1
    /// Display time that kept pixels stay without use, seconds. Source: semantic reference, §9.
    private static let patience = 0.1

    /// The pixels of a surface with this token are kept.
    func isKept(_ token: UInt64) -> Bool { tokens[token].map { kept[$0] != nil } ?? false }

    /// No surface is what it was.
    mutating func forgetTokens() { tokens.removeAll() }

    /// Numbers the surfaces of a frame, in order. The last one, the root's, gets none.
    mutating func number(_ new: inout FrameMemory, after old: FrameMemory?) {
        new.contents = []
        new.contents.reserveCapacity(new.surfaces.count)
        var candidates: [Key: [Int]] = [:]
        let isComparable = old != nil && old!.evictions == new.evictions
        if isComparable, new.surfaces.count > 1 {
            for (index, surface) in old!.surfaces.dropLast().enumerated() {
                candidates[
                    Key(layer: surface.layer, reason: surface.reason, bounds: surface.bounds), default: []
                ].append(index)
            }
        }
        // Instances of a layer may have the same pixels: each keeps its number.
        var taken: Set<Int> = []
        if tokens.count > 256 + 2 * kept.count {
            let shown = Set(new.surfaces.map(\.token))
            tokens = tokens.filter { kept[$0.value] != nil || shown.contains($0.key) }
        }
        for surface in new.surfaces.dropLast() {
            if surface.token != 0 {
                new.contents.append(number(of: surface.token))
                continue
            }
            let key = Key(layer: surface.layer, reason: surface.reason, bounds: surface.bounds)
            var match: Int?
            for candidate in candidates[key] ?? []
            where FrameMemory.same(old!.surfaces[candidate], old!, surface, new) {
                match = candidate
                if taken.insert(candidate).inserted { break }
            }
            new.contents.append(match.map { old!.contents[$0] } ?? newNumber())
        }
        new.contents.append(0)
    }

    /// Numbers the surfaces that were added to a frame, from one on. The root's has its number.
    /// - Parameter replaced: The ones whose place they take.
    mutating func number(_ frame: inout FrameMemory, from first: Int, insteadOf replaced: [Int]) {
        let root = frame.contents.removeLast()
        var taken: Set<Int> = []
        for surface in frame.surfaces[first...].dropLast() {
            if surface.token != 0 {
                frame.contents.append(number(of: surface.token))
                continue
            }
            var match: Int?
            for index in replaced {
                let old = frame.surfaces[index]
                guard old.layer == surface.layer, old.reason == surface.reason,
                    FrameMemory.same(old, frame, surface, frame)
                else { continue }
                match = index
                if taken.insert(index).inserted { break }
            }
            frame.contents.append(match.map { frame.contents[$0] } ?? newNumber())
        }
        frame.contents.append(root)
    }

    private mutating func number(of token: UInt64) -> UInt64 {
        if let number = tokens[token] { return number }
        let number = newNumber()
        tokens[token] = number
        return number
    }

    private mutating func newNumber() -> UInt64 {
        defer { next += 1 }
        return next
    }

    /// Decides which surfaces are drawn, and whose pixels are kept for the next frames: those that a layer asks for, and
    /// those that were the same in the frame before. Steps of filters are kept by their last one alone.
    /// - Parameters:
    ///   - old: The numbers of the surfaces of the frame before.
    ///   - damage: The parts of the display that are drawn; nil is all of it.
    /// - Returns: For each surface its treatment, and the numbers of pixels that may go.
    mutating func treat(
        _ new: FrameMemory, after old: [UInt64], at time: Double, damage: [PixelRect]?, byteLimit: Int
    ) -> (treatments: [Treatment], forgotten: [UInt64]) {
        var treatments = [Treatment](repeating: .draw, count: new.surfaces.count)
        guard new.surfaces.count > 1 || !kept.isEmpty else { return (treatments, []) }
        let shown = Set(new.contents)
        let before = Set(old)
        for number in shown where kept[number] != nil { kept[number]!.lastUse = time }
        var forgotten = kept.filter { !shown.contains($0.key) && time - $0.value.lastUse > Self.patience }.map(\.key)
        for number in forgotten { drop(number) }

        let root = new.surfaces.count - 1
        var isRead = [Bool](repeating: false, count: new.surfaces.count)
        /// A step whose result another step takes on.
        var isPassedOn = isRead
        /// What this frame draws for the first time. Of two surfaces with the same pixels one is drawn later.
        var keptNow: Set<UInt64> = []
        isRead[root] = true
        for index in new.surfaces.indices.reversed() where isRead[index] {
            let surface = new.surfaces[index]
            let number = new.contents[index]
            if index != root {
                if kept[number] != nil, !keptNow.contains(number) {
                    treatments[index] = .kept(number)
                    continue
                }
                if !surface.isOver, surface.isWorthKeeping || before.contains(number), !isPassedOn[index] {
                    let bytes = surface.bounds.area * 4
                    makeRoom(bytes, byteLimit, keeping: shown, &forgotten)
                    if keptBytes + bytes <= byteLimit, keptNow.insert(number).inserted {
                        treatments[index] = .drawAndKeep(number)
                        kept[number] = Kept(bytes: bytes, lastUse: time)
                        keptBytes += bytes
                    }
                }
            }
            if let step = surface.step { isPassedOn[Int(step.source)] = true }
            surface.forEachSource(within: index == root ? damage : nil) { isRead[$0] = true }
        }
        return (treatments, forgotten.sorted())
    }

    /// Gives up what the frame does not show, where there is no room otherwise.
    private mutating func makeRoom(
        _ bytes: Int, _ limit: Int, keeping shown: Set<UInt64>, _ forgotten: inout [UInt64]
    ) {
        guard keptBytes + bytes > limit, bytes <= limit else { return }
        for number in kept.keys.filter({ !shown.contains($0) }).sorted() where keptBytes + bytes > limit {
            forgotten.append(number)
            drop(number)
        }
    }

    private mutating func drop(_ number: UInt64) {
        guard let entry = kept.removeValue(forKey: number) else { return }
        keptBytes -= entry.bytes
        if let token = tokens.first(where: { $0.value == number })?.key { tokens[token] = nil }
    }
}

extension PlannedSurface {
    /// A layer asked for its pixels to be kept, or is carried about.
    fileprivate var isWorthKeeping: Bool { reason == .rasterize || reason == .baked }
}
