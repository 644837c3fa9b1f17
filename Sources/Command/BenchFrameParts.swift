import CLinux
import LayerWire
import Rostrum

/// Where a frame's time goes: medians, milliseconds.
struct BenchFrameParts {
    private var total: [Double] = []
    private var commit: [Double] = []
    private var plan: [Double] = []
    private var draw: [Double] = []

    init(_ layers: BenchLayers, from start: Int, frames: Int) throws {
        for frame in start..<start + frames {
            let time = layers.display.currentTime + 1.0 / 60
            let begin = clinux_monotonic_nanoseconds()
            layers.move(to: frame)
            let committed = clinux_monotonic_nanoseconds()
            let reply = try layers.display.withFrame(at: time, .pixels) { reply, _ in reply }
            let end = clinux_monotonic_nanoseconds()
            total.append(Double(end - begin) / 1e6)
            commit.append(Double(committed - begin) / 1e6)
            plan.append(Double(reply.planNanoseconds) / 1e6)
            draw.append(Double(reply.drawNanoseconds) / 1e6)
        }
    }

    /// The socket both ways, applying the commit, and reading the pixels back.
    private var rest: Double { total.median - commit.median - plan.median - draw.median }

    var text: String {
        "commit \(commit.median.rounded(to: 3)), plan \(plan.median.rounded(to: 3)), "
            + "draw \(draw.median.rounded(to: 2)), socket and reading back \(rest.rounded(to: 2)) ms"
    }

    var json: JSONText {
        .object([
            ("commit_ms", .number(commit.median)), ("plan_ms", .number(plan.median)),
            ("draw_ms", .number(draw.median)), ("rest_ms", .number(rest)),
        ])
    }
}

/// What each kind of pass takes when the next one waits for its end: medians over frames, milliseconds.
struct BenchPassTimes {
    /// Why the passes are there, how many a frame, and the time of all of them; the slowest kind first.
    private var rows: [(reason: String, passes: Double, time: Double, pixels: Double)] = []

    init(_ layers: BenchLayers, from start: Int, frames: Int) throws {
        var kinds: [String] = []
        var found: [[String: (passes: Int, time: Double, pixels: Double)]] = []
        for frame in start..<start + frames {
            layers.move(to: frame)
            let time = layers.display.currentTime + 1.0 / 60
            let passes = try layers.display.withFrame(at: time, [.timings, .synchronous]) { reply, _ in reply.passes }
            var sums: [String: (passes: Int, time: Double, pixels: Double)] = [:]
            for pass in passes {
                if !kinds.contains(pass.reason) { kinds.append(pass.reason) }
                var sum = sums[pass.reason] ?? (0, 0, 0)
                sum.passes += 1
                sum.time += Double(pass.gpuNanoseconds ?? 0) / 1e6
                sum.pixels += Double(pass.pixels)
                sums[pass.reason] = sum
            }
            found.append(sums)
        }
        rows = kinds.map { kind in
            (
                kind, found.map { Double($0[kind]?.passes ?? 0) }.median, found.map { $0[kind]?.time ?? 0 }.median,
                found.map { $0[kind]?.pixels ?? 0 }.median
            )
        }
        rows.sort { $0.time > $1.time }
    }

    var text: String {
        var text = ""
        for row in rows where row.passes > 0 {
            text += "  passes for \(row.reason): \(Int(row.passes)), \(row.time.rounded(to: 2)) ms, "
            text += "\((row.pixels / 1e6).rounded(to: 2)) million pixels\n"
        }
        return text.isEmpty ? "  no passes\n" : text
    }

    var json: JSONText {
        .array(
            rows.map { row in
                .object([
                    ("reason", .string(row.reason)), ("passes", .number(row.passes)), ("ms", .number(row.time)),
                    ("pixels", .number(row.pixels)),
                ])
            })
    }
}
