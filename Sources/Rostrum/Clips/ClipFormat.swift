/// What a clip is written as. docs/clips.md says of each what it keeps.
public enum ClipFormat: String, Sendable, Hashable, CaseIterable {
    /// A PNG file a frame, straight alpha.
    case pngSequence = "png"
    /// An animated PNG: straight alpha, every level kept.
    case apng
    /// YUV4MPEG2: BT.709, limited range, 4:2:0, no alpha.
    case y4m
    /// The pixels as they lie in memory: premultiplied BGRA, rows from the top, frame after frame.
    case bgra
    /// H.264 in MP4, no alpha.
    case mp4
    /// VP9 in WebM, with alpha.
    case webm
    /// ProRes 4444 in QuickTime, with alpha.
    case mov
    /// Animated GIF: 256 colors a frame, a pixel is visible or not.
    case gif
    /// Animated WebP, with alpha.
    case webp
    /// AV1 in an AVIF sequence, no alpha.
    case avif

    /// The format that a path's ending names; nil for an ending that names none.
    ///
    /// A folder (`frames/`) and a pattern (`frame-%05d.png`) are sequences.
    public init?(path: String) {
        if path.hasSuffix("/") {
            self = .pngSequence
            return
        }
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex || name.count > 1 else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "raw": self = .bgra
        case "m4v": self = .mp4
        case let ending:
            guard let format = ClipFormat(rawValue: ending) else { return nil }
            self = format
        }
    }

    /// True where the format keeps how transparent a pixel is. GIF keeps whether it is.
    public var keepsAlpha: Bool {
        switch self {
        case .y4m, .mp4, .avif: false
        case .pngSequence, .apng, .bgra, .webm, .mov, .gif, .webp: true
        }
    }

    /// True where ffmpeg does the encoding.
    public var needsEncoder: Bool { encoding != nil }

    /// True where quality can be chosen.
    package var hasQuality: Bool { defaultQuality != nil }

    /// Whether every level of every channel can be kept.
    package var canBeLossless: Bool {
        switch self {
        case .pngSequence, .apng, .bgra, .mp4, .webp: true
        case .y4m, .webm, .mov, .gif, .avif: false
        }
    }

    /// 0 to 100; nil where there is nothing to choose.
    package var defaultQuality: Int? {
        switch self {
        case .mp4, .webm, .avif: 70
        case .webp: 80
        case .pngSequence, .apng, .y4m, .bgra, .mov, .gif: nil
        }
    }

    /// The fastest rate that the format can say.
    var fastestRate: Double {
        switch self {
        // Delays are hundredths of a second, and players take one hundredth for ten.
        case .gif: 50
        default: FrameRate.fastest
        }
    }

    /// How long the format can show one frame, seconds; nil where it can for any time, or says it as a fraction.
    var longestFrame: Double? {
        switch self {
        case .pngSequence, .apng, .y4m, .bgra: nil
        // A delay is 16 bits of hundredths of a second.
        case .gif: 655.35
        // libaom's time unit is a second at most.
        case .avif: 1
        // What is longer comes out wrong, or not at all: times are numbers of 32 bits, WebP's of 24.
        case .mp4, .webm, .mov, .webp: 1_000
        }
    }

    /// Pixels along a side.
    var longestSide: Int {
        switch self {
        case .webp: 16_383
        case .gif: 65_535
        default: 16_384
        }
    }

    /// Endings, for messages.
    package static var endings: String {
        ".png, .apng, .y4m, .bgra, .mp4, .webm, .mov, .gif, .webp, .avif"
    }
}

/// How a clip is written.
public struct ClipOptions: Sendable, Hashable {
    /// Nil is what the path's ending names.
    public var format: ClipFormat?
    /// 0 (small) to 100 (good), for the formats that lose something; nil is the format's own, 70 or 80.
    public var quality: Int?
    /// Keeps every level. MP4 becomes H.264 4:4:4 RGB then, which fewer players know.
    public var isLossless = false
    /// Whether files of a sequence that are there already are replaced. A single file is always replaced, once the new one is
    /// whole.
    public var replacesSequence = false
    /// Threads that prepare frames for the file; nil is one a processor, at most 4. The bytes do not depend on it.
    public var jobs: Int?

    /// Options; without arguments the defaults.
    public init(
        format: ClipFormat? = nil, quality: Int? = nil, isLossless: Bool = false, replacesSequence: Bool = false,
        jobs: Int? = nil
    ) {
        self.format = format
        self.quality = quality
        self.isLossless = isLossless
        self.replacesSequence = replacesSequence
        self.jobs = jobs
    }

    /// What is written at a path.
    ///
    /// - Throws: `ClipError.badFormat` where the ending names no format, or the format can't do what is asked.
    package func format(for path: String) throws(ClipError) -> ClipFormat {
        guard let format = format ?? ClipFormat(path: path) else {
            throw .badFormat(
                "\(path): the ending names no format of a clip; they are \(ClipFormat.endings); a folder ends with /")
        }
        if let quality {
            guard format.hasQuality else { throw .badFormat("\(format.rawValue) has no quality to choose") }
            guard (0...100).contains(quality) else {
                throw .badFormat("a quality of \(quality); it must be from 0 to 100")
            }
            guard !isLossless else { throw .badFormat("lossless leaves no quality to choose") }
        }
        guard !isLossless || format.canBeLossless else {
            throw .badFormat("\(format.rawValue) can't be lossless; .png, .apng, .webp, .mp4 and .bgra can")
        }
        if let jobs {
            guard (1...64).contains(jobs) else { throw .badFormat("\(jobs) jobs; it must be from 1 to 64") }
        }
        return format
    }
}
