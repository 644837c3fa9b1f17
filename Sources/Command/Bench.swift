// How fast Rostrum is on this machine, next to cairo where cairo can draw the same. A virtual machine's speed changes from
// second to second, so nothing is compared across runs: both painters take turns in one process, and the ratio of the
// medians is what counts. What is measured and what is good: docs/performance.md.

import CLinux
import Glibc
import LayerGPU
import LayerWire
import Quartz2D
import Rostrum

extension Verb {
    static let bench = Verb(
        "bench", "Measure how fast scenes are planned and drawn, next to cairo.",
        operands: ["[PART]…"],
        flags: [
            Flag(
                "frames", value: "N",
                "Frames of a scene, for each of the two; of the clip. Default 200, of the clip 300."),
            Flag("minutes", value: "N", "How long soak runs. Default 1."),
            Flag("scene", value: "SCENE", "What start renders. Default Examples/Demo.ca."),
            .json,
        ],
        notes: """
            S1     60 scrolling cards: rounded, shadows, portraits cut to circles, bars, borders
            S3     30 moving pictures in masks that have masks
            S4     a moving, clipped panel of 200 boxes; S4-cached: with shouldRasterize, next to a kept image of cairo's
            S6     a moving photo under a pane that blurs it
            S7     the cards at rest and a turning arc; S7-damage: next to a cairo that is told what changes
            S8     a moving photo under a translucent picture
            plan   from committed layers to a frame's plan: 1,000, 10,000 and 40,000 layers
            passes whether the times of passes add up to the frame's
            animations
                   sampling 10,000 running animations, 10,000 paused ones, and one
            paths  filling next to FreeType, a line along 10,000 points, a ring that grows
            text   setting a paragraph of 2,000 characters
            start  rostrum render from its start to the written file, with a warm and an empty shader cache
            clip   300 frames of S1 as mp4 next to drawing alone and encoding alone; memory over 10,000 frames. Needs ffmpeg
            soak   scenes of effects that change, in sessions that come and go: memory and counters end where they began
            Any of them may be named, in any order; without a name all but soak are run. Scenes also compare the two pictures.
            """,
        examples: [
            Example("rostrum bench", "Everything; about two minutes."),
            Example("rostrum bench S8 plan --json", "Two of them, a line of JSON each."),
        ]
    ) { arguments in
        let runs = try BenchRun.runs(arguments.operands)
        let frames = try arguments.integer("frames", in: 10...100_000)
        let minutes = try arguments.number("minutes", above: 0) ?? 1
        let scene = arguments.text("scene") ?? "Examples/Demo.ca"
        #if DEBUG
            Console.warn("this is a debug build, which is many times slower: swift build -c release")
        #endif
        var holds = true
        for run in runs {
            let report = try CommandFailure.explaining {
                try run.measure(frames: frames, scene: scene, minutes: minutes)
            }
            try Console.result(arguments.isSet("json") ? report.json.line + "\n" : report.text)
            holds = holds && report.holds
        }
        return holds ? .done : .differs
    }
}

/// What one part of the bench found.
struct BenchReport {
    /// Lines for a person.
    var text: String
    var json: JSONText
    /// What must hold does: the right picture, and the times of docs/performance.md.
    var holds: Bool
}

/// One part of the bench.
enum BenchRun: Equatable {
    case scene(BenchContest)
    case plan
    case passes
    case animations
    case paths
    case text
    case start
    case clip
    case soak

    static func runs(_ names: [String]) throws -> [BenchRun] {
        let all: [(name: String, run: BenchRun)] =
            BenchContest.all.map { ($0.name, .scene($0)) } + [
                ("plan", .plan), ("passes", .passes), ("animations", .animations), ("paths", .paths),
                ("text", .text), ("start", .start), ("clip", .clip), ("soak", .soak),
            ]
        guard !names.isEmpty else { return all.map(\.run).filter { $0 != .soak } }
        return try names.map { name in
            if let found = all.first(where: { $0.name.lowercased() == name.lowercased() }) { return found.run }
            throw CommandFailure.usage(
                "bench has no part \"\(name)\"", help: "they are: " + all.map(\.name).joined(separator: ", "))
        }
    }

    func measure(frames: Int?, scene: String, minutes: Double) throws -> BenchReport {
        switch self {
        case .plan: try BenchPlan.measure()
        case .passes: try BenchPasses.measure(DeviceChoice.fromEnvironment())
        case .animations: try BenchAnimations.measure()
        case .paths: try BenchPaths.measure()
        case .text: BenchText.measure()
        case .start: try BenchStart.measure(scene)
        case .clip: try BenchClip.measure(frames: frames)
        case .soak: try BenchSoak.measure(DeviceChoice.fromEnvironment(), minutes: minutes)
        case .scene(let contest): try BenchComparison.measure(contest, frames: frames ?? 200)
        }
    }
}

/// Times of a bench, milliseconds.
struct BenchClock {
    /// What `body` took.
    static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = clinux_monotonic_nanoseconds()
        try body()
        return Double(clinux_monotonic_nanoseconds() - start) / 1e6
    }

    /// What `body` took of this thread's processor: other processes don't count.
    static func threadMilliseconds(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
        }
        let start = now()
        try body()
        return now() - start
    }

    /// User and system time of this process so far.
    static var processor: Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3 }
        return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
    }
}

extension [Double] {
    /// The middle one of an odd number, the mean of the two middle ones of an even number; 0 of none.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}

extension Double {
    /// For people and for JSON: no more digits than mean something.
    func rounded(to digits: Int) -> Double {
        let scale = pow(10, Double(digits))
        return (self * scale).rounded() / scale
    }
}
