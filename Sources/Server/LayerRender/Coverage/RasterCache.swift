// Pictures that are worked out on the processor, pixel by pixel: gradients. A picture depends on what it shows alone, so it
// is kept by that, as masks are, and serves again wherever whole pixels move it. Its bytes are needed until a pass that
// draws it has put them into a texture; then the texture is all there is of it.

import LayerModel

/// What a picture shows.
enum RasterKey: Hashable {
    /// A gradient of `size` pixels, through a map from their plane to the unit square; coarse ones are stretched.
    case gradient(GradientProperties, toUnit: Homography, size: PixelSize)
}

/// Pictures of one session.
package final class RasterCache {
    private struct Entry {
        var key: RasterKey
        var number: UInt32
        var size: PixelSize
        var bytes: Int
        /// Nil once they are on their way to the driver.
        var pixels: [UInt8]?
        var lastUsed: UInt64
    }

    private var entries: [UInt32: Entry] = [:]
    private var lookup: [RasterKey: UInt32] = [:]
    private var next: UInt32 = 1
    private var frame: UInt64 = 0
    /// The last frame that asked for all of its pictures.
    private var lastWhole: UInt64 = 0
    private var forgotten: [ImageKey] = []
    private var session: UInt32 = 0
    /// Of all pictures.
    package private(set) var bytes = 0

    /// Bytes above which what the last frames did not use goes.
    private static let limit = 64 << 20
    /// Bytes above which pictures are coarse.
    private static let ceiling = 256 << 20

    var isOverfull: Bool { bytes > Self.limit }

    /// One more of so many pixels may be as fine as the display.
    func hasRoom(for pixels: Int) -> Bool { pixels <= (Self.ceiling - min(bytes, Self.ceiling)) / 4 }

    /// - Returns: True when pictures were dropped.
    func beginFrame(keeping: Bool) -> Bool {
        let old = entries.values.filter { !keeping || isOverfull && $0.lastUsed < lastWhole }
        for entry in old {
            entries[entry.number] = nil
            lookup[entry.key] = nil
            bytes -= entry.bytes
            if entry.pixels == nil { forgotten.append(.raster(session: session, number: entry.number)) }
        }
        frame += 1
        lastWhole = frame
        return !old.isEmpty
    }

    func continueFrame() { frame += 1 }

    /// The picture that shows something; made if it isn't there.
    func picture(_ key: RasterKey, _ size: PixelSize, session: UInt32, _ making: () -> [UInt8]) -> ImageKey {
        self.session = session
        if let number = lookup[key] {
            entries[number]!.lastUsed = frame
            return .raster(session: session, number: number)
        }
        let pixels = making()
        let number = next
        next &+= 1
        entries[number] = Entry(
            key: key, number: number, size: size, bytes: pixels.count + 256, pixels: pixels, lastUsed: frame)
        lookup[key] = number
        bytes += pixels.count + 256
        return .raster(session: session, number: number)
    }

    /// A picture of an earlier frame is in this one, too.
    func use(_ key: ImageKey) {
        guard key.isRaster else { return }
        entries[key.image.rawValue]?.lastUsed = frame
    }

    /// A picture is drawn: says which bytes must be put into a texture first.
    func place(_ key: ImageKey, uploads: inout [RasterUpload]) {
        guard key.isRaster, let entry = entries[key.image.rawValue], let pixels = entry.pixels else { return }
        entries[entry.number]!.pixels = nil
        uploads.append(RasterUpload(key: key, size: entry.size, pixels: pixels))
    }

    /// Pictures whose textures may go.
    func takeForgotten() -> [ImageKey] {
        defer { forgotten.removeAll() }
        return forgotten
    }
}
