import LayerModel
import LayerRender
import ReferenceCompositor
import Testing

@Suite("Switches")
struct SwitchTests {
    /// What switching an optimisation off may change, levels of 255.
    static let bounds: [(name: String, value: Switches, bound: Int)] = Switches.names.map {
        let exact: Switches = [.batching, .pooling, .occlusion, .cacheReuse, .blitCopies]
        return ($0.name, $0.value, exact.contains($0.value) ? 0 : 1)
    }

    @Test("Each optimisation on gives what it gives off, within its bound", arguments: 0..<60)
    func onIsOff(seed: UInt64) throws {
        let random = RandomScene(seed: seed &+ 700, options: RandomScene.Options.all.subtracting(.crossings))
        let on = try Drawing.shared.draw(random.transactions, on: random.display)
        for (name, value, bound) in Self.bounds {
            let off = try Drawing.shared.draw(
                random.transactions, on: random.display, switches: .all.subtracting(value))
            var worst = (index: 0, difference: 0)
            for index in on.bytes.indices {
                let difference = abs(Int(on.bytes[index]) - Int(off.bytes[index]))
                if difference > worst.difference { worst = (index, difference) }
            }
            let pixel = worst.index / 4
            #expect(
                worst.difference <= bound,
                "\(name), seed \(seed): \(worst.difference) levels at (\(pixel % on.size.width), \(pixel / on.size.width))"
            )
        }
    }

    @Test("Every switch has a name of its own, and nothing else has one")
    func names() {
        #expect(Set(Switches.names.map(\.name)).count == Switches.names.count)
        #expect(Switches.names.reduce(into: Switches()) { $0.formUnion($1.value) } == .all)
        #expect(Switches.disabling("batching, fast-clips").switches == .all.subtracting([.batching, .fastClips]))
        #expect(Switches.disabling("all").switches == [])
        #expect(Switches.disabling("speed").unknown == ["speed"])
    }

    @Test("The same tree gives the same bytes, drawn again and in another session", arguments: 0..<20)
    func repeatable(seed: UInt64) throws {
        let random = RandomScene(seed: seed &+ 40)
        let first = try Drawing.shared.draw(random.transactions, on: random.display)
        let second = try Drawing.shared.draw(random.transactions, on: random.display)
        if first != second {
            let differing = first.bytes.indices.filter { first.bytes[$0] != second.bytes[$0] }
            let worst = differing.map { abs(Int(first.bytes[$0]) - Int(second.bytes[$0])) }.max() ?? 0
            let pixel = (differing.first ?? 0) / 4
            Issue.record(
                "seed \(seed): \(differing.count) bytes differ, by at most \(worst), first at (\(pixel % first.size.width), \(pixel / first.size.width))\n\(first.plan.text)"
            )
        }
    }
}
