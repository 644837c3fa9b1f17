import LayerModel
import Testing

// Semantic reference, §6.8.
@Suite("Emitters")
struct EmitterTests {
    private func emitter(_ cells: EmitterCell..., change: (inout EmitterProperties) -> Void = { _ in })
        -> EmitterProperties
    {
        var emitter = EmitterProperties()
        emitter.cells = cells
        change(&emitter)
        return emitter
    }

    private func cell(rate: Double, lifetime: Double, _ change: (inout EmitterCell) -> Void = { _ in }) -> EmitterCell {
        var cell = EmitterCell()
        cell.birthRate = rate
        cell.lifetime = EmitterRange(lifetime)
        cell.contents = ImageID(1)
        change(&cell)
        return cell
    }

    private func particles(_ timeline: EmitterTimeline, at time: Double) -> ContiguousArray<Particle> {
        var simulation = EmitterSimulation()
        simulation.run(timeline, at: time)
        return simulation.frame.particles
    }

    private func particles(_ emitter: EmitterProperties, at time: Double) -> ContiguousArray<Particle> {
        particles(EmitterTimeline(emitter), at: time)
    }

    private func near(_ a: Float, _ b: Double) -> Bool { abs(Double(a) - b) < 1e-4 * max(1, abs(b)) }

    @Test("Births lie at whole parts of the rate, and particles die at the end of their lifetime")
    func births() {
        let births = particles(emitter(cell(rate: 8, lifetime: 2)), at: 5).map(\.birth)
        #expect(births == (25...40).map { Double($0) / 8 })
    }

    @Test("The layer's factors multiply rate, lifetime, velocity, scale and spin")
    func factors() {
        let base = cell(rate: 1, lifetime: 2) {
            $0.velocity = EmitterRange(10)
            $0.scale = EmitterRange(2)
            $0.spin = EmitterRange(0.25)
        }
        let all = particles(
            emitter(base) {
                $0.factors = EmitterFactors(birthRate: 2, lifetime: 2, velocity: 3, scale: 0.5, spin: 2)
            }, at: 4.25)
        #expect(all.count == 8)
        let youngest = all.last
        #expect(youngest?.birth == 4)
        #expect(youngest.map { near($0.x, 10 * 3 * 0.25) } == true)
        #expect(youngest.map { near($0.cosine, cosine(0.25 * 2 * 0.25)) } == true)
    }

    private func cosine(_ angle: Double) -> Double {
        // Of a small angle.
        1 - angle * angle / 2 + angle * angle * angle * angle / 24
    }

    @Test("Place, scale and color follow closed forms of the age")
    func closedForms() {
        let one = cell(rate: 1, lifetime: 10) {
            $0.velocity = EmitterRange(20)
            $0.emissionLongitude = .pi / 2
            $0.acceleration = EmitterVector(4, -6, 0)
            $0.scale = EmitterRange(0.5)
            $0.scaleSpeed = 0.25
            $0.color = Color(0.5, 1, 0, 1)
            $0.colorSpeed = Color(0.1, -0.3, 0, -0.25)
            $0.duration = 1.5
        }
        let all = particles(emitter(one) { $0.position = Point(100, 50) }, at: 3)
        #expect(all.count == 1)
        guard let only = all.first else { return }
        let age = 2.0
        #expect(near(only.x, 100 + 2 * age * age))
        #expect(near(only.y, 50 + 20 * age - 3 * age * age))
        #expect(near(only.cosine, 0.5 + 0.25 * age))
        #expect(only.sine == 0)
        #expect(near(only.color.alpha, 0.5))
        #expect(near(only.color.red, 0.7 * 0.5))
        #expect(near(only.color.green, 0.4 * 0.5))
    }

    @Test("Random values lie within half the range on each side, evenly")
    func ranges() {
        let one = cell(rate: 4_000, lifetime: 1) { $0.scale = EmitterRange(3, 2) }
        let scales = particles(emitter(one), at: 2).map { Double($0.cosine) }
        #expect(scales.count == 4_000)
        #expect(scales.allSatisfy { $0 >= 2 && $0 <= 4 })
        #expect(abs(scales.reduce(0, +) / 4_000 - 3) < 0.05)
        let variance = scales.map { ($0 - 3) * ($0 - 3) }.reduce(0, +) / 4_000
        #expect(abs(variance - 4.0 / 12) < 0.03)
    }

    @Test("A seed gives the same particles, another seed others")
    func seeds() {
        let one = cell(rate: 100, lifetime: 1) { $0.velocity = EmitterRange(10, 10) }
        func run(_ seed: UInt32) -> ContiguousArray<Particle> { particles(emitter(one) { $0.seed = seed }, at: 1) }
        let isSame = run(7) == run(7)
        let isOther = run(7) != run(8)
        #expect(isSame)
        #expect(isOther)
    }

    @Test("A frame that is jumped to is the one that is stepped to")
    func jumps() {
        let one = cell(rate: 50, lifetime: 0.7) {
            $0.velocity = EmitterRange(10, 10)
            $0.emissionRange = 1
            $0.cells = [cell(rate: 30, lifetime: 0.3) { $0.scale = EmitterRange(1, 0.5) }]
        }
        let (first, second) = (emitter(one), emitter(one) { $0.position = Point(40, 10) })
        var stepped = EmitterTimeline(first)
        var simulation = EmitterSimulation()
        for frame in 0..<120 {
            if frame == 47 { stepped.note(second, at: 47.0 / 60) }
            simulation.run(stepped, at: Double(frame) / 60)
        }
        var jumped = EmitterTimeline(first)
        jumped.note(second, at: 47.0 / 60)
        let isSame = particles(jumped, at: 119.0 / 60) == simulation.frame.particles
        #expect(isSame)
        #expect(simulation.frame.particles.count > 100)
    }

    @Test("Births are added up with their fractions where values change")
    func fractions() {
        let one = cell(rate: 3, lifetime: 10)
        var timeline = EmitterTimeline(emitter(one))
        for step in 1...16 { timeline.note(emitter(one) { $0.zPosition = Double(step) }, at: Double(step) / 8) }
        let births = particles(timeline, at: 2.25).map(\.birth)
        #expect(births.count == 6)
        for (index, birth) in births.enumerated() { #expect(abs(birth - Double(index + 1) / 3) < 1e-9) }
    }

    @Test("A rate of 0 stops births, and what is alive goes on")
    func stops() {
        let one = cell(rate: 10, lifetime: 1)
        var timeline = EmitterTimeline(emitter(one))
        timeline.note(emitter(one) { $0.factors.birthRate = 0 }, at: 2)
        #expect(particles(timeline, at: 2.5).map(\.birth).count == 5)
        #expect(timeline.isAlive(at: 2.9))
        #expect(!timeline.isAlive(at: 3))
        #expect(particles(timeline, at: 3).isEmpty)
    }

    @Test("Particles are born where the emitter was at the time, and stay on their way")
    func moves() {
        let one = cell(rate: 10, lifetime: 5)
        var timeline = EmitterTimeline(emitter(one))
        timeline.note(emitter(one) { $0.position = Point(100, 0) }, at: 1.05)
        for particle in particles(timeline, at: 2) { #expect(particle.x == (particle.birth < 1.05 ? 0 : 100)) }
    }

    @Test("A cell begins at its time and ends after its duration")
    func cellTiming() {
        let one = cell(rate: 10, lifetime: 100) {
            $0.beginTime = 1
            $0.duration = 0.55
        }
        let births = particles(emitter(one), at: 5).map(\.birth)
        #expect(births.count == 5)
        #expect(births.allSatisfy { $0 > 1 && $0 <= 1.55 })
        #expect(!EmitterTimeline(emitter(one)).isAlive(at: 102))
    }

    @Test("A cell in a cell emits along the way, towards where its particle is heading")
    func trails() {
        let trail = cell(rate: 10, lifetime: 0.45) {
            $0.contents = ImageID(2)
            $0.velocity = EmitterRange(5)
            $0.emissionLongitude = .pi
        }
        let rocket = cell(rate: 1, lifetime: 1) {
            $0.velocity = EmitterRange(20)
            $0.emissionLongitude = .pi / 2
            $0.cells = [trail]
            $0.duration = 1.5
        }
        var simulation = EmitterSimulation()
        simulation.run(EmitterTimeline(emitter(rocket)), at: 2.2)
        #expect(simulation.frame.looks.map(\.contents) == [ImageID(1), ImageID(2)])
        // The rocket, born at 1, is gone since 2; its trail of 1.8, 1.9 and 2 is not.
        let all = simulation.frame.particles
        #expect(all.count == 3)
        for particle in all {
            #expect(abs(particle.x) < 1e-4)
            // Backwards: down from where it was.
            #expect(near(particle.y, (particle.birth - 1) * 20 - 5 * (2.2 - particle.birth)))
        }
    }

    @Test("Directions lie in a cone of half the range, around latitude and longitude")
    func cones() {
        let one = cell(rate: 1_000, lifetime: 1) {
            $0.velocity = EmitterRange(1)
            $0.emissionLatitude = 0.5
            $0.emissionLongitude = 1
            $0.emissionRange = 0.8
        }
        let all = particles(emitter(one), at: 2)
        #expect(all.count == 1_000)
        let axis = (
            x: 0.8775825618903728 * 0.5403023058681398, y: 0.8775825618903728 * 0.8414709848078965, z: 0.479425538604203
        )
        var least = 1.0
        for particle in all {
            let age = 2 - particle.birth
            guard age > 0.01 else { continue }
            let dot = (Double(particle.x) * axis.x + Double(particle.y) * axis.y + Double(particle.z) * axis.z) / age
            least = min(least, dot)
        }
        // The cosine of 0.4.
        #expect(least >= 0.9210609940028851 - 1e-5)
        #expect(least < 0.9215)
    }

    @Test(
        "Shapes: where particles are born", arguments: EmitterShape.allCases, EmitterMode.allCases)
    func places(_ shape: EmitterShape, _ mode: EmitterMode) {
        let all = particles(
            emitter(cell(rate: 2_000, lifetime: 1)) {
                $0.shape = shape
                $0.mode = mode
                $0.size = Size(40, 20)
                $0.depth = 10
            }, at: 1)
        #expect(all.count == 2_000)
        var sides = 0
        for particle in all {
            let (x, y, z) = (abs(Double(particle.x)), abs(Double(particle.y)), abs(Double(particle.z)))
            let radius = (x * x + y * y + z * z).squareRoot()
            let atRim = [x > 19.999, y > 9.999, z > 4.999].count { $0 }
            switch shape {
            case .point: #expect(radius == 0)
            case .line:
                #expect(y == 0 && z == 0 && x <= 20)
                if mode == .points { #expect(x == 20) }
            case .rectangle:
                #expect(x <= 20 && y <= 10 && z == 0)
                if mode == .points { #expect(atRim == 2) }
                if mode == .outline { #expect(atRim >= 1) }
                if y > 9.999 { sides += 1 }
            case .cuboid:
                #expect(x <= 20 && y <= 10 && z <= 5)
                if mode == .points { #expect(atRim == 3) }
                if mode == .outline { #expect(atRim >= 2) }
                if mode == .surface { #expect(atRim >= 1) }
            case .circle, .sphere:
                #expect(radius < 40.001 && (shape == .sphere || z == 0))
                let isRim = mode == .points || mode == .outline || shape == .sphere && mode == .surface
                if isRim { #expect(radius > 39.999) }
                // Half the radius: a quarter of a disc, an eighth of a ball.
                if radius < 20 { sides += 1 }
            }
        }
        switch (shape, mode) {
        // Edges by their lengths: 40 of 60.
        case (.rectangle, .outline): #expect(abs(Double(sides) / 2_000 - 2.0 / 3) < 0.04)
        case (.circle, .surface), (.circle, .volume): #expect(abs(Double(sides) / 2_000 - 0.25) < 0.04)
        case (.sphere, .volume): #expect(abs(Double(sides) / 2_000 - 0.125) < 0.03)
        default: break
        }
    }

    @Test("Render modes order particles by age or depth")
    func order() {
        let one = cell(rate: 40, lifetime: 1)
        func run(_ mode: EmitterRenderMode) -> ContiguousArray<Particle> {
            particles(
                emitter(one, one) {
                    $0.renderMode = mode
                    $0.shape = .sphere
                    $0.size = Size(10, 10)
                }, at: 3)
        }
        let oldestFirst = run(.oldestFirst).map(\.birth)
        #expect(oldestFirst == oldestFirst.sorted())
        let oldestLast = run(.oldestLast).map(\.birth)
        #expect(oldestLast == oldestLast.sorted(by: >))
        let depths = run(.backToFront).map(\.z)
        #expect(depths == depths.sorted())
        let unordered = run(.unordered).map(\.birth)
        #expect(unordered != unordered.sorted())
        #expect(unordered.sorted() == oldestFirst)
    }

    @Test("A commit that is stamped a little before the last change counts from there; one of another time begins anew")
    func timesBefore() {
        let one = cell(rate: 10, lifetime: 5)
        var timeline = EmitterTimeline(emitter(one))
        timeline.note(emitter(one) { $0.factors.birthRate = 2 }, at: 3)
        timeline.note(emitter(one) { $0.factors.birthRate = 0 }, at: 2.9)
        #expect(particles(timeline, at: 3).map(\.birth).count == 30)
        timeline.note(emitter(one), at: 0.25)
        #expect(particles(timeline, at: 0.5).map(\.birth).count == 5)
    }

    @Test("A bomb of births is thinned to the limit, whatever the rates", arguments: [1e12, 1e300])
    func bombs(_ rate: Double) {
        let inner = cell(rate: rate, lifetime: rate)
        let one = cell(rate: rate, lifetime: rate) { $0.cells = [inner, inner] }
        var simulation = EmitterSimulation()
        simulation.run(EmitterTimeline(emitter(one, one)), at: 1e6)
        #expect(simulation.frame.particles.count <= EmitterProperties.mostParticles)
        #expect(simulation.frame.isThinned)
    }
}
