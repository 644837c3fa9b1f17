import LayerModel

/// A source of the particles of a `CAEmitterLayer`, or of other particles.
///
/// A layer keeps a copy: changing a cell afterwards changes no layer until it is set again. To change a value in place, name the
/// cell and use the key path `emitterCells.NAME.KEY` of the layer. Random values lie evenly in value ± range / 2. Lengths are
/// points, times seconds, angles radians. Source: semantic reference, §6.8. See docs/emitters.md.
open class CAEmitterCell: NSObject, NSCopying, CAMediaTiming, @unchecked Sendable {
    /// For key paths; nil by default.
    open var name: String?
    /// False: it emits nothing; true by default.
    open var isEnabled = true
    /// Particles a second; of a cell in a cell, for each particle of that; 0.
    open var birthRate: Float = 0
    /// Seconds that a particle lives; 0, with which none is seen.
    open var lifetime: Float = 0
    /// Seconds that lifetimes differ by, in all; 0.
    open var lifetimeRange: Float = 0
    /// Direction out of the xy-plane towards z, radians; 0.
    open var emissionLatitude: CGFloat = 0
    /// Direction around z, from x towards y, radians; 0, which is along x.
    open var emissionLongitude: CGFloat = 0
    /// The full angle of a cone around the direction, radians; 0.
    open var emissionRange: CGFloat = 0
    /// Points a second at birth; 0.
    open var velocity: CGFloat = 0
    /// Points a second that velocities differ by, in all; 0.
    open var velocityRange: CGFloat = 0
    /// Points a second, each second; 0.
    open var xAcceleration: CGFloat = 0
    /// Points a second, each second; 0.
    open var yAcceleration: CGFloat = 0
    /// Points a second, each second; 0.
    open var zAcceleration: CGFloat = 0
    /// Of the picture at birth; 1. A particle is not drawn where it is not above 0.
    open var scale: CGFloat = 1
    /// What scales differ by, in all; 0.
    open var scaleRange: CGFloat = 0
    /// Added to the scale each second; 0.
    open var scaleSpeed: CGFloat = 0
    /// Radians that a particle turns by each second, from x towards y; 0.
    open var spin: CGFloat = 0
    /// Radians a second that spins differ by, in all; 0.
    open var spinRange: CGFloat = 0
    /// What the picture is multiplied by at birth; opaque white by default, which nil counts as.
    open var color: CGColor?
    /// What reds differ by at birth, in all; 0. Components are kept in 0…1.
    open var redRange: Float = 0
    /// What greens differ by at birth, in all; 0.
    open var greenRange: Float = 0
    /// What blues differ by at birth, in all; 0.
    open var blueRange: Float = 0
    /// What alphas differ by at birth, in all; 0.
    open var alphaRange: Float = 0
    /// Added to the red each second; 0.
    open var redSpeed: Float = 0
    /// Added to the green each second; 0.
    open var greenSpeed: Float = 0
    /// Added to the blue each second; 0.
    open var blueSpeed: Float = 0
    /// Added to the alpha each second; 0.
    open var alphaSpeed: Float = 0
    /// A `CGImage`: the picture of a particle. Nil, the default: particles are not seen, but may emit others.
    open var contents: Any?
    /// The part of the picture that is shown, in units of the picture; all of it.
    open var contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
    /// Pixels of the picture a point at scale 1; 1.
    open var contentsScale: CGFloat = 1
    /// How the picture is sampled where it is made smaller: `linear`, `nearest` or `trilinear`, as on layers. Any other
    /// name counts as `linear`.
    open var minificationFilter = "linear"
    /// How the picture is sampled where it is made larger, by the same names.
    open var magnificationFilter = "linear"
    /// Added to the level of detail of `trilinear`: below 0 is sharper; 0.
    open var minificationFilterBias: Float = 0
    /// Emit along the way of each particle; nil by default.
    open var emitterCells: [CAEmitterCell]?
    /// Kept, and without effect.
    open var style: [AnyHashable: Any]?

    /// Seconds of the layer's time, or from the birth of the particle that emits, at which births begin; 0.
    open var beginTime: CFTimeInterval = 0
    /// Seconds that births go on for; infinity.
    open var duration: CFTimeInterval = .infinity
    /// How fast the cell's time runs, for births and for particles; 1. Not above 0: it emits nothing.
    open var speed: Float = 1
    /// Seconds of the cell's time that it is ahead by; 0.
    open var timeOffset: CFTimeInterval = 0
    /// Kept, and without effect.
    open var repeatCount: Float = 0
    /// Kept, and without effect.
    open var repeatDuration: CFTimeInterval = 0
    /// Kept, and without effect.
    open var autoreverses = false
    /// Kept, and without effect.
    open var fillMode = CAMediaTimingFillMode.removed

    /// The turn of a particle at its birth, which only files can say.
    package var rotation = 0.0
    package var rotationRange = 0.0

    /// A cell with the defaults.
    public required override init() {
        super.init()
        color = CGColor(Color.white)
    }

    /// A cell of the same class with the same values, and copies of the cells in it.
    open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

    /// With the cells in it.
    package func duplicate() -> CAEmitterCell {
        let copy = Self()
        copy.name = name
        copy.isEnabled = isEnabled
        for number in EmitterCell.Number.allCases where number.isKey { copy.setNumber(number, to: self.number(number)) }
        copy.color = color
        copy.contents = contents
        copy.contentsRect = contentsRect
        copy.minificationFilter = minificationFilter
        copy.magnificationFilter = magnificationFilter
        copy.emitterCells = emitterCells?.map { $0.duplicate() }
        copy.style = style
        copy.duration = duration
        copy.repeatCount = repeatCount
        copy.repeatDuration = repeatDuration
        copy.autoreverses = autoreverses
        copy.fillMode = fillMode
        return copy
    }
}

// MARK: - For the server

extension CAEmitterCell {
    /// The cell as the server has it, its image under a number that stands for it; images in the order they are met.
    func value(_ images: inout [CGImage]) -> EmitterCell {
        var cell = EmitterCell()
        cell.name = (name?.utf8.count ?? 0) <= EmitterCell.longestName ? name : nil
        cell.isEnabled = isEnabled
        for number in EmitterCell.Number.allCases where number.isKey { cell[number] = self.number(number) }
        cell.color = color?.color ?? .white
        cell.contentsRect = Rect(contentsRect)
        cell.minificationFilter = Self.filter(minificationFilter)
        cell.magnificationFilter = Self.filter(magnificationFilter)
        cell.duration = duration.isFinite ? duration : nil
        if let image = contents as? CGImage {
            images.append(image)
            let address = UInt(bitPattern: ObjectIdentifier(image))
            cell.contents = ImageID(UInt32(truncatingIfNeeded: address >> 4) | 1)
        }
        cell.cells = (emitterCells ?? []).map { $0.value(&images) }
        return cell
    }

    private static func filter(_ name: String) -> ContentsFilter {
        ContentsFilter.allCases.first { "\($0)" == name } ?? .linear
    }
}

// MARK: - Key-value access

extension CAEmitterCell {
    /// A property by its name; nil for `repeatCount`, `repeatDuration`, `autoreverses` and `fillMode`, which have no effect on a
    /// cell, and for a name that is not known.
    public func value(forKey key: String) -> Any? {
        if let number = EmitterCell.Number(key: key), number.isKey { return NSNumber(value: self.number(number)) }
        switch key {
        case "name": return name
        case "enabled", "isEnabled": return NSNumber(value: isEnabled)
        case "color": return color
        case "contents": return contents
        case "contentsRect": return contentsRect
        case "minificationFilter": return minificationFilter
        case "magnificationFilter": return magnificationFilter
        case "duration": return NSNumber(value: duration)
        case "emitterCells": return emitterCells
        case "style": return style
        default: return nil
        }
    }

    /// Sets a property that `value(forKey:)` returns; nil sets its default. A name that is not known, or a value that is not of its
    /// type, changes nothing.
    public func setValue(_ value: Any?, forKey key: String) { _ = set(value, forKey: key) }

    /// - Returns: What the key takes, in words, where `value` is not it; nil when it was set.
    final func set(_ value: Any?, forKey key: String) -> String? {
        let value = KeyedValue.given(value)
        if let number = EmitterCell.Number(key: key), number.isKey {
            let new = value == nil ? EmitterCell()[number] : KeyedValue.number(value!)
            guard let new else { return "a number" }
            setNumber(number, to: new)
            return nil
        }
        switch key {
        case "name": name = value.flatMap { KeyedValue.string($0) }
        case "enabled", "isEnabled": isEnabled = value.flatMap { KeyedValue.bool($0) } ?? true
        case "color":
            guard value == nil || value is CGColor else { return "a CGColor" }
            color = value as? CGColor
        case "contents":
            guard value == nil || value is CGImage else { return "a CGImage" }
            contents = value
        case "contentsRect":
            guard let rect = (value ?? CGRect(x: 0, y: 0, width: 1, height: 1)) as? CGRect else { return "a CGRect" }
            contentsRect = rect
        case "minificationFilter": minificationFilter = value.flatMap { KeyedValue.string($0) } ?? "linear"
        case "magnificationFilter": magnificationFilter = value.flatMap { KeyedValue.string($0) } ?? "linear"
        case "duration": duration = value.flatMap { KeyedValue.number($0) } ?? .infinity
        case "emitterCells":
            guard let cells = (value ?? [CAEmitterCell]()) as? [CAEmitterCell] else {
                return "an array of CAEmitterCells"
            }
            emitterCells = value == nil ? nil : cells
        default: return "no such key"
        }
        return nil
    }

    package final func number(_ number: EmitterCell.Number) -> Double {
        switch number {
        case .birthRate: Double(birthRate)
        case .lifetime: Double(lifetime)
        case .lifetimeRange: Double(lifetimeRange)
        case .emissionLatitude: Double(emissionLatitude)
        case .emissionLongitude: Double(emissionLongitude)
        case .emissionRange: Double(emissionRange)
        case .velocity: Double(velocity)
        case .velocityRange: Double(velocityRange)
        case .xAcceleration: Double(xAcceleration)
        case .yAcceleration: Double(yAcceleration)
        case .zAcceleration: Double(zAcceleration)
        case .scale: Double(scale)
        case .scaleRange: Double(scaleRange)
        case .scaleSpeed: Double(scaleSpeed)
        case .spin: Double(spin)
        case .spinRange: Double(spinRange)
        case .rotation: rotation
        case .rotationRange: rotationRange
        case .redRange: Double(redRange)
        case .greenRange: Double(greenRange)
        case .blueRange: Double(blueRange)
        case .alphaRange: Double(alphaRange)
        case .redSpeed: Double(redSpeed)
        case .greenSpeed: Double(greenSpeed)
        case .blueSpeed: Double(blueSpeed)
        case .alphaSpeed: Double(alphaSpeed)
        case .contentsScale: Double(contentsScale)
        case .minificationFilterBias: Double(minificationFilterBias)
        case .beginTime: beginTime
        case .speed: Double(speed)
        case .timeOffset: timeOffset
        case .red, .green, .blue, .alpha, .contentsRectX, .contentsRectY, .contentsRectWidth, .contentsRectHeight: 0
        }
    }

    package final func setNumber(_ number: EmitterCell.Number, to value: Double) {
        switch number {
        case .birthRate: birthRate = Float(value)
        case .lifetime: lifetime = Float(value)
        case .lifetimeRange: lifetimeRange = Float(value)
        case .emissionLatitude: emissionLatitude = CGFloat(value)
        case .emissionLongitude: emissionLongitude = CGFloat(value)
        case .emissionRange: emissionRange = CGFloat(value)
        case .velocity: velocity = CGFloat(value)
        case .velocityRange: velocityRange = CGFloat(value)
        case .xAcceleration: xAcceleration = CGFloat(value)
        case .yAcceleration: yAcceleration = CGFloat(value)
        case .zAcceleration: zAcceleration = CGFloat(value)
        case .scale: scale = CGFloat(value)
        case .scaleRange: scaleRange = CGFloat(value)
        case .scaleSpeed: scaleSpeed = CGFloat(value)
        case .spin: spin = CGFloat(value)
        case .spinRange: spinRange = CGFloat(value)
        case .rotation: rotation = value
        case .rotationRange: rotationRange = value
        case .redRange: redRange = Float(value)
        case .greenRange: greenRange = Float(value)
        case .blueRange: blueRange = Float(value)
        case .alphaRange: alphaRange = Float(value)
        case .redSpeed: redSpeed = Float(value)
        case .greenSpeed: greenSpeed = Float(value)
        case .blueSpeed: blueSpeed = Float(value)
        case .alphaSpeed: alphaSpeed = Float(value)
        case .contentsScale: contentsScale = CGFloat(value)
        case .minificationFilterBias: minificationFilterBias = Float(value)
        case .beginTime: beginTime = value
        case .speed: speed = Float(value)
        case .timeOffset: timeOffset = value
        case .red, .green, .blue, .alpha, .contentsRectX, .contentsRectY, .contentsRectWidth, .contentsRectHeight: break
        }
    }
}
