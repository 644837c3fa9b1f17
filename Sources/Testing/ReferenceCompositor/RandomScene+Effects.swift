// The effects of a random layer: few at a time, in ranges in which a picture still shows what they do. Blurs have a
// radius of 0 or at least a pixel: below, how a Gaussian is sampled decides more than its radius.

import Glibc
import LayerModel

extension SceneMaker {
    mutating func addEffects(to layer: inout LayerTree) {
        if options.contains(.shadows), random.chance(0.2) { addShadow(to: &layer.properties) }
        if options.contains(.masks), random.chance(0.12) { layer.mask = mask(for: layer.properties.bounds) }
        if options.contains(.compositingModes), random.chance(0.15) {
            layer.properties.compositingMode = random.pick(CompositingMode.allCases)
        }
        if options.contains(.filters), random.chance(0.15) {
            layer.properties.filters = (0..<random.pick([1, 1, 2])).map { _ in filter() }
        }
        if options.contains(.backdrops), random.chance(0.08) { addBackdrop(to: &layer) }
        if options.contains(.rasterization), random.chance(0.08) {
            layer.properties.shouldRasterize = true
            // The server has no smaller copies of a bitmap.
            if layer.properties.minificationFilter == .trilinear { layer.properties.minificationFilter = .linear }
            layer.properties.rasterizationScale = random.pick([1 / pixel, 1 / pixel, 1, 2])
        }
    }

    private mutating func radius(upTo largest: Double) -> Double {
        random.chance(0.2) ? 0 : random.number(1.2 * pixel, largest)
    }

    private mutating func addShadow(to p: inout LayerProperties) {
        p.shadowOpacity = random.pick([1, 0.8, 0.4])
        p.shadowRadius = radius(upTo: random.pick([4, 4, 12]))
        p.shadowOffset = Point(
            Double(random.integer(-8...8)) * pixel, Double(random.integer(-8...8)) * pixel)
        if random.chance(0.5) { p.shadowColor = color(opaque: 0.7) }
        guard options.contains(.shadowPaths), random.chance(0.4) else { return }
        p.shadowPath = path(in: p.bounds)
    }

    /// A rectangle, a rounded one, or a star whose middle is covered twice.
    private mutating func path(in b: Rect) -> VectorPath {
        let rect = b.insetBy(dx: b.width * random.pick([0, 0.1, -0.1]), dy: b.height * random.pick([0, 0.1]))
        switch random.integer(0...2) {
        case 0: return VectorPath(rect: rect)
        case 1:
            var path = VectorPath()
            path.move(to: Point(rect.midX, rect.minY))
            path.cubic(
                to: Point(rect.midX, rect.maxY), Point(rect.maxX, rect.minY), Point(rect.maxX, rect.maxY))
            path.quad(to: Point(rect.midX, rect.minY), control: Point(rect.minX, rect.midY))
            path.close()
            return path
        default:
            var path = VectorPath()
            for i in 0..<5 {
                let angle = Double(i * 2) * 2 * Double.pi / 5
                let point = Point(rect.midX + rect.width / 2 * cos(angle), rect.midY + rect.height / 2 * sin(angle))
                if i == 0 { path.move(to: point) } else { path.line(to: point) }
            }
            path.close()
            return path
        }
    }

    /// A layer about as large as what it masks, perhaps with a sublayer, a blur, or half its alpha.
    private mutating func mask(for bounds: Rect) -> LayerTree {
        var mask = LayerTree {
            $0.setFrame(
                bounds.insetBy(
                    dx: (bounds.width * 0.1 / pixel).rounded() * pixel,
                    dy: (bounds.height * 0.1 / pixel).rounded() * pixel))
            $0.name = "mask"
        }
        mask.properties.backgroundColor = color(opaque: 0.6)
        if random.chance(0.5) { mask.properties.cornerRadius = random.pick([4, 9, 100]) }
        if random.chance(0.2) { mask.properties.opacity = 0.6 }
        if options.contains(.filters), random.chance(0.2) {
            mask.properties.filters = [
                LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(random.number(1.2 * pixel, 4))])
            ]
        }
        if random.chance(0.3) {
            mask.properties.backgroundColor = nil
            var part = LayerTree {
                $0.setFrame(Rect(0, 0, (bounds.width / 2 / pixel).rounded() * pixel, bounds.height))
            }
            part.properties.backgroundColor = color(opaque: 0.6)
            mask.sublayers = [part]
        }
        return mask
    }

    private mutating func addBackdrop(to layer: inout LayerTree) {
        let filters = (0..<random.pick([1, 2])).map { _ in random.chance(0.5) ? blur() : colorFilter() }
        if random.chance(0.5) {
            layer.properties.backgroundFilters = filters
        } else {
            layer.layerClass = .backdropLayer
            layer.properties.filters = filters
            if random.chance(0.4) { layer.properties.groupName = "glass" }
        }
        // So that something of it is seen.
        if random.chance(0.8) { layer.properties.backgroundColor = nil }
        if random.chance(0.8) { layer.properties.contents = .none }
    }

    // MARK: Filters

    private mutating func filter() -> LayerFilter {
        switch random.integer(0...9) {
        case 0...2: return blur()
        case 3 where options.contains(.contents):
            return LayerFilter(
                .variableBlur,
                inputs: [
                    .inputRadius: .number(random.number(1.2, 2) * pixel),
                    .inputMaskImage: .image(ImageID(UInt32(random.integer(1...4)))),
                ])
        case 4:
            return LayerFilter(.pixellate, inputs: [.inputScale: .number(Double(random.integer(3...10)) * pixel)])
        case 5:
            return LayerFilter(
                .dropShadow,
                inputs: [
                    .inputRadius: .number(radius(upTo: 4)), .inputColor: .color(color(opaque: 0.5)),
                    .inputOffset: .point(
                        Point(Double(random.integer(-5...5)) * pixel, Double(random.integer(-5...5)) * pixel)),
                ])
        default: return colorFilter()
        }
    }

    private mutating func blur() -> LayerFilter {
        var inputs: [LayerFilter.Input: LayerFilter.Value] = [.inputRadius: .number(radius(upTo: 8))]
        if random.chance(0.2) { inputs[.inputNormalizeEdges] = .flag(true) }
        if random.chance(0.2) { inputs[.inputHardEdges] = .flag(true) }
        return LayerFilter(.gaussianBlur, inputs: inputs)
    }

    private mutating func colorFilter() -> LayerFilter {
        func amount(_ kind: LayerFilter.Kind, _ number: Double) -> LayerFilter {
            LayerFilter(kind, inputs: [.inputAmount: .number(number)])
        }
        switch random.integer(0...11) {
        case 0: return amount(.colorSaturate, random.number(0, 1.6))
        case 1: return amount(.colorBrightness, random.number(-0.3, 0.3))
        case 2: return amount(.colorContrast, random.number(0.4, 1.6))
        case 3: return LayerFilter(.colorHueRotate, inputs: [.inputAngle: .number(random.number(-3, 3))])
        case 4: return LayerFilter(.colorInvert)
        case 5:
            return LayerFilter(
                .colorMonochrome,
                inputs: [
                    .inputAmount: .number(random.unit()), .inputColor: .color(color(opaque: 1)),
                    .inputBias: .number(random.number(-0.1, 0.1)),
                ])
        case 6: return LayerFilter(.luminanceToAlpha)
        case 7: return amount(.alphaThreshold, random.number(0.2, 0.8))
        case 8: return LayerFilter(.colorAdd, inputs: [.inputColor: .color(color(opaque: 0.2))])
        case 9: return LayerFilter(.colorSubtract, inputs: [.inputColor: .color(color(opaque: 0.2))])
        case 10: return LayerFilter(.multiplyColor, inputs: [.inputColor: .color(color(opaque: 0.5))])
        default:
            let mix = random.number(0, 0.4)
            return LayerFilter(
                .colorMatrix,
                inputs: [
                    .inputColorMatrix: .numbers([
                        1 - mix, mix, 0, 0, 0.05, 0, 1 - mix, mix, 0, 0, mix, 0, 1 - mix, 0, -0.05, 0, 0, 0, 0.9, 0,
                    ])
                ])
        }
    }
}
