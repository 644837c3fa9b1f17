// Blend modes, and which of them cairo draws. Source of the formulas: semantic reference, §6.15.
//
// Core Graphics confines each mode to the shape: outside it nothing changes. Cairo's `IN`, `OUT`, `DEST_IN` and `DEST_ATOP`
// are not confined, and plus darker is not there, so these are computed here, from the shape's color G (premultiplied, with
// its coverage m in it) and what is there, D:
//
//     clear            D(1 - m)
//     copy             D(1 - m) + G
//     sourceIn         D(1 - m) + G·Da
//     sourceOut        D(1 - m) + G(1 - Da)
//     destinationIn    D(1 - m) + D·Ga
//     destinationAtop  D(1 - m) + G(1 - Da) + D·Ga
//     plusDarker       a = min(1, Ga + Da), max(0, a - (Ga - G) - (Da - D))
//     hue and so on    G(1 - Da) + D(1 - Ga) + Ga·Da·B(D / Da, G / Ga)

import CCairo
import LayerModel

/// How what is drawn meets what is there. Each mode works inside of the drawn shape only.
public enum CGBlendMode: Int32, Sendable, CaseIterable {
    case normal = 0
    case multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight, difference, exclusion
    case hue, saturation, color, luminosity
    case clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut, destinationAtop
    case xor, plusDarker, plusLighter

    /// Cairo's operator for drawing a shape at once; nil where it has none that is confined to the shape.
    var directOperator: cairo_operator_t? {
        switch self {
        case .clear: CAIRO_OPERATOR_CLEAR
        case .copy: CAIRO_OPERATOR_SOURCE
        default: groupOperator
        }
    }

    /// Cairo's operator for laying a bitmap over with what is transparent in it changing nothing; nil where it has none.
    var groupOperator: cairo_operator_t? {
        switch self {
        case .normal: CAIRO_OPERATOR_OVER
        case .multiply: CAIRO_OPERATOR_MULTIPLY
        case .screen: CAIRO_OPERATOR_SCREEN
        case .overlay: CAIRO_OPERATOR_OVERLAY
        case .darken: CAIRO_OPERATOR_DARKEN
        case .lighten: CAIRO_OPERATOR_LIGHTEN
        case .colorDodge: CAIRO_OPERATOR_COLOR_DODGE
        case .colorBurn: CAIRO_OPERATOR_COLOR_BURN
        case .softLight: CAIRO_OPERATOR_SOFT_LIGHT
        case .hardLight: CAIRO_OPERATOR_HARD_LIGHT
        case .difference: CAIRO_OPERATOR_DIFFERENCE
        case .exclusion: CAIRO_OPERATOR_EXCLUSION
        case .sourceAtop: CAIRO_OPERATOR_ATOP
        case .destinationOver: CAIRO_OPERATOR_DEST_OVER
        case .destinationOut: CAIRO_OPERATOR_DEST_OUT
        case .xor: CAIRO_OPERATOR_XOR
        case .plusLighter: CAIRO_OPERATOR_ADD
        case .clear, .copy, .sourceIn, .sourceOut, .destinationIn, .destinationAtop, .plusDarker: nil
        case .hue, .saturation, .color, .luminosity: nil
        }
    }
}

/// One pixel of a mode that cairo does not draw: four premultiplied bytes, alpha last.
struct PixelBlend {
    var mode: CGBlendMode

    /// - Parameters:
    ///   - group: G. Its alpha is at index 3, as in the result.
    ///   - coverage: m, 0…255.
    @inline(__always)
    func blend(
        _ group: UnsafePointer<UInt8>, coverage: UInt8, over target: UnsafePointer<UInt8>,
        into result: UnsafeMutablePointer<UInt8>
    ) {
        let (groupAlpha, targetAlpha) = (Int(group[3]), Int(target[3]))
        switch mode {
        case .hue, .saturation, .color, .luminosity: return mix(group, over: target, into: result)
        default: break
        }
        let rest = 255 - Int(coverage)
        for channel in 0..<4 {
            let (g, d) = (Int(group[channel]), Int(target[channel]))
            let kept = d * rest
            let value: Int
            switch mode {
            case .clear: value = kept
            case .copy: value = kept + g * 255
            case .sourceIn: value = kept + g * targetAlpha
            case .sourceOut: value = kept + g * (255 - targetAlpha)
            case .destinationIn: value = kept + d * groupAlpha
            case .destinationAtop: value = kept + g * (255 - targetAlpha) + d * groupAlpha
            default:
                let alpha = min(groupAlpha + targetAlpha, 255)
                value = channel == 3 ? alpha * 255 : max(0, alpha - (groupAlpha - g) - (targetAlpha - d)) * 255
            }
            result[channel] = UInt8(min((value + 127) / 255, 255))
        }
    }
}

// MARK: - Hue, saturation, luminosity

extension PixelBlend {
    private typealias Triple = SIMD3<Float>

    private func mix(
        _ group: UnsafePointer<UInt8>, over target: UnsafePointer<UInt8>, into result: UnsafeMutablePointer<UInt8>
    ) {
        let (sourceAlpha, targetAlpha) = (Float(group[3]) / 255, Float(target[3]) / 255)
        // In memory blue comes first.
        let g = Triple(Float(group[2]), Float(group[1]), Float(group[0])) / 255
        let d = Triple(Float(target[2]), Float(target[1]), Float(target[0])) / 255
        var mixed = g * (1 - targetAlpha) + d * (1 - sourceAlpha)
        if sourceAlpha > 0, targetAlpha > 0 {
            mixed += sourceAlpha * targetAlpha * blended(d / targetAlpha, g / sourceAlpha)
        }
        let alpha = sourceAlpha + targetAlpha - sourceAlpha * targetAlpha
        func byte(_ value: Float) -> UInt8 { UInt8(min(max(value * 255 + 0.5, 0), 255)) }
        (result[0], result[1], result[2], result[3]) = (byte(mixed[2]), byte(mixed[1]), byte(mixed[0]), byte(alpha))
    }

    private func blended(_ b: Triple, _ s: Triple) -> Triple {
        switch mode {
        case .hue: withLuminosity(withSaturation(s, b.max() - b.min()), luminosity(b))
        case .saturation: withLuminosity(withSaturation(b, s.max() - s.min()), luminosity(b))
        case .color: withLuminosity(s, luminosity(b))
        default: withLuminosity(b, luminosity(s))
        }
    }

    private func luminosity(_ c: Triple) -> Float { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }

    private func withLuminosity(_ c: Triple, _ wanted: Float) -> Triple {
        var c = c + (wanted - luminosity(c))
        let l = luminosity(c)
        let (low, high) = (c.min(), c.max())
        if low < 0, l > low { c = l + (c - l) * (l / (l - low)) }
        if high > 1, high > l { c = l + (c - l) * ((1 - l) / (high - l)) }
        return c
    }

    private func withSaturation(_ c: Triple, _ wanted: Float) -> Triple {
        let (low, high) = (c.min(), c.max())
        return high > low ? (c - low) * (wanted / (high - low)) : Triple(repeating: 0)
    }
}
