// Which particles an emitter has at a time, worked out the plain way: every birth since the beginning, one after the other,
// by the rules of docs/emitters.md. Only the dice are the model's (EmitterRandom: which number a particle gets for what), since
// they define what a seed means; all that is done with the numbers is written anew.
//
// The values that the emitter has now count for all births: what was changed on the way is not looked at.

import Glibc
import LayerModel

/// A particle as its cell wants it drawn.
struct ReferenceParticle {
    var birth: Double
    var x, y, z: Double
    var scale: Double
    var rotation: Double
    /// Straight.
    var color: Color
    var cell: EmitterCell
}

struct ReferenceParticles {
    private typealias Vector = SIMD3<Double>

    private let emitter: EmitterProperties
    private let time: Double
    private var list: [ReferenceParticle] = []

    /// In the order they are drawn.
    static func alive(_ emitter: EmitterProperties, at time: Double) -> [ReferenceParticle] {
        var particles = ReferenceParticles(emitter: emitter, time: time)
        let source = particles
        let middle = Vector(emitter.position.x, emitter.position.y, emitter.zPosition)
        for (index, cell) in emitter.cells.enumerated() {
            particles.emit(
                cell, index, EmitterRandom.mix(UInt64(emitter.seed)), from: 0, until: time
            ) { random, _ in (middle + source.place(random), nil) }
        }
        // The sort is by hand: it must keep the order of what is equal.
        func sorted(_ isBefore: (ReferenceParticle, ReferenceParticle) -> Bool) -> [ReferenceParticle] {
            particles.list.enumerated().sorted {
                isBefore($0.element, $1.element) || !isBefore($1.element, $0.element) && $0.offset < $1.offset
            }.map(\.element)
        }
        switch emitter.renderMode {
        case .additive: return particles.list
        case .unordered:
            // Picture by picture, in the order of the cells that show them first.
            var looks: [Look] = []
            func collect(_ cells: [EmitterCell]) {
                for cell in cells {
                    if !looks.contains(Look(cell)) { looks.append(Look(cell)) }
                    collect(cell.cells)
                }
            }
            collect(emitter.cells)
            func place(_ particle: ReferenceParticle) -> Int { looks.firstIndex(of: Look(particle.cell)) ?? 0 }
            return sorted { place($0) < place($1) }
        case .oldestFirst: return sorted { $0.birth < $1.birth }
        case .oldestLast: return sorted { $0.birth > $1.birth }
        case .backToFront: return sorted { Float($0.z) < Float($1.z) }
        }
    }

    /// What a cell's particles show.
    private struct Look: Equatable {
        let contents: ImageID
        let rect: Rect
        let numbers: [Double]
        let filters: [ContentsFilter]

        init(_ cell: EmitterCell) {
            (contents, rect) = (cell.contents, cell.contentsRect)
            numbers = [cell.contentsScale, cell.minificationFilterBias]
            filters = [cell.minificationFilter, cell.magnificationFilter]
        }
    }

    private init(emitter: EmitterProperties, time: Double) {
        (self.emitter, self.time) = (emitter, time)
    }

    /// All births of a cell, and what comes of them.
    ///
    /// - Parameters:
    ///   - start, end: Between which times what it emits from is there.
    ///   - source: Where a particle begins, and where what it comes from is heading, by its birth.
    private mutating func emit(
        _ cell: EmitterCell, _ index: Int, _ key: UInt64, from start: Double, until end: Double,
        _ source: (EmitterRandom, Double) -> (Vector, Vector?)
    ) {
        guard cell.isEnabled, cell.speed > 0 else { return }
        let first = start + max(cell.beginTime - cell.timeOffset / cell.speed, 0)
        var last = end
        if let duration = cell.duration {
            last = min(last, start + cell.beginTime + (duration - cell.timeOffset) / cell.speed)
        }
        let rate = cell.birthRate * cell.speed * emitter.factors.birthRate
        guard rate > 0, last > first else { return }
        for number in 1...max(UInt64((last - first) * rate), 1) where Double(number) <= (last - first) * rate {
            let birth = first + Double(number) / rate
            let random = EmitterRandom(source: key, cell: index, number: number)
            let (place, heading) = source(random, birth)
            live(cell, random, birth, place, heading)
        }
    }

    private mutating func live(
        _ cell: EmitterCell, _ random: EmitterRandom, _ birth: Double, _ start: Vector, _ heading: Vector?
    ) {
        func dice(_ range: EmitterRange, _ use: EmitterRandom.Use) -> Double {
            range.mean + range.range * (random.unit(use) - 0.5)
        }
        let lifetime = dice(cell.lifetime, .lifetime) * emitter.factors.lifetime
        let age = (time - birth) * cell.speed
        let way = direction(cell, random, heading) * (dice(cell.velocity, .velocity) * emitter.factors.velocity)
        let pull = Vector(cell.acceleration.x, cell.acceleration.y, cell.acceleration.z)
        if age >= 0, age < lifetime {
            func part(_ mean: Double, _ range: Double, _ speed: Double, _ use: EmitterRandom.Use) -> Double {
                min(max(dice(EmitterRange(mean, range), use) + speed * age, 0), 1)
            }
            let place = start + way * age + pull * (age * age / 2)
            let (color, range, speed) = (cell.color, cell.colorRange, cell.colorSpeed)
            list.append(
                ReferenceParticle(
                    birth: birth, x: place.x, y: place.y, z: place.z,
                    scale: dice(cell.scale, .scale) * emitter.factors.scale + cell.scaleSpeed * age,
                    rotation: dice(cell.rotation, .rotation) + dice(cell.spin, .spin) * emitter.factors.spin * age,
                    color: Color(
                        part(color.red, range.red, speed.red, .red),
                        part(color.green, range.green, speed.green, .green),
                        part(color.blue, range.blue, speed.blue, .blue),
                        part(color.alpha, range.alpha, speed.alpha, .alpha)),
                    cell: cell))
        }
        var number = 1
        for inner in cell.cells {
            emit(inner, number, random.key, from: birth, until: min(time, birth + lifetime / cell.speed)) { _, born in
                let age = (born - birth) * cell.speed
                return (start + way * age + pull * (age * age / 2), way + pull * age)
            }
            // A cell's number counts those in the ones before it.
            number += inner.count
        }
    }

    // MARK: Where to

    /// A unit vector: anywhere in a cone, each part of its cap as likely as any other of its size.
    private func direction(_ cell: EmitterCell, _ random: EmitterRandom, _ heading: Vector?) -> Vector {
        let (latitude, longitude) = (cell.emissionLatitude, cell.emissionLongitude)
        let axis = Vector(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
        // By longitude, and by latitude.
        let east = Vector(-sin(longitude), cos(longitude), 0)
        let north = Vector(-sin(latitude) * cos(longitude), -sin(latitude) * sin(longitude), cos(latitude))
        var result = axis
        let half = min(abs(cell.emissionRange) / 2, .pi)
        if half > 0 {
            let along = 1 - (1 - cos(half)) * random.unit(.latitude)
            let aside = sqrt(max(1 - along * along, 0))
            let angle = 2 * Double.pi * random.unit(.longitude)
            result = axis * along + east * (aside * cos(angle)) + north * (aside * sin(angle))
        }
        guard let heading, (heading * heading).sum() > 0 else { return result }
        // The cell's x is where the other is heading, its y lies in the layer's plane.
        let x = heading / sqrt((heading * heading).sum())
        let level = sqrt(x.x * x.x + x.y * x.y)
        let y = level > 1e-9 ? Vector(-x.y, x.x, 0) / level : Vector(0, 1, 0)
        let z = Vector(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
        return x * result.x + y * result.y + z * result.z
    }

    // MARK: Where from

    private func place(_ random: EmitterRandom) -> Vector {
        let half = Vector(emitter.size.width, emitter.size.height, emitter.depth) / 2
        /// -1…1 along each axis, or at an end of it.
        let inside = Vector(random.unit(.x), random.unit(.y), random.unit(.z)) * 2 - 1
        let corner = inside.replacing(with: -1, where: inside .< 0).replacing(with: 1, where: inside .>= 0)
        let mode = emitter.mode
        /// Which of some kinds, by their sizes.
        func kind(_ sizes: [Double]) -> Int {
            var rest = random.unit(.edge) * sizes.reduce(0, +)
            for (index, size) in sizes.enumerated() {
                if rest < size { return index }
                rest -= size
            }
            return sizes.count - 1
        }
        /// At the ends of all axes but one.
        func along(_ axis: Int) -> Vector {
            var result = corner
            result[axis] = inside[axis]
            return result * half
        }
        /// At an end of one axis only.
        func across(_ axis: Int) -> Vector {
            var result = inside
            result[axis] = corner[axis]
            return result * half
        }
        let flat = Vector(1, 1, 0)
        let (w, h, d) = (abs(half.x), abs(half.y), abs(half.z))
        switch emitter.shape {
        case .point: return .zero
        case .line: return (mode == .points ? corner : inside) * half * Vector(1, 0, 0)
        case .rectangle:
            switch mode {
            case .points: return corner * half * flat
            case .outline: return along(kind([w, h])) * flat
            case .surface, .volume: return inside * half * flat
            }
        case .cuboid:
            switch mode {
            case .points: return corner * half
            case .outline: return along(kind([w, h, d]))
            case .surface: return across(kind([h * d, w * d, w * h]))
            case .volume: return inside * half
            }
        case .circle, .sphere:
            let angle = 2 * Double.pi * random.unit(.x)
            let radius = emitter.size.width
            if emitter.shape == .circle {
                let share = mode == .points || mode == .outline ? 1 : sqrt(random.unit(.y))
                return Vector(cos(angle), sin(angle), 0) * (radius * share)
            }
            let z = 2 * random.unit(.y) - 1
            let share = mode == .volume ? cbrt(random.unit(.z)) : 1
            return Vector(sqrt(1 - z * z) * cos(angle), sqrt(1 - z * z) * sin(angle), z) * (radius * share)
        }
    }
}
