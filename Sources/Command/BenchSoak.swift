// Whether a server ends where it began: for minutes, sessions come, draw scenes of effects that change with every frame, and
// go. Before and after that, one session with one scene alone is drawn until nothing is left in reserve, and what is held
// then is compared: descriptors, targets, kept surfaces, images, pages of coverage, layers, resident memory.
//
// The first part of the time only warms up: drivers compile a program for each combination of states they meet.

import CLinux
import CoreAnimation
import Glibc
import LayerGPU
import LayerModel
import LayerWire
import Quartz2D
import RenderServer

struct BenchSoak {
    /// How far what is held may be from what was held before, a part of it.
    private static let tolerance = 0.05
    /// Minutes from which memory has to hold; in less the driver is still compiling.
    private static let longEnough = 3.0
    /// Sessions at a time.
    private static let sessions = 4
    /// Frames of the one scene before anything is counted: more than targets are kept in reserve for.
    private static let settling = 150

    private let server: RenderServer
    private let picture: CGImage
    private var random = SoakNumbers(state: 1)
    private var frames = 0
    private var lives = 0
    private var degradations = 0

    static func measure(_ device: DeviceChoice, minutes: Double) throws -> BenchReport {
        var configuration = RenderConfiguration(device: device, warmsUp: true)
        configuration.switches = .all
        let server = try RenderServer(ServerConfiguration(render: configuration))
        defer { server.stop() }
        var soak = try BenchSoak(server)
        return try soak.measure(minutes: minutes)
    }

    private init(_ server: RenderServer) throws {
        self.server = server
        picture = try BenchPictures.waves(96, 96, scale: 0.3) { x in UInt8(64 + x % 128) }
    }

    // MARK: What is held

    private struct Count {
        var name: String
        var before: Int
        var after: Int

        /// Nothing that is counted one by one may grow by less than a whole.
        var holds: Bool {
            abs(after - before) <= Int((Double(before) * BenchSoak.tolerance).rounded(.up))
        }

        var ratio: Double { before == 0 ? 1 : Double(after) / Double(before) }
    }

    private static let resident = "resident bytes"
    private static let programs = "programs"
    /// What takes minutes to be all there: programs are compiled when something first needs them, up to a limit.
    private static let slow: Set = [resident, programs]

    private mutating func holdings() throws -> [(name: String, count: Int)] {
        var life = try SoakSession(server, picture, seed: 0)
        for frame in 0..<Self.settling { try life.draw(Double(frame), changing: false) }
        guard let held = server.holdings() else { throw CommandFailure(.environment, "the server has stopped") }
        clinux_trim_heap()
        let counts = [
            ("descriptors", Int(clinux_open_descriptors())), ("sessions", held.sessions), ("layers", held.layers),
            ("images", held.images), ("frame buffers", held.frameBuffers),
            ("textures of images", held.graphics.imagesAlive),
            ("bytes of images", held.graphics.imageBytesAlive), ("targets", held.graphics.targetsAlive),
            ("bytes of targets", held.graphics.targetBytesAlive), ("kept surfaces", held.graphics.spritesAlive),
            ("bytes of kept surfaces", held.graphics.spriteBytesAlive), ("roots", held.graphics.rootsAlive),
            ("coverage pages", held.graphics.coveragePagesAlive), (Self.programs, held.graphics.programsAlive),
            (Self.resident, Int(clinux_resident_bytes())),
        ]
        life.end()
        try waitForNobody()
        return counts
    }

    private func waitForNobody() throws {
        let end = clinux_monotonic_nanoseconds() + 5_000_000_000
        while server.statistics.sessions > 0 {
            guard clinux_monotonic_nanoseconds() < end else {
                throw CommandFailure(.environment, "\(server.statistics.sessions) sessions did not end")
            }
            usleep(1_000)
        }
    }

    // MARK: The run

    private mutating func measure(minutes: Double) throws -> BenchReport {
        try run(seconds: minutes * 60 / 4)
        let before = try holdings()
        (frames, lives, degradations) = (0, 0, 0)
        try run(seconds: minutes * 60)
        let after = try holdings()
        let counts = zip(before, after).map { Count(name: $0.name, before: $0.count, after: $1.count) }
        return report(counts, minutes)
    }

    /// Sessions take turns; one in forty frames is a session's last.
    private mutating func run(seconds: Double) throws {
        let end = clinux_monotonic_nanoseconds() + UInt64(seconds * 1e9)
        var alive: [SoakSession] = []
        var turn = 0
        while clinux_monotonic_nanoseconds() < end {
            if alive.count < Self.sessions {
                lives += 1
                alive.append(try SoakSession(server, picture, seed: random.next()))
            }
            let place = turn % alive.count
            degradations += try alive[place].draw(Double(turn), changing: true)
            frames += 1
            turn += 1
            if random.below(40) == 0 { alive.remove(at: place).end() }
        }
        for session in alive { session.end() }
        try waitForNobody()
    }

    private func report(_ counts: [Count], _ minutes: Double) -> BenchReport {
        func holds(_ count: Count) -> Bool {
            count.holds || Self.slow.contains(count.name) && minutes < Self.longEnough
        }
        let allHold = counts.allSatisfy(holds)
        var text = "soak: \(minutes) minutes, \(lives) sessions, \(frames) frames, \(degradations) degradations\n"
        for count in counts {
            text += "  \(count.name): \(count.before), then \(count.after)"
            text += count.before == count.after ? "" : " (\(((count.ratio - 1) * 100).rounded(to: 1)) %)"
            text += holds(count) ? "\n" : "  DOES NOT END WHERE IT BEGAN\n"
        }
        text += "  each must be within \(Int(Self.tolerance * 100)) % of what it was"
        text +=
            minutes < Self.longEnough
            ? "; memory and programs in runs of \(Int(Self.longEnough)) minutes and more\n" : "\n"
        let json = JSONText.object([
            ("bench", .string("soak")), ("minutes", .number(minutes)), ("sessions", .integer(lives)),
            ("frames", .integer(frames)), ("degradations", .integer(degradations)),
            (
                "rows",
                .array(
                    counts.map { count in
                        .object([
                            ("name", .string(count.name)), ("before", .integer(count.before)),
                            ("after", .integer(count.after)), ("holds", .bool(holds(count))),
                        ])
                    })
            ), ("holds", .bool(allHold)),
        ])
        return BenchReport(text: text, json: json, holds: allHold)
    }
}
