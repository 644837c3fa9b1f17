// Setting text: a paragraph of 2,000 characters, one that was never set before each time, but for the fonts.

import Foundation
import Quartz2D

struct BenchText {
    /// What setting the paragraph may take after the first time, milliseconds.
    private static let limit = 10.0

    static func measure() -> BenchReport {
        let first = BenchClock.threadMilliseconds { _ = set(0) }
        var lines = 0
        let spent = (1...20).map { number in BenchClock.threadMilliseconds { lines = set(number) } }.sorted()
        let (best, median, worst) = (spent[0], spent[spent.count / 2], spent[spent.count - 1])
        let holds = median <= limit && lines > 10
        let text = """
            text: processor time of one thread for a paragraph of 2,000 characters in \(lines) lines
              after the first: median \(median.rounded(to: 2)) ms, best \(best.rounded(to: 2)), worst \
            \(worst.rounded(to: 2)); at most \(limit) in the median\(holds ? "" : "  TOO SLOW")
              the first, with finding the fonts: \(first.rounded(to: 1)) ms

            """
        let json = JSONText.object([
            ("bench", .string("text")), ("first_ms", .number(first)), ("median_ms", .number(median)),
            ("best_ms", .number(best)), ("worst_ms", .number(worst)), ("lines", .integer(lines)),
            ("holds", .bool(holds)),
        ])
        return BenchReport(text: text, json: json, holds: holds)
    }

    /// - Returns: How many lines it has.
    private static func set(_ number: Int) -> Int {
        let words = ["line", "paper", "ink", "letter", "press", "bold", "italic", "margin", "column", "page"]
        var text = ""
        var state = UInt32(truncatingIfNeeded: number &+ 1)
        while text.count < 2_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            text += words[Int(state >> 16) % words.count] + " "
        }
        var request = TextRequest(
            string: NSAttributedString(string: String(text.prefix(2_000))), font: CTFont("Helvetica", size: 14),
            color: .black)
        (request.width, request.isWrapped) = (400, true)
        return TextLayout(request).lineCount
    }
}
