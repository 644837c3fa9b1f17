// When a layer's time comes to a value.
//
// Each layer maps its superlayer's time by an affine function from its begin on, and to 0 before. Seen from the display, a
// layer's time is therefore affine in one stretch and stands still elsewhere; it may jump where a layer on the way begins. So
// what depends on it can only become true where the affine stretch comes to one of the values it depends on, or where a layer
// begins. These times are tried in their order.

import LayerModel

/// A layer's time, and how fast it runs.
struct LocalTime {
    /// Seconds.
    var time: Double
    /// Seconds of the layer a second of the display; below 0 where it runs backwards, 0 where it stands still.
    var rate: Double
}

extension CALayer {
    /// True where the time of this layer, or of one above it, is set to run backwards.
    final var mayRunBack: Bool {
        var layer: CALayer? = self
        while let current = layer {
            if current.properties.timing.speed < 0 { return true }
            layer = current.parent
        }
        return false
    }

    final func localTime(from time: Double) -> LocalTime {
        let chain = timingChain { $0.properties.timing }
        return LocalTime(time: chain.localTime(from: time), rate: chain.rate(at: time))
    }

    /// The first time of the display, from now on, at which something holds; nil where it never does as things are.
    ///
    /// - Parameters:
    ///   - now: The display's clock.
    ///   - locals: The times of this layer at which it can begin to hold.
    ///   - isReached: Tells whether it holds. The answer decides where rounding leaves a doubt.
    final func displayTime(from now: Double, reaching locals: [Double], _ isReached: (LocalTime) -> Bool) -> Double? {
        if isReached(localTime(from: now)) { return now }
        var times = locals
        var layer: CALayer? = self
        while let current = layer {
            let timing = current.properties.timing
            if !timing.isIdentity {
                times = timing.speed == 0 ? [] : times.map { timing.parentTime(ofLocal: $0) }
                times.append(timing.beginTime)
            }
            layer = current.parent
        }
        for time in times.filter({ $0.isFinite && $0 > now }).sorted() {
            var time = time
            var step = max(abs(time), abs(now)).ulp
            for _ in 0..<32 {
                if isReached(localTime(from: time)) { return time }
                time += step
                step *= 2
            }
        }
        return nil
    }
}
