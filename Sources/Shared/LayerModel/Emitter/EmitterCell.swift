// What particles are born as: a cell of an emitter layer. Source: semantic reference, §6.8.

/// A mean, and how far values lie around it: uniformly in mean ± range / 2.
package struct EmitterRange: Hashable, Sendable {
    package var mean: Double
    package var range: Double

    package init(_ mean: Double, _ range: Double = 0) {
        self.mean = mean
        self.range = range
    }

    /// - Parameter unit: 0..<1.
    @inline(__always) package func value(at unit: Double) -> Double { mean + range * (unit - 0.5) }

    package var highest: Double { mean + abs(range) / 2 }
    package var isFinite: Bool { mean.isFinite && range.isFinite }
}

/// A source of particles, or of particles along the way of others. Lengths are points, times seconds, angles radians.
package struct EmitterCell: Hashable, Sendable {
    package var name: String?
    package var isEnabled = true
    /// Particles a second; of a cell in a cell, for each particle of that.
    package var birthRate = 0.0
    package var lifetime = EmitterRange(0)
    /// Out of the xy-plane towards z, and around z from x towards y.
    package var emissionLatitude = 0.0
    package var emissionLongitude = 0.0
    /// The full angle of a cone around the direction.
    package var emissionRange = 0.0
    package var velocity = EmitterRange(0)
    package var acceleration = EmitterVector(0, 0, 0)
    package var scale = EmitterRange(1)
    package var scaleSpeed = 0.0
    package var spin = EmitterRange(0)
    /// At birth.
    package var rotation = EmitterRange(0)
    package var color = Color.white
    /// Ranges around the color's components, and what they gain a second.
    package var colorRange = Color.clear
    package var colorSpeed = Color.clear
    package var contents = ImageID.none
    package var contentsRect = Rect.unit
    package var contentsScale = 1.0
    package var minificationFilter = ContentsFilter.linear
    package var magnificationFilter = ContentsFilter.linear
    package var minificationFilterBias = 0.0
    /// When it begins, in seconds of the layer or of the particle it emits from; how long it goes on; how fast all of it goes.
    package var beginTime = 0.0
    /// Nil: for ever.
    package var duration: Double?
    package var speed = 1.0
    package var timeOffset = 0.0
    /// Emit along the way of each particle.
    package var cells: [EmitterCell] = []

    /// Cells of a layer, with those in them; cells inside one another.
    package static let most = 64
    package static let deepest = 4
    /// UTF-8 bytes.
    package static let longestName = 4_096

    package init() {}

    /// This cell and those in it.
    package var count: Int { cells.reduce(1) { $0 + $1.count } }

    package var depth: Int { 1 + (cells.map(\.depth).max() ?? 0) }

    package var isFinite: Bool {
        birthRate.isFinite && lifetime.isFinite && (emissionLatitude + emissionLongitude + emissionRange).isFinite
            && velocity.isFinite && acceleration.isFinite && scale.isFinite && scaleSpeed.isFinite && spin.isFinite
            && rotation.isFinite && color.isFinite && colorRange.isFinite && colorSpeed.isFinite
            && contentsRect.isFinite && contentsScale.isFinite && minificationFilterBias.isFinite
            && (beginTime + speed + timeOffset).isFinite && duration?.isFinite ?? true
            && cells.allSatisfy(\.isFinite)
    }

    /// The same cell with other images: its own first, then those of the cells in it, in order.
    package func mappingImages(_ map: (ImageID) -> ImageID) -> EmitterCell {
        var cell = self
        if contents != .none { cell.contents = map(contents) }
        cell.cells = cells.map { $0.mappingImages(map) }
        return cell
    }

    /// Every image of it and of the cells in it.
    package func forEachImage(_ body: (ImageID) -> Void) {
        if contents != .none { body(contents) }
        for cell in cells { cell.forEachImage(body) }
    }
}

/// Three numbers in the emitter layer's space.
package struct EmitterVector: Hashable, Sendable {
    package var x, y, z: Double

    package init(_ x: Double, _ y: Double, _ z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    package var isFinite: Bool { (x + y + z).isFinite }

    @inline(__always) static func + (a: EmitterVector, b: EmitterVector) -> EmitterVector {
        EmitterVector(a.x + b.x, a.y + b.y, a.z + b.z)
    }

    @inline(__always) static func * (a: EmitterVector, factor: Double) -> EmitterVector {
        EmitterVector(a.x * factor, a.y * factor, a.z * factor)
    }

    var length: Double { (x * x + y * y + z * z).squareRoot() }
}
