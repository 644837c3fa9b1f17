// The particles of an emitter at one time, from the births of its cells.
//
// Each particle follows closed forms of its age a: place p + v·a + ½·g·a², scale s + ds·a, rotation r + spin·a, each color
// component c + dc·a, clamped; it is gone at the end of its lifetime. A cell in a cell does the same for each particle of
// that, from its place at the time, in directions that are turned to where it is heading, with births counted from its own.
// Source: semantic reference, §6.8.
//
// Only births that can still be alive are visited: the work follows the particles that are drawn. Where a cell would have
// more than `EmitterProperties.mostParticles` alive, every second, third, … of its births is left out, by its number: which
// ones are there doesn't depend on the frame. When that many are drawn, or four times as many births were visited, no more
// are.

/// Draws up frames of particles; keeps its memory between them.
package struct EmitterSimulation: Sendable {
    package private(set) var frame = ParticleFrame()
    /// Births that the last run looked at: its cost.
    package private(set) var visits = 0

    package init() {}

    /// - Parameter time: Seconds of the layer.
    /// - Complexity: O(particles alive); some 100 ns each.
    package mutating func run(_ timeline: EmitterTimeline, at time: Double) {
        frame.removeAll()
        visits = 0
        var flat: ContiguousArray<FlatEmitterCell> = []
        var cells: [EmitterCell]?
        for (index, stretch) in timeline.stretches.enumerated() where stretch.start <= time {
            if cells != stretch.emitter.cells {
                flat.removeAll(keepingCapacity: true)
                for cell in stretch.emitter.cells { FlatEmitterCell.append(cell, to: &flat, &frame) }
                cells = stretch.emitter.cells
            }
            let next = index + 1 < timeline.stretches.count ? timeline.stretches[index + 1] : nil
            let isLast = next.map { $0.start > time } ?? true
            flat.withUnsafeBufferPointer { flat in
                emit(stretch, flat, until: isLast ? nil : next!.start, at: time)
            }
        }
        if let emitter = timeline.current { frame.sort(for: emitter.renderMode) }
    }

    /// The particles born in one stretch.
    /// - Parameter end: Where the stretch ends; nil for one that goes on.
    private mutating func emit(
        _ stretch: EmitterTimeline.Stretch, _ flat: UnsafeBufferPointer<FlatEmitterCell>, until end: Double?,
        at time: Double
    ) {
        let emitter = stretch.emitter
        let lifetimes = max(emitter.factors.lifetime, 0)
        let births = EmitterTimeline.births(of: stretch, until: min(end ?? time, time))
        let source = EmitterRandom.mix(UInt64(emitter.seed))
        let middle = EmitterVector(emitter.position.x, emitter.position.y, emitter.zPosition)
        var place = 0
        for (index, born) in stretch.born.enumerated() {
            let cell = place
            place = flat[cell].next
            let rate = EmitterTimeline.rate(of: flat[cell], emitter)
            guard rate > 0, births[index] > born else { continue }
            let from = max(stretch.start, flat[cell].begin)
            let reach = flat[cell].reach * lifetimes
            let oldest = born + (time - reach - from) * rate
            let stride = Self.stride(rate * min(reach, max(time - from, 0)))
            if stride > 1 { frame.isThinned = true }
            Self.forEachNumber(after: max(born, oldest), upTo: births[index], stride) { number in
                let birth = from + (Double(number) - born) / rate
                let random = EmitterRandom(source: source, cell: index, number: number)
                let start = middle + emitter.place(random)
                return emit(cell, flat, random, birth, start, nil, emitter.factors, at: time)
            }
        }
    }

    /// How many births come to one that is seen.
    private static func stride(_ alive: Double) -> UInt64 {
        let most = Double(EmitterProperties.mostParticles)
        return alive > most ? UInt64(min((alive / most).rounded(.up), 1e15)) : 1
    }

    /// Whole numbers in after < k ≤ end that the stride divides.
    private static func forEachNumber(
        after: Double, upTo end: Double, _ stride: UInt64, _ body: (UInt64) -> Bool
    ) {
        guard end >= 1, end < 0x1p53, after < end else { return }
        var number = UInt64(max(after, 0)) + 1
        let over = number % stride
        if over > 0 { number += stride - over }
        let last = UInt64(end)
        while number <= last {
            guard body(number) else { return }
            number += stride
        }
    }

    /// One particle, and those that come from it.
    ///
    /// - Parameters:
    ///   - birth: Seconds of the layer.
    ///   - heading: Of the particle it comes from; nil for none.
    /// - Returns: False when no more may be visited.
    private mutating func emit(
        _ index: Int, _ flat: UnsafeBufferPointer<FlatEmitterCell>, _ random: EmitterRandom, _ birth: Double,
        _ start: EmitterVector, _ heading: EmitterVector?, _ factors: EmitterFactors, at time: Double
    ) -> Bool {
        visits += 1
        guard visits <= 4 * EmitterProperties.mostParticles, frame.particles.count < EmitterProperties.mostParticles
        else {
            frame.isThinned = true
            return false
        }
        let cell = flat.baseAddress! + index
        // Seconds of the cell.
        let lifetime =
            (cell.pointee.lifetime.range == 0
                ? cell.pointee.lifetime.mean : cell.pointee.lifetime.value(at: random.unit(.lifetime)))
            * factors.lifetime
        let age = (time - birth) * cell.pointee.speed
        let hasCells = cell.pointee.next > index + 1
        guard age >= 0, lifetime > 0, age < lifetime || hasCells else { return true }
        let speed =
            (cell.pointee.velocity.range == 0
                ? cell.pointee.velocity.mean : cell.pointee.velocity.value(at: random.unit(.velocity)))
            * factors.velocity
        let velocity = Self.direction(cell, random, heading) * speed
        if age < lifetime, cell.pointee.isSeen {
            append(cell, random, birth, start, velocity, factors, age)
        }
        guard hasCells else { return true }
        var inner = index + 1
        while inner < cell.pointee.next {
            guard
                emit(
                    inner, from: index, flat, random, birth, min(time, birth + lifetime / cell.pointee.speed), start,
                    velocity, factors, at: time)
            else { return false }
            inner = flat[inner].next
        }
        return true
    }

    /// Where a particle sets out to.
    private static func direction(
        _ cell: UnsafePointer<FlatEmitterCell>, _ random: EmitterRandom, _ heading: EmitterVector?
    ) -> EmitterVector {
        var direction = cell.pointee.axis
        if cell.pointee.leastCosine < 1 {
            // Every part of the cap of a ball is as likely as any other of its size.
            let along = 1 - (1 - cell.pointee.leastCosine) * random.unit(.latitude)
            let aside = max(1 - along * along, 0).squareRoot()
            let angle = 2 * Double.pi * random.unit(.longitude)
            direction =
                direction * along + cell.pointee.across * (aside * LayerModel.cosine(angle))
                + cell.pointee.upward * (aside * LayerModel.sine(angle))
        }
        guard let heading else { return direction }
        let length = heading.length
        guard length > 0, length.isFinite else { return direction }
        // x goes where the other is heading, y stays in the plane.
        let x = heading * (1 / length)
        let flat = (x.x * x.x + x.y * x.y).squareRoot()
        let y = flat > 1e-9 ? EmitterVector(-x.y / flat, x.x / flat, 0) : EmitterVector(0, 1, 0)
        let z = EmitterVector(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
        return x * direction.x + y * direction.y + z * direction.z
    }

    /// Draws one that is alive.
    private mutating func append(
        _ cell: UnsafePointer<FlatEmitterCell>, _ random: EmitterRandom, _ birth: Double, _ start: EmitterVector,
        _ velocity: EmitterVector, _ factors: EmitterFactors, _ age: Double
    ) {
        func value(_ range: EmitterRange, _ use: EmitterRandom.Use) -> Double {
            range.range == 0 ? range.mean : range.value(at: random.unit(use))
        }
        let scale = value(cell.pointee.scale, .scale) * factors.scale + cell.pointee.scaleSpeed * age
        guard scale > 0 else { return }
        func component(_ mean: Double, _ range: Double, _ gain: Double, _ use: EmitterRandom.Use) -> Double {
            min(max((range == 0 ? mean : mean + range * (random.unit(use) - 0.5)) + gain * age, 0), 1)
        }
        let (color, range, gain) = (cell.pointee.color, cell.pointee.colorRange, cell.pointee.colorSpeed)
        let alpha = component(color.alpha, range.alpha, gain.alpha, .alpha)
        guard alpha > 0 else { return }
        let red = component(color.red, range.red, gain.red, .red)
        let green = component(color.green, range.green, gain.green, .green)
        let blue = component(color.blue, range.blue, gain.blue, .blue)
        let place = start + velocity * age + cell.pointee.acceleration * (age * age / 2)
        let rotation =
            value(cell.pointee.rotation, .rotation) + value(cell.pointee.spin, .spin) * factors.spin * age
        let isTurned = rotation != 0
        let particle = Particle(
            birth: birth, x: Float(place.x), y: Float(place.y), z: Float(place.z),
            cosine: Float(isTurned ? scale * LayerModel.cosine(rotation) : scale),
            sine: Float(isTurned ? scale * LayerModel.sine(rotation) : 0),
            color: PremultipliedColor(
                red: Float(red * alpha), green: Float(green * alpha), blue: Float(blue * alpha), alpha: Float(alpha)),
            look: cell.pointee.look)
        guard (particle.x + particle.y + particle.z + particle.cosine + particle.sine).isFinite else { return }
        frame.particles.append(particle)
    }

    /// The particles of a cell that come from one of another.
    ///
    /// - Parameter end: When that one is gone, or now.
    private mutating func emit(
        _ inner: Int, from outer: Int, _ flat: UnsafeBufferPointer<FlatEmitterCell>, _ random: EmitterRandom,
        _ birth: Double, _ end: Double, _ start: EmitterVector, _ velocity: EmitterVector, _ factors: EmitterFactors,
        at time: Double
    ) -> Bool {
        let cell = flat.baseAddress! + inner
        let rate = min(cell.pointee.rate * max(factors.birthRate, 0), 1e9)
        guard rate > 0 else { return true }
        let from = birth + max(cell.pointee.begin, 0)
        let to = min(end, birth + cell.pointee.end)
        guard to > from else { return true }
        let reach = cell.pointee.reach * max(factors.lifetime, 0)
        let stride = Self.stride(rate * min(reach, to - from))
        if stride > 1 { frame.isThinned = true }
        var mayGoOn = true
        Self.forEachNumber(after: max((time - reach - from) * rate, 0), upTo: (to - from) * rate, stride) { number in
            let born = from + Double(number) / rate
            let age = (born - birth) * flat[outer].speed
            let gravity = flat[outer].acceleration
            let place = start + velocity * age + gravity * (age * age / 2)
            let heading = velocity + gravity * age
            let own = EmitterRandom(source: random.key, cell: inner - outer, number: number)
            mayGoOn = emit(inner, flat, own, born, place, heading, factors, at: time)
            return mayGoOn
        }
        return mayGoOn
    }
}
