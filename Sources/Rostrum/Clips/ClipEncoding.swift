// What ffmpeg is told for each format. The same frames give the same file: the number of threads is fixed, since x264's bytes
// depend on it; `bitexact` leaves out versions, dates and random numbers. Colors are converted by us (yuv.c), never by ffmpeg,
// except for GIF and WebP, which keep RGB.

/// How frames reach ffmpeg, and what it makes of them.
struct ClipEncoding: Sendable {
    enum Input: Sendable {
        case planes(PlaneConversion)
        case straight
        /// As they are, alpha left out.
        case opaque
    }

    var input: Input
    /// The name of the input's pixels.
    var pixels: String
    /// Between input and output.
    var output: [String]
    /// ffmpeg's name of the encoder.
    var encoder: String
    /// ffmpeg's name of the container.
    var container: String

    /// Threads of the encoder.
    static let threads = 4

    /// Everything behind the program's name.
    func words(_ shape: ClipShape, to file: String) -> [String] {
        var words = [
            "-hide_banner", "-nostats", "-nostdin", "-loglevel", "error", "-y", "-xerror", "-filter_threads", "1",
            "-filter_complex_threads", "1",
        ]
        words += ["-f", "rawvideo", "-pixel_format", pixels, "-video_size", "\(shape.width)x\(shape.height)"]
        words += ["-framerate", "\(shape.rate)"]
        if case .planes = input {
            words += [
                "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
            ]
        }
        words += ["-i", "pipe:0", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]
        words += ["-threads", "\(Self.threads)", "-c:v", encoder] + output
        if case .planes = input {
            words += [
                "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
            ]
        }
        // A colon in a name is no protocol.
        return words + ["-f", container, "file:" + file]
    }
}

extension ClipFormat {
    /// What ffmpeg does for a format that is not built in; nil for one that is.
    var encoding: ClipEncoding? { encoding(quality: defaultQuality ?? 0, isLossless: false) }

    /// ffmpeg's name of the encoder; nil for a format that is built in.
    package var encoderName: String? { encoding?.encoder }

    func encoding(quality: Int, isLossless: Bool) -> ClipEncoding? {
        /// From 0 for the best to `worst`: what encoders call CRF.
        func factor(_ worst: Int) -> String {
            String(min(max(Int((Double(100 - quality) * Double(worst) / 85).rounded()), 1), worst))
        }
        switch self {
        case .pngSequence, .apng, .y4m, .bgra: return nil
        case .mp4 where isLossless:
            return ClipEncoding(
                input: .opaque, pixels: "bgr0",
                output: ["-preset", "veryfast", "-crf", "0", "-pix_fmt", "bgr0", "-movflags", "+faststart"],
                encoder: "libx264rgb", container: "mp4")
        case .mp4:
            return ClipEncoding(
                input: .planes(.opaque420), pixels: "yuv420p",
                output: [
                    "-preset", "veryfast", "-crf", factor(51), "-chroma_sample_location", "left", "-movflags",
                    "+faststart",
                ], encoder: "libx264", container: "mp4")
        case .webm:
            return ClipEncoding(
                input: .planes(.alpha420), pixels: "yuva420p",
                output: [
                    "-crf", factor(63), "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1",
                    "-auto-alt-ref", "0",
                ], encoder: "libvpx-vp9", container: "webm")
        case .mov:
            return ClipEncoding(
                input: .planes(.alpha444), pixels: "yuva444p10le",
                output: ["-profile:v", "4444", "-vendor", "apl0", "-alpha_bits", "16"], encoder: "prores_ks",
                container: "mov")
        case .gif:
            return ClipEncoding(
                input: .straight, pixels: "rgba",
                // A palette a frame: one for all frames would keep all frames in memory.
                output: [
                    "-filter_complex",
                    "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=sierra2_4a", "-loop",
                    "0",
                ], encoder: "gif", container: "gif")
        case .webp:
            return ClipEncoding(
                input: .straight, pixels: "rgba",
                output: (isLossless
                    ? ["-lossless", "1", "-quality", "50"] : ["-lossless", "0", "-quality", "\(quality)"])
                    + ["-pix_fmt", "bgra", "-loop", "0"], encoder: "libwebp_anim", container: "webp")
        case .avif:
            return ClipEncoding(
                input: .planes(.opaque420), pixels: "yuv420p",
                output: [
                    "-crf", factor(63), "-b:v", "0", "-cpu-used", "6", "-row-mt", "1", "-usage", "good",
                ], encoder: "libaom-av1", container: "avif")
        }
    }
}
