// How a source meets a backdrop, for every compositing mode. Source: semantic reference, §6.15; W3C Compositing and
// Blending where it is silent. Everything is computed on encoded sRGB (measured facts, B7).
//
// A blend mode mixes colors and composites source-over: co = αs(1−αb)Cs + αsαb·B(Cb, Cs) + (1−αs)αb·Cb, so over nothing
// the source shows as it is (B8). The Porter-Duff operators weigh the two premultiplied colors.

import Glibc
import LayerModel

extension CompositingMode {
    /// A full source laid on a backdrop; both premultiplied, in levels.
    package func result(_ source: Ink, _ backdrop: Ink) -> Ink {
        switch self {
        case .normal: source.over(backdrop)
        case .hue, .saturation, .color, .luminosity: nonSeparable(source, backdrop)
        case .copy, .clear, .destination, .destinationOver, .sourceIn, .destinationIn, .sourceOut, .destinationOut,
            .sourceAtop, .destinationAtop, .xor, .plusLighter, .plusDarker:
            composited(source, backdrop)
        default: separable(source, backdrop)
        }
    }

    /// True where a small change of a color may be a large one of the result.
    var isSteep: Bool {
        switch self {
        case .overlay, .hardLight, .softLight, .linearLight, .pinLight, .colorDodge, .colorBurn, .divide, .hue,
            .saturation, .color, .luminosity:
            true
        default: false
        }
    }

    // MARK: Porter-Duff

    private func composited(_ s: Ink, _ b: Ink) -> Ink {
        let sa = s.alpha / 255
        let ba = b.alpha / 255
        switch self {
        case .copy: return s
        case .clear: return .clear
        case .destination: return b
        case .destinationOver: return b.over(s)
        case .sourceIn: return s * ba
        case .destinationIn: return b * sa
        case .sourceOut: return s * (1 - ba)
        case .destinationOut: return b * (1 - sa)
        case .sourceAtop: return s * ba + b * (1 - sa)
        case .destinationAtop: return b * sa + s * (1 - ba)
        case .xor: return s * (1 - ba) + b * (1 - sa)
        case .plusLighter: return (s + b).clamped
        case .plusDarker:
            let alpha = min(s.alpha + b.alpha, 255)
            func component(_ cs: Double, _ cb: Double) -> Double {
                max(alpha - ((s.alpha - cs) + (b.alpha - cb)), 0)
            }
            return Ink(
                blue: component(s.blue, b.blue), green: component(s.green, b.green), red: component(s.red, b.red),
                alpha: alpha)
        default: return s.over(b)
        }
    }

    // MARK: Separable

    private func separable(_ s: Ink, _ b: Ink) -> Ink {
        let sa = s.alpha / 255
        let ba = b.alpha / 255
        guard sa > 0 else { return b }
        guard ba > 0 else { return s }
        func component(_ cs: Double, _ cb: Double) -> Double {
            cs * (1 - ba) + cb * (1 - sa) + 255 * sa * ba * mixed(straight(cb, b.alpha), straight(cs, s.alpha))
        }
        return Ink(
            blue: component(s.blue, b.blue), green: component(s.green, b.green), red: component(s.red, b.red),
            alpha: s.alpha + b.alpha - s.alpha * ba)
    }

    /// B(b, s) of one component, 0…1.
    private func mixed(_ b: Double, _ s: Double) -> Double {
        switch self {
        case .multiply: return b * s
        case .screen: return b + s - b * s
        case .overlay: return hardLight(s, b)
        case .hardLight: return hardLight(b, s)
        case .darken: return min(b, s)
        case .lighten: return max(b, s)
        case .colorDodge: return b <= 0 ? 0 : s >= 1 ? 1 : min(1, b / (1 - s))
        case .colorBurn: return b >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - b) / s)
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
        case .divide: return b <= 0 ? 0 : s <= b ? 1 : b / s
        default: return s
        }
    }

    private func hardLight(_ b: Double, _ s: Double) -> Double {
        s <= 0.5 ? 2 * b * s : b + (2 * s - 1) - b * (2 * s - 1)
    }

    // MARK: All components together

    private func nonSeparable(_ s: Ink, _ b: Ink) -> Ink {
        let sa = s.alpha / 255
        let ba = b.alpha / 255
        guard sa > 0 else { return b }
        guard ba > 0 else { return s }
        let cs = Tone(s)
        let cb = Tone(b)
        let mixed =
            switch self {
            case .hue: cs.withSaturation(cb.saturation).withLuminosity(cb.luminosity)
            case .saturation: cb.withSaturation(cs.saturation).withLuminosity(cb.luminosity)
            case .color: cs.withLuminosity(cb.luminosity)
            default: cb.withLuminosity(cs.luminosity)
            }
        func component(_ s: Double, _ b: Double, _ m: Double) -> Double {
            s * (1 - ba) + b * (1 - sa) + 255 * sa * ba * m
        }
        return Ink(
            blue: component(s.blue, b.blue, mixed.blue), green: component(s.green, b.green, mixed.green),
            red: component(s.red, b.red, mixed.red), alpha: s.alpha + b.alpha - s.alpha * ba)
    }
}

/// A premultiplied component as a straight one, 0…1.
private func straight(_ component: Double, _ alpha: Double) -> Double {
    component >= alpha ? 1 : component / alpha
}

/// A straight color, as the modes need it that look at all components.
private struct Tone {
    var red: Double
    var green: Double
    var blue: Double

    init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    init(_ ink: Ink) {
        red = straight(ink.red, ink.alpha)
        green = straight(ink.green, ink.alpha)
        blue = straight(ink.blue, ink.alpha)
    }

    var luminosity: Double { 0.3 * red + 0.59 * green + 0.11 * blue }
    var saturation: Double { max(red, green, blue) - min(red, green, blue) }

    private func mapped(_ change: (Double) -> Double) -> Tone {
        Tone(red: change(red), green: change(green), blue: change(blue))
    }

    func withLuminosity(_ wanted: Double) -> Tone {
        let shift = wanted - luminosity
        let moved = mapped { $0 + shift }
        // Pulled toward its own luminosity until it fits.
        let l = moved.luminosity
        let low = min(moved.red, moved.green, moved.blue)
        let high = max(moved.red, moved.green, moved.blue)
        var result = moved
        if low < 0 { result = result.mapped { l + ($0 - l) * l / (l - low) } }
        if high > 1 { result = result.mapped { l + ($0 - l) * (1 - l) / (high - l) } }
        return result
    }

    /// The smallest component becomes 0, the largest `wanted`, the middle one keeps its place between them.
    func withSaturation(_ wanted: Double) -> Tone {
        let low = min(red, green, blue)
        let range = saturation
        return range > 0 ? mapped { ($0 - low) * wanted / range } : Tone(red: 0, green: 0, blue: 0)
    }
}

// MARK: How sure a result is

extension CompositingMode {
    /// How far the result may move when each color of the inputs moves by so many levels: the largest change of a
    /// component, in levels. 0 for the modes that don't amplify.
    func uncertainty(_ source: Ink, by sourceLevels: Double, _ backdrop: Ink, by backdropLevels: Double) -> Double {
        guard isSteep, source.alpha > 0, backdrop.alpha > 0 else { return 0 }
        let exact = result(source, backdrop)
        var worst = 0.0
        if self == .hue || self == .saturation || self == .color || self == .luminosity {
            // Each component by itself; the sum of what they do.
            var sum = Ink.clear
            for component in 0..<6 {
                var largest = Ink.clear
                for sign in [-1.0, 1] {
                    let s = component < 3 ? source.moved(component, by: sign * sourceLevels) : source
                    let b = component < 3 ? backdrop : backdrop.moved(component - 3, by: sign * backdropLevels)
                    largest = largest.larger(result(s, b).distance(to: exact))
                }
                sum = sum + largest
            }
            worst = sum.largest
        } else {
            // Each component by itself, and monotonic on either side: the corners are the extremes.
            for s in [-1.0, 1] {
                for b in [-1.0, 1] {
                    let moved = result(
                        source.moved(by: s * sourceLevels), backdrop.moved(by: b * backdropLevels))
                    worst = max(worst, moved.distance(to: exact).largest)
                }
            }
        }
        return worst
    }
}
