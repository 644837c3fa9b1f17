// Transparency layers: what is drawn between begin and end is laid over as one picture, with the alpha, the blend mode and the
// shadow from before begin.

import CCairo
import Foundation
import LayerModel

extension CGContext {
    /// Layers within layers; each may take as much memory as the bitmap.
    private static let maximumLayers = 64

    /// What is drawn until `endTransparencyLayer()` is laid over as one picture, with the alpha, the blend mode and the
    /// shadow of now. At most 64 lie inside one another.
    public func beginTransparencyLayer(auxiliaryInfo: [String: Any]?) {
        beginTransparencyLayer(in: .infinite, auxiliaryInfo: auxiliaryInfo)
    }

    /// - Parameter rect: In user space: what is drawn outside may be lost.
    public func beginTransparencyLayer(in rect: CGRect, auxiliaryInfo: [String: Any]?) {
        var box = target.clipBox
        if !rect.isInfinite, let rect = usable(rect) {
            box = box.intersection(PixelRect(covering: rect.applying(userToDevice)))
        }
        if let shadow = state.shadow.map({ DeviceShadow($0, in: self) }) {
            let caster = box.offset(-shadow.offsetX, -shadow.offsetY).insetBy(-shadow.reach)
            box = box.union(caster)
        }
        if box.isEmpty { box = PixelRect(minX: 0, minY: 0, maxX: 1, maxY: 1) }
        guard targets.count <= CGContext.maximumLayers, let layer = DrawingTarget(box) else {
            warn("no more than \(CGContext.maximumLayers) transparency layers, as memory allows; one is drawn without")
            unopenedLayers += 1
            return
        }
        pushState()
        targets.append(layer)
        (state.alpha, state.blendMode, state.shadow, state.softMask) = (1, .normal, nil, nil)
    }

    /// Nothing where none was begun.
    public func endTransparencyLayer() {
        if unopenedLayers > 0 {
            return unopenedLayers -= 1
        }
        guard targets.count > 1 else { return }
        while target.savedStates > 0 { restoreGState() }
        let layer = targets.removeLast()
        restoreGState()
        let clip = target.clipBox
        guard !clip.isEmpty else { return }
        cairo_surface_flush(layer.surface)
        if let cast = state.shadow.map({ DeviceShadow($0, in: self) }) {
            lay(cast.shadow(of: layer, limit: clip), coverage: nil)
        }
        lay(layer, coverage: nil)
        checkCairo(target.cairo)
        didDraw(nil)
    }
}
