// What is kept in single precision: it is written with the shortest text for that.

import LayerModel

extension LayerProperty {
    /// Kept as a `Float` by the layer.
    package var isSingle: Bool {
        switch self {
        case .opacity, .shadowOpacity, .minificationFilterBias, .speed, .instanceRedOffset, .instanceGreenOffset,
            .instanceBlueOffset, .instanceAlphaOffset, .birthRate, .lifetime, .velocity, .emitterScale, .spin:
            true
        default: false
        }
    }
}

extension EmitterCell.Number {
    /// Kept as a `Float` by `CAEmitterCell`.
    var isSingle: Bool {
        switch self {
        case .birthRate, .lifetime, .lifetimeRange, .redRange, .greenRange, .blueRange, .alphaRange, .redSpeed,
            .greenSpeed, .blueSpeed, .alphaSpeed, .minificationFilterBias, .speed:
            true
        default: false
        }
    }
}
