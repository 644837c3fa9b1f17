// A bitmap context's memory: cairo's surface, and the app's view of it where that has another byte order.

import CCairo
import Foundation
import Glibc
import LayerModel

final class ContextBitmap {
    let width: Int
    let height: Int
    let format: PixelFormat
    let surface: OpaquePointer

    /// The native pixels, owned here unless the app's own memory is native.
    private let pixels: UnsafeMutablePointer<UInt8>
    private let ownsPixels: Bool
    let stride: Int

    /// The app's memory in its own format; nil while nobody has seen it.
    private(set) var view: UnsafeMutableRawPointer?
    private var ownsView = false
    let viewStride: Int

    /// - Parameters:
    ///   - data: The app's memory, or nil for memory of our own.
    ///   - bytesPerRow: Of the app's memory; 0 with nil: as it fits.
    /// Nil for a size outside the limits, too few bytes a row, or want of memory.
    init?(data: UnsafeMutableRawPointer?, width: Int, height: Int, bytesPerRow: Int, format: PixelFormat) {
        guard let count = try? ImageLimits.byteCount(width: width, height: height, of: ImageFileError.unnamed) else {
            return nil
        }
        let wanted = width * format.bytesPerPixel
        let given = bytesPerRow == 0 && data == nil ? wanted : bytesPerRow
        guard given >= wanted, given <= 1 << 28 else { return nil }
        (self.width, self.height, self.format) = (width, height, format)
        let isAligned = given % 4 == 0 && (data.map { Int(bitPattern: $0) % 4 == 0 } ?? true)
        if format.isNative, isAligned, let data {
            pixels = data.assumingMemoryBound(to: UInt8.self)
            (ownsPixels, stride, viewStride, view) = (false, given, given, data)
        } else {
            let isView = format.isNative && isAligned
            stride = isView ? given : width * 4
            guard stride.multipliedReportingOverflow(by: height).overflow == false,
                let memory = calloc(max(stride * height, count), 1)
            else { return nil }
            pixels = memory.assumingMemoryBound(to: UInt8.self)
            (ownsPixels, viewStride) = (true, given)
            view = isView ? memory : data
        }
        let kind = format.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
        surface = cairo_image_surface_create_for_data(pixels, kind, Int32(width), Int32(height), Int32(stride))
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
            cairo_surface_destroy(surface)
            if ownsPixels { free(pixels) }
            return nil
        }
        if data != nil, view != UnsafeMutableRawPointer(pixels) { readView() }
    }

    deinit {
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
        if ownsPixels { free(pixels) }
        if ownsView { free(view) }
    }

    /// The app's memory: made now where nobody asked before, and kept up to date from here on.
    func exposeView() -> UnsafeMutableRawPointer? {
        if view == nil {
            guard let memory = calloc(max(viewStride * height, 1), 1) else { return nil }
            (view, ownsView) = (memory, true)
        }
        update(PixelRect(minX: 0, minY: 0, maxX: width, maxY: height))
        return view
    }

    /// Writes to the app's memory what was drawn inside `rect`.
    func update(_ rect: PixelRect) {
        cairo_surface_flush(surface)
        if format.isOpaque, format.order == .bgra {
            for y in rect.minY..<max(rect.minY, rect.maxY) {
                let row = pixels + y * stride
                for x in rect.minX..<rect.maxX { row[x * 4 + 3] = 255 }
            }
        }
        guard let view, view != UnsafeMutableRawPointer(pixels) else { return }
        let bytes = view.assumingMemoryBound(to: UInt8.self)
        for y in rect.minY..<max(rect.minY, rect.maxY) {
            var source = UnsafePointer(pixels + y * stride + rect.minX * 4)
            var target = bytes + y * viewStride + rect.minX * format.bytesPerPixel
            for _ in rect.minX..<max(rect.minX, rect.maxX) {
                let alpha = format.isOpaque ? 255 : source[3]
                switch format.order {
                case .bgra: (target[0], target[1], target[2], target[3]) = (source[0], source[1], source[2], alpha)
                case .rgba: (target[0], target[1], target[2], target[3]) = (source[2], source[1], source[0], alpha)
                case .argb: (target[0], target[1], target[2], target[3]) = (alpha, source[2], source[1], source[0])
                case .abgr: (target[0], target[1], target[2], target[3]) = (alpha, source[0], source[1], source[2])
                case .alpha: target[0] = source[3]
                case .gray: target[0] = Self.luma(source)
                }
                source += 4
                target += format.bytesPerPixel
            }
        }
    }

    /// Takes over what the app had in its memory.
    private func readView() {
        guard let view else { return }
        let bytes = view.assumingMemoryBound(to: UInt8.self)
        for y in 0..<height {
            var target = pixels + y * stride
            var source = UnsafePointer(bytes + y * viewStride)
            for _ in 0..<width {
                switch format.order {
                case .bgra: (target[0], target[1], target[2], target[3]) = (source[0], source[1], source[2], source[3])
                case .rgba: (target[0], target[1], target[2], target[3]) = (source[2], source[1], source[0], source[3])
                case .argb: (target[0], target[1], target[2], target[3]) = (source[3], source[2], source[1], source[0])
                case .abgr: (target[0], target[1], target[2], target[3]) = (source[1], source[2], source[3], source[0])
                case .alpha: (target[0], target[1], target[2], target[3]) = (0, 0, 0, source[0])
                case .gray: (target[0], target[1], target[2], target[3]) = (source[0], source[0], source[0], 255)
                }
                if format.isOpaque { target[3] = 255 }
                source += format.bytesPerPixel
                target += 4
            }
        }
        cairo_surface_mark_dirty(surface)
    }

    private static func luma(_ pixel: UnsafePointer<UInt8>) -> UInt8 {
        let sum = Int(pixel[2]) * 2126 + Int(pixel[1]) * 7152 + Int(pixel[0]) * 722
        return UInt8(min((sum + 5000) / 10000, 255))
    }

    /// A copy of the pixels as a picture. A picture of an alpha-only bitmap is black with that alpha.
    func image() -> CGImage? {
        guard let memory = try? PixelMemory(count: width * height * 4, of: ImageFileError.unnamed) else { return nil }
        cairo_surface_flush(surface)
        for y in 0..<height {
            memory.copyRow(at: y * width * 4, from: UnsafeRawPointer(pixels + y * stride), count: width * 4)
        }
        let bytes = memory.base
        if format.isOpaque {
            for index in 0..<width * height { bytes[index * 4 + 3] = 255 }
        }
        if format.order == .gray {
            for index in 0..<width * height {
                let gray = Self.luma(bytes + index * 4)
                (bytes[index * 4], bytes[index * 4 + 1], bytes[index * 4 + 2]) = (gray, gray, gray)
            }
        } else if format.order == .alpha {
            for index in 0..<width * height {
                (bytes[index * 4], bytes[index * 4 + 1], bytes[index * 4 + 2]) = (0, 0, 0)
            }
        }
        return CGImage(memory.imageFromPremultipliedBGRA(width: width, height: height))
    }
}
