// What was written, read by other programs: ffmpeg, libpng.

import Foundation
import Quartz2D
import Testing

@testable import Rostrum

@Suite("What clips hold", .serialized)
struct ClipFormatTests {
    let folder = ClipFolder()

    /// The mean and the largest difference of two pictures' bytes, where `counts` says that they count.
    private func difference(_ a: [UInt8], _ b: [UInt8], counts: (Int) -> Bool = { _ in true }) -> (
        mean: Double, largest: Int
    ) {
        guard a.count == b.count else { return (255, 255) }
        var (sum, largest, number) = (0, 0, 0)
        for at in a.indices where counts(at) {
            let difference = abs(Int(a[at]) - Int(b[at]))
            sum += difference
            largest = max(largest, difference)
            number += 1
        }
        return (Double(sum) / Double(max(number, 1)), largest)
    }

    private func alphas(_ rgba: [UInt8]) -> [UInt8] { stride(from: 3, to: rgba.count, by: 4).map { rgba[$0] } }

    private static let white = CGColor(gray: 1, alpha: 1)

    @Test("APNG: ffmpeg decodes every frame to the snapshot's straight colors and alpha", .enabled(if: FFmpeg.isThere))
    func apng() throws {
        try ClipScene().record(folder.path("a.apng"), frames: 12)
        let frames = try FFmpeg.frames(folder.path("a.apng"), width: 48, height: 32)
        let expected = try ClipScene.snapshots(12).map(straight)
        #expect(frames.count == 12)
        for index in frames.indices { #expect(frames[index] == expected[index], "frame \(index) differs") }
        let times = try FFmpeg.times(folder.path("a.apng"))
        #expect(times.count == 12)
        for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 30) < 1e-3) }
    }

    @Test(
        "APNG: libpng decodes each frame's rectangle, and laid over one another they are the snapshots",
        arguments: [(48, 32), (47, 31), (20, 1)])
    func apngByChunks(_ width: Int, _ height: Int) throws {
        let (w, h) = (CGFloat(width), CGFloat(height))
        try ClipScene(width: w, height: h).record(folder.path("a.apng"), frames: 10, fps: 29.97)
        let expected = try ClipScene.snapshots(10, fps: 30_000 / 1_001, width: w, height: h)
        var canvas = [UInt8](repeating: 0, count: width * height * 4)
        let animation = try Animation(folder.bytes("a.apng"))
        #expect(animation.frameCount == 10)
        #expect(animation.frames.count == 10)
        #expect(animation.areNumbered, "the chunks' numbers have gaps")
        for (index, frame) in animation.frames.enumerated() {
            #expect(frame.delay == [1_001, 30_000])
            let image = try CGImage(data: Data(frame.png))
            #expect(image.width == frame.width && image.height == frame.height)
            image.content.pixels.withBytes { bytes in
                for row in 0..<frame.height {
                    let target = ((frame.y + row) * width + frame.x) * 4
                    for byte in 0..<frame.width * 4 { canvas[target + byte] = bytes[row * image.bytesPerRow + byte] }
                }
            }
            // Straight colors in the file are premultiplied again by the reader: at most a level lost on the way.
            #expect(difference(canvas, expected[index]).largest <= 1, "frame \(index)")
        }
        // Frame 4 repeats frame 3: one pixel.
        #expect(animation.frames[4].width == 1 && animation.frames[4].height == 1)
    }

    @Test(
        "Y4M: ffmpeg reads the planes that were made, of any size", .enabled(if: FFmpeg.isThere),
        arguments: [(48, 32), (47, 31)])
    func y4m(_ width: Int, _ height: Int) throws {
        let (w, h) = (CGFloat(width), CGFloat(height))
        try ClipScene(width: w, height: h, background: Self.white).record(folder.path("a.y4m"), frames: 9)
        let header = try String(decoding: folder.bytes("a.y4m").prefix { $0 != 10 }, as: UTF8.self)
        #expect(header.hasPrefix("YUV4MPEG2 W\(width) H\(height) F30:1 Ip A1:1 C420mpeg2"), "\(header)")
        let size = width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
        #expect(try folder.bytes("a.y4m").count == header.utf8.count + 1 + 9 * (size + 6))
        let frames = try FFmpeg.frames(folder.path("a.y4m"), width: width, height: height)
        let expected = try ClipScene.snapshots(9, width: w, height: h, background: Self.white).map(straight)
        #expect(frames.count == 9)
        // Chroma is shared by four pixels; single pixels at the box's rim differ more.
        for index in frames.indices { #expect(difference(frames[index], expected[index]).mean < 6, "frame \(index)") }
    }

    @Test("Lossless MP4 keeps every level", .enabled(if: FFmpeg.isThere))
    func losslessMP4() throws {
        let options = ClipOptions(isLossless: true)
        try ClipScene(background: Self.white).record(folder.path("a.mp4"), frames: 9, options)
        let frames = try FFmpeg.frames(folder.path("a.mp4"), width: 48, height: 32)
        let expected = try ClipScene.snapshots(9, background: Self.white).map(straight)
        #expect(frames.count == 9)
        for index in frames.indices { #expect(frames[index] == expected[index], "frame \(index) differs") }
    }

    @Test(
        "MP4, WebM, MOV and AVIF have every frame at its time, and its picture within what the format loses",
        .enabled(if: FFmpeg.isThere),
        arguments: [("mp4", 48, 32, 6), ("webm", 47, 31, 6), ("mov", 47, 31, 1), ("avif", 48, 32, 8)]
            as [(String, Int, Int, Double)])
    func lossy(_ ending: String, _ width: Int, _ height: Int, _ tolerance: Double) throws {
        let path = folder.path("a.\(ending)")
        let (w, h) = (CGFloat(width), CGFloat(height))
        let summary = try ClipScene(width: w, height: h, background: Self.white).record(path, frames: 24, fps: 29.97)
        #expect(summary.warnings.isEmpty, "\(summary.warnings)")
        #expect(summary.firstFrameThatLostAlpha == nil)
        let frames = try FFmpeg.frames(path, width: width, height: height)
        let expected = try ClipScene.snapshots(
            24, fps: 30_000 / 1_001, width: w, height: h, background: Self.white
        ).map(straight)
        #expect(frames.count == 24)
        for index in frames.indices {
            #expect(difference(frames[index], expected[index]).mean < tolerance, "frame \(index)")
        }
        let times = try FFmpeg.times(path)
        #expect(times.count == 24)
        // WebM counts whole milliseconds.
        for (index, time) in times.enumerated() {
            #expect(abs(time - times[0] - Double(index * 1_001) / 30_000) < 1.1e-3, "frame \(index) at \(time)")
        }
    }

    @Test(
        "WebM and MOV keep alpha, and straight colors where there is any", .enabled(if: FFmpeg.isThere),
        arguments: [("webm", "libvpx-vp9", 12), ("mov", nil, 2)] as [(String, String?, Double)])
    func alpha(_ ending: String, _ decoder: String?, _ tolerance: Double) throws {
        let path = folder.path("a.\(ending)")
        try ClipScene().record(path, frames: 12, ClipOptions(quality: ending == "webm" ? 95 : nil))
        let frames = try FFmpeg.frames(path, width: 48, height: 32, decoder: decoder)
        let expected = try ClipScene.snapshots(12).map(straight)
        #expect(frames.count == 12)
        for index in frames.indices {
            let (got, wanted) = (frames[index], expected[index])
            #expect(difference(alphas(got), alphas(wanted)).mean < 1.5, "alpha of frame \(index)")
            let color = difference(got, wanted) { wanted[$0 | 3] >= 100 && $0 & 3 != 3 }
            #expect(color.mean < tolerance, "colors of frame \(index): \(color)")
        }
        // Nothing, half and the steps between at the rim: not all the same.
        #expect(Set(alphas(frames[0])).count > 2)
    }

    @Test(
        "GIF: a pixel is there from half alpha on, and every frame has its colors and its time",
        .enabled(if: FFmpeg.isThere))
    func gif() throws {
        try ClipScene().record(folder.path("a.gif"), frames: 10, fps: 25)
        let frames = try FFmpeg.frames(folder.path("a.gif"), width: 48, height: 32)
        let expected = try ClipScene.snapshots(10, fps: 25).map(straight)
        #expect(frames.count == 10)
        for index in frames.indices {
            let wanted = expected[index]
            for (got, alpha) in zip(alphas(frames[index]), alphas(wanted)) {
                guard got == (alpha >= 128 ? 255 : 0) else {
                    Issue.record("frame \(index): alpha \(alpha) became \(got)")
                    break
                }
            }
            let color = difference(frames[index], wanted) { wanted[$0 | 3] >= 128 && $0 & 3 != 3 }
            #expect(color.mean < 4, "frame \(index): \(color)")
        }
        let times = try FFmpeg.times(folder.path("a.gif"))
        for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 25) < 1e-3) }
    }

    @Test(
        "WebP: every frame is there and lasts its time; lossless keeps every level of the first",
        .enabled(if: FFmpeg.isThere))
    func webp() throws {
        try ClipScene().record(folder.path("a.webp"), frames: 9, fps: 25, ClipOptions(isLossless: true))
        let bytes = try folder.bytes("a.webp")
        var durations: [Int] = []
        var at = 12
        while at + 8 <= bytes.count {
            let size = (0..<4).reduce(0) { $0 | Int(bytes[at + 4 + $1]) << (8 * $1) }
            if bytes[at..<at + 4].elementsEqual("ANMF".utf8) {
                durations.append((0..<3).reduce(0) { $0 | Int(bytes[at + 8 + 12 + $1]) << (8 * $1) })
            }
            at += 8 + size + size % 2
        }
        // libwebp joins frames that are alike.
        #expect(durations.reduce(0, +) == 9 * 40, "\(durations)")
        #expect((7...9).contains(durations.count))
        let image = try CGImage(data: Data(bytes))
        let expected = try ClipScene.snapshots(1)[0]
        let got = image.content.pixels.withBytes { [UInt8]($0) }
        #expect(difference(got, expected).largest <= 1)
    }

    @Test(
        "The same frames give the same file, whatever the number of threads", .enabled(if: FFmpeg.isThere),
        arguments: ["mp4", "webm", "mov", "gif", "webp", "avif"])
    func repeatable(_ ending: String) throws {
        for jobs in [1, 3] {
            try ClipScene(background: Self.white).record(
                folder.path("\(jobs).\(ending)"), frames: 30, ClipOptions(jobs: jobs))
        }
        let isSame = try folder.bytes("1.\(ending)") == folder.bytes("3.\(ending)")
        #expect(isSame)
        #expect(folder.contents.count == 2)
    }

    @Test(
        "A format without alpha says which frame lost some", .enabled(if: FFmpeg.isThere),
        arguments: ["mp4", "avif", "y4m"])
    func lostAlpha(_ ending: String) throws {
        let summary = try ClipScene().record(folder.path("a.\(ending)"), frames: 3)
        #expect(summary.firstFrameThatLostAlpha == 0)
    }
}

/// An animated PNG taken apart, as the specification says.
private struct Animation {
    struct Frame {
        var x = 0
        var y = 0
        var width = 0
        var height = 0
        var delay: [Int] = []
        /// A PNG file of the frame alone.
        var png: [UInt8] = []
    }

    var frameCount = 0
    var frames: [Frame] = []
    var areNumbered = true

    init(_ bytes: [UInt8]) throws {
        func number(_ slice: ArraySlice<UInt8>) -> Int { slice.reduce(0) { $0 << 8 | Int($1) } }
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            let body = Array(name.utf8) + data
            var crc: UInt32 = .max
            for byte in body {
                crc ^= UInt32(byte)
                for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
            }
            func four(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
            return four(UInt32(data.count)) + body + four(~crc)
        }
        var at = 8
        var header: [UInt8] = []
        var expected = 0
        var data: [UInt8] = []
        func finish() {
            guard !frames.isEmpty else { return }
            let last = frames[frames.count - 1]
            var size: [UInt8] = []
            for value in [last.width, last.height] { size += [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
            frames[frames.count - 1].png =
                Array(bytes[..<8]) + chunk("IHDR", size + header[8...]) + chunk("IDAT", data) + chunk("IEND", [])
            data = []
        }
        while at + 12 <= bytes.count {
            let length = number(bytes[at..<at + 4])
            let name = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            let body = bytes[at + 8..<at + 8 + length]
            // The file's own checksums hold.
            if chunk(name, Array(body)) != Array(bytes[at..<at + 12 + length]) { areNumbered = false }
            switch name {
            case "IHDR": header = Array(body)
            case "acTL": frameCount = number(body.prefix(4))
            case "fcTL":
                finish()
                if number(body.prefix(4)) != expected { areNumbered = false }
                expected += 1
                let numbers = (0..<4).map { number(body.dropFirst(4 + $0 * 4).prefix(4)) }
                let delay = [number(body.dropFirst(20).prefix(2)), number(body.dropFirst(22).prefix(2))]
                frames.append(
                    Frame(x: numbers[2], y: numbers[3], width: numbers[0], height: numbers[1], delay: delay))
            case "IDAT": data += body
            case "fdAT":
                if number(body.prefix(4)) != expected { areNumbered = false }
                expected += 1
                data += body.dropFirst(4)
            case "IEND": finish()
            default: break
            }
            at += 12 + length
        }
    }
}
