// What only layers' contexts need.

import CCairo
import Foundation
import LayerModel

extension CGContext {
    /// Begins with an older picture of the same size, and clips to the part that is to be drawn again, which is cleared.
    ///
    /// - Parameter rect: In user space; rounded outward to pixels.
    package func restore(_ image: CGImage, clearing rect: CGRect) {
        let box = PixelRect(covering: rect.applying(userToDevice))
        let saved = state.ctm
        state.ctm = .identity
        draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
        let part = CGRect(x: box.minX, y: height - box.maxY, width: box.width, height: box.height)
        clear(part)
        clip(to: part)
        state.ctm = saved
    }

    /// Closes transparency layers that were left open, and takes the picture.
    package func finishedImage() -> CGImage? {
        while targets.count > 1 || unopenedLayers > 0 { endTransparencyLayer() }
        return makeImage()
    }

    /// A shadow in user space: scaled and turned with the ctm, as a layer's is.
    ///
    /// - Parameter radius: The Gaussian's standard deviation.
    package func setLayerShadow(offset: CGSize, radius: CGFloat, color: CGColor?) {
        let toBase = state.ctm.concatenating(initialTransform.inverted())
        setShadow(offset: offset.applying(toBase), blur: 2 * radius * CGFloat(toBase.meanScale), color: color)
    }

    /// Clips to the alpha that `draw` leaves in a bitmap of its own, with the same ctm.
    package func clip(toAlphaOf draw: (CGContext) -> Void) {
        guard
            let mask = CGContext(
                width: width, height: height, isOpaque: false, initialTransform: initialTransform)
        else { return warn("no memory for a mask") }
        mask.state.ctm = state.ctm
        mask.label = label
        draw(mask)
        guard let image = mask.finishedImage() else { return }
        let saved = state.ctm
        state.ctm = .identity
        clipToAlpha(of: image)
        state.ctm = saved
    }
}
