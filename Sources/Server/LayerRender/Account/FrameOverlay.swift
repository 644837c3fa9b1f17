// Instruments' colors over a picture: which parts went offscreen, were blended, found in a cache or not, copied, lay
// between pixels, or were drawn anew. A pure function of the plan's drawings on the picture's pixels, after it was read.
//
// The colors are those of Instruments' Core Animation tool: offscreen yellow, blended red and opaque green, hits green
// and misses red, copied cyan, misaligned magenta and stretched yellow.

import LayerModel

package enum FrameOverlay: String, Sendable, CaseIterable {
    /// What another pass than the picture's own drew.
    case offscreen
    /// Red where something is mixed with what is below, redder the more of it; green where one opaque drawing shows.
    case blended
    /// Kept masks and kept pixels that were there already.
    case hits
    /// Those that this frame made.
    case misses
    /// What was copied before it could be drawn.
    case copied
    /// Contents between pixels, and scaled or turned ones.
    case misaligned
    /// What was drawn anew.
    case updates

    /// Tints a picture.
    ///
    /// - Parameters:
    ///   - pixels: Premultiplied BGRA rows from the top, of the plan's size; changed in place.
    ///   - plan: With its drawings (`FramePlanner.recordsDrawings`).
    /// - Complexity: Linear in the picture's pixels and in those of the drawings.
    package func tint(
        _ pixels: UnsafeMutableRawBufferPointer, bytesPerRow: Int, of plan: FramePlan
    ) {
        precondition(
            plan.size.isEmpty || bytesPerRow * (plan.size.height - 1) + plan.size.width * 4 <= pixels.count,
            "\(pixels.count) bytes for a picture of \(plan.size)")
        var tints = TintMap(plan.size)
        switch self {
        case .offscreen:
            for drawing in plan.drawings where drawing.readsSurface { tints.set(.yellow, in: drawing.bounds) }
        case .blended: countBlending(plan.drawings, &tints)
        case .hits:
            for drawing in plan.drawings where drawing.cache == .hit { tints.set(.green, in: drawing.bounds) }
        case .misses:
            for drawing in plan.drawings where drawing.cache == .miss { tints.set(.red, in: drawing.bounds) }
        case .copied:
            for drawing in plan.drawings where drawing.isCopied { tints.set(.cyan, in: drawing.bounds) }
        case .misaligned:
            for drawing in plan.drawings {
                switch drawing.fit {
                case .misaligned: tints.set(.magenta, in: drawing.bounds)
                case .stretched: tints.set(.yellow, in: drawing.bounds)
                case .exact, nil: break
                }
            }
        case .updates:
            let whole = PixelRect(x: 0, y: 0, width: plan.size.width, height: plan.size.height)
            for rect in plan.damage ?? [whole] { tints.set(.yellow, in: rect) }
        }
        tints.apply(to: pixels, bytesPerRow: bytesPerRow)
    }

    /// An opaque drawing of the picture's own pass begins anew; one of another pass hides nothing there.
    private func countBlending(_ drawings: [PlannedDrawing], _ tints: inout TintMap) {
        for drawing in drawings where drawing.isInRoot {
            if drawing.isOpaque {
                tints.set(.green, in: drawing.bounds)
            } else {
                tints.deepen(in: drawing.bounds)
            }
        }
        for drawing in drawings where !drawing.isInRoot && !drawing.isOpaque { tints.deepen(in: drawing.bounds) }
    }
}

/// A tint for each pixel: 0 none, then the fixed colors, then red by how much is blended.
private struct TintMap {
    enum Tint: UInt8, CaseIterable {
        case yellow = 1
        case green
        case red
        case cyan
        case magenta
    }

    /// Red for one blended drawing; each more is one number more, up to `deepest`.
    private static let firstDepth: UInt8 = 16
    private static let deepest: UInt8 = 21

    private let size: PixelSize
    private var tints: [UInt8]

    init(_ size: PixelSize) {
        self.size = size
        tints = [UInt8](repeating: 0, count: size.area)
    }

    mutating func set(_ tint: Tint, in rect: PixelRect) {
        forEachRow(of: rect) { tints, range in for index in range { tints[index] = tint.rawValue } }
    }

    mutating func deepen(in rect: PixelRect) {
        forEachRow(of: rect) { tints, range in
            for index in range {
                tints[index] = tints[index] < Self.firstDepth ? Self.firstDepth : min(tints[index] + 1, Self.deepest)
            }
        }
    }

    private mutating func forEachRow(
        of rect: PixelRect, _ body: (UnsafeMutableBufferPointer<UInt8>, Range<Int>) -> Void
    ) {
        let shown = rect.intersection(PixelRect(x: 0, y: 0, width: size.width, height: size.height))
        guard !shown.isEmpty else { return }
        tints.withUnsafeMutableBufferPointer { tints in
            for y in shown.minY..<shown.maxY { body(tints, y * size.width + shown.minX..<y * size.width + shown.maxX) }
        }
    }

    /// Blue, green, red, and 256ths of the tint.
    private static let colors: [(blue: Int, green: Int, red: Int, weight: Int)] = {
        var colors = [(blue: Int, green: Int, red: Int, weight: Int)](repeating: (0, 0, 0, 0), count: 32)
        colors[Int(Tint.yellow.rawValue)] = (0, 255, 255, 128)
        colors[Int(Tint.green.rawValue)] = (0, 255, 0, 96)
        colors[Int(Tint.red.rawValue)] = (0, 0, 255, 128)
        colors[Int(Tint.cyan.rawValue)] = (255, 255, 0, 128)
        colors[Int(Tint.magenta.rawValue)] = (255, 0, 255, 128)
        for depth in firstDepth...deepest {
            colors[Int(depth)] = (0, 0, 255, 96 + 28 * Int(depth - firstDepth))
        }
        return colors
    }()

    func apply(to pixels: UnsafeMutableRawBufferPointer, bytesPerRow: Int) {
        for y in 0..<size.height {
            for x in 0..<size.width {
                let color = Self.colors[Int(tints[y * size.width + x])]
                guard color.weight > 0 else { continue }
                let at = y * bytesPerRow + x * 4
                func mix(_ offset: Int, _ tint: Int) {
                    let old = Int(pixels[at + offset])
                    pixels[at + offset] = UInt8((old * (256 - color.weight) + tint * color.weight + 128) >> 8)
                }
                mix(0, color.blue)
                mix(1, color.green)
                mix(2, color.red)
                mix(3, 255)
            }
        }
    }
}
