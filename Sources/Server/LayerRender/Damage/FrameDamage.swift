// The pixels of the display that differ from the last frame: the bounds of drawings that came, went or changed, widened
// by whatever reads what lies below it.

import LayerModel

struct FrameDamage {
    /// Rectangles that don't overlap much; empty when nothing changed. Nil: everything.
    private(set) var rects: [PixelRect]?
    private let screen: PixelRect
    private var found: [PixelRect] = []
    /// So much was found that all of the screen is drawn.
    private var isWhole = false

    /// Above this part of the screen all of it is drawn.
    private static let wholeShare = 0.6

    /// - Parameter old: Nil when nothing is known of the last frame.
    init(from old: FrameMemory?, to new: FrameMemory, screen: PixelRect) {
        self.screen = screen
        guard let old, old.evictions == new.evictions else { return }
        compare(old.root[...], old, new.root[...], new)
        conclude(new)
    }

    /// Nothing has changed so far.
    init(screen: PixelRect) { self.screen = screen }

    /// Adds what differs between drawings of the last frame and those that took their place.
    mutating func compare(
        _ a: ContiguousArray<Quad>.SubSequence, _ old: FrameMemory, _ b: ContiguousArray<Quad>.SubSequence,
        _ new: FrameMemory
    ) {
        var start = 0
        let shorter = min(a.count, b.count)
        func pair(_ i: Int, _ j: Int) -> Bool {
            FrameMemory.same(a[a.startIndex + i], old, b[b.startIndex + j], new)
        }
        while start < shorter, pair(start, start) { start += 1 }
        var tail = 0
        while tail < shorter - start, pair(a.count - 1 - tail, b.count - 1 - tail) { tail += 1 }
        let (lastA, lastB) = (a.count - tail, b.count - tail)
        if lastA - start == lastB - start {
            for index in start..<lastA where !pair(index, index) {
                if isWhole { return }
                let (was, became) = (a[a.startIndex + index].bounds, b[b.startIndex + index].bounds)
                add(was)
                if became != was { add(became) }
            }
        } else {
            for index in start..<lastA { add(a[a.startIndex + index].bounds) }
            for index in start..<lastB { add(b[b.startIndex + index].bounds) }
        }
    }

    /// What was added is all there is.
    mutating func conclude(_ new: FrameMemory) {
        if isWhole { return }
        if new.looksBelow { widen(by: new.root, new) }
        join()
        if !isWhole { rects = found }
    }

    private mutating func join() {
        found = PixelRect.covering(found)
        let area = found.reduce(0) { $0 + $1.area }
        if Double(area) > Self.wholeShare * Double(screen.area) { isWhole = true }
    }

    private mutating func add(_ rect: PixelRect) {
        let rect = rect.intersection(screen)
        if !rect.isEmpty { found.append(rect) }
        if found.count > 64 { join() }
    }

    /// Where something looks at what lies below, all that it looks at must be drawn anew, and all that it draws.
    private mutating func widen(by quads: ContiguousArray<Quad>, _ frame: FrameMemory) {
        var pending: [(sees: PixelRect, draws: PixelRect)] = []
        let groups = FrameMemory.captures(of: quads, frame.surfaces, frame.backdrops)
        for quad in quads where quad.readsBackdrop {
            var sees = quad.bounds
            FrameMemory.forEachBackdrop(of: quad, frame.surfaces, frame.backdrops) { backdrop in
                sees = sees.union(backdrop.group.flatMap { groups[$0] } ?? backdrop.capture)
            }
            pending.append((sees, quad.bounds))
        }
        pending.reverse()
        var sweeps = 0
        var before = 0
        while !pending.isEmpty, pending.count != before {
            before = pending.count
            sweeps += 1
            // Each sees the one before it: then all of it.
            guard sweeps <= Self.sweepLimit else {
                found = [screen]
                return
            }
            found = PixelRect.covering(found)
            pending.removeAll { reader in
                guard found.contains(where: { $0.intersects(reader.sees) }) else { return false }
                add(reader.sees.union(reader.draws))
                return true
            }
        }
    }

    /// So often what looks at what lies below is searched for what is damaged now.
    private static let sweepLimit = 64
}
