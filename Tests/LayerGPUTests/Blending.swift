import LayerModel

/// The compositing modes by the table of the semantic reference (6.15), in doubles, for one pixel.
struct Blending {
    let mode: CompositingMode

    init(_ mode: CompositingMode) { self.mode = mode }

    /// Premultiplied, in and out.
    func composited(_ backdrop: Levels, _ source: Levels) -> Levels {
        let (b, s) = (backdrop.unit, source.unit)
        let (ab, `as`) = (b[3], s[3])
        func each(_ formula: (Double, Double) -> Double) -> Levels {
            Levels(unit: (0..<4).map { formula(b[$0], s[$0]) })
        }
        switch mode {
        case .normal: return each { b, s in s + b * (1 - `as`) }
        case .destinationOver: return each { b, s in b + s * (1 - ab) }
        case .sourceIn: return each { _, s in s * ab }
        case .destinationIn: return each { b, _ in b * `as` }
        case .sourceOut: return each { _, s in s * (1 - ab) }
        case .destinationOut: return each { b, _ in b * (1 - `as`) }
        case .sourceAtop: return each { b, s in s * ab + b * (1 - `as`) }
        case .destinationAtop: return each { b, s in b * `as` + s * (1 - ab) }
        case .xor: return each { b, s in s * (1 - ab) + b * (1 - `as`) }
        case .copy: return source
        case .destination: return backdrop
        case .clear: return Levels(0, 0, 0, 0)
        case .plusLighter: return each { b, s in min(1, b + s) }
        case .plusDarker:
            let alpha = min(1, `as` + ab)
            var result = (0..<3).map { max(0, alpha - ((`as` - s[$0]) + (ab - b[$0]))) }
            result.append(alpha)
            return Levels(unit: result)
        default:
            func straight(_ color: [Double]) -> [Double] {
                color[3] > 0 ? color[0..<3].map { $0 / color[3] } : [0, 0, 0]
            }
            let (cb, cs) = (straight(b), straight(s))
            let both = blended(cb, cs)
            var result = (0..<3).map { channel in
                let alone = `as` * (1 - ab) * cs[channel] + (1 - `as`) * ab * cb[channel]
                return alone + `as` * ab * both[channel]
            }
            result.append(`as` + ab - `as` * ab)
            return Levels(unit: result)
        }
    }

    /// B(b, s), of straight colors.
    private func blended(_ b: [Double], _ s: [Double]) -> [Double] {
        switch mode {
        case .hue: setLum(setSat(s, sat(b)), lum(b))
        case .saturation: setLum(setSat(b, sat(s)), lum(b))
        case .color: setLum(s, lum(b))
        case .luminosity: setLum(b, lum(s))
        default: zip(b, s).map(separable)
        }
    }

    private func separable(_ b: Double, _ s: Double) -> Double {
        func hardLight(_ b: Double, _ s: Double) -> Double {
            let t = 2 * s - 1
            return s <= 0.5 ? 2 * b * s : b + t - b * t
        }
        switch mode {
        case .multiply: return b * s
        case .screen: return b + s - b * s
        case .overlay: return hardLight(s, b)
        case .darken: return min(b, s)
        case .lighten: return max(b, s)
        case .colorDodge: return b == 0 ? 0 : s >= 1 ? 1 : min(1, b / (1 - s))
        case .colorBurn: return b >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - b) / s)
        case .hardLight: return hardLight(b, s)
        case .softLight:
            if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
            let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
            return b + (2 * s - 1) * (d - b)
        case .difference: return abs(b - s)
        case .exclusion: return b + s - 2 * b * s
        case .linearBurn: return max(0, b + s - 1)
        case .linearDodge: return min(1, b + s)
        case .linearLight: return min(max(b + 2 * s - 1, 0), 1)
        case .pinLight: return s <= 0.5 ? min(b, 2 * s) : max(b, 2 * s - 1)
        case .subtract: return max(0, b - s)
        // The table says b / s and nothing of 0 / 0; taken as 0, so that black stays black.
        case .divide: return b == 0 ? 0 : s == 0 ? 1 : min(1, b / s)
        default: preconditionFailure("\(mode) is no separable blend")
        }
    }

    private func lum(_ c: [Double]) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }

    private func sat(_ c: [Double]) -> Double { c.max()! - c.min()! }

    private func setLum(_ c: [Double], _ light: Double) -> [Double] {
        let shift = light - lum(c)
        var c = c.map { $0 + shift }
        let (n, low, high) = (lum(c), c.min()!, c.max()!)
        if low < 0 { c = c.map { n + ($0 - n) * n / (n - low) } }
        if high > 1 { c = c.map { n + ($0 - n) * (1 - n) / (high - n) } }
        return c
    }

    private func setSat(_ c: [Double], _ saturation: Double) -> [Double] {
        let (low, high) = (c.min()!, c.max()!)
        return high > low ? c.map { ($0 - low) * saturation / (high - low) } : [0, 0, 0]
    }
}

extension Levels {
    /// Red, green, blue, alpha, 0…1.
    var unit: [Double] { [red / 255, green / 255, blue / 255, alpha / 255] }

    init(unit: [Double]) { self.init(unit[0] * 255, unit[1] * 255, unit[2] * 255, unit[3] * 255) }
}
