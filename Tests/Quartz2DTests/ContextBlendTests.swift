import Foundation
import Testing

@testable import Quartz2D

@Suite struct ContextBlendTests {
    /// Straight components of source and backdrop: partly transparent both.
    private static let source = (color: [0.9, 0.4, 0.1], alpha: 0.6)
    private static let backdrop = (color: [0.2, 0.5, 0.8], alpha: 0.8)

    /// The result, premultiplied, by the table of formulas.
    private static func formula(_ mode: CGBlendMode) -> [Double] {
        let (cs, sa) = (source.color, source.alpha)
        let (cb, ba) = (backdrop.color, backdrop.alpha)
        let (ps, pb) = (cs.map { $0 * sa }, cb.map { $0 * ba })
        func porterDuff(_ fs: Double, _ fb: Double) -> [Double] {
            zip(ps, pb).map { $0 * fs + $1 * fb } + [sa * fs + ba * fb]
        }
        func mixed(_ blended: [Double]) -> [Double] {
            var result: [Double] = []
            for channel in 0..<3 {
                let own: Double = sa * (1 - ba) * cs[channel]
                let both: Double = sa * ba * blended[channel]
                result.append(own + both + (1 - sa) * pb[channel])
            }
            return result + [sa + ba - sa * ba]
        }
        func separable(_ f: (Double, Double) -> Double) -> [Double] {
            mixed([f(cb[0], cs[0]), f(cb[1], cs[1]), f(cb[2], cs[2])])
        }
        func hard(_ b: Double, _ s: Double) -> Double { s <= 0.5 ? 2 * b * s : b + (2 * s - 1) - b * (2 * s - 1) }
        func lum(_ c: [Double]) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }
        func sat(_ c: [Double]) -> Double { c.max()! - c.min()! }
        func clip(_ c: [Double]) -> [Double] {
            let (l, n, x) = (lum(c), c.min()!, c.max()!)
            var c = c
            if n < 0 { c = c.map { l + ($0 - l) * l / (l - n) } }
            if x > 1 { c = c.map { l + ($0 - l) * (1 - l) / (x - l) } }
            return c
        }
        func setLum(_ c: [Double], _ l: Double) -> [Double] { clip(c.map { $0 + l - lum(c) }) }
        func setSat(_ c: [Double], _ s: Double) -> [Double] {
            let (n, x) = (c.min()!, c.max()!)
            return x > n ? c.map { ($0 - n) * s / (x - n) } : [0, 0, 0]
        }
        switch mode {
        case .normal: return porterDuff(1, 1 - sa)
        case .multiply: return separable { $0 * $1 }
        case .screen: return separable { $0 + $1 - $0 * $1 }
        case .overlay: return separable { hard($1, $0) }
        case .darken: return separable { min($0, $1) }
        case .lighten: return separable { max($0, $1) }
        case .colorDodge: return separable { b, s in b == 0 ? 0 : s >= 1 ? 1 : min(1, b / (1 - s)) }
        case .colorBurn: return separable { b, s in b >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - b) / s) }
        case .softLight:
            return separable { b, s in
                let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
                return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b)
            }
        case .hardLight: return separable { hard($0, $1) }
        case .difference: return separable { abs($0 - $1) }
        case .exclusion: return separable { $0 + $1 - 2 * $0 * $1 }
        case .hue: return mixed(setLum(setSat(cs, sat(cb)), lum(cb)))
        case .saturation: return mixed(setLum(setSat(cb, sat(cs)), lum(cb)))
        case .color: return mixed(setLum(cs, lum(cb)))
        case .luminosity: return mixed(setLum(cb, lum(cs)))
        case .clear: return [0, 0, 0, 0]
        case .copy: return porterDuff(1, 0)
        case .sourceIn: return porterDuff(ba, 0)
        case .sourceOut: return porterDuff(1 - ba, 0)
        case .sourceAtop: return porterDuff(ba, 1 - sa)
        case .destinationOver: return porterDuff(1 - ba, 1)
        case .destinationIn: return porterDuff(0, sa)
        case .destinationOut: return porterDuff(0, 1 - sa)
        case .destinationAtop: return porterDuff(1 - ba, sa)
        case .xor: return porterDuff(1 - ba, 1 - sa)
        case .plusLighter: return zip(ps + [sa], pb + [ba]).map { min(1, $0 + $1) }
        case .plusDarker:
            let alpha = min(1, sa + ba)
            return zip(ps, pb).map { max(0, alpha - ((sa - $0) + (ba - $1))) } + [alpha]
        }
    }

    private static func color(_ part: (color: [Double], alpha: Double)) -> CGColor {
        CGColor(red: part.color[0], green: part.color[1], blue: part.color[2], alpha: part.alpha)
    }

    @Test(
        "Every blend mode is its formula inside the shape and changes nothing outside", arguments: CGBlendMode.allCases)
    func formulas(mode: CGBlendMode) {
        let context = makeContext(8, 4)
        context.setFillColor(Self.color(Self.backdrop))
        context.fill(.infinite)
        let before = context.bytes(7, 1)
        context.setBlendMode(mode)
        context.setFillColor(Self.color(Self.source))
        context.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
        let wanted = Self.formula(mode).map { UInt8(min(max(($0 * 255).rounded(), 0), 255)) }
        let found = context.bytes(1, 1)
        #expect(isNear(found, wanted, within: 2), "\(mode): \(found), the formula gives \(wanted)")
        #expect(context.bytes(7, 1) == before, "\(mode) outside of the shape")
    }

    @Test("A half covered pixel lies half way, in every mode", arguments: CGBlendMode.allCases)
    func coverage(mode: CGBlendMode) {
        func run(_ width: CGFloat) -> [UInt8] {
            let context = makeContext(1, 1)
            context.setFillColor(Self.color(Self.backdrop))
            context.fill(.infinite)
            context.setBlendMode(mode)
            context.setFillColor(Self.color(Self.source))
            context.fill(CGRect(x: 0, y: 0, width: width, height: 1))
            return context.bytes(0, 0)
        }
        let (none, half, full) = (run(0), run(0.5), run(1))
        let between = zip(none, full).map { UInt8((Int($0) + Int($1) + 1) / 2) }
        // Plus lighter and darker are no mixture: coverage fades the source.
        let tolerance = mode == .plusLighter || mode == .plusDarker ? 30 : 3
        #expect(isNear(half, between, within: tolerance), "\(mode): \(half) between \(none) and \(full)")
    }

    @Test("A transparency layer is one picture: alpha counts once, modes inside don't see what is below")
    func transparencyLayer() {
        let context = makeContext(12, 4)
        context.setAlpha(0.5)
        context.beginTransparencyLayer(auxiliaryInfo: nil)
        context.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: 8, height: 4))
        context.setFillColor(red: 0, green: 0, blue: 1, alpha: 1)
        context.fill(CGRect(x: 4, y: 0, width: 8, height: 4))
        context.endTransparencyLayer()
        #expect(isNear(context.bytes(1, 1), [128, 0, 0, 128]))
        #expect(isNear(context.bytes(5, 1), [0, 0, 128, 128]))
        let isolated = makeContext(2, 2)
        isolated.setFillColor(.white)
        isolated.fill(.infinite)
        isolated.beginTransparencyLayer(auxiliaryInfo: nil)
        isolated.setBlendMode(.multiply)
        isolated.setFillColor(red: 0, green: 1, blue: 0, alpha: 1)
        isolated.fill(CGRect(x: 0, y: 0, width: 1, height: 2))
        isolated.setBlendMode(.clear)
        isolated.fill(CGRect(x: 1, y: 0, width: 1, height: 2))
        isolated.endTransparencyLayer()
        #expect(isolated.bytes(0, 0) == [0, 255, 0, 255] && isolated.bytes(1, 0) == [255, 255, 255, 255])
    }

    @Test("States are restored with the layer they were saved in, and ends without begins do nothing")
    func unbalanced() {
        let context = makeContext(4, 4)
        context.endTransparencyLayer()
        context.saveGState()
        context.beginTransparencyLayer(auxiliaryInfo: nil)
        context.saveGState()
        context.translateBy(x: 2, y: 2)
        context.restoreGState()
        context.restoreGState()
        context.restoreGState()
        context.saveGState()
        context.translateBy(x: 1, y: 1)
        context.endTransparencyLayer()
        #expect(context.ctm == .identity)
        context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
        #expect(context.bytes(0, 3) == [0, 0, 0, 255])
        for _ in 0..<200 { context.beginTransparencyLayer(auxiliaryInfo: nil) }
        context.fill(CGRect(x: 1, y: 1, width: 1, height: 1))
        for _ in 0..<200 { context.endTransparencyLayer() }
        #expect(context.bytes(1, 2) == [0, 0, 0, 255])
    }
}
