// What an emitter emitted by, and since when: all that is needed to know its particles at any time.
//
// A particle is a function of its number and of the time; nothing is carried from frame to frame. So a frame that is jumped
// to has the same particles as one that was stepped to. What was set while time went by is kept in stretches: each has the
// values that particles are born with from its start to the next one's, and how many births of each cell came before. The
// k-th birth of a cell, counted from 1, is where its births, summed up, reach k: in a stretch that begins at s with n births
// behind it and r of them a second, at s + (k - n) / r. Values that are animated are taken at the beginning of steps of
// 1/120 s, each a stretch of its own. Stretches go when the last particle born in them is gone. Source: semantic reference,
// §6.8: births are added up with their fractions, and lie at their exact times inside a frame.

package struct EmitterTimeline: Hashable, Sendable {
    struct Stretch: Hashable, Sendable {
        /// Seconds of the layer.
        var start: Double
        var emitter: EmitterProperties
        /// Births before the start, of each of the emitter's own cells.
        var born: [Double]
    }

    var stretches: [Stretch] = []

    /// Seconds of the layer, from one look at an animated value to the next.
    package static let step = 1.0 / 120
    /// Stretches that are kept, of emitters with up to four cells; of others, fewer.
    package static let most = 4_096

    package init() {}

    /// From the beginning of the layer's time on.
    package init(_ emitter: EmitterProperties) {
        stretches = [Stretch(start: 0, emitter: emitter, born: Array(repeating: 0, count: emitter.cells.count))]
    }

    /// The last values, and since when.
    package var current: EmitterProperties? { stretches.last?.emitter }
    package var lastChange: Double { stretches.last?.start ?? 0 }

    /// A time that lies before the last change by more than what commits and frames may be apart: another time has begun.
    package func isOver(at time: Double) -> Bool { time < lastChange - 0.5 }

    /// Other values, from a time on. A time that lies far before the last change begins anew.
    package mutating func note(_ emitter: EmitterProperties, at time: Double) {
        guard let last = stretches.last, !isOver(at: time) else {
            self = EmitterTimeline(emitter)
            return
        }
        let time = max(time, last.start)
        guard last.emitter != emitter else { return }
        guard time > last.start else {
            stretches[stretches.count - 1].emitter = emitter
            stretches[stretches.count - 1].born = Self.adapted(last.born, to: emitter)
            return
        }
        let born = Self.births(of: last, until: time)
        stretches.append(Stretch(start: time, emitter: emitter, born: Self.adapted(born, to: emitter)))
        prune(at: time)
    }

    private static func adapted(_ born: [Double], to emitter: EmitterProperties) -> [Double] {
        let count = emitter.cells.count
        return born.count >= count
            ? Array(born.prefix(count)) : born + Array(repeating: 0, count: count - born.count)
    }

    /// Births of each cell, up to a time in a stretch.
    static func births(of stretch: Stretch, until time: Double) -> [Double] {
        var births = stretch.born
        for (index, cell) in stretch.emitter.cells.enumerated() {
            let flat = FlatEmitterCell(cell, look: 0)
            let from = max(stretch.start, flat.begin)
            let to = min(time, flat.end)
            if to > from { births[index] += (to - from) * rate(of: flat, stretch.emitter) }
        }
        return births
    }

    /// Births a second.
    static func rate(of cell: FlatEmitterCell, _ emitter: EmitterProperties) -> Double {
        min(cell.rate * max(emitter.factors.birthRate, 0), 1e9)
    }

    /// Lets go of stretches none of whose particles is left at a time.
    private mutating func prune(at time: Double) {
        let cells = stretches.last?.emitter.cells.reduce(0) { $0 + $1.count } ?? 0
        var first = max(stretches.count - 4 * Self.most / max(cells, 4), 0)
        while first + 1 < stretches.count, stretches[first + 1].start + stretches[first].emitter.reach <= time {
            first += 1
        }
        if first > 0 { stretches.removeFirst(first) }
    }

    /// A particle may be seen at this time, or at a later one as long as nothing is set.
    package func isAlive(at time: Double) -> Bool {
        guard let last = stretches.last else { return false }
        if last.emitter.emits {
            for cell in last.emitter.cells where cell.isEnabled && cell.birthRate > 0 && cell.speed > 0 {
                let end = cell.duration.map { cell.beginTime + $0 / cell.speed } ?? .infinity
                if time < end + last.emitter.reach { return true }
            }
        }
        for (stretch, next) in zip(stretches, stretches.dropFirst()) where time < next.start + stretch.emitter.reach {
            return true
        }
        return false
    }
}

extension EmitterProperties {
    /// Seconds that a particle lives, and those that come from it, at most.
    package var reach: Double {
        func reach(_ cell: EmitterCell) -> Double {
            guard cell.isEnabled, cell.speed > 0 else { return 0 }
            return max(cell.lifetime.highest, 0) / cell.speed + (cell.cells.map(reach).max() ?? 0)
        }
        return (cells.map(reach).max() ?? 0) * max(factors.lifetime, 0)
    }
}
