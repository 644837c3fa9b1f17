// A layer's time. Source: semantic reference, §4.1.

import LayerModel

extension CALayer: CAMediaTiming {
    /// Seconds of the superlayer's time at which the layer's own begins; 0. Before, its time is 0.
    public var beginTime: CFTimeInterval {
        get { properties.timing.beginTime }
        set { change(.beginTime, \.timing.beginTime, to: newValue, isFinite: newValue.isFinite) }
    }

    /// Seconds that the layer's own time is ahead by; 0.
    public var timeOffset: CFTimeInterval {
        get { properties.timing.timeOffset }
        set { change(.timeOffset, \.timing.timeOffset, to: newValue, isFinite: newValue.isFinite) }
    }

    /// How fast the layer's own time runs; 1. With 0 it stands still at `timeOffset`, with all below it.
    public var speed: Float {
        get { Float(properties.timing.speed) }
        set { change(.speed, \.timing.speed, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// A layer's own duration is infinite; setting it has no effect on what is shown.
    public var duration: CFTimeInterval {
        get { unusedTiming.duration }
        set { unusedTiming.duration = newValue }
    }

    /// 0. Kept, and without effect on what is shown.
    public var repeatCount: Float {
        get { unusedTiming.repeatCount }
        set { unusedTiming.repeatCount = newValue }
    }

    /// Seconds; 0. Kept, and without effect on what is shown.
    public var repeatDuration: CFTimeInterval {
        get { unusedTiming.repeatDuration }
        set { unusedTiming.repeatDuration = newValue }
    }

    /// False. Kept, and without effect on what is shown.
    public var autoreverses: Bool {
        get { unusedTiming.autoreverses }
        set { unusedTiming.autoreverses = newValue }
    }

    /// `removed`. Kept, and without effect on what is shown.
    public var fillMode: CAMediaTimingFillMode {
        get { unusedTiming.fillMode }
        set { unusedTiming.fillMode = newValue }
    }

    /// What `CAMediaTiming` asks for and layers don't look at, with what they give when nothing was set.
    struct UnusedTiming {
        var duration = CFTimeInterval.infinity
        var repeatCount: Float = 0
        var repeatDuration: CFTimeInterval = 0
        var autoreverses = false
        var fillMode = CAMediaTimingFillMode.removed
    }

    // MARK: Conversion

    /// A time of another layer as this one has it; nil is the display's time.
    public final func convertTime(_ t: CFTimeInterval, from l: CALayer?) -> CFTimeInterval {
        localTime(ofDisplay: l?.displayTime(ofLocal: t) ?? t)
    }

    /// A time of this layer as another one has it; nil is the display's time.
    public final func convertTime(_ t: CFTimeInterval, to l: CALayer?) -> CFTimeInterval {
        let time = displayTime(ofLocal: t)
        return l?.localTime(ofDisplay: time) ?? time
    }

    final func localTime(ofDisplay time: Double) -> Double {
        timingChain { $0.properties.timing }.localTime(from: time)
    }

    /// - Parameter timing: Of this layer, and of each above it.
    final func timingChain(_ timing: (CALayer) -> LayerTiming) -> TimingChain {
        var chain = TimingChain()
        var layer: CALayer? = self
        while let current = layer {
            chain.append(timing(current))
            layer = current.parent
        }
        return chain
    }

    final func displayTime(ofLocal time: Double) -> Double {
        var time = time
        var layer: CALayer? = self
        while let current = layer {
            time = current.properties.timing.parentTime(ofLocal: time)
            layer = current.parent
        }
        return time
    }
}
