// Masks by what they show, kept between frames, and their place in the atlas.
//
// A mask is made once for a shape at a scale, a turn and a sub-pixel phase, at (0, 0); whole-pixel moves reuse it. The
// phase is rounded to 1/1024 pixel, a quarter of a level. A mask never depends on which frames were drawn, so neither do
// the bytes of a picture; only whether it must be made again does.

import LayerModel
import Paths

/// Masks of all sessions. One render thread owns it, so the fields that every layer asks for are not checked for
/// overlapping access.
package final class CoverageCache {
    struct Entry {
        var key: CoverageKey
        /// Never used twice, for keys of products.
        var serial: UInt64
        var mask: CoverageMask
        /// What the mask may touch, from its (0, 0).
        var bounds: PixelRect
        /// Nothing is covered.
        var isEmpty: Bool
        /// Every pixel of the bounds is covered.
        var isOpaqueRect: Bool
        /// A place in the atlas for each tile; empty until the mask is first drawn.
        var places: [AtlasPlace]
        var lastUsed: UInt64
        /// The frame that made it.
        var made: UInt64
    }

    @exclusivity(unchecked) private(set) var entries: ContiguousArray<Entry?> = []
    @exclusivity(unchecked) private var lookup: [CoverageKey: Int32] = [:]
    @exclusivity(unchecked) private var recent = RecentShapes()
    private var freeEntries: [Int32] = []
    private var nextSerial: UInt64 = 1
    @exclusivity(unchecked) private var frame: UInt64 = 0
    /// The last frame that asked for all of its masks.
    private var lastWhole: UInt64 = 0
    /// The pictures that are worked out, kept as the masks are.
    package let rasters = RasterCache()
    private var rasterizer = CoverageRasterizer()
    @exclusivity(unchecked) private var atlas: CoverageAtlas
    private var maskBytes = 0
    /// Counts evictions: a plan made before one may not be drawn again.
    package private(set) var evictions: UInt64 = 0
    @exclusivity(unchecked) package private(set) var hits: UInt64 = 0
    package private(set) var misses: UInt64 = 0

    /// Bytes of masks, and atlas pages, above which what the last frames did not use goes.
    private let maskByteLimit: Int
    private let pageLimit: Int
    /// Bytes of masks above which no more are made: what would need one is not drawn.
    package let ceiling: Int
    /// Masks that were not made in this frame.
    package private(set) var leftOut = 0

    /// - Parameters:
    ///   - maskByteLimit: Kept mask bytes.
    ///   - pageLimit: Kept atlas pages, 4 MiB each. A frame that needs more gets more.
    ///   - ceiling: Mask bytes of a frame.
    package init(maskByteLimit: Int = 64 << 20, pageLimit: Int = 16, ceiling: Int = 256 << 20) {
        self.maskByteLimit = maskByteLimit
        self.ceiling = ceiling
        self.pageLimit = pageLimit
        atlas = CoverageAtlas()
    }

    /// Atlas pages that exist.
    package var pageCount: Int { atlas.pageCount }

    /// Starts a frame: drops what was not used lately if there is too much, or everything if nothing may be kept.
    func beginFrame(keeping: Bool) {
        if !keeping {
            evict { _ in true }
        } else if maskBytes > maskByteLimit || atlas.pageCount > pageLimit {
            evict { $0.lastUsed < lastWhole }
        }
        if rasters.beginFrame(keeping: keeping) { evictions += 1 }
        frame += 1
        lastWhole = frame
        leftOut = 0
    }

    /// Starts a frame that shows what the last one did but for some drawings: nothing is dropped.
    func continueFrame() {
        frame += 1
        rasters.continueFrame()
    }

    /// What was not used lately should go.
    var isOverfull: Bool { maskBytes > maskByteLimit || atlas.pageCount > pageLimit || rasters.isOverfull }

    private func evict(where shouldGo: (Entry) -> Bool) {
        var went = false
        for index in entries.indices {
            guard let entry = entries[index], shouldGo(entry) else { continue }
            went = true
            if lookup[entry.key] == Int32(index) { lookup[entry.key] = nil }
            maskBytes -= entry.mask.cost
            for place in entry.places { atlas.free(place) }
            entries[index] = nil
            freeEntries.append(Int32(index))
        }
        if went {
            atlas.trim()
            recent.forget()
            evictions += 1
        }
    }

    func withMask<R>(_ index: Int32, _ body: (borrowing CoverageMask, PixelRect) -> R) -> R {
        body(entries[Int(index)]!.mask, entries[Int(index)]!.bounds)
    }

    /// This frame made the mask.
    func isNew(_ index: Int32) -> Bool { entries[Int(index)]!.made == frame }

    /// What a mask may touch, from its (0, 0), and whether it covers all of that.
    func extent(of index: Int32) -> (bounds: PixelRect, isOpaque: Bool) {
        entries.withUnsafeBufferPointer { entries in
            let entry = entries.baseAddress! + Int(index)
            return (entry.pointee!.bounds, entry.pointee!.isOpaqueRect)
        }
    }

    private func find(_ key: CoverageKey) -> Int32? {
        guard let index = lookup[key] else { return nil }
        entries[Int(index)]!.lastUsed = frame
        hits += 1
        return index
    }

    /// A mask of an earlier frame is in this one, too.
    func use(_ index: Int32) {
        entries[Int(index)]!.lastUsed = frame
        hits += 1
    }

    /// Where there are too many already, an empty one that is not found again.
    private func insert(_ key: CoverageKey, _ making: @autoclosure () -> CoverageMask) -> Int32 {
        misses += 1
        let isFull = maskBytes >= ceiling
        let mask = isFull ? CoverageMask() : making()
        let entry = Entry(
            key: key, serial: nextSerial, mask: mask, bounds: mask.bounds, isEmpty: mask.isEmpty,
            isOpaqueRect: mask.isOpaqueRect, places: [], lastUsed: frame, made: frame)
        nextSerial += 1
        maskBytes += mask.cost
        let index: Int32
        if let free = freeEntries.popLast() {
            index = free
            entries[Int(free)] = entry
        } else {
            index = Int32(entries.count)
            entries.append(entry)
        }
        if isFull { leftOut += 1 } else { lookup[key] = index }
        return index
    }

    /// The mask of a shape on a plane, as far as `clip` may show it; nil when nothing is covered.
    func mask(of shape: ShapeGeometry, on plane: Homography, hard: Bool, clip: PixelRect) -> MaskUse? {
        plane.isAffine
            ? affineMask(of: shape, on: plane, hard: hard, clip: clip)
            : projectedMask(of: shape, on: plane, hard: hard, clip: clip)
    }

    private func affineMask(of shape: ShapeGeometry, on plane: Homography, hard: Bool, clip: PixelRect) -> MaskUse? {
        // Where the shape's first corner lies decides place and phase.
        let scale = 1 / plane.a33
        let corner = plane.apply(shape.rect.origin)
        guard abs(corner.x) < 1e9, abs(corner.y) < 1e9 else {
            return projectedMask(of: shape, on: plane, hard: hard, clip: clip)
        }
        let (x, phaseX) = wholeAndPhase(corner.x)
        let (y, phaseY) = wholeAndPhase(corner.y)
        let box = deviceBox(of: shape.rect, on: plane)
        let isSmall = box.width <= 2_048 && box.height <= 2_048
        let local = isSmall ? nil : Optional(clip.offsetBy(x: -x, y: -y))
        let placed = PlacedShape(
            shape: shape, a11: plane.a11 * scale, a12: plane.a12 * scale, a21: plane.a21 * scale,
            a22: plane.a22 * scale, phaseX: phaseX, phaseY: phaseY, hard: hard)
        if isSmall, let index = recent.entry(of: placed) {
            use(index)
            return entries[Int(index)]!.isEmpty ? nil : MaskUse(entry: index, x: Int32(x), y: Int32(y))
        }
        let key = CoverageKey.shape(placed, clip: local)
        let index: Int32
        if let found = find(key) {
            index = found
        } else {
            // [x y 1]·own puts the shape's first corner at its phase.
            var own = Homography(placed.a11, placed.a12, 0, placed.a21, placed.a22, 0, 0, 0, 1)
            let origin = own.apply(shape.rect.origin)
            own.a31 = Double(phaseX) / 1_024 - origin.x
            own.a32 = Double(phaseY) / 1_024 - origin.y
            let area = local ?? PixelRect(minX: -4_096, minY: -4_096, maxX: 4_096, maxY: 4_096)
            index = insert(key, rasterize(shape, own, hard: hard, clip: area))
        }
        // An empty one that stands for a mask there was no room for is not found again.
        if isSmall, leftOut == 0 { recent.note(placed, index) }
        guard !entries[Int(index)]!.isEmpty else { return nil }
        return MaskUse(entry: index, x: Int32(x), y: Int32(y))
    }

    private func projectedMask(of shape: ShapeGeometry, on plane: Homography, hard: Bool, clip: PixelRect) -> MaskUse? {
        let key = CoverageKey.projected(shape, plane, hard: hard, clip: clip)
        let index = find(key) ?? insert(key, rasterize(shape, plane, hard: hard, clip: clip))
        guard !entries[Int(index)]!.isEmpty else { return nil }
        return MaskUse(entry: index, x: 0, y: 0)
    }

    /// The mask of a polygon of device pixels; nil when nothing is covered. Where polygons share a side they leave no gap.
    func mask(of polygon: [Point], _ pixels: PolygonPixels = .area, clip: PixelRect) -> MaskUse? {
        let key = CoverageKey.polygon(polygon, pixels, clip: clip)
        let index: Int32
        if let found = find(key) {
            index = found
        } else {
            let outline = Outline.polygon(polygon)
            index =
                switch pixels {
                case .area: insert(key, rasterizer.rasterize(outline, rule: .nonZero, clip: clip))
                case .centers: insert(key, rasterizer.hardEdgedMask(of: outline, clip: clip))
                }
        }
        guard !entries[Int(index)]!.isEmpty else { return nil }
        return MaskUse(entry: index, x: 0, y: 0)
    }

    /// The mask of a part of a plane that others cross, times a drawing's own; nil when nothing is covered.
    /// - Parameters:
    ///   - area: The polygon's mask.
    ///   - values: What its pixels at seams have instead of their area, by rows.
    ///   - isWhole: Pixels that are not named have all; otherwise nothing.
    func seamed(_ area: MaskUse, _ values: [SeamPixel], isWhole: Bool, times own: MaskUse?) -> MaskUse? {
        let x = (own?.x ?? area.x) - area.x
        let y = (own?.y ?? area.y) - area.y
        let key = CoverageKey.seam(
            entries[Int(area.entry)]!.serial, values.map(\.word), isWhole: isWhole,
            own.map { entries[Int($0.entry)]!.serial } ?? 0, x: x, y: y)
        let index: Int32
        if let found = find(key) {
            index = found
        } else {
            var mask = entries[Int(area.entry)]!.mask.replacingPartialPixels(keepsWhole: isWhole) { x, y in
                SeamPixel.value(in: values, x: x, y: y) ?? (isWhole ? 255 : 0)
            }
            if let own { mask = mask.multiplied(by: entries[Int(own.entry)]!.mask.offsetBy(x: Int(x), y: Int(y))) }
            index = insert(key, mask)
        }
        guard !entries[Int(index)]!.isEmpty else { return nil }
        return MaskUse(entry: index, x: area.x, y: area.y)
    }

    /// Single pixels, in reading order, and nothing else; nil when nothing is covered.
    func mask(of pixels: [SeamPixel]) -> MaskUse? { mask(pixels, in: .box(of: pixels), isCovered: false) }

    /// A rectangle with other values for single pixels, which are in reading order; nil when nothing is covered.
    func mask(without pixels: [SeamPixel], in rect: PixelRect) -> MaskUse? {
        mask(
            pixels.filter { rect.contains(PixelRect(x: $0.x, y: $0.y, width: 1, height: 1)) }, in: rect, isCovered: true
        )
    }

    private func mask(_ pixels: [SeamPixel], in rect: PixelRect, isCovered: Bool) -> MaskUse? {
        let key = CoverageKey.pixels(pixels.map(\.word), rect, isCovered: isCovered)
        let index: Int32
        if let found = find(key) {
            index = found
        } else {
            let mask = CoverageMask(rect, coverage: isCovered ? 1 : 0).replacing(
                .box(of: pixels).intersection(rect)
            ) { x, y in SeamPixel.value(in: pixels, x: x, y: y) ?? (isCovered ? 255 : 0) }
            index = insert(key, mask)
        }
        guard !entries[Int(index)]!.isEmpty else { return nil }
        return MaskUse(entry: index, x: 0, y: 0)
    }

    /// The coverage of one pixel, 0…1.
    func value(of use: MaskUse, x: Int, y: Int) -> Double {
        entries.withUnsafeBufferPointer { entries in
            Double(entries[Int(use.entry)]!.mask.coverage(x: x - Int(use.x), y: y - Int(use.y)))
        }
    }

    private func rasterize(_ shape: ShapeGeometry, _ plane: Homography, hard: Bool, clip: PixelRect) -> CoverageMask {
        let outline = shape.outline(projectedBy: plane, clippedTo: clip)
        return hard
            ? rasterizer.hardEdgedMask(of: outline, clip: clip)
            : rasterizer.rasterize(outline, rule: .nonZero, clip: clip)
    }

    /// A rectangle of whole pixels as a mask.
    func mask(of rect: PixelRect) -> MaskUse {
        let key = CoverageKey.rectangle(width: Int32(clamping: rect.width), height: Int32(clamping: rect.height))
        let index =
            find(key)
            ?? insert(key, CoverageMask(PixelRect(x: 0, y: 0, width: rect.width, height: rect.height)))
        return MaskUse(entry: index, x: Int32(rect.minX), y: Int32(rect.minY))
    }

    /// The mask of what is drawn of a path; nil when nothing is covered.
    func mask(of path: VectorPath, _ drawing: PathDrawing, on plane: Homography, clip: PixelRect) -> MaskUse? {
        guard let control = path.controlBox, path.isFinite else { return nil }
        var box = control
        if case .line(let style) = drawing { box = box.insetBy(dx: -style.reach, dy: -style.reach) }
        var (x, y) = (0, 0)
        var placed = plane
        var area = clip
        var keyClip: PixelRect? = clip
        if plane.isAffine {
            let scale = 1 / plane.a33
            let corner = plane.apply(control.origin)
            let extent = deviceBox(of: box, on: plane)
            if abs(corner.x) < 1e9, abs(corner.y) < 1e9, extent.width <= 2_048, extent.height <= 2_048 {
                let (wholeX, phaseX) = wholeAndPhase(corner.x)
                let (wholeY, phaseY) = wholeAndPhase(corner.y)
                (x, y) = (wholeX, wholeY)
                placed = Homography(
                    plane.a11 * scale, plane.a12 * scale, 0, plane.a21 * scale, plane.a22 * scale, 0, 0, 0, 1)
                let origin = placed.apply(control.origin)
                placed.a31 = Double(phaseX) / 1_024 - origin.x
                placed.a32 = Double(phaseY) / 1_024 - origin.y
                area = PixelRect(minX: -4_096, minY: -4_096, maxX: 4_096, maxY: 4_096)
                keyClip = nil
            }
        }
        let key = CoverageKey.path(path, drawing, placed, clip: keyClip)
        let index = find(key) ?? insert(key, rasterize(path, drawing, placed, clip: area))
        guard !entries[Int(index)]!.isEmpty else { return nil }
        return MaskUse(entry: index, x: Int32(x), y: Int32(y))
    }

    private func rasterize(
        _ path: VectorPath, _ drawing: PathDrawing, _ plane: Homography, clip: PixelRect
    ) -> CoverageMask {
        switch drawing {
        case .inside(let rule):
            rasterizer.rasterize(path.outline(projectedBy: plane, near: clip), rule: rule, clip: clip)
        case .line(let style):
            rasterizer.rasterize(
                path.strokeOutline(style, projectedBy: plane, near: clip), rule: .nonZero, clip: clip)
        }
    }

    /// A mask convolved with a Gaussian, as far as `clip` shows it; nil when nothing is covered.
    func blurred(_ use: MaskUse, by shape: GaussianShape, clip: PixelRect) -> MaskUse? {
        if shape.isPoint { return use }
        let box = entries[Int(use.entry)]!.bounds
        let isSmall =
            box.width + 2 * shape.reachX <= 2_048 && box.height + 2 * shape.reachY <= 2_048
        let local = isSmall ? nil : Optional(clip.offsetBy(x: -Int(use.x), y: -Int(use.y)))
        let key = CoverageKey.blurred(entries[Int(use.entry)]!.serial, shape, clip: local)
        let index: Int32
        if let found = find(key) {
            index = found
        } else {
            let area = local ?? PixelRect(minX: -8_192, minY: -8_192, maxX: 8_192, maxY: 8_192)
            index = insert(key, MaskBlur.blur(entries[Int(use.entry)]!.mask, by: shape, clip: area))
        }
        guard !entries[Int(index)]!.isEmpty else { return nil }
        return MaskUse(entry: index, x: use.x, y: use.y)
    }

    /// What two opaque drawings of a mask cover.
    func drawnTwice(_ use: MaskUse, alpha: Float) -> MaskUse {
        let key = CoverageKey.twice(entries[Int(use.entry)]!.serial, alpha: alpha)
        let index = find(key) ?? insert(key, entries[Int(use.entry)]!.mask.drawnTwice(alpha: alpha))
        return MaskUse(entry: index, x: use.x, y: use.y)
    }

    /// The product of two masks; nil when nothing is covered.
    func product(_ a: MaskUse, _ b: MaskUse) -> MaskUse? {
        let dx = b.x - a.x
        let dy = b.y - a.y
        let key = CoverageKey.product(entries[Int(a.entry)]!.serial, entries[Int(b.entry)]!.serial, x: dx, y: dy)
        let index: Int32
        if let found = find(key) {
            index = found
        } else {
            let moved = entries[Int(b.entry)]!.mask.offsetBy(x: Int(dx), y: Int(dy))
            index = insert(key, entries[Int(a.entry)]!.mask.multiplied(by: moved))
        }
        guard !entries[Int(index)]!.isEmpty else { return nil }
        return MaskUse(entry: index, x: a.x, y: a.y)
    }

    /// Gives the tiles of an entry their places in the atlas and says which bytes must be put there.
    func place(_ index: Int32, uploads: inout [CoverageUpload]) {
        guard entries[Int(index)]!.places.isEmpty, !entries[Int(index)]!.mask.tiles.isEmpty else { return }
        let entry = entries[Int(index)]!
        var places: [AtlasPlace] = []
        places.reserveCapacity(entry.mask.tiles.count)
        for tile in entry.mask.tiles {
            let place = atlas.allocate()
            places.append(place)
            let count = tile.columns * tile.rows
            uploads.append(
                CoverageUpload(
                    page: Int(place.page), x: Int(place.x), y: Int(place.y), width: tile.columns,
                    height: tile.rows, bytes: Array(entry.mask.bytes[tile.offset..<tile.offset + count])))
        }
        entries[Int(index)]!.places = places
    }

    func places(of index: Int32) -> [AtlasPlace] { entries[Int(index)]!.places }

    func spans(of index: Int32) -> [CoverageMask.Span] { entries[Int(index)]!.mask.spans }

    func tiles(of index: Int32) -> [CoverageMask.Tile] { entries[Int(index)]!.mask.tiles }
}

extension CoverageMask {
    /// Bytes, about: of a tile on the way to the driver too.
    fileprivate var cost: Int { 256 + bytes.count + spans.count * 48 + tiles.count * 384 }
}

/// The whole part and the phase in 1/1024 of a coordinate.
func wholeAndPhase(_ value: Double) -> (whole: Int, phase: Int16) {
    let fine = Int((value * 1_024).rounded())
    let whole = fine >> 10
    return (whole, Int16(fine - whole << 10))
}

/// The smallest box around a rectangle on an affine plane, device pixels.
func deviceBox(of rect: Rect, on plane: Homography) -> Rect {
    if plane.a12 == 0, plane.a21 == 0, plane.a13 == 0, plane.a23 == 0, plane.a33 == 1 {
        // Upright, as nearly all are: two corners say it.
        let (x0, x1) = (rect.minX * plane.a11 + plane.a31, rect.maxX * plane.a11 + plane.a31)
        let (y0, y1) = (rect.minY * plane.a22 + plane.a32, rect.maxY * plane.a22 + plane.a32)
        return Rect(minX: min(x0, x1), minY: min(y0, y1), maxX: max(x0, x1), maxY: max(y0, y1))
    }
    let (a, b, c, d) = rect.corners
    let (p, q, r, s) = (plane.apply(a), plane.apply(b), plane.apply(c), plane.apply(d))
    return Rect(
        minX: min(p.x, q.x, r.x, s.x), minY: min(p.y, q.y, r.y, s.y), maxX: max(p.x, q.x, r.x, s.x),
        maxY: max(p.y, q.y, r.y, s.y))
}
