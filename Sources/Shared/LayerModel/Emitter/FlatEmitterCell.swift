// The cells of an emitter, laid out to be read once a particle: plain numbers, those of a cell's own cells behind it.

struct FlatEmitterCell {
    /// Seconds of what it emits from, when it begins and when it ends.
    var begin: Double
    var end: Double
    var speed: Double
    /// Births a second of what it emits from; 0 where nothing is ever born.
    var rate: Double
    var lifetime: EmitterRange
    /// The axis of the cone, two directions across it, and the cosine of half its angle.
    var axis, across, upward: EmitterVector
    var leastCosine: Double
    var velocity: EmitterRange
    var acceleration: EmitterVector
    var scale: EmitterRange
    var scaleSpeed: Double
    var spin: EmitterRange
    var rotation: EmitterRange
    var color, colorRange, colorSpeed: Color
    var look: Int32
    /// There is a picture to draw.
    var isSeen: Bool
    /// The next cell that is not in this one: the cells from here to there are its own and theirs.
    var next: Int
    /// How long after a birth, at most, a particle of the cell or one that comes from it lives, in seconds of what it emits
    /// from, for a lifetime factor of 1.
    var reach = 0.0

    init(_ cell: EmitterCell, look: Int32) {
        let isRunning = cell.isEnabled && cell.speed > 0
        speed = isRunning ? cell.speed : 1
        begin = cell.beginTime - cell.timeOffset / speed
        end = cell.duration.map { cell.beginTime + (max($0, 0) - cell.timeOffset) / cell.speed } ?? .infinity
        if end.isNaN { end = .infinity }
        rate = isRunning ? max(cell.birthRate, 0) * speed : 0
        lifetime = cell.lifetime
        let (latitude, longitude) = (cell.emissionLatitude, cell.emissionLongitude)
        axis = EmitterVector(
            cosine(latitude) * cosine(longitude), cosine(latitude) * sine(longitude), sine(latitude))
        across = EmitterVector(-sine(longitude), cosine(longitude), 0)
        upward = EmitterVector(
            -sine(latitude) * cosine(longitude), -sine(latitude) * sine(longitude), cosine(latitude))
        leastCosine = cosine(min(abs(cell.emissionRange) / 2, .pi))
        velocity = cell.velocity
        acceleration = cell.acceleration
        scale = cell.scale
        scaleSpeed = cell.scaleSpeed
        spin = cell.spin
        rotation = cell.rotation
        color = cell.color
        colorRange = cell.colorRange
        colorSpeed = cell.colorSpeed
        self.look = look
        isSeen = cell.contents != .none && !cell.contentsRect.standardized.isEmpty && cell.contentsScale > 0
        next = 0
    }

    /// Appends a cell and those in it.
    static func append(
        _ cell: EmitterCell, to flat: inout ContiguousArray<FlatEmitterCell>, _ frame: inout ParticleFrame
    ) {
        let own = flat.count
        flat.append(FlatEmitterCell(cell, look: frame.look(of: cell)))
        var reach = 0.0
        for inner in cell.cells {
            let place = flat.count
            append(inner, to: &flat, &frame)
            if flat[place].rate > 0 { reach = max(reach, flat[place].reach) }
        }
        flat[own].next = flat.count
        flat[own].reach = max(cell.lifetime.highest, 0) / flat[own].speed + reach
    }
}
