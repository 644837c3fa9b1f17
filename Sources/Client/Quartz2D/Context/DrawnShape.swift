// What an operation covers and what it is painted with, apart from how the two reach the target.

import CCairo
import Foundation
import LayerModel

extension CGContext {
    /// What is painted where. Both closures get a cairo context whose matrix is the identity: device pixels.
    struct DrawnShape {
        /// Around all that is painted, device pixels; nil: as far as the clip goes.
        var box: CGRect?
        /// Paints with the source that is set.
        var paint: (OpaquePointer) -> Void
    }

    struct InkSource {
        /// A single color: alpha can be part of it.
        var isSolid: Bool
        /// Sets cairo's source, with an alpha that is 1 unless `isSolid`.
        var set: (_ cairo: OpaquePointer, _ alpha: Double) -> Void
    }

    /// Draws one operation with the current alpha, blend mode, shadow and masks.
    func draw(_ shape: DrawnShape, with source: InkSource) {
        let target = self.target
        defer { checkCairo(target.cairo) }
        guard state.shadow == nil, state.softMask == nil, let mode = state.blendMode.directOperator,
            state.alpha == 1 || source.isSolid
        else { return drawInGroup(shape, with: source) }
        let cairo = target.cairo
        cairo_set_operator(cairo, mode)
        prepare(cairo)
        cairo_identity_matrix(cairo)
        source.set(cairo, state.alpha)
        shape.paint(cairo)
        didDraw(shape.box)
    }

    /// Antialiasing and exactness.
    func prepare(_ cairo: OpaquePointer) {
        let isSmooth = state.shouldAntialias && allowsAntialiasing
        cairo_set_antialias(cairo, isSmooth ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE)
        cairo_set_tolerance(cairo, min(max(Double(state.flatness), 0.1), 100))
    }

    /// Brings the app's memory up to date where it has its own.
    func didDraw(_ box: CGRect?) {
        guard targets.count == 1, bitmap.view != nil else { return }
        var rect = target.clipBox
        if let box { rect = rect.intersection(PixelRect(covering: box)) }
        guard !rect.isEmpty else { return }
        bitmap.update(rect)
        // The app may have written to memory that cairo draws into.
        cairo_surface_mark_dirty(bitmap.surface)
    }

    // MARK: By way of a bitmap

    private func drawInGroup(_ shape: DrawnShape, with source: InkSource) {
        let clip = target.clipBox
        guard !clip.isEmpty else { return }
        var seen = clip
        let cast = state.shadow.map { DeviceShadow($0, in: self) }
        if let cast {
            // What lies outside the clip may cast a shadow into it.
            let caster = clip.offset(-cast.offsetX, -cast.offsetY).insetBy(-cast.reach)
            seen = clip.union(caster)
        }
        if let box = shape.box { seen = seen.intersection(PixelRect(covering: box)) }
        guard let group = DrawingTarget(seen) else { return }
        prepare(group.cairo)
        source.set(group.cairo, 1)
        shape.paint(group.cairo)
        checkCairo(group.cairo)
        if let cast { lay(cast.shadow(of: group, limit: clip), coverage: nil) }
        var coverage: DrawingTarget?
        if state.blendMode.groupOperator == nil {
            coverage = DrawingTarget(seen, format: CAIRO_FORMAT_A8)
            if let coverage {
                prepare(coverage.cairo)
                cairo_set_source_rgba(coverage.cairo, 0, 0, 0, 1)
                shape.paint(coverage.cairo)
            }
        }
        lay(group, coverage: coverage)
        didDraw(nil)
    }

    /// Lays a bitmap over the target with the current alpha, blend mode and masks.
    ///
    /// - Parameter coverage: How far each pixel belongs to the shape, for modes that must know; nil: as far as it is opaque.
    func lay(_ group: DrawingTarget?, coverage: DrawingTarget?) {
        guard let group else { return }
        let cairo = target.cairo
        cairo_identity_matrix(cairo)
        guard let mode = state.blendMode.groupOperator else { return blend(group, coverage: coverage) }
        cairo_set_operator(cairo, mode)
        cairo_set_source_surface(cairo, group.surface, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST)
        guard let mask = state.softMask else { return cairo_paint_with_alpha(cairo, state.alpha) }
        guard state.alpha < 1 else { return cairo_mask_surface(cairo, mask.surface, 0, 0) }
        // Alpha first, into another bitmap: a mask and an alpha at once are not to be had.
        guard let faded = DrawingTarget(group.rect) else { return }
        cairo_set_source_surface(faded.cairo, group.surface, 0, 0)
        cairo_paint_with_alpha(faded.cairo, state.alpha)
        cairo_set_source_surface(cairo, faded.surface, 0, 0)
        cairo_mask_surface(cairo, mask.surface, 0, 0)
    }

    /// The modes that cairo does not have: computed into a bitmap that then replaces the target's pixels within the clip.
    private func blend(_ group: DrawingTarget, coverage: DrawingTarget?) {
        let box = group.rect.intersection(target.clipBox)
        guard let result = DrawingTarget(box) else { return }
        cairo_surface_flush(target.surface)
        cairo_surface_flush(group.surface)
        let blend = PixelBlend(mode: state.blendMode)
        let fade = Int((state.alpha * 255).rounded())
        let mask = state.softMask.map { ($0.surface, cairo_image_surface_get_data($0.surface)!) }
        let maskStride = mask.map { Int(cairo_image_surface_get_stride($0.0)) } ?? 0
        let isOpaque = targets.count == 1 && bitmap.format.isOpaque
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8) { scratch in
            let (source, under) = (scratch.baseAddress!, scratch.baseAddress! + 4)
            for y in box.minY..<box.maxY {
                var to = result.bytes + (y - box.minY) * result.stride
                var from = target.bytes + (y - target.rect.minY) * target.stride + (box.minX - target.rect.minX) * 4
                var over = group.bytes + (y - group.rect.minY) * group.stride + (box.minX - group.rect.minX) * 4
                for x in box.minX..<box.maxX {
                    var weight = fade
                    var covered = 255
                    if let mask { covered = Int(mask.1[y * maskStride + x]) }
                    weight = (weight * covered + 127) / 255
                    for channel in 0..<4 { source[channel] = UInt8((Int(over[channel]) * weight + 127) / 255) }
                    for channel in 0..<4 { under[channel] = from[channel] }
                    if isOpaque { under[3] = 255 }
                    var part = Int(over[3])
                    if let coverage {
                        part = Int(
                            coverage.bytes[(y - group.rect.minY) * coverage.stride + x - group.rect.minX])
                    }
                    part = (part * covered + 127) / 255
                    blend.blend(source, coverage: UInt8(part), over: under, into: to)
                    to += 4
                    from += 4
                    over += 4
                }
            }
        }
        cairo_surface_mark_dirty(result.surface)
        let cairo = target.cairo
        cairo_save(cairo)
        cairo_identity_matrix(cairo)
        cairo_rectangle(cairo, Double(box.minX), Double(box.minY), Double(box.width), Double(box.height))
        cairo_clip(cairo)
        cairo_set_operator(cairo, CAIRO_OPERATOR_SOURCE)
        cairo_set_source_surface(cairo, result.surface, 0, 0)
        cairo_paint(cairo)
        cairo_restore(cairo)
    }
}

extension PixelRect {
    /// The whole pixels that a rectangle touches; none for a null one.
    init(covering rect: CGRect) {
        guard !rect.isNull else {
            self = .empty
            return
        }
        self.init(covering: Double(rect.minX), Double(rect.minY), Double(rect.maxX), Double(rect.maxY))
    }

    func offset(_ x: Int, _ y: Int) -> PixelRect {
        PixelRect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    func insetBy(_ distance: Int) -> PixelRect {
        PixelRect(minX: minX + distance, minY: minY + distance, maxX: maxX - distance, maxY: maxY - distance)
    }
}
