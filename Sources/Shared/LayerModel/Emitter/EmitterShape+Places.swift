// Where in a shape a particle is born. Source: semantic reference, §6.8: a line runs along x; rectangle and cuboid are
// centered; circle and sphere have the width of the emitter's size as their radius. Points are a shape's corners (of a circle
// its rim, of a sphere its skin), the outline its edges, the surface its faces (of a flat shape all of it), the volume its
// inside. What a shape has none of counts as the next it has.

extension EmitterProperties {
    /// The place of one particle, from the emitter's position.
    func place(_ random: EmitterRandom) -> EmitterVector {
        func unit(_ use: EmitterRandom.Use) -> Double { random.unit(use) }
        let (w, h, d) = (size.width, size.height, depth)
        func end(_ use: EmitterRandom.Use) -> Double { unit(use) < 0.5 ? -0.5 : 0.5 }
        switch shape {
        case .point: return EmitterVector(0, 0, 0)
        case .line: return EmitterVector(w * (mode == .points ? end(.x) : unit(.x) - 0.5), 0, 0)
        case .rectangle:
            switch mode {
            case .points: return EmitterVector(w * end(.x), h * end(.y), 0)
            case .outline:
                // The edges along x and those along y, by their lengths.
                if unit(.edge) * (abs(w) + abs(h)) < abs(w) {
                    return EmitterVector(w * (unit(.x) - 0.5), h * end(.y), 0)
                }
                return EmitterVector(w * end(.x), h * (unit(.y) - 0.5), 0)
            case .surface, .volume: return EmitterVector(w * (unit(.x) - 0.5), h * (unit(.y) - 0.5), 0)
            }
        case .cuboid: return placeInCuboid(random)
        case .circle:
            let angle = 2 * Double.pi * unit(.x)
            let radius = w * (mode == .points || mode == .outline ? 1 : unit(.y).squareRoot())
            return EmitterVector(radius * cosine(angle), radius * sine(angle), 0)
        case .sphere:
            let angle = 2 * Double.pi * unit(.x)
            let z = 2 * unit(.y) - 1
            let across = max(1 - z * z, 0).squareRoot()
            let radius = w * (mode == .volume ? cubeRoot(unit(.z)) : 1)
            return EmitterVector(radius * across * cosine(angle), radius * across * sine(angle), radius * z)
        }
        func placeInCuboid(_ random: EmitterRandom) -> EmitterVector {
            let inside = EmitterVector(w * (unit(.x) - 0.5), h * (unit(.y) - 0.5), d * (unit(.z) - 0.5))
            let corner = EmitterVector(w * end(.x), h * end(.y), d * end(.z))
            let (aw, ah, ad) = (abs(w), abs(h), abs(d))
            switch mode {
            case .points: return corner
            case .outline:
                // Four edges along each axis.
                let along = unit(.edge) * (aw + ah + ad)
                if along < aw { return EmitterVector(inside.x, corner.y, corner.z) }
                if along < aw + ah { return EmitterVector(corner.x, inside.y, corner.z) }
                return EmitterVector(corner.x, corner.y, inside.z)
            case .surface:
                // Two faces across each axis.
                let over = unit(.edge) * (ah * ad + aw * ad + aw * ah)
                if over < ah * ad { return EmitterVector(corner.x, inside.y, inside.z) }
                if over < ah * ad + aw * ad { return EmitterVector(inside.x, corner.y, inside.z) }
                return EmitterVector(inside.x, inside.y, corner.z)
            case .volume: return inside
            }
        }
    }
}
