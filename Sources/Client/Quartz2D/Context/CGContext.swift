// Drawing with Apple's spelling, on cairo.
//
// Three spaces. *User space* is what the app draws in; `ctm` leads from it to *base space*, where a bitmap context counts
// points upwards from the bottom left pixel's corner; `baseToDevice` leads from there to *device pixels*, y down, which is
// cairo's space. The current path is kept in base space, so that changing the ctm does not move what was added. A layer's
// context begins with a ctm that makes user space the layer's own (`initialTransform`); shadows and patterns are measured
// before the ctm but after that one.
//
// Cairo keeps the clip, on its own stack in step with ours. Everything else is set for each operation. An operation goes one
// of two ways: straight to the target; or, where there is a shadow, a mask, alpha over more than one color or a blend mode
// that cairo does not confine to the shape, into a bitmap of its own that is then laid over.
//
// Nothing here traps: numbers that are not finite are ignored, coordinates far outside are brought to ±`farAway`, and what
// cairo refuses is said once as a warning.

import CCairo
import Foundation
import LayerModel

/// A bitmap that is drawn into. One thread at a time may use it.
public final class CGContext {
    let bitmap: ContextBitmap
    /// The ctm to begin with.
    let initialTransform: CGAffineTransform
    /// Base space to device pixels.
    let baseToDevice: CGAffineTransform

    var state: GraphicsState
    private var savedStates: [GraphicsState] = []
    /// Where drawing goes: the bitmap, then one for each open transparency layer.
    var targets: [DrawingTarget]
    /// Base space.
    var currentPath = CGMutablePath()
    var storedTextMatrix = CGAffineTransform.identity
    var allowsAntialiasing = true
    /// Cells within cells.
    var patternDepth = 0
    /// Transparency layers that were begun without memory for them.
    var unopenedLayers = 0
    /// Glyph origins may lie between pixels only at quarters.
    var quantizesGlyphs = false
    /// What warnings call the context.
    package var label = "CGContext"

    /// Coordinates in pixels are brought to ± this; cairo's numbers end at 8,388,608.
    static let farAway = 4_000_000.0

    /// A bitmap context: user space counts up from the bottom left, a unit a pixel.
    ///
    /// - Parameters:
    ///   - data: Memory for the pixels, which stays the caller's and must outlive the context; nil: the context's own.
    ///   - bytesPerRow: 0 with own memory: as it fits.
    ///   - space: RGB or gray; every color counts as encoded sRGB.
    ///   - bitmapInfo: 8 bits a component: premultiplied or no alpha first or last in either 32-bit order, alpha only, gray
    ///     without alpha. In memory in another order than premultiplied BGRA, what the app itself writes there after this
    ///     call is not seen.
    /// Nil for another format, a size outside the limits (16,384 a side, 512 MiB) or too few bytes a row.
    public convenience init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace?, bitmapInfo: UInt32
    ) {
        guard
            let format = PixelFormat(bitsPerComponent: bitsPerComponent, space: space, bitmapInfo: bitmapInfo),
            let bitmap = ContextBitmap(
                data: data, width: width, height: height, bytesPerRow: bytesPerRow, format: format)
        else { return nil }
        self.init(bitmap, initialTransform: .identity)
    }

    /// As above, with the bits as a `CGBitmapInfo`.
    public convenience init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: CGBitmapInfo
    ) {
        self.init(
            data: data, width: width, height: height, bitsPerComponent: bitsPerComponent, bytesPerRow: bytesPerRow,
            space: space, bitmapInfo: bitmapInfo.rawValue)
    }

    /// A layer's context.
    ///
    /// - Parameters:
    ///   - format: Of the picture that becomes the layer's contents.
    ///   - initialTransform: The layer's space to base space, which counts pixels upwards.
    package convenience init?(
        width: Int, height: Int, isOpaque: Bool, isGray: Bool = false, initialTransform: CGAffineTransform
    ) {
        let format = PixelFormat(order: isGray ? .gray : .bgra, isOpaque: isOpaque || isGray)
        guard
            let bitmap = ContextBitmap(data: nil, width: width, height: height, bytesPerRow: 0, format: format)
        else { return nil }
        self.init(bitmap, initialTransform: initialTransform)
    }

    private init?(_ bitmap: ContextBitmap, initialTransform: CGAffineTransform) {
        guard let target = DrawingTarget(bitmap) else { return nil }
        self.bitmap = bitmap
        self.initialTransform = initialTransform
        baseToDevice = CGAffineTransform(1, 0, 0, -1, 0, CGFloat(bitmap.height))
        state = GraphicsState(ctm: initialTransform)
        targets = [target]
    }

    // MARK: The bitmap

    /// Pixels.
    public var width: Int { bitmap.width }
    /// Pixels.
    public var height: Int { bitmap.height }
    /// Bytes from one row of `data` to the next.
    public var bytesPerRow: Int { bitmap.viewStride }
    /// Always 8.
    public var bitsPerComponent: Int { 8 }
    /// 32, or 8 of a context with gray or alpha alone.
    public var bitsPerPixel: Int { bitmap.format.bytesPerPixel * 8 }

    /// sRGB, or gray; nil where there is alpha alone.
    public var colorSpace: CGColorSpace? {
        switch bitmap.format.order {
        case .alpha: nil
        case .gray: .gray
        default: .standard
        }
    }

    /// Where alpha stands in a pixel of `data`.
    public var alphaInfo: CGImageAlphaInfo {
        switch bitmap.format.order {
        case .alpha: .alphaOnly
        case .gray: .none
        case .bgra, .argb: bitmap.format.isOpaque ? .noneSkipFirst : .premultipliedFirst
        case .rgba, .abgr: bitmap.format.isOpaque ? .noneSkipLast : .premultipliedLast
        }
    }

    /// Alpha and byte order of `data`.
    public var bitmapInfo: CGBitmapInfo {
        let order: CGBitmapInfo =
            switch bitmap.format.order {
            case .bgra, .abgr: .byteOrder32Little
            default: .byteOrderDefault
            }
        return [order, CGBitmapInfo(rawValue: alphaInfo.rawValue)]
    }

    /// The pixels in the format that was asked for, rows from the top. Stays up to date until the context is gone.
    public var data: UnsafeMutableRawPointer? { bitmap.exposeView() }

    /// A copy of what was drawn. Open transparency layers are not in it.
    public func makeImage() -> CGImage? { bitmap.image() }

    /// Everything drawn is in the bitmap's memory at once; nothing to do.
    public func flush() {}
    /// Everything drawn is in the bitmap's memory at once; nothing to do.
    public func synchronize() {}

    // MARK: The state stack

    /// How deep states and transparency layers may be saved.
    private static let maximumDepth = 4_096

    /// Keeps the state, all but path and text matrix, for `restoreGState()`. At most 4,096 are kept.
    public func saveGState() {
        guard savedStates.count < CGContext.maximumDepth else {
            return warn("more than \(CGContext.maximumDepth) states are saved; one is not")
        }
        pushState()
    }

    func pushState() {
        savedStates.append(state)
        cairo_save(target.cairo)
        target.savedStates += 1
    }

    /// Nothing where none was saved since the innermost transparency layer began.
    public func restoreGState() {
        guard target.savedStates > 0, let saved = savedStates.popLast() else { return }
        state = saved
        target.savedStates -= 1
        cairo_restore(target.cairo)
    }

    var target: DrawingTarget { targets[targets.count - 1] }

    // MARK: Warnings

    func warn(_ message: String) {
        ClientWarnings.shared.warnOnce("\(label): \(message).")
    }

    /// Says what cairo did not do. A target in error draws nothing more.
    func checkCairo(_ cairo: OpaquePointer) {
        let status = cairo_status(cairo)
        guard status != CAIRO_STATUS_SUCCESS else { return }
        warn("cairo: \(String(cString: cairo_status_to_string(status))); what follows may not be drawn")
    }
}

/// A bitmap and cairo's state for it.
final class DrawingTarget {
    let cairo: OpaquePointer
    let surface: OpaquePointer
    /// Where it lies among the context's pixels.
    let rect: PixelRect
    /// Saves that `restoreGState` may undo.
    var savedStates = 0

    init?(_ bitmap: ContextBitmap) {
        surface = cairo_surface_reference(bitmap.surface)
        cairo = cairo_create(surface)
        rect = PixelRect(minX: 0, minY: 0, maxX: bitmap.width, maxY: bitmap.height)
        guard cairo_status(cairo) == CAIRO_STATUS_SUCCESS else { return nil }
    }

    /// A transparent bitmap for a part of the context's pixels. Nil for want of memory.
    init?(_ rect: PixelRect, format: cairo_format_t = CAIRO_FORMAT_ARGB32) {
        guard !rect.isEmpty else { return nil }
        surface = cairo_image_surface_create(format, Int32(rect.width), Int32(rect.height))
        cairo_surface_set_device_offset(surface, -Double(rect.minX), -Double(rect.minY))
        cairo = cairo_create(surface)
        self.rect = rect
        guard cairo_status(cairo) == CAIRO_STATUS_SUCCESS else { return nil }
    }

    deinit {
        cairo_destroy(cairo)
        cairo_surface_destroy(surface)
    }

    /// The bytes, with the pixel (0, 0) of `rect` first.
    var bytes: UnsafeMutablePointer<UInt8> { cairo_image_surface_get_data(surface) }
    var stride: Int { Int(cairo_image_surface_get_stride(surface)) }

    /// What the clip leaves, whole pixels.
    var clipBox: PixelRect {
        var (minX, minY, maxX, maxY) = (0.0, 0.0, 0.0, 0.0)
        cairo_identity_matrix(cairo)
        cairo_clip_extents(cairo, &minX, &minY, &maxX, &maxY)
        return PixelRect(covering: minX, minY, maxX, maxY).intersection(rect)
    }
}

extension PixelRect {
    /// The whole pixels that an area touches; far edges are brought near, and what is not finite is empty.
    init(covering minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double) {
        guard (minX + minY + maxX + maxY).isFinite else {
            self = .empty
            return
        }
        func pixel(_ value: Double) -> Int { Int(min(max(value, -CGContext.farAway), CGContext.farAway)) }
        self.init(
            minX: pixel(minX.rounded(.down)), minY: pixel(minY.rounded(.down)), maxX: pixel(maxX.rounded(.up)),
            maxY: pixel(maxY.rounded(.up)))
    }
}
