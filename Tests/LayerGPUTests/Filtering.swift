import Glibc
import LayerRender

extension Levels {
    /// Red, green, blue, alpha, 0…1.
    init(unit: [Double]) { self.init(unit[0] * 255, unit[1] * 255, unit[2] * 255, unit[3] * 255) }
}

/// What an effect makes of a picture, by the plan's words, in doubles.
struct Filtering {
    let effect: DrawEffect
    let picture: Picture
    /// The picture of `variableTaps` and `variableDisc`.
    var mask: Picture?

    /// The target's pixel (x, y).
    func result(_ x: Int, _ y: Int) -> Levels {
        let placeX = (Double(x) + 0.5) * Double(effect.scaleX) + Double(effect.offsetX)
        let placeY = (Double(y) + 0.5) * Double(effect.scaleY) + Double(effect.offsetY)
        var sum = Sum()
        switch effect.kind {
        case .taps(let stepX, let stepY, let weights):
            for (tap, weight) in weights.enumerated() {
                for sign in tap == 0 ? [0.0] : [-1, 1] {
                    add(
                        placeX + sign * Double(tap) * Double(stepX), placeY + sign * Double(tap) * Double(stepY),
                        Double(weight), &sum)
                }
            }
            return finish(sum, 1)
        case .resample:
            add(placeX, placeY, 1, &sum)
            return finish(sum, 1)
        case .average(let width, let height):
            let (left, top) = (Int(placeX.rounded(.down)), Int(placeY.rounded(.down)))
            for row in top..<top + height {
                for column in left..<left + width { add(column, row, 1, &sum) }
            }
            let count = effect.edges == .normalized ? sum.weight : Double(width * height)
            return sum.levels * (1 / max(count, 1))
        case .colorMatrix(let matrix):
            let color = straight(here(placeX, placeY))
            // Nothing stays nothing.
            guard color[3] > 0 else { return Levels(0, 0, 0, 0) }
            let mapped = (0..<4).map { row -> Double in
                var value = Double(matrix[row * 5 + 4])
                for column in 0..<4 { value += Double(matrix[row * 5 + column]) * color[column] }
                return min(max(value, 0), 1)
            }
            return Levels(unit: [mapped[0] * mapped[3], mapped[1] * mapped[3], mapped[2] * mapped[3], mapped[3]])
        case .premultipliedMatrix(let matrix):
            let pixel = here(placeX, placeY)
            let color = [pixel.red, pixel.green, pixel.blue, pixel.alpha].map { $0 / 255 }
            return Levels(
                unit: (0..<4).map { row -> Double in
                    var value = Double(matrix[row * 5 + 4])
                    for column in 0..<4 { value += Double(matrix[row * 5 + column]) * color[column] }
                    return min(max(value, 0), 1)
                })
        case .alphaThreshold(let threshold):
            let color = straight(here(placeX, placeY))
            guard Float(color[3]) >= threshold else { return Levels(0, 0, 0, 0) }
            return Levels(unit: [color[0], color[1], color[2], 1])
        case .variableTaps(let stepX, let stepY, let sigma, _, _):
            let (source, mask) = (effect.source, mask!)
            let share =
                mask.sample(
                    (placeX - Double(source.minX)) / Double(source.width) * Double(mask.width),
                    (placeY - Double(source.minY)) / Double(source.height) * Double(mask.height), .linear
                ).alpha / 255
            let width = max(Double(sigma) * share, 1e-6)
            var whole = 0.0
            let last = min(Int((Double(sigma) * 3).rounded(.up)), 64)
            for tap in -last...last {
                let weight = Double(tap) == 0 ? 1 : exp(-Double(tap * tap) / (2 * width * width))
                whole += weight
                add(placeX + Double(tap) * Double(stepX), placeY + Double(tap) * Double(stepY), weight, &sum)
            }
            return finish(sum, whole)
        case .variableDisc(let disc, _, let map):
            let mask = mask!
            let (u, v) = mapped(map, placeX, placeY)
            let share =
                mask.sample(u * Double(mask.width), v * Double(mask.height), .linear).alpha / 255
            let width = max(share, 1e-6)
            var whole = 0.0
            for dy in -disc.reachY...disc.reachY {
                for dx in -disc.reachX...disc.reachX {
                    let (a, b) = (Double(dx), Double(dy))
                    let power = Double(disc.xx) * a * a + 2 * Double(disc.xy) * a * b + Double(disc.yy) * b * b
                    let weight = dx == 0 && dy == 0 ? 1 : exp(-power / (2 * width * width))
                    whole += weight
                    add(Int(placeX.rounded(.down)) + dx, Int(placeY.rounded(.down)) + dy, weight, &sum)
                }
            }
            return finish(sum, whole)
        case .gridMeans(let toGrid, _, let first):
            // Every pixel far around that lies in the square.
            var count = 0.0
            for row in -60..<120 {
                for column in -60..<120 {
                    let (u, v) = mapped(toGrid, Double(column) + 0.5, Double(row) + 0.5)
                    guard Int(u.rounded(.down)) == x + first.x, Int(v.rounded(.down)) == y + first.y else { continue }
                    count += 1
                    add(column, row, 1, &sum)
                }
            }
            return sum.levels * (1 / max(count, 1))
        case .gridSquares(let toGrid, let first):
            let (u, v) = mapped(toGrid, placeX, placeY)
            add(Int(u.rounded(.down)) - first.x, Int(v.rounded(.down)) - first.y, 1, &sum)
            return sum.levels
        case .cut(let toUnit, let rows, let weights):
            let isWhite = y >= weights
            let row = isWhite ? y - weights : y
            let place = isWhite ? placeY - Double(weights) : placeY
            let (u, v) = mapped(toUnit, placeX, place)
            guard row < rows, (0..<1).contains(u), (0..<1).contains(v) else { return Levels(0, 0, 0, 0) }
            return isWhite ? Levels(255, 255, 255, 255) : here(placeX, place)
        case .divide(let rows):
            let share = picture[Int(placeX), min(Int(placeY) + rows, effect.source.maxY - 1)].levels.alpha / 255
            guard share > 0 else { return Levels(0, 0, 0, 0) }
            let pixel = here(placeX, placeY)
            func part(_ value: Double) -> Double { min(value / share, 255) }
            return Levels(part(pixel.red), part(pixel.green), part(pixel.blue), part(pixel.alpha))
        case .extend(let toUnit, let fromUnit, let insetX, let insetY):
            var (u, v) = mapped(toUnit, placeX, placeY)
            if (0..<1).contains(u), (0..<1).contains(v) {
                add(placeX, placeY, 1, &sum)
                return sum.levels
            }
            u = min(max(u, Double(insetX)), 1 - Double(insetX))
            v = min(max(v, Double(insetY)), 1 - Double(insetY))
            let nearest = mapped(fromUnit, u, v)
            add(nearest.0, nearest.1, 1, &sum)
            return sum.levels
        }
    }

    private func mapped(_ map: DrawEffect.PlaneMap, _ x: Double, _ y: Double) -> (Double, Double) {
        (
            Double(map.xx) * x + Double(map.xy) * y + Double(map.x0),
            Double(map.yx) * x + Double(map.yy) * y + Double(map.y0)
        )
    }

    struct Sum {
        var levels = Levels(0, 0, 0, 0)
        /// What fell inside.
        var weight = 0.0
    }

    private func add(_ x: Int, _ y: Int, _ weight: Double, _ sum: inout Sum) {
        let source = effect.source
        let nearestX = min(max(x, source.minX), source.maxX - 1)
        let nearestY = min(max(y, source.minY), source.maxY - 1)
        guard effect.edges == .nearest || (nearestX == x && nearestY == y) else { return }
        sum.levels = sum.levels + picture[nearestX, nearestY].levels * weight
        sum.weight += weight
    }

    /// Bilinear.
    private func add(_ x: Double, _ y: Double, _ weight: Double, _ sum: inout Sum) {
        let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
        let (shareX, shareY) = (x - 0.5 - left, y - 0.5 - top)
        for (row, part) in [(0, 1 - shareY), (1, shareY)] where part > 0 {
            for (column, portion) in [(0, 1 - shareX), (1, shareX)] where portion > 0 {
                add(Int(left) + column, Int(top) + row, weight * part * portion, &sum)
            }
        }
    }

    private func here(_ x: Double, _ y: Double) -> Levels {
        var sum = Sum()
        add(Int(x.rounded(.down)), Int(y.rounded(.down)), 1, &sum)
        return finish(sum, 1)
    }

    private func finish(_ sum: Sum, _ whole: Double) -> Levels {
        guard effect.edges == .normalized else { return sum.levels * (1 / whole) }
        return sum.weight > whole / 4096 ? sum.levels * (1 / sum.weight) : Levels(0, 0, 0, 0)
    }

    private func straight(_ color: Levels) -> [Double] {
        color.alpha > 0
            ? [color.red / color.alpha, color.green / color.alpha, color.blue / color.alpha, color.alpha / 255]
            : [0, 0, 0, 0]
    }
}
