import LayerModel
import LayerRender
import LayerWire
import ReferenceCompositor
import Testing

@Suite("Switches")
struct SwitchTests {
    /// What switching an optimization off may change, levels of 255.
    static let bounds: [(name: String, value: Switches, bound: Int)] = Switches.names.map {
        let exact: Switches = [.batching, .pooling, .occlusion, .cacheReuse, .blitCopies, .damage, .sprites]
        return ($0.name, $0.value, exact.contains($0.value) ? 0 : [.shadowShapes, .baking].contains($0.value) ? 2 : 1)
    }

    /// With effects a clip's rim may be 2 levels off: each road rounds color and alpha apart, at another place, and comes
    /// within a level of the exact color, on either side (docs/effects/rounded-clips.md).
    private static let effectBounds = bounds.map { ($0.name, $0.value, $0.value == .fastClips ? 2 : $0.bound) }

    @Test("Each optimization on gives what it gives off, within its bound", arguments: 0..<60)
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

    /// Effects that a level more or less changes by more than that: steep blend modes, thresholds, and what they are
    /// mixed with. They have no part in the comparison of pictures that may differ by a level.
    static let mild = RandomScene.Options.all.subtracting(.crossings).union([
        .shadows, .shadowPaths, .masks, .rasterization,
    ])

    @Test("Each optimization of an effect gives what it gives off, within its bound", arguments: 0..<300)
    func effectsOnAreOff(seed: UInt64) throws {
        // What is kept from frame to frame has the next test.
        let ofFrames: Switches = [.damage, .sprites]
        for (options, kinds) in [
            (Self.mild, Self.effectBounds.filter { $0.2 > 0 }),
            (
                Self.mild.union([.filters, .backdrops, .compositingModes]),
                Self.effectBounds.filter { $0.2 == 0 && !ofFrames.contains($0.1) }
            ),
        ] {
            let random = RandomScene(seed: seed &+ 40_000, options: options)
            let on = try Drawing.shared.draw(random.transactions, on: random.display)
            for (name, value, bound) in kinds {
                let off = try Drawing.shared.draw(
                    random.transactions, on: random.display, switches: .all.subtracting(value))
                let worst = zip(on.bytes, off.bytes).map { abs(Int($0) - Int($1)) }.enumerated().max { $0.1 < $1.1 }!
                let pixel = worst.offset / 4
                #expect(
                    worst.element <= bound,
                    "\(name), seed \(seed): \(worst.element) levels at (\(pixel % on.size.width), \(pixel / on.size.width))"
                )
            }
        }
    }

    /// The bound is one for a drawing: what lies over one another adds up.
    @Test("Both roads of a shadow differ by 2 levels at most for each shadow that reaches a pixel", arguments: 0..<30)
    func overlappingShadows(seed: UInt64) throws {
        var random = SplitMix64(seed: seed &+ 300)
        var frames: [Rect] = []
        let cards = (0..<random.integer(2...6)).map { _ in
            let frame = Rect(
                random.number(5, 50), random.number(5, 40), Double(random.integer(12...50)),
                Double(random.integer(12...40)))
            return LayerTree {
                $0.setFrame(frame)
                $0.cornerRadius = random.pick([0, 6])
                $0.backgroundColor = Color(random.unit(), random.unit(), random.unit())
                $0.shadowOpacity = random.pick([1, 0.6])
                $0.shadowRadius = random.number(1.5, 9)
                $0.shadowOffset = Point(random.number(-4, 4), random.number(-4, 4))
                let reach = 3 * $0.shadowRadius + 6
                frames.append(frame.insetBy(dx: -reach, dy: -reach))
            }
        }
        var root = LayerTree(sublayers: cards) {
            $0.bounds = Rect(0, 0, 112, 96)
            $0.backgroundColor = .white
        }
        root.properties.position = Point(56, 48)
        let display = ReferenceDisplay(
            pixelSize: PixelSize(width: 112, height: 96), scale: 1, isFlipped: true, background: .white)
        let transactions = [root.transaction(images: [])]
        let on = try Drawing.shared.draw(transactions, on: display)
        let off = try Drawing.shared.draw(transactions, on: display, switches: .all.subtracting(.shadowShapes))
        var worst = (over: 0, text: "")
        for pixel in 0..<112 * 96 {
            let at = Point(Double(pixel % 112) + 0.5, Double(pixel / 112) + 0.5)
            let shadows = frames.count { $0.minX < at.x && at.x < $0.maxX && $0.minY < at.y && at.y < $0.maxY }
            let difference = (0..<4).map { abs(Int(on.bytes[pixel * 4 + $0]) - Int(off.bytes[pixel * 4 + $0])) }.max()!
            if difference - 2 * shadows > worst.over {
                worst = (difference - 2 * shadows, "\(difference) levels, \(shadows) shadows, at \(at)")
            }
        }
        #expect(worst.over == 0, "seed \(seed): \(worst.text)")
    }

    @Test("Frames that draw only what changed are those of a session that draws all of it", arguments: 0..<300)
    func changes(seed: UInt64) throws {
        let scene = RandomScene(
            seed: seed &+ 50_000, options: RandomScene.Options.all.subtracting(.crossings).union(.effects))
        var changes = RandomChanges(seed: seed, of: scene)
        var frames = [(transactions: scene.transactions, time: 0.0)]
        for number in 1...4 {
            // The last one after kept pixels may have gone.
            let time = Double(number) / 60 + (number == 4 ? 1 : 0)
            guard let change = changes.next(at: time) else { break }
            frames.append(([change], time))
        }
        let drawn = try Drawing.shared.draw(frames: frames, on: scene.display)
        for (number, picture) in drawn.enumerated().dropFirst() {
            let fresh = try Drawing.shared.draw(
                frames[...number].flatMap(\.transactions), on: scene.display)
            guard picture != fresh else { continue }
            let wrong = (0..<picture.bytes.count / 4).filter {
                picture.bytes[$0 * 4..<$0 * 4 + 4] != fresh.bytes[$0 * 4..<$0 * 4 + 4]
            }
            let (first, width) = (wrong[0], picture.size.width)
            Issue.record(
                """
                seed \(seed), frame \(number): \(wrong.count) pixels differ, first (\(first % width), \(first / width)):                 \(Array(fresh.bytes[first * 4..<first * 4 + 4])) became \(Array(picture.bytes[first * 4..<first * 4 + 4]))
                \(frames[number].transactions[0].ops.map { RecordingText.text($0) }.joined(separator: "\n"))
                \(picture.plan.text)fresh: \(fresh.plan.text)
                """)
            return
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

    /// In this tree rectangles of llvmpipe's fast road meet others, and a nearest texel changes at the middle of pixels.
    @Test("The same tree gives the same bytes, however often it is drawn")
    func repeatableOften() throws {
        let random = RandomScene(seed: 40_064, options: Self.mild)
        let first = try Drawing.shared.draw(random.transactions, on: random.display)
        var different = 0
        for _ in 0..<150 {
            if try Drawing.shared.draw(random.transactions, on: random.display) != first { different += 1 }
        }
        #expect(different == 0, "\(different) of 150 draws are not as the first")
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
