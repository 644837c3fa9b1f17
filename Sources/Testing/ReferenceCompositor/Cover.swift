// How much of a group is laid over its target at each pixel: the layer's clip, its mask and its opacity, multiplied.

import LayerModel

struct Cover {
    /// Where it may be above 0.
    let bounds: PixelRect
    /// Nil covers all of the bounds.
    var clip: Coverage?
    /// Its alpha counts; nil covers all.
    var mask: Canvas?
    /// 0…1.
    var opacity: Double

    init(bounds: PixelRect, clip: Coverage? = nil, mask: Canvas? = nil, opacity: Double = 1) {
        var bounds = bounds
        if let clip { bounds = bounds.intersection(clip.bounds) }
        if let mask { bounds = bounds.intersection(mask.touched) }
        self.bounds = bounds
        self.clip = clip
        self.mask = mask
        self.opacity = opacity
    }

    /// The share of a pixel in `bounds`, 0…1; how sure it is; and by how many levels of 255 it may be off beyond that.
    func value(x: Int, y: Int) -> (share: Double, flags: PixelFlags, slack: Double) {
        var share = opacity
        var flags = PixelFlags.none
        var slack = 0.0
        if let clip {
            let value = clip.value(x: x, y: y)
            if value > 0, value < 1 { flags = flags | .edge }
            if clip.isDoubtful(x: x, y: y) { flags = flags | .doubtful }
            share *= value
        }
        if let mask {
            share *= mask.alpha(x: x, y: y) / 255
            flags = flags | mask.flags(x: x, y: y)
            slack = mask.slack(x: x, y: y)
        }
        return (share, flags, slack)
    }
}
