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

    package static func isFolder(_ path: String) -> Bool {
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

    /// What can be refused before a scene is read.
    ///
    /// - Throws: `ClipError.badFormat` for a rate that the format can't have.
    package func check(_ rate: FrameRate) throws(ClipError) {
        if rate.framesPerSecond > format.fastestRate {
            throw .badFormat("\(format.rawValue) has at most \(Int(format.fastestRate)) frames a second, not \(rate)")
        }
        let seconds = Double(rate.denominator) / Double(rate.numerator)
        if let longest = format.longestFrame, seconds > longest * (1 + 1e-12) {
            throw .badFormat(
                "\(format.rawValue) shows a frame for at most \(longest) s, and at \(rate) frames a second one lasts \(seconds) s; "
                    + "choose more frames a second, or write .apng or .y4m")
        }
        if format == .apng, rate.denominator > 65_535 || rate.numerator > 65_535 {
            throw .badFormat(
                "apng says how long a frame shows as a fraction of numbers up to 65535, which \(rate) frames a second is not; "
                    + "choose a whole number")
        }
    }

    /// What can be refused before a frame is drawn.
    ///
    /// - Throws: `ClipError.badFormat` for a size or a rate that the format can't have.
    package func check(_ shape: ClipShape) throws(ClipError) {
        try check(shape.rate)
        let (width, height) = (shape.width, shape.height)
        if format == .mp4, !options.isLossless, width % 2 != 0 || height % 2 != 0 {
            throw .badFormat(
                "H.264 needs an even width and height, and the picture is \(width)x\(height) pixels; "
                    + "make it \(width + width % 2)x\(height + height % 2), or write .webm or .mov")
        }
        let side = format.longestSide
        guard width <= side, height <= side else {
            throw .badFormat("\(format.rawValue) has at most \(side) pixels a side, not \(width)x\(height)")
        }
    }
}
