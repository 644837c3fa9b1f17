// Masks by what they show, kept between frames, and their place in the atlas.
//
// A mask is made once for a shape at a scale, a turn and a sub-pixel phase, at (0, 0); whole-pixel moves reuse it. The
// phase is rounded to 1/1024 pixel, a quarter of a level. A mask never depends on which frames were drawn, so neither do
// the bytes of a picture; only whether it must be made again does.

import LayerModel
import Paths

/// What a mask shows.
enum CoverageKey: Hashable {
    /// A shape under the linear part of an affine plane, at a phase of 1/1024 pixels. `clip` is set where the shape was
    /// too large to make whole; it counts from the mask's own (0, 0).
    case shape(
        ShapeGeometry, a11: Double, a12: Double, a21: Double, a22: Double, phaseX: Int16, phaseY: Int16, hard: Bool,
        clip: PixelRect?)
    /// A shape in perspective: nothing of it is reused at another place.
    case projected(ShapeGeometry, Homography, hard: Bool, clip: PixelRect)
    /// A polygon of device pixels.
    case polygon([Point], clip: PixelRect)
    /// Two masks multiplied; the second lies at (x, y) of the first.
    case product(UInt64, UInt64, x: Int32, y: Int32)
}

/// Masks of all sessions. One render thread owns it.
package final class CoverageCache {
    struct Entry {
        var key: CoverageKey
        /// Never used twice, for keys of products.
        var serial: UInt64
        var mask: CoverageMask
        /// What the mask may touch, from its (0, 0).
        var bounds: PixelRect
        /// A place in the atlas for each tile; empty until the mask is first drawn.
        var places: [AtlasPlace]
        var lastUsed: UInt64
    }

    private(set) var entries: ContiguousArray<Entry?> = []
    private var lookup: [CoverageKey: Int32] = [:]
    private var freeEntries: [Int32] = []
    private var nextSerial: UInt64 = 1
    private var frame: UInt64 = 0
    private var rasterizer = CoverageRasterizer()
    private var atlas: CoverageAtlas
    private var maskBytes = 0
    /// Counts evictions: a plan made before one may not be drawn again.
    package private(set) var evictions: UInt64 = 0
    package private(set) var hits: UInt64 = 0
    package private(set) var misses: UInt64 = 0

    /// Bytes of masks, and atlas pages, above which what the last frames did not use goes.
    private let maskByteLimit: Int
    private let pageLimit: Int

    /// - Parameters:
    ///   - maskByteLimit: Kept mask bytes.
    ///   - pageLimit: Kept atlas pages, 4 MiB each. A frame that needs more gets more.
    package init(maskByteLimit: Int = 64 << 20, pageLimit: Int = 16) {
        self.maskByteLimit = maskByteLimit
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
            let last = frame
            evict { $0.lastUsed < last }
        }
        frame += 1
    }

    private func evict(where shouldGo: (Entry) -> Bool) {
        var went = false
        for index in entries.indices {
            guard let entry = entries[index], shouldGo(entry) else { continue }
            went = true
            lookup[entry.key] = nil
            maskBytes -= entry.mask.bytes.count
            for place in entry.places { atlas.free(place) }
            entries[index] = nil
            freeEntries.append(Int32(index))
        }
        if went {
            atlas.trim()
            evictions += 1
        }
    }

    func entry(_ index: Int32) -> Entry { entries[Int(index)]! }

    func withMask<R>(_ index: Int32, _ body: (borrowing CoverageMask, PixelRect) -> R) -> R {
        body(entries[Int(index)]!.mask, entries[Int(index)]!.bounds)
    }

    private func find(_ key: CoverageKey) -> Int32? {
        guard let index = lookup[key] else { return nil }
        entries[Int(index)]!.lastUsed = frame
        hits += 1
        return index
    }

    private func insert(_ key: CoverageKey, _ mask: CoverageMask) -> Int32 {
        misses += 1
        let entry = Entry(
            key: key, serial: nextSerial, mask: mask, bounds: mask.bounds, places: [], lastUsed: frame)
        nextSerial += 1
        maskBytes += mask.bytes.count
        let index: Int32
        if let free = freeEntries.popLast() {
            index = free
            entries[Int(free)] = entry
        } else {
            index = Int32(entries.count)
            entries.append(entry)
        }
        lookup[key] = index
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
        let key = CoverageKey.shape(
            shape, a11: plane.a11 * scale, a12: plane.a12 * scale, a21: plane.a21 * scale, a22: plane.a22 * scale,
            phaseX: phaseX, phaseY: phaseY, hard: hard, clip: local)
        let index: Int32
        if let found = find(key) {
            index = found
        } else {
            // [x y 1]·placed puts the shape's first corner at its phase.
            var placed = Homography(
                plane.a11 * scale, plane.a12 * scale, 0, plane.a21 * scale, plane.a22 * scale, 0, 0, 0, 1)
            let origin = placed.apply(shape.rect.origin)
            placed.a31 = Double(phaseX) / 1_024 - origin.x
            placed.a32 = Double(phaseY) / 1_024 - origin.y
            let area = local ?? PixelRect(minX: -4_096, minY: -4_096, maxX: 4_096, maxY: 4_096)
            index = insert(key, rasterize(shape, placed, hard: hard, clip: area))
        }
        guard !entries[Int(index)]!.mask.isEmpty else { return nil }
        return MaskUse(entry: index, x: Int32(x), y: Int32(y))
    }

    private func projectedMask(of shape: ShapeGeometry, on plane: Homography, hard: Bool, clip: PixelRect) -> MaskUse? {
        let key = CoverageKey.projected(shape, plane, hard: hard, clip: clip)
        let index = find(key) ?? insert(key, rasterize(shape, plane, hard: hard, clip: clip))
        guard !entries[Int(index)]!.mask.isEmpty else { return nil }
        return MaskUse(entry: index, x: 0, y: 0)
    }

    /// The pixels whose centres lie in a polygon of device pixels; nil when there are none.
    ///
    /// Not smooth: the two sides of a cut must add up to the whole where nothing lies between them.
    func mask(of polygon: [Point], clip: PixelRect) -> MaskUse? {
        let key = CoverageKey.polygon(polygon, clip: clip)
        let index = find(key) ?? insert(key, rasterizer.hardEdgedMask(of: .polygon(polygon), clip: clip))
        guard !entries[Int(index)]!.mask.isEmpty else { return nil }
        return MaskUse(entry: index, x: 0, y: 0)
    }

    private func rasterize(_ shape: ShapeGeometry, _ plane: Homography, hard: Bool, clip: PixelRect) -> CoverageMask {
        let outline = shape.outline(projectedBy: plane, clippedTo: clip)
        return hard
            ? rasterizer.hardEdgedMask(of: outline, clip: clip)
            : rasterizer.rasterize(outline, rule: .nonZero, clip: clip)
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
        guard !entries[Int(index)]!.mask.isEmpty else { return nil }
        return MaskUse(entry: index, x: a.x, y: a.y)
    }

    /// Gives the tiles of an entry their places in the atlas and says which bytes must be put there.
    func place(_ index: Int32, uploads: inout [CoverageUpload]) {
        guard let entry = entries[Int(index)], entry.places.isEmpty, !entry.mask.tiles.isEmpty else { return }
        var places: [AtlasPlace] = []
        places.reserveCapacity(entry.mask.tiles.count)
        for tile in entry.mask.tiles {
            let place = atlas.allocate()
            places.append(place)
            let count = tile.rect.width * tile.rect.height
            uploads.append(
                CoverageUpload(
                    page: Int(place.page), x: Int(place.x), y: Int(place.y), width: tile.rect.width,
                    height: tile.rect.height, bytes: Array(entry.mask.bytes[tile.offset..<tile.offset + count])))
        }
        entries[Int(index)]!.places = places
    }

    func places(of index: Int32) -> [AtlasPlace] { entries[Int(index)]!.places }
}

/// The whole part and the phase in 1/1024 of a coordinate.
func wholeAndPhase(_ value: Double) -> (whole: Int, phase: Int16) {
    let fine = Int((value * 1_024).rounded())
    let whole = fine >> 10
    return (whole, Int16(fine - whole << 10))
}

/// The smallest box around a rectangle on an affine plane, device pixels.
func deviceBox(of rect: Rect, on plane: Homography) -> Rect {
    let (a, b, c, d) = rect.corners
    let (p, q, r, s) = (plane.apply(a), plane.apply(b), plane.apply(c), plane.apply(d))
    return Rect(
        minX: min(p.x, q.x, r.x, s.x), minY: min(p.y, q.y, r.y, s.y), maxX: max(p.x, q.x, r.x, s.x),
        maxY: max(p.y, q.y, r.y, s.y))
}
