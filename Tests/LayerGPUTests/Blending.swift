import LayerModel
import ReferenceCompositor

/// The compositing modes for one pixel, by the formulas of the reference compositor. Those have tests of their own, with
/// sums by hand, and share nothing with the programs that are tested here.
struct Blending {
    let mode: CompositingMode

    init(_ mode: CompositingMode) { self.mode = mode }

    /// Premultiplied, in and out.
    func composited(_ backdrop: Levels, _ source: Levels) -> Levels {
        Levels(mode.result(Ink(source), Ink(backdrop)))
    }
}

extension Ink {
    fileprivate init(_ levels: Levels) {
        self.init(blue: levels.blue, green: levels.green, red: levels.red, alpha: levels.alpha)
    }
}

extension Levels {
    fileprivate init(_ ink: Ink) { self.init(ink.red, ink.green, ink.blue, ink.alpha) }
}
