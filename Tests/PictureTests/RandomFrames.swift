// Random trees that are animated, drawn at several times: against the reference, by jumps and by steps, with damage and without.

import LayerModel
import LayerRender
import ReferenceCompositor
import Testing

/// The frames of one random scene.
struct RandomFrames {
    let random: RandomScene
    /// For messages and files.
    let label: String

    init(_ seed: UInt64, _ options: RandomScene.Options, _ label: String) {
        random = RandomScene(seed: seed, options: options)
        self.label = "\(label)-\(seed)"
    }

    /// Between and after the commits of a scene; the last ones when most is over.
    static func times(_ seed: UInt64) -> [Double] {
        var random = SplitMix64(seed: seed)
        return [
            random.number(0.02, 0.38), random.number(0.42, 0.73), random.number(0.77, 1.2), random.number(1.2, 1.8), 9,
        ]
    }

    /// Frames at times, each with the commits that come before it.
    private func frames(at times: [Double]) -> [(transactions: [Transaction], time: Double)] {
        var left = random.transactions[...]
        return times.map { time in
            let due = left.prefix { $0.time <= time }
            left = left.dropFirst(due.count)
            return (Array(due), time)
        }
    }

    /// Frames at times look as the reference says.
    func compare(at times: [Double]) throws {
        let frames = frames(at: times)
        let pictures = try Drawing.shared.draw(frames: frames, on: random.display)
        let scene = ReferenceScene(display: random.display)
        for (picture, frame) in zip(pictures, frames) {
            for transaction in frame.transactions { try scene.apply(transaction) }
            scene.present(at: frame.time)
            guard let difference = picture.difference(from: scene, allowing: [.wholeLevels, .mixes]) else { continue }
            let path = picture.write(label)
            Issue.record(
                """
                \(label) at \(frame.time): \(difference.description)
                \(difference.ops(of: random))\(picture.plan.text)picture: \(path)
                """)
            return
        }
    }

    /// A time that is jumped to shows the bytes that steps to it show.
    func compareJumps() throws {
        let steps = (0...24).map { Double($0) / 16 }
        let stepped = try Drawing.shared.draw(frames: frames(at: steps), on: random.display)
        for number in [5, 9, 14, 24] {
            let jumped = try Drawing.shared.draw(frames: frames(at: [steps[number]]), on: random.display)[0]
            let wrong = stepped[number].differing(from: jumped)
            #expect(wrong == 0, "\(label) at \(steps[number]): \(wrong) bytes differ")
        }
    }

    /// Frames that draw only what changed are those that draw all of it.
    func compareDamage() throws {
        let frames = frames(at: (0...18).map { Double($0) / 12 })
        let some = try Drawing.shared.draw(frames: frames, on: random.display)
        let all = try Drawing.shared.draw(frames: frames, on: random.display, switches: .all.subtracting(.damage))
        for (number, frame) in frames.enumerated() {
            let wrong = some[number].differing(from: all[number])
            if wrong > 0 {
                Issue.record("\(label) at \(frame.time): \(wrong) bytes differ\n\(some[number].plan.text)")
                return
            }
        }
    }
}
