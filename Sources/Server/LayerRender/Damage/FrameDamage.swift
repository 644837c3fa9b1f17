// The pixels of the display that differ from the last frame: the bounds of drawings that came, went or changed, widened
// by whatever reads what lies below it.

import LayerModel

struct FrameDamage {
    /// Rectangles that don't overlap much; empty when nothing changed. Nil: everything.
    private(set) var rects: [PixelRect]?
    private let screen: PixelRect

    /// Above this part of the screen all of it is drawn.
    private static let wholeShare = 0.6
    private static let mostRects = 8

    /// - Parameter old: Nil when nothing is known of the last frame.
    init(from old: FrameMemory?, to new: FrameMemory, screen: PixelRect) {
        self.screen = screen
        guard let old, old.evictions == new.evictions else { return }
        rects = []
        let (a, b) = (old.root, new.root)
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
                add(a[a.startIndex + index].bounds)
                add(b[b.startIndex + index].bounds)
            }
        } else {
            for index in start..<lastA { add(a[a.startIndex + index].bounds) }
            for index in start..<lastB { add(b[b.startIndex + index].bounds) }
        }
        widen(by: new)
        settle()
    }

    private mutating func add(_ rect: PixelRect) {
        let rect = rect.intersection(screen)
        guard !rect.isEmpty, rects != nil else { return }
        for index in rects!.indices {
            if rects![index].contains(rect) { return }
            // Joined where that adds little.
            let joined = rects![index].union(rect)
            if joined.area <= (rects![index].area + rect.area) * 5 / 4 {
                rects![index] = joined
                return
            }
        }
        rects!.append(rect)
        if rects!.count > Self.mostRects { joinNearest() }
    }

    private mutating func joinNearest() {
        var best = (first: 0, second: 1, cost: Int.max)
        for i in rects!.indices {
            for j in (i + 1)..<max(rects!.count, i + 1) {
                let cost = rects![i].union(rects![j]).area - rects![i].area - rects![j].area
                if cost < best.cost { best = (i, j, cost) }
            }
        }
        rects![best.first] = rects![best.first].union(rects![best.second])
        rects!.remove(at: best.second)
    }

    /// Where something looks at what lies below, all that it looks at must be drawn anew, and all that it draws.
    private mutating func widen(by frame: FrameMemory) {
        let readers: [(sees: PixelRect, draws: PixelRect)] = frame.root.compactMap { quad in
            guard quad.readsBackdrop else { return nil }
            if case .backdrop(let number) = quad.paint { return (frame.backdrops[Int(number)].capture, quad.bounds) }
            return (quad.bounds, quad.bounds)
        }
        var isDone = readers.isEmpty
        var pending = readers
        while !isDone, rects != nil {
            isDone = true
            for (index, reader) in pending.enumerated().reversed()
            where rects!.contains(where: { $0.intersects(reader.sees) }) {
                add(reader.sees.union(reader.draws))
                pending.remove(at: index)
                isDone = false
            }
        }
    }

    private mutating func settle() {
        guard var list = rects else { return }
        // Rectangles that overlap would be drawn twice.
        var isDone = false
        while !isDone {
            isDone = true
            search: for i in list.indices {
                for j in list.indices where j > i && list[i].intersects(list[j]) {
                    list[i] = list[i].union(list[j])
                    list.remove(at: j)
                    isDone = false
                    break search
                }
            }
        }
        let area = list.reduce(0) { $0 + $1.area }
        rects = Double(area) > Self.wholeShare * Double(screen.area) ? nil : list
    }
}
