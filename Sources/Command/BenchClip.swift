// A clip next to its two halves: what drawing 300 frames takes alone, what encoding them takes alone, and both as `record` does it.
// The better they overlap, the nearer the clip is to the larger of the halves; on few processors nothing can be faster than the
// processor time of both over the number of processors. The three take turns, so that a slow second of the machine meets all.

import CLinux
import CoreAnimation
import Foundation
import Glibc
import LayerModel
import Rostrum

struct BenchClip {
    private static let usualFrames = 300
    private static let rounds = 3
    /// The scene looks the same every 72 frames.
    private static let period = 72
    /// What the clip may take, times what it must.
    private static let limit = 1.15

    private static let manyFrames = 10_000
    /// Bytes that the memory of a process may grow by between frame 1,000 and the last; frees and allocations don't come out even.
    private static let growthLimit: Int64 = 8 << 20

    /// - Parameter frames: Of the clip; nil is 300, which is what the limit is about.
    static func measure(frames: Int?) throws -> BenchReport {
        let folder = try TemporaryBenchFolder()
        let overlap = try measureOverlap(folder.path, frames: frames ?? usualFrames)
        let memory = try measureMemory(folder.path)
        return BenchReport(
            text: overlap.text + memory.text, json: .object(overlap.pairs + memory.pairs),
            holds: overlap.holds && memory.holds)
    }

    private struct Part {
        var text: String
        var pairs: [(key: String, value: JSONText)]
        var holds: Bool
    }

    /// Wall clock and processor time, ffmpeg's too, seconds.
    private struct Times {
        var wall: Double
        var processor: Double

        init(_ body: () throws -> Void) rethrows {
            let before = Self.processor
            wall = try BenchClock.milliseconds(body) / 1e3
            processor = Self.processor - before
        }

        private static var processor: Double {
            var usage = rusage()
            getrusage(RUSAGE_CHILDREN.rawValue, &usage)
            func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
            return BenchClock.processor / 1e3 + seconds(usage.ru_utime) + seconds(usage.ru_stime)
        }
    }

    // MARK: Overlap

    private static func measureOverlap(_ folder: String, frames: Int) throws -> Part {
        let layers = try BenchLayers(.cards, BenchPictures())
        // What has just begun to move is drawn as what stands still: the pictures are those of a scene under way, as the clip's are.
        for frame in 0..<period { try layers.draw(frame) }
        let pictures = try (0..<period).map { frame in
            layers.move(to: frame)
            return try layers.display.withPixels { bytes, rowBytes in ClipPixels(copying: bytes, bytesPerRow: rowBytes)
            }
        }
        let processors = Double(max(ProcessInfo.processInfo.activeProcessorCount, 1))
        var rounds: [(render: Times, encode: Times, clip: Times, least: Double)] = []
        for _ in 0..<Self.rounds {
            let render = try Times { for frame in 0..<frames { try layers.draw(frame) } }
            let encode = try Times { try self.encode(pictures, frames, "\(folder)/encoded.mp4") }
            let clip = try Times { try record(layers, frames, "\(folder)/clip.mp4") }
            let least = max(render.wall, encode.wall, (render.processor + encode.processor) / processors)
            rounds.append((render, encode, clip, least))
        }
        let isSame = FileManager.default.contentsEqual(atPath: "\(folder)/encoded.mp4", andPath: "\(folder)/clip.mp4")
        let ratio = rounds.map { $0.clip.wall / $0.least }.median
        let holds = ratio <= limit && isSame
        func median(_ value: (Int) -> Double) -> Double { rounds.indices.map(value).median.rounded(to: 2) }
        let numbers: [(key: String, value: Double)] = [
            ("render_s", median { rounds[$0].render.wall }), ("render_cpu_s", median { rounds[$0].render.processor }),
            ("encode_s", median { rounds[$0].encode.wall }), ("encode_cpu_s", median { rounds[$0].encode.processor }),
            ("clip_s", median { rounds[$0].clip.wall }), ("clip_cpu_s", median { rounds[$0].clip.processor }),
        ]
        let text =
            "clip: \(frames) frames of S1, 1920x1080, to mp4, \(Int(processors)) processors; medians of \(Self.rounds), seconds\n"
            + "  drawing alone \(numbers[0].value) (processor \(numbers[1].value)), encoding alone \(numbers[2].value) "
            + "(\(numbers[3].value)), both \(numbers[4].value) (\(numbers[5].value))\n"
            + "  \(ratio.rounded(to: 2)) times what must be (at most \(limit))\(ratio <= limit ? "" : "  TOO SLOW")\n"
            + (isSame ? "" : "  NOT THE SAME FILE as from frames in memory\n")
        return Part(
            text: text,
            pairs: [("bench", .string("clip")), ("frames", .integer(frames)), ("processors", .number(processors))]
                + numbers.map { ($0.key, .number($0.value)) }
                + [
                    ("ratio", .number(ratio.rounded(to: 3))), ("same_file", .bool(isSame)),
                    ("holds", .bool(holds)),
                ], holds: holds)
    }

    /// The clip from pictures in memory.
    private static func encode(_ pictures: [ClipPixels], _ frames: Int, _ path: String) throws {
        let shape = ClipShape(width: BenchScene.width, height: BenchScene.height, rate: 60, count: frames)
        let writer = try ClipDestination(path).writer(shape, numbers: Array(0..<frames))
        let pipeline = try ClipPipeline(writer, jobs: ClipPipeline.usualJobs, depth: ClipPipeline.usualJobs + 2)
        do {
            for frame in 0..<frames {
                try pipeline.submit(
                    ClipFrame(index: frame, number: frame, pixels: pictures[frame % pictures.count], previous: nil)
                ) {}
            }
            try pipeline.finish {}
        } catch {
            pipeline.abandon()
            throw error
        }
    }

    private static func record(_ layers: BenchLayers, _ frames: Int, _ path: String) throws {
        let start = layers.display.currentTime
        let times = try FrameTimes(from: start, frames: 0, through: frames - 1, 60)
        var hooks = RecordingHooks()
        hooks.update = { frame, _ in layers.move(to: frame) }
        _ = try layers.display.record(times, to: ClipDestination(path), hooks)
    }

    // MARK: Memory

    private static func measureMemory(_ folder: String) throws -> Part {
        let formats: [ClipFormat] = [.mp4, .apng]
        let growths = try formats.map { try growth("\(folder)/many.\($0.rawValue)") }
        let holds = growths.allSatisfy { $0 <= growthLimit }
        let text = zip(formats, growths).map { format, bytes in
            "  memory from frame 1,000 to frame 10,000 of 96x64 pixels, \(format.rawValue): "
                + "\((Double(bytes) / 1_048_576).rounded(to: 1)) MiB more (at most \(growthLimit >> 20))\n"
        }
        return Part(
            text: text.joined(),
            pairs: zip(formats, growths).map { ("growth_bytes_\($0.rawValue)", .integer(Int($1))) }
                + [("memory_holds", .bool(holds))], holds: holds)
    }

    /// Bytes by which this process grows while it records small frames, every one another picture.
    private static func growth(_ path: String) throws -> Int64 {
        let display = try HeadlessDisplay(
            width: 96, height: 64, background: CGColor(gray: 1, alpha: 1), server: .embedded)
        let box = CALayer()
        box.bounds = CGRect(x: 0, y: 0, width: 20, height: 20)
        box.cornerRadius = 6
        box.backgroundColor = CGColor(red: 0.2, green: 0.4, blue: 0.8, alpha: 1)
        display.rootLayer.addSublayer(box)
        var early: Int64 = 0
        var hooks = RecordingHooks()
        hooks.update = { frame, _ in
            CATransaction.begin()
            CATransaction.setDisableActions(true)
            box.position = CGPoint(x: 10 + frame * 7 % 76, y: 10 + frame * 3 % 44)
            CATransaction.commit()
        }
        hooks.progress = { if $0.rendered == 1_000 { early = clinux_resident_bytes() } }
        _ = try display.record(
            FrameTimes(from: 0, frames: 0, through: manyFrames - 1, 60), to: ClipDestination(path), hooks)
        return max(clinux_resident_bytes() - early, 0)
    }
}

/// A folder under /tmp that goes with the object.
private final class TemporaryBenchFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/rostrum-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(.environment, "no folder under /tmp: \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
