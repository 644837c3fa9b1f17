import LayerModel

extension PixelRect {
    /// Rectangles, at most eight, that don't overlap and together hold all of some others.
    package static func covering(_ rects: [PixelRect]) -> [PixelRect] {
        var list: [PixelRect] = []
        for rect in rects where !rect.isEmpty { add(rect, to: &list) }
        return list
    }

    private static func add(_ rect: PixelRect, to list: inout [PixelRect]) {
        var rect = rect
        // Joined with what it overlaps, and with what it nearly completes; what that makes may overlap others again.
        var index = 0
        while index < list.count {
            let joined = list[index].union(rect)
            if list[index].intersects(rect) || joined.area <= (list[index].area + rect.area) * 5 / 4 {
                list.remove(at: index)
                rect = joined
                index = 0
            } else {
                index += 1
            }
        }
        list.append(rect)
        if list.count > 8 { joinNearest(&list) }
    }

    /// Joins the two that waste the fewest pixels.
    private static func joinNearest(_ list: inout [PixelRect]) {
        var best = (first: 0, second: 1, waste: Int.max)
        for i in list.indices {
            for j in list.indices where j > i {
                let waste = list[i].union(list[j]).area - list[i].area - list[j].area
                if waste < best.waste { best = (i, j, waste) }
            }
        }
        let joined = list[best.first].union(list[best.second])
        list.remove(at: best.second)
        list.remove(at: best.first)
        add(joined, to: &list)
    }
}
