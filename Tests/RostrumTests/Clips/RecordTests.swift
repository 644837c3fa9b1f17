import Foundation
import LayerWire
import Quartz2D
import Testing

@testable import Rostrum

@Suite("Recording clips", .serialized)
struct RecordTests {
    let folder = ClipFolder()

    @Test("Raw frames are the bytes of snapshots at the same times, and what did not change is counted")
    func raw() throws {
        let scene = try ClipScene()
        let summary = try scene.record(folder.path("a.bgra"), frames: 12)
        let expected = try ClipScene.snapshots(12).flatMap { $0 }
        let bytes = try folder.bytes("a.bgra")
        #expect(bytes.count == expected.count)
        #expect(bytes == expected, "some frame is not the snapshot's")
        #expect(summary.frameCount == 12)
        // Frames 4 and 8 repeat 3 and 7.
        #expect(summary.repeatedFrames == 2)
        #expect(folder.contents == ["a.bgra"])
        #expect(scene.display.currentTime == 11.0 / 30)
    }

    @Test("A scene that stands still is drawn once")
    func still() throws {
        let display = try HeadlessDisplay(
            width: 20, height: 10, background: CGColor(gray: 1, alpha: 1), server: .embedded)
        var last: ClipProgress?
        let summary = try display.record(folder.path("a.y4m"), to: 1, progress: { last = $0 })
        #expect(summary.repeatedFrames == 59)
        #expect(last?.rendered == 60 && last?.encoded == 60 && last?.total == 60 && last?.repeated == 59)
        #expect(last?.remaining == 0)
    }

    @Test("A snapshot that somebody takes between two frames does not hide a change from the clip")
    func snapshotBetween() throws {
        let scene = try ClipScene()
        try scene.display.record(
            folder.path("a.bgra"), to: 0.2, fps: 30,
            update: { frame, _ in
                scene.move(to: frame * 2)
                // Now the server has drawn the change already.
                _ = try scene.display.snapshot()
            })
        let other = try ClipScene()
        var expected: [UInt8] = []
        for frame in 0..<6 {
            other.move(to: frame * 2)
            expected += try other.display.withPixels { bytes, _ in [UInt8](bytes) }
        }
        let bytes = try folder.bytes("a.bgra")
        #expect(bytes == expected, "a change is missing")
    }

    @Test("The bytes do not depend on the number of threads", arguments: ["apng", "y4m", "bgra", "png"])
    func jobs(_ ending: String) throws {
        var files: [[UInt8]] = []
        for jobs in [1, 2, 7] {
            let name = ending == "png" ? "\(jobs)/" : "\(jobs).\(ending)"
            try ClipScene().record(folder.path(name), frames: 10, ClipOptions(jobs: jobs))
            files.append(
                ending == "png"
                    ? try (0..<10).flatMap { try folder.bytes("\(jobs)/0000\($0).png") } : try folder.bytes(name))
        }
        #expect(files[0] == files[1] && files[0] == files[2])
        #expect(files[0].count > 100)
    }

    @Test("A sequence's files are those of writePNG, named by the frame's number")
    func sequence() throws {
        let scene = try ClipScene()
        let times = try FrameTimes(from: 0, frames: 2, through: 8, step: 3, 30)
        var hooks = RecordingHooks()
        hooks.update = { index, _ in scene.move(to: times.number(index)) }
        _ = try scene.display.record(times, to: ClipDestination(folder.path("f/card-%03d.png")), hooks)
        #expect(ClipFolderList.names(folder.path("f")) == ["card-002.png", "card-005.png", "card-008.png"])
        let other = try ClipScene()
        for frame in [2, 5, 8] {
            other.move(to: frame)
            try other.display.writePNG(to: folder.path("one.png"), at: Double(frame) / 30)
            let isSame = try folder.bytes("one.png") == folder.bytes("f/card-00\(frame).png")
            #expect(isSame, "frame \(frame)")
        }
    }

    @Test("A folder's other files are never touched, and a sequence's own only where that is asked for")
    func otherFiles() throws {
        try FileManager.default.createDirectory(atPath: folder.path("f"), withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path("f/notes.txt")))
        try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path("f/00001.png")))
        try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path("f/00009.png")))
        do {
            try ClipScene().record(folder.path("f"), frames: 3)
            Issue.record("files were overwritten")
        } catch let error as ClipError {
            #expect("\(error)".contains("00001.png"), "\(error)")
        }
        #expect(try folder.bytes("f/00001.png") == Array("old".utf8))
        let summary = try ClipScene().record(folder.path("f"), frames: 3, ClipOptions(replacesSequence: true))
        #expect(
            ClipFolderList.names(folder.path("f")) == ["00000.png", "00001.png", "00002.png", "00009.png", "notes.txt"])
        #expect(try folder.bytes("f/notes.txt") == Array("mine".utf8))
        #expect(try folder.bytes("f/00009.png") == Array("old".utf8))
        #expect(try folder.bytes("f/00001.png").count > 60)
        #expect(summary.warnings.first?.contains("1 other file") == true, "\(summary.warnings)")
    }

    @Test(
        "What progress throws gives the clip up: nothing is left, what was there stays",
        arguments: ["a.bgra", "f/", "a.apng", "a.mp4"])
    func givenUp(_ name: String) throws {
        struct Enough: Error {}
        if name.hasSuffix(".mp4"), !FFmpeg.isThere { return }
        if !name.hasSuffix("/") { try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path(name))) }
        let before = folder.contents
        #expect(throws: Enough.self) {
            try ClipScene().record(folder.path(name), frames: 40) { if $0.rendered == 20 { throw Enough() } }
        }
        #expect(folder.contents == before)
        if !name.hasSuffix("/") { #expect(try folder.bytes(name) == Array("old".utf8)) }
    }

    @Test("A display that gave a clip up records the next one, and lends no memory any more")
    func again() throws {
        struct Enough: Error {}
        let scene = try ClipScene()
        for _ in 0..<12 {
            #expect(throws: Enough.self) {
                try scene.display.record(
                    folder.path("a.bgra"), to: scene.display.currentTime + 1, fps: 30,
                    update: { frame, _ in scene.move(to: frame) },
                    progress: { if $0.rendered == 9 { throw Enough() } })
            }
        }
        let start = scene.display.currentTime
        let summary = try scene.display.record(folder.path("a.bgra"), to: start + 1, fps: 30)
        #expect(summary.frameCount == 30)
    }

    @Test("A clip from before the display's clock is an error, and writes nothing")
    func past() throws {
        let scene = try ClipScene()
        _ = try scene.display.snapshot(at: 2)
        do {
            try scene.display.record(folder.path("a.bgra"), from: 1, to: 3)
            Issue.record("time went back")
        } catch let error as DisplayError {
            guard case .timeWentBack(2, 1) = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(folder.contents.isEmpty)
        // Without a start it begins where the clock is.
        #expect(try scene.display.record(folder.path("a.bgra"), to: 3).frameCount == 60)
    }

    @Test(
        "Paths and wishes that no format fulfils are errors that say what would be right",
        arguments: [
            ("a", "ending names no format"), ("a.mkv", "ending names no format"),
            ("a%d%d.png", "one place for the number"),
            ("a.png", "one place for the number"), ("a%5d.png", "no place for a number"),
            ("no/such/a.y4m", "there is no folder"),
        ])
    func badPaths(_ name: String, _ message: String) throws {
        do {
            try ClipScene().record(folder.path(name), frames: 2)
            Issue.record("\(name) was written")
        } catch let error as ClipError {
            #expect("\(error)".contains(message), "\(error)")
        }
        #expect(folder.contents.isEmpty)
    }

    @Test("Options that a format does not have are errors")
    func badOptions() throws {
        let wishes: [(String, ClipOptions)] = [
            ("a.apng", ClipOptions(quality: 3)), ("a.mp4", ClipOptions(quality: 101)),
            ("a.mp4", ClipOptions(quality: -1)),
            ("a.webm", ClipOptions(isLossless: true)), ("a.mp4", ClipOptions(quality: 3, isLossless: true)),
            ("a.y4m", ClipOptions(jobs: 0)), ("a.y4m", ClipOptions(jobs: 1_000)),
        ]
        for (name, options) in wishes {
            #expect(throws: ClipError.self, "\(name)") { try ClipScene().record(folder.path(name), frames: 2, options) }
        }
        // H.264 shares chroma between two pixels.
        #expect(throws: ClipError.self) { try ClipScene(width: 47).record(folder.path("a.mp4"), frames: 2) }
        #expect(throws: ClipError.self) { try ClipScene().record(folder.path("a.gif"), frames: 2, fps: 60) }
        #expect(folder.contents.isEmpty)
    }

    @Test("A disk that is full is an error with the place and the reason", arguments: ["y4m", "bgra", "apng"])
    func fullDisk(_ ending: String) throws {
        // A link, so that the ending says the format.
        symlink("/dev/full", folder.path("full.\(ending)"))
        do {
            try ClipScene().record(folder.path("full.\(ending)"), frames: 20)
            Issue.record("a full disk was written to")
        } catch let error as ClipError {
            #expect("\(error)".contains("full.\(ending): No space left on device"), "\(error)")
        }
        #expect(folder.contents == ["full.\(ending)"])
    }

    @Test("However slow the reader is, only a few frames are under way")
    func bounded() throws {
        var most = 0
        try ClipScene().record("/dev/null", frames: 400, ClipOptions(format: .apng, jobs: 1)) {
            most = max(most, $0.rendered - $0.encoded)
        }
        // The frame that waits for room counts too.
        #expect(most <= 4, "\(most) frames at once")
    }
}

/// What is in a folder.
enum ClipFolderList {
    static func names(_ path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
