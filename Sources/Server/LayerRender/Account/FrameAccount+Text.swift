// An account as text, for `rostrum explain`: what costs, dearest first, then the roads that were taken, then every pass in
// order.

import LayerModel

extension FrameAccount {
    /// Lines that end in a newline each.
    package var text: String {
        var lines = [summary, ""]
        for (index, effect) in effects.enumerated() {
            let ordinal = "\(index + 1). "
            let indent = String(repeating: " ", count: ordinal.count)
            lines.append(ordinal + effect.explanation)
            lines.append(indent + cost(of: effect))
            lines.append(
                contentsOf: effect.advice.enumerated().map {
                    "\(indent)\($0.offset == 0 ? "try:" : "or: ") \($0.element)"
                })
        }
        let taken = roads.filter { !$0.isDegradation }
        if !taken.isEmpty {
            lines += ["", "without a pass:"]
            lines += taken.map { "  \($0.layer.text): \($0.text)" }
        }
        let degradations = roads.filter(\.isDegradation)
        if !degradations.isEmpty {
            lines += ["", "not as it should be:"]
            lines += degradations.map { "  \($0.layer.text): \($0.text)" }
        }
        lines += ["", "passes, in order:"]
        lines += passes.map(line)
        return lines.joined(separator: "\n") + "\n"
    }

    private var summary: String {
        let offscreen = passes.count { $0.reason != .root }
        var text =
            "frame \(size) at \(AccountText.number(time)) s: \(AccountText.count(passes.count, "pass", "passes")), "
            + "\(AccountText.count(offscreen, "of them offscreen", "of them offscreen")), "
            + "\(AccountText.count(targets, "target")), \(AccountText.count(draws, "draw")), "
            + "\(AccountText.count(pixels, "pixel"))"
        if offscreenPixels > 0 { text += " (\(AccountText.grouped(offscreenPixels)) offscreen)" }
        text += ", \(AccountText.milliseconds(nanoseconds))"
        return text
    }

    private func cost(of effect: Effect) -> String {
        "\(AccountText.milliseconds(effect.nanoseconds)), \(AccountText.count(effect.pixels, "pixel")), "
            + (effect.passes.count == 1 ? "pass " : "passes ") + AccountText.ranges(effect.passes)
    }

    private func line(_ pass: Pass) -> String {
        let number = String(pass.number)
        let width = String(passes.count).count
        return "  " + String(repeating: " ", count: width - number.count) + number
            + " \(pass.reason.rawValue) of \(pass.layer.text), \(pass.layer.className)"
            + (pass.cause.property.map { ", \($0.key)" } ?? "")
            + ": \(pass.size) at (\(pass.origin.x),\(pass.origin.y)), \(AccountText.count(pass.draws, "draw")), "
            + "\(AccountText.count(pass.pixels, "pixel")), \(AccountText.milliseconds(pass.nanoseconds))"
    }
}

/// How an account spells numbers.
package enum AccountText {
    /// `1 pass`, `12 passes`, `1,200 pixels`.
    package static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(count)) \(count == 1 ? one : many ?? one + "s")"
    }

    /// `1,234,567`.
    package static func grouped(_ number: Int) -> String {
        guard number > 0 else { return String(number) }
        var digits = Array(String(number))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return String(digits)
    }

    /// `1.24 ms`; `? ms` where it is not known.
    package static func milliseconds(_ nanoseconds: UInt64?) -> String {
        guard let nanoseconds else { return "? ms" }
        let hundredths = (nanoseconds + 5_000) / 10_000
        let rest = String(hundredths % 100)
        return "\(hundredths / 100).\(rest.count < 2 ? "0" : "")\(rest) ms"
    }

    /// `1-3, 7`.
    package static func ranges(_ numbers: [Int]) -> String {
        var parts: [(first: Int, last: Int)] = []
        for number in numbers {
            if let last = parts.last, last.last == number - 1 {
                parts[parts.count - 1].last = number
            } else {
                parts.append((number, number))
            }
        }
        return parts.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)-\($0.last)" }.joined(separator: ", ")
    }

    static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }
}
