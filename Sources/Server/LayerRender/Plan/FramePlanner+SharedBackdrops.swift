// Backdrops of one name share what they see, and where their filters are the same also what becomes of it: the copy goes
// through the filters once, for the rectangle around all of them, if that takes no larger targets than each by itself.
// Source: semantic reference, §6.14; docs/effects/backdrops.md.

import LayerModel
import Paths

/// A filter that does the same wherever it is: what backdrops that share a result must have in common.
enum SharedFilter: Equatable {
    /// A plain blur. In a list at most one: what lies beyond the picture is its nearest pixel.
    case blur(GaussianShape)
    case color([Float])
}

extension FramePlanner {
    /// The filters of one list, if each is such; nil where the result depends on the layer's place.
    func sharedFilters(
        _ list: [LayerFilter], _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>
    ) -> [SharedFilter]? {
        var filters: [SharedFilter] = []
        for filter in list {
            if filter.isPlainBlur {
                let shape = gaussian(filter.number(.inputRadius), presented, record)
                if !shape.isPoint { filters.append(.blur(shape)) }
            } else if let matrix = filter.straightMatrix {
                filters.append(.color(matrix))
            } else {
                return nil
            }
        }
        let blurs = filters.count { if case .blur = $0 { true } else { false } }
        return blurs == 1 ? filters : nil
    }

    /// Gives backdrops of a name that have the same filters the same steps, where that is cheaper.
    mutating func shareBackdrops() {
        for surface in surfaces.indices where !surfaces[surface].isOver {
            let all = FrameMemory.captures(of: surfaces[surface].quads, surfaces, backdrops)
            guard !all.isEmpty else { continue }
            var members: [String: [Int]] = [:]
            for quad in surfaces[surface].quads { collectSharing(quad, &members) }
            for name in members.keys.sorted() { share(members[name]!, all[name] ?? .empty) }
        }
    }

    private func collectSharing(_ quad: Quad, _ members: inout [String: [Int]]) {
        switch quad.paint {
        case .backdrop(let number):
            guard let name = backdrops[Int(number)].group, backdrops[Int(number)].filters != nil else { return }
            // Of a layer that is cut there are several drawings.
            if members[name]?.contains(Int(number)) != true { members[name, default: []].append(Int(number)) }
        case .over(let surface): for inner in surfaces[Int(surface)].quads { collectSharing(inner, &members) }
        default: break
        }
    }

    /// - Parameter copy: What all of the name see.
    private mutating func share(_ members: [Int], _ copy: PixelRect) {
        var left = members
        while let first = left.first, let filters = backdrops[first].filters {
            let alike = left.filter { backdrops[$0].filters == filters }
            left.removeAll { alike.contains($0) }
            guard alike.count > 1 else { continue }
            let shown = alike.reduce(PixelRect.empty) { $0.union(backdrops[$1].shown) }
            var steps = FilterSteps(source: copy)
            for filter in filters {
                switch filter {
                case .blur(let shape): steps.blur(shape, edges: .nearest, result: shown.intersection(steps.bounds))
                case .color(let matrix): steps.color(matrix)
                }
            }
            func bytes(_ steps: [PlannedStep]) -> Int { steps.reduce(0) { $0 + SlotPool.bytes($1.bounds.size) } }
            let cost = bytes(steps.steps)
            guard !steps.steps.isEmpty, cost <= alike.reduce(0, { $0 + bytes(backdrops[$1].steps) }),
                steps.bounds.contains(shown),
                steps.steps.allSatisfy({ max($0.bounds.width, $0.bounds.height) <= limits.textureSide })
            else { continue }
            for number in alike {
                backdrops[number].steps = steps.steps
                backdrops[number].result = Int32(first)
            }
        }
    }
}
