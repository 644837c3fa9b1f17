import Glibc
import Rostrum

/// Says on stderr how far a clip is: a bar for people, `key=value` lines for programs. docs/command-line.md, "Progress".
struct ProgressDisplay {
    enum Mode: String, CaseIterable {
        case auto, bar, lines, none
    }

    private let mode: Mode
    private var last = -Double.infinity
    private var isShown = false

    /// Seconds between two reports.
    private static let barInterval = 0.1
    private static let lineInterval = 1.0

    init(_ arguments: Arguments) throws {
        let name = try arguments.choice("progress", of: Mode.allCases.map(\.rawValue))
        var mode = name.flatMap(Mode.init) ?? .auto
        if arguments.isSet("quiet") { mode = .none }
        if mode == .auto { mode = isatty(STDERR_FILENO) == 1 ? .bar : .lines }
        self.mode = mode
    }

    /// Reports where the last report was long enough ago.
    mutating func show(_ progress: ClipProgress) {
        guard progress.elapsed - last >= (mode == .bar ? Self.barInterval : Self.lineInterval) else { return }
        last = progress.elapsed
        write(progress, isEnd: false)
    }

    /// Reports the last state.
    mutating func end(_ progress: ClipProgress) { write(progress, isEnd: true) }

    /// Leaves the bar's line, for what is said next.
    mutating func leave() {
        if isShown { Console.say("\n") }
        isShown = false
    }

    private mutating func write(_ progress: ClipProgress, isEnd: Bool) {
        switch mode {
        case .bar:
            Console.say("\r" + Self.bar(progress) + "\u{1B}[K")
            isShown = true
            if isEnd { leave() }
        case .lines: Console.say(Self.line(progress, isEnd: isEnd))
        case .auto, .none: break
        }
    }

    static func bar(_ progress: ClipProgress) -> String {
        let width = 30
        let share = Double(progress.encoded) / Double(max(progress.total, 1))
        let full = Int(share * Double(width))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
        let percent = String(Int(share * 100))
        let eta = progress.remaining.map { "  eta \(clock($0))" } ?? ""
        return String(repeating: " ", count: 3 - percent.count) + percent
            + "% [\(bar)] \(progress.encoded)/\(progress.total)  "
            + "\(progress.framesPerSecond.rounded(to: 1)) fps" + eta
    }

    static func line(_ progress: ClipProgress, isEnd: Bool) -> String {
        let eta = progress.remaining.map { String($0.rounded(to: 1)) } ?? "unknown"
        return "frame=\(progress.encoded) frames=\(progress.total) rendered=\(progress.rendered) "
            + "repeated=\(progress.repeated) fps=\(progress.framesPerSecond.rounded(to: 1)) "
            + "elapsed=\(progress.elapsed.rounded(to: 1)) eta=\(eta) progress=\(isEnd ? "end" : "continue")\n"
    }

    /// `0:07`, `1:02:03`.
    private static func clock(_ seconds: Double) -> String {
        let whole = Int(min(seconds.rounded(.up), 1e9))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, rest) = (whole / 60, whole % 60)
        return minutes < 60 ? "\(minutes):\(two(rest))" : "\(minutes / 60):\(two(minutes % 60)):\(two(rest))"
    }
}
