// The numbers of a cell in one row, and by their names: for the wire, for key paths and for files.

extension EmitterCell {
    /// A number of a cell, by Core Animation's key. The order is the wire's: never reorder, only append.
    package enum Number: UInt8, Sendable, CaseIterable {
        case birthRate, lifetime, lifetimeRange, emissionLatitude, emissionLongitude, emissionRange, velocity
        case velocityRange, xAcceleration, yAcceleration, zAcceleration, scale, scaleRange, scaleSpeed, spin, spinRange
        case rotation, rotationRange, red, green, blue, alpha, redRange, greenRange, blueRange, alphaRange, redSpeed
        case greenSpeed, blueSpeed, alphaSpeed, contentsRectX, contentsRectY, contentsRectWidth, contentsRectHeight
        case contentsScale, minificationFilterBias, beginTime, speed, timeOffset

        package init?(key: String) {
            guard let known = Self.byKey[key] else { return nil }
            self = known
        }

        package var key: String { "\(self)" }

        private static let byKey = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })

        /// A key of its own, and no part of a color or a rectangle.
        package var isKey: Bool {
            switch self {
            case .red, .green, .blue, .alpha, .contentsRectX, .contentsRectY, .contentsRectWidth, .contentsRectHeight:
                false
            default: true
            }
        }

        var field: WritableKeyPath<EmitterCell, Double> {
            switch self {
            case .birthRate: \.birthRate
            case .lifetime: \.lifetime.mean
            case .lifetimeRange: \.lifetime.range
            case .emissionLatitude: \.emissionLatitude
            case .emissionLongitude: \.emissionLongitude
            case .emissionRange: \.emissionRange
            case .velocity: \.velocity.mean
            case .velocityRange: \.velocity.range
            case .xAcceleration: \.acceleration.x
            case .yAcceleration: \.acceleration.y
            case .zAcceleration: \.acceleration.z
            case .scale: \.scale.mean
            case .scaleRange: \.scale.range
            case .scaleSpeed: \.scaleSpeed
            case .spin: \.spin.mean
            case .spinRange: \.spin.range
            case .rotation: \.rotation.mean
            case .rotationRange: \.rotation.range
            case .red: \.color.red
            case .green: \.color.green
            case .blue: \.color.blue
            case .alpha: \.color.alpha
            case .redRange: \.colorRange.red
            case .greenRange: \.colorRange.green
            case .blueRange: \.colorRange.blue
            case .alphaRange: \.colorRange.alpha
            case .redSpeed: \.colorSpeed.red
            case .greenSpeed: \.colorSpeed.green
            case .blueSpeed: \.colorSpeed.blue
            case .alphaSpeed: \.colorSpeed.alpha
            case .contentsRectX: \.contentsRect.origin.x
            case .contentsRectY: \.contentsRect.origin.y
            case .contentsRectWidth: \.contentsRect.size.width
            case .contentsRectHeight: \.contentsRect.size.height
            case .contentsScale: \.contentsScale
            case .minificationFilterBias: \.minificationFilterBias
            case .beginTime: \.beginTime
            case .speed: \.speed
            case .timeOffset: \.timeOffset
            }
        }
    }

    package static let numberCount = Number.allCases.count

    package subscript(number: Number) -> Double {
        get { self[keyPath: number.field] }
        set { self[keyPath: number.field] = newValue }
    }

    /// All of them, in the order of `Number`.
    package var numbers: [Double] {
        get { Number.allCases.map { self[$0] } }
        set { for (number, value) in zip(Number.allCases, newValue) { self[number] = value } }
    }
}
