// `shouldRasterize`: the layer with its filters, shadow, clip and mask as a bitmap in its own space, at
// `rasterizationScale` pixels a point, drawn like an image. A layer in perspective with filters that move pixels is one as
// well, as fine as its place on the display asks for (Presentation/OwnSpace.swift). Opacity and blend mode stay outside. Its pixels are kept
// while they stay the same (Damage/FrameMemory.swift), however the layer moves or fades. Source: semantic reference,
// §1.11.

import LayerModel
import Paths

extension FramePlanner {
    mutating func emitBitmap(
        _ index: Int, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>,
        clippedTo scissor: PixelRect, _ walk: Walk
    ) {
        let layer = record.pointee.id
        let first = quads.count
        let isAsked = record.pointee.properties.shouldRasterize
        let toBitmap = presented.toDevice
        let place = tree.bitmapPlaces[Int(presented.space)]
        guard let toLayer = place.inverse, let fromBitmap = toBitmap.inverse else { return }
        // All of it, as long as that is not much more than the display: what is kept serves wherever the layer goes. Of one
        // in another too: as much around it as the display is large, whatever lies around that.
        let bounds = deviceBox(of: record.pointee.properties.bounds, on: toBitmap)
        let far = displaySide
        let reach = PixelRect(
            minX: Int(bounds.minX.rounded(.down)) - far, minY: Int(bounds.minY.rounded(.down)) - far,
            maxX: Int(bounds.maxX.rounded(.up)) + far, maxY: Int(bounds.maxY.rounded(.up)) + far)
        let outside = screen
        screen = reach
        let wasBaking = isBaking
        isBaking = true
        defer { (screen, isBaking) = (outside, wasBaking) }
        let deviceFromBitmap = fromBitmap.concatenating(place)
        // In another picture that is kept it ends where that does.
        let isOnItsOwn = !wasBaking && !isInMask && silhouetteDepth == 0
        var known = isOnItsOwn ? knownBitmap(of: presented, walk) : nil
        let surface: Int32
        let bitmap: PixelRect
        if let found = known, margin(of: found.content, on: deviceFromBitmap) == found.margin, isKept(found) {
            // Its pixels are there: what they were drawn of doesn't matter.
            bitmap = found.content.grown(by: found.margin)
            surfaces.append(
                PlannedSurface(
                    reason: .rasterize, layer: layer, bounds: bitmap, quads: [], nesting: found.nesting,
                    cause: SurfaceCause(.rasterize), token: found.token))
            surfaceBytes += found.surfaceBytes
            surface = Int32(surfaces.count - 1)
        } else {
            let before = (bytes: surfaceBytes, backdrops: backdrops.count)
            guard
                emitWhole(index, presented, record, clippedTo: reach, fadedBy: 1, groupOpacity: 1, walk) != nil,
                makeSurface(
                    from: first, reason: .rasterize, layer, within: nil, askedBy: isAsked ? nil : .filters),
                case .surface(let made) = quads[first].paint
            else {
                // What was emitted lies in the wrong space.
                quads.removeLast(quads.count - first)
                return
            }
            surface = made
            let content = surfaces[Int(surface)].bounds
            // Nothing around it, so that its edges are weighed against nothing.
            let margin = margin(of: content, on: deviceFromBitmap)
            bitmap = content.grown(by: margin)
            surfaces[Int(surface)].bounds = bitmap
            if known?.margin != margin || known?.content != content {
                lastToken += 1
                known = BitmapVerdict(
                    revision: walk.motions[Int(presented.record)].revision, plane: toBitmap,
                    isFlipped: presented.contentsAreFlipped, content: content, margin: margin,
                    surfaceBytes: surfaceBytes - before.bytes, nesting: surfaces[Int(surface)].nesting,
                    token: lastToken)
            }
            if let known, isOnItsOwn, backdrops.count == before.backdrops {
                surfaces[Int(surface)].token = known.token
                if bitmaps.count >= 8_192 { bitmaps.removeAll(keepingCapacity: true) }
                bitmaps[presented.record] = known
            }
        }
        project(
            surface, bitmap, toLayer.concatenating(toBitmap), deviceFromBitmap, record, clippedTo: scissor,
            isAsked: isAsked, from: first, walk)
    }

    /// Puts a surface of a layer's own space in place of what was emitted from `first` on, drawn like an image.
    ///
    /// - Parameters:
    ///   - isAsked: The layer's filters say how it is sampled; else bilinearly.
    private mutating func project(
        _ surface: Int32, _ bitmap: PixelRect, _ toBitmap: Homography, _ toDevice: Homography,
        _ record: UnsafePointer<LayerRecord>,
        clippedTo scissor: PixelRect, isAsked: Bool, from first: Int, _ walk: Walk
    ) {
        let layer = record.pointee.id
        // Not its outermost pixels: beside them a target may hold anything.
        let shape = ShapeGeometry(
            rect: Rect(
                Double(bitmap.minX + 1), Double(bitmap.minY + 1), Double(bitmap.width - 2), Double(bitmap.height - 2)))
        let coverage = cover(shape, on: toDevice, smooth: [], clip: scissor, walk)
        quads.removeLast(quads.count - first)
        if case .nothing = coverage { return }

        var toPixels = toBitmap.concatenating(.translation(-Double(bitmap.minX), -Double(bitmap.minY)))
        let isAffine = toPixels.a13 == 0 && toPixels.a23 == 0 && toPixels.a33 != 0
        if isAffine { toPixels = toPixels.scaled(by: 1 / toPixels.a33) }
        var mapping = ImageMapping(toImage: toPixels, isAffine: isAffine, copyOffset: nil)
        let isCopy =
            isAffine && abs(toPixels.a11 - 1) < 1e-9 && abs(toPixels.a22 - 1) < 1e-9 && abs(toPixels.a12) < 1e-9
            && abs(toPixels.a21) < 1e-9 && toPixels.a31.isNearlyWhole && toPixels.a32.isNearlyWhole
        var sampling = self.sampling(of: mapping, PixelSize(width: 1, height: 1), record, coverage.bounds)
        if isCopy {
            sampling = .nearest
            if let x = Int(exactly: toPixels.a31.rounded()), let y = Int(exactly: toPixels.a32.rounded()) {
                mapping.copyOffset = PixelPoint(x: x, y: y)
            }
        } else if sampling == .trilinear || !isAsked {
            sampling = .linear
        }
        mappings.append(mapping)
        let paint = Paint.sprite(surface, mapping: Int32(mappings.count - 1), sampling: sampling)
        switch coverage {
        case .nothing: break
        case .whole(let rect): append(paint, .white, rect, nil, layer, isOpaque: false)
        case .mask(let mask, let rect): append(paint, .white, rect, mask, layer, isOpaque: false)
        }
    }

    /// The shadow of a layer that is seen in perspective: made in the layer's own space, drawn like an image, and put
    /// below what was emitted from `first` on.
    mutating func emitProjectedShadow(
        _ index: Int, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ filters: [LayerFilter],
        clippedTo clip: PixelRect, fadedBy opacity: Float, at first: Int, _ walk: Walk
    ) {
        let bounds = record.pointee.properties.bounds
        let own = Homography.ownSpace(of: bounds, scale: presented.toDevice.fittingScale(of: bounds))
        guard let toLayer = presented.toDevice.inverse, let toPoints = own.inverse else { return }
        let toOwn = toLayer.concatenating(own)
        let box = deviceBox(of: bounds, on: own)
        let far = displaySide
        let reach = PixelRect(
            minX: Int(box.minX.rounded(.down)) - far, minY: Int(box.minY.rounded(.down)) - far,
            maxX: Int(box.maxX.rounded(.up)) + far, maxY: Int(box.maxY.rounded(.up)) + far)
        let outside = screen
        let last = quads.count
        silhouetteDepth += 1
        screen = reach
        let saved = tree.move(index, by: toOwn, onto: own)
        let isCast = emitOwnAndShadow(
            index, tree.layers[index], record, filters, clippedTo: reach, isClipped: false, nil, fadedBy: 1, walk)
        tree.put(back: saved, at: index)
        screen = outside
        silhouetteDepth -= 1
        guard isCast, quads.count > last else {
            quads.removeLast(quads.count - last)
            return
        }
        quads.removeLast(quads.count - last - 1)
        guard makeSurface(from: last, reason: .shadow, record.pointee.id, within: nil),
            case .surface(let surface) = quads[last].paint
        else {
            quads.removeLast(quads.count - last)
            return
        }
        let toDevice = toPoints.concatenating(presented.toDevice)
        let content = surfaces[Int(surface)].bounds
        let bitmap = content.grown(by: margin(of: content, on: toDevice))
        surfaces[Int(surface)].bounds = bitmap
        project(surface, bitmap, toOwn, toDevice, record, clippedTo: clip, isAsked: false, from: last, walk)
        guard quads.count > last else { return }
        var shadow = quads.removeLast()
        shadow.color = shadow.color * opacity
        quads.insert(shadow, at: first)
        lastShadow = record.pointee.id
    }

    /// What was found when the layer's bitmap was drawn last, if that is still so.
    private func knownBitmap(of presented: PresentedLayer, _ walk: Walk) -> BitmapVerdict? {
        guard let known = bitmaps[presented.record],
            known.revision == walk.motions[Int(presented.record)].revision, known.plane == presented.toDevice,
            known.isFlipped == presented.contentsAreFlipped
        else { return nil }
        return known
    }

    private func isKept(_ bitmap: BitmapVerdict) -> Bool {
        switches.contains(.sprites) && ledger.isKept(bitmap.token)
            && bitmap.surfaceBytes <= limits.surfaceBytes - surfaceBytes
    }

    /// Pixels around a bitmap's content.
    private func margin(of content: PixelRect, on deviceFromBitmap: Homography) -> Int {
        3 + Int(min(1 / max(smallestStretch(deviceFromBitmap, content), 1.0 / 16), 16).rounded(.up))
    }

    /// Device pixels for one of the bitmap, where it is smallest among the corners and the middle.
    private func smallestStretch(_ plane: Homography, _ rect: PixelRect) -> Double {
        let middle = Point(Double(rect.minX + rect.maxX) / 2, Double(rect.minY + rect.maxY) / 2)
        let (x, y, w) = plane.homogeneous(middle)
        guard abs(w) > 1e-9 else { return 1 }
        let dx = ((plane.a11 - x / w * plane.a13) / w, (plane.a12 - y / w * plane.a13) / w)
        let dy = ((plane.a21 - x / w * plane.a23) / w, (plane.a22 - y / w * plane.a23) / w)
        let stretch = min(
            (dx.0 * dx.0 + dx.1 * dx.1).squareRoot(), (dy.0 * dy.0 + dy.1 * dy.1).squareRoot())
        return stretch.isFinite ? stretch : 1
    }
}

/// What was found about a layer's bitmap: holds as long as its picture and its space are the same.
struct BitmapVerdict {
    var revision: UInt64
    /// From the layer's space to the bitmap's pixels.
    var plane: Homography
    var isFlipped: Bool
    /// Pixels of the bitmap that are drawn, and how many are left empty around them.
    var content: PixelRect
    var margin: Int
    /// What it takes of the frame's limits.
    var surfaceBytes: Int
    var nesting: Int
    /// Of its pixels.
    var token: UInt64
}

extension PixelRect {
    fileprivate func grown(by margin: Int) -> PixelRect {
        PixelRect(minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
    }
}

extension Double {
    fileprivate var isNearlyWhole: Bool { abs(self - rounded()) < 1.0 / 1_024 }
}

extension Homography {
    fileprivate func scaled(by factor: Double) -> Homography {
        Homography(
            a11 * factor, a12 * factor, a13 * factor, a21 * factor, a22 * factor, a23 * factor, a31 * factor,
            a32 * factor, a33 * factor)
    }
}
