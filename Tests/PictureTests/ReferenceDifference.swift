// How far a picture may be from what the reference compositor says. docs/testing.md, "How near is near enough".

import LayerModel
import LayerWire
import ReferenceCompositor

/// So many pixels may be so far off, in levels of 255.
struct ReferenceAllowance {
    var pixels: Int
    var inside: Int
    var blur: Int
    var edge = 20

    /// Colors and opacities are whole levels on their way into a pass, the reference's are not: where several translucent things
    /// lie over one another, single pixels may be 3 levels off.
    static let wholeLevels = ReferenceAllowance(pixels: 4, inside: 3, blur: 4)
    /// Each mix of two pictures is rounded once more, and they lie in one another.
    static let mixes = ReferenceAllowance(pixels: 32, inside: 4, blur: 5)
    /// Edge pixels where a line covers something twice (docs/shapes.md, "Known gaps").
    static let coveredTwice = ReferenceAllowance(pixels: 10, inside: 3, blur: 4, edge: 30)
}

extension Picture {
    /// What is wrong with the picture of a scene; nil where it is within 2 levels, 20 on edges, 3 where blurred, or within one of
    /// the allowances.
    func difference(from scene: ReferenceScene, allowing: [ReferenceAllowance] = [.wholeLevels]) -> ImageDifference? {
        let reference = ReferenceCompositor.render(scene)
        func difference(inside: Int, edge: Int, blur: Int) -> ImageDifference {
            ImageDifference(
                bytes, bytesPerRow: size.width * 4, to: reference, scene: scene,
                tolerance: .init(inside: inside, edge: edge, blur: blur))
        }
        let strict = difference(inside: 2, edge: 20, blur: 3)
        if strict.isWithinTolerance { return nil }
        for allowance in allowing where strict.offenseCount <= allowance.pixels {
            if difference(inside: allowance.inside, edge: allowance.edge, blur: allowance.blur).isWithinTolerance {
                return nil
            }
        }
        return strict
    }

    /// How many bytes are not the same.
    func differing(from other: Picture) -> Int {
        zip(bytes, other.bytes).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
    }
}

extension ImageDifference {
    /// What a random scene says of the layers that are drawn where the pictures differ, a line an op.
    func ops(of random: RandomScene) -> String {
        let layers = Set(drawings.map(\.layer))
        return random.transactions.flatMap(\.ops).filter { op in
            switch op {
            case .set(let layer, _, _), .setSublayers(let layer, _), .addAnimation(let layer, _, _, _):
                layers.contains(layer)
            default: false
            }
        }.map { RecordingText.text($0) + "\n" }.joined()
    }
}
