// Which segments of a cut arrangement bound a set.
//
// A sweep along x keeps the segments that it crosses in order of y; since segments meet at their ends only, the order changes
// nowhere else. What lies below a segment lies above the one before, so windings are sums along that order. At a point the
// segments that end there go, and those that begin there come in their place, by slope; upright ones last.

/// Sweeps segments.
struct SegmentWindings {
    private let segments: [GridSegment]
    private var status: [Int32] = []
    /// Windings above each segment.
    private var above: [(first: Int32, second: Int32)]

    /// - Parameter segments: In order of their smaller ends; they meet at their ends only.
    init(_ segments: [GridSegment]) {
        self.segments = segments
        above = Array(repeating: (0, 0), count: segments.count)
    }

    /// The segments with the set on one side only, each the way round that has it on the same side.
    mutating func bounds(
        of isInside: (_ first: Int32, _ second: Int32) -> Bool
    ) -> [(from: GridPoint, to: GridPoint)] {
        var result: [(from: GridPoint, to: GridPoint)] = []
        let ends = segments.indices.sorted { segments[$0].b < segments[$1].b }
        var (nextStart, nextEnd) = (0, 0)
        while nextEnd < ends.count {
            var point = segments[ends[nextEnd]].b
            if nextStart < segments.count { point = min(point, segments[nextStart].a) }
            let place = makePlace(at: point, ends, &nextEnd)
            let first = nextStart
            while nextStart < segments.count, segments[nextStart].a == point { nextStart += 1 }
            guard first < nextStart else { continue }
            let starting = (first..<nextStart).sorted { GridPoint.cross(point, segments[$0].b, segments[$1].b) > 0 }
            status.insert(contentsOf: starting.map { Int32($0) }, at: place)
            var below: (first: Int32, second: Int32) = place > 0 ? above[Int(status[place - 1])] : (0, 0)
            for index in starting {
                let segment = segments[index]
                let over = (first: below.first &+ segment.first, second: below.second &+ segment.second)
                above[index] = over
                let (isBelow, isAbove) = (isInside(below.first, below.second), isInside(over.first, over.second))
                if isBelow != isAbove {
                    result.append(isAbove ? (segment.a, segment.b) : (segment.b, segment.a))
                }
                below = over
            }
        }
        return result
    }

    /// Takes out what ends at a point; what begins there belongs where that was.
    private mutating func makePlace(at point: GridPoint, _ ends: [Int], _ nextEnd: inout Int) -> Int {
        var (low, high) = (0, status.count)
        while low < high {
            let middle = (low + high) / 2
            let segment = segments[Int(status[middle])]
            if GridPoint.cross(segment.a, segment.b, point) > 0 { low = middle + 1 } else { high = middle }
        }
        var count = 0
        while nextEnd < ends.count, segments[ends[nextEnd]].b == point {
            nextEnd += 1
            count += 1
        }
        guard count > 0 else { return low }
        var last = low
        while last < status.count, last - low < count, segments[Int(status[last])].b == point { last += 1 }
        if last - low == count {
            status.removeSubrange(low..<last)
        } else {
            // Only where something still crosses by less than a step.
            status.removeAll { segments[Int($0)].b == point }
            low = min(low, status.count)
        }
        return low
    }
}
