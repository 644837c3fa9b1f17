// Parts of a path by its length: trimming, dashes, and where a point on it lies.
//
// Trimming comes first, then dashes, whose pattern begins anew at each contour (semantic reference, §6.1). A closed contour's
// first dash begins with an end, and so its last one stops with one: they are not joined (measured facts, P1). Patterns are
// bounded: a line of more dashes than a display has pixels is drawn solid.

import Glibc
import LayerModel

extension FlatPath {
    /// Dashes of one path, at most.
    static let mostDashes = 100_000.0

    /// The part between two fractions of the length of all contours.
    package func trimmed(from start: Double, to end: Double) -> FlatPath {
        let (from, to) = (min(max(start, 0), 1), min(max(end, 0), 1))
        guard from < to else { return FlatPath() }
        if from == 0, to == 1 { return self }
        guard length > 0, length.isFinite else { return FlatPath() }
        var result = FlatPath()
        let (first, last) = (from * length, to * length)
        var position = 0.0
        for contour in contours {
            let size = pieces[contour.pieces].reduce(0) { $0 + $1.length }
            defer { position += size }
            guard position <= last, position + size >= first else { continue }
            if first <= position, position + size <= last {
                result.append(pieces[contour.pieces], isClosed: contour.isClosed)
            } else {
                let part = stretch(of: contour, from: first - position, to: last - position)
                if !part.isEmpty { result.append(part[...], isClosed: false) }
            }
        }
        result.sumLengths()
        return result
    }

    /// The path in dashes. The path itself where the pattern says nothing.
    package func dashed(_ pattern: [Double], phase: Double) -> FlatPath { dashed(pattern, phase: phase, in: nil) }

    /// - Parameter sight: Where it misses the path, dashes may be left out. Nil misses nothing.
    func dashed(_ pattern: [Double], phase: Double, in sight: PathSight?) -> FlatPath {
        let lengths = pattern.map { $0.isFinite ? max($0, 0) : 0 }
        let period = lengths.reduce(0, +) * (lengths.count % 2 == 1 ? 2 : 1)
        guard period > 0, period.isFinite, phase.isFinite, length.isFinite else { return self }
        let inAPeriod = Double(lengths.count % 2 == 1 ? lengths.count : (lengths.count + 1) / 2)
        let seen = sight.map { seenLength(in: $0) } ?? (length: length, contours: contours.count)
        guard (seen.length / period + Double(seen.contours)) * inAPeriod <= Self.mostDashes else { return self }
        var result = FlatPath()
        for contour in contours {
            var cutter = DashCutter(lengths, phase: phase, period: period)
            cutter.cut(pieces[contour.pieces], in: sight, into: &result)
        }
        result.sumLengths()
        return result
    }

    /// The length of what may be seen, and how many contours some of it belongs to.
    private func seenLength(in sight: PathSight) -> (length: Double, contours: Int) {
        var (total, count) = (0.0, 0)
        for contour in contours {
            var isSeen = false
            for piece in pieces[contour.pieces] {
                guard let part = sight.part(from: piece.from, to: piece.to) else { continue }
                total += (part.to - part.from) * piece.length
                isSeen = true
            }
            if isSeen { count += 1 }
        }
        return (total, count)
    }

    /// The runs of pieces that may be seen: contours that are open where some were left out.
    func seen(in sight: PathSight) -> FlatPath {
        guard pieces.contains(where: { sight.misses($0.from, $0.to) }) else { return self }
        var result = FlatPath()
        for contour in contours {
            let all = pieces[contour.pieces]
            guard let missed = all.firstIndex(where: { sight.misses($0.from, $0.to) }) else {
                result.append(all, isClosed: contour.isClosed)
                continue
            }
            // A closed contour's runs go on past its end.
            let order =
                contour.isClosed ? Array(missed..<all.endIndex) + Array(all.startIndex..<missed) : Array(all.indices)
            var first = result.pieces.count
            for index in order {
                if !sight.misses(all[index].from, all[index].to) {
                    result.pieces.append(all[index])
                } else if result.pieces.count > first {
                    result.contours.append(Contour(pieces: first..<result.pieces.count, isClosed: false))
                    first = result.pieces.count
                }
            }
            if result.pieces.count > first {
                result.contours.append(Contour(pieces: first..<result.pieces.count, isClosed: false))
            }
        }
        result.sumLengths()
        return result
    }

    /// A point of the path and its direction there, a unit vector; nil for a path without pieces.
    ///
    /// - Parameter fraction: Of the length of all contours, clamped to 0…1.
    /// - Complexity: O(pieces).
    package func place(at fraction: Double) -> (point: Point, direction: Point)? {
        guard let last = pieces.last else { return nil }
        var rest = min(max(fraction, 0), 1) * length
        for piece in pieces {
            if rest <= piece.length {
                let share = piece.length > 0 ? rest / piece.length : 0
                return (mix(piece.from, piece.to, share), piece.direction(at: share))
            }
            rest -= piece.length
        }
        return (last.to, last.toDirection)
    }

    mutating func append(_ part: ArraySlice<Piece>, isClosed: Bool) {
        let first = pieces.count
        pieces.append(contentsOf: part)
        contours.append(Contour(pieces: first..<pieces.count, isClosed: isClosed))
    }

    private func stretch(of contour: Contour, from start: Double, to end: Double) -> [Piece] {
        var result: [Piece] = []
        var position = 0.0
        for piece in pieces[contour.pieces] {
            defer { position += piece.length }
            guard position < end else { break }
            guard position + piece.length > start, piece.length > 0 else { continue }
            let a = max((start - position) / piece.length, 0)
            let b = min((end - position) / piece.length, 1)
            if b > a { result.append(piece.part(from: a, to: b)) }
        }
        return result
    }
}

/// Goes along a contour and its pattern.
private struct DashCutter {
    private let lengths: [Double]
    private let period: Double
    private var index = 0
    /// Of the dash or gap it is in.
    private var rest = 0.0
    private var isOn = true

    init(_ lengths: [Double], phase: Double, period: Double) {
        self.lengths = lengths
        self.period = period
        go(to: phase)
    }

    /// To a place of the pattern, from its beginning.
    private mutating func go(to phase: Double) {
        var offset = phase.truncatingRemainder(dividingBy: period)
        if offset < 0 { offset += period }
        index = 0
        isOn = true
        // A period is at most twice the pattern.
        while offset > 0, offset >= lengths[index % lengths.count], index < 2 * lengths.count {
            offset -= lengths[index % lengths.count]
            index += 1
        }
        isOn = index % 2 == 0
        rest = max(lengths[index % lengths.count] - offset, 0)
    }

    /// Past a part of the path that nothing is drawn along.
    private mutating func skip(_ length: Double) {
        if rest > length {
            rest -= length
        } else {
            var offset = lengths[index % lengths.count] - rest
            for passed in 0..<index { offset += lengths[passed % lengths.count] }
            go(to: offset + length)
        }
    }

    private mutating func advance() {
        index += 1
        // The parity must stay: an odd pattern is gone through twice.
        if index == 2 * lengths.count { index = 0 }
        isOn = index % 2 == 0
        rest = lengths[index % lengths.count]
    }

    mutating func cut(
        _ pieces: ContiguousArray<FlatPath.Piece>.SubSequence, in sight: PathSight?, into result: inout FlatPath
    ) {
        let size = pieces.reduce(0) { $0 + $1.length }
        guard size > 0 else {
            if isOn { result.append(pieces, isClosed: false) }
            return
        }
        /// What is shorter at the end of a contour is rounding.
        let least = size * 1e-12
        var dash: [FlatPath.Piece] = []
        var position = 0.0
        func finish() {
            if !dash.isEmpty { result.append(dash[...], isClosed: false) }
            dash.removeAll(keepingCapacity: true)
        }
        for piece in pieces where piece.length > 0 {
            var at = 0.0
            var end = piece.length
            if let sight {
                let part = sight.part(from: piece.from, to: piece.to) ?? (1, 1)
                (at, end) = (part.from * piece.length, part.to < 1 ? part.to * piece.length : piece.length)
                if at > 0 {
                    finish()
                    skip(at)
                }
            }
            /// The pattern is where the piece ends.
            var isThrough = false
            while at < end {
                let left = max(piece.length - at, 0)
                if isOn, rest == 0, dash.isEmpty, size - position - at > least {
                    // A dash without a length is a dot.
                    var dot = piece.part(from: min(at / piece.length, 1), to: 1)
                    (dot.to, dot.toDirection, dot.length) = (dot.from, dot.fromDirection, 0)
                    dash.append(dot)
                }
                if rest > left {
                    if isOn, left > least { dash.append(piece.part(from: at / piece.length, to: 1)) }
                    rest -= left
                    isThrough = true
                    break
                }
                if isOn {
                    if rest > 0 {
                        dash.append(piece.part(from: at / piece.length, to: min((at + rest) / piece.length, 1)))
                    }
                    finish()
                }
                at += rest
                advance()
                isThrough = piece.length - at <= least
                if isThrough { break }
            }
            if end < piece.length, at < piece.length, !isThrough {
                finish()
                skip(piece.length - at)
            }
            position += piece.length
        }
        finish()
    }
}
