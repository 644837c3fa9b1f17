import Glibc

/// A place for a clip and how it is written there: everything that can be refused before a frame is drawn.
package struct ClipDestination: Sendable {
    package let path: String
    package let format: ClipFormat
    package let options: ClipOptions

    /// - Throws: `ClipError.badFormat`.
    package init(_ path: String, _ options: ClipOptions = ClipOptions()) throws(ClipError) {
        self.path = path
        self.options = options
        var wanted = options
        if wanted.format == nil, Self.isFolder(path) { wanted.format = .pngSequence }
        format = try wanted.format(for: path)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Begins the clip.
    ///
    /// - Throws: `ClipError`.
    package func writer(_ shape: ClipShape, numbers: [Int]) throws -> any ClipWriter {
        try check(shape)
        switch format {
        case .pngSequence:
            return try PNGSequenceWriter(path, shape, numbers: numbers, replaces: options.replacesSequence)
        case .apng: return try APNGWriter(path, shape)
        case .y4m: return try Y4MWriter(path, shape)
        case .bgra: return try RawWriter(path, shape)
        case .mp4, .webm, .mov, .gif, .webp, .avif:
            let quality = options.quality ?? format.defaultQuality ?? 0
            let encoding = format.encoding(quality: quality, isLossless: options.isLossless)!
            return try FFmpegWriter(path, shape, encoding)
        }
    }

    /// - Throws: `ClipError.badFormat` for a size or a rate that the format can't have.
    private func check(_ shape: ClipShape) throws(ClipError) {
        let (width, height) = (shape.width, shape.height)
        if format == .mp4, !options.isLossless, width % 2 != 0 || height % 2 != 0 {
            throw .badFormat(
                "H.264 needs an even width and height, and the picture is \(width)x\(height) pixels; "
                    + "make it \(width + width % 2)x\(height + height % 2), or write .webm or .mov")
        }
        if shape.rate.framesPerSecond > format.fastestRate {
            throw .badFormat(
                "\(format.rawValue) has at most \(Int(format.fastestRate)) frames a second, not \(shape.rate)")
        }
        let side =
            switch format {
            case .webp: 16_383
            case .gif: 65_535
            default: 16_384
            }
        guard width <= side, height <= side else {
            throw .badFormat("\(format.rawValue) has at most \(side) pixels a side, not \(width)x\(height)")
        }
    }
}
