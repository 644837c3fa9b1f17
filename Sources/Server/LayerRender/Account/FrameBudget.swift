// Budgets: what a frame may cost, and who broke them. `passes=12,offscreen-pixels=2M`.

import LayerModel

/// Limits of one frame's cost.
package struct FrameBudget: Sendable, Equatable {
    package enum Measure: String, Sendable, CaseIterable {
        case passes
        /// Pixels of all passes but the picture's own.
        case offscreenPixels = "offscreen-pixels"
        /// Pixels of all passes.
        case pixels
        case draws
        case targets
        /// Tiles of masks that had to be sent to the driver.
        case uploads
    }

    /// In the order they were given.
    package var limits: [(measure: Measure, limit: Int)] = []

    package static func == (a: FrameBudget, b: FrameBudget) -> Bool {
        a.limits.elementsEqual(b.limits) { $0 == $1 }
    }

    /// A budget that a frame is over.
    package struct Breach: Sendable, Equatable {
        package var measure: Measure
        package var limit: Int
        package var value: Int
        /// The pass that goes over the limit when they are counted in order; nil for what is no pass's.
        package var pass: FrameAccount.Pass?
        /// The effect that costs most of it; nil where none costs any.
        package var dearest: FrameAccount.Effect?

        /// One line.
        package var text: String {
            var text =
                "\(measure.rawValue): \(AccountText.grouped(value)), over the budget of \(AccountText.grouped(limit))"
            if let pass {
                text += "; pass \(pass.number), \(pass.reason.rawValue) of \(pass.layer.text), goes over it"
            }
            if let dearest { text += "; most is for this: \(dearest.explanation)" }
            return text
        }
    }

    /// Why a budget can't be read.
    package enum Fault: Error, Sendable, Equatable {
        case unknown(String)
        case badNumber(String)
        case twice(String)
    }

    package init() {}

    /// Reads `name=number,name=number`; a number may end in k, M or G, thousands each.
    package init(_ text: some StringProtocol) throws(Fault) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(words[0])
            guard let measure = Measure(rawValue: name) else { throw .unknown(name) }
            guard words.count == 2, let limit = Self.number(words[1]) else { throw .badNumber(String(part)) }
            guard !limits.contains(where: { $0.measure == measure }) else { throw .twice(name) }
            limits.append((measure, limit))
        }
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        let factors: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9]
        var digits = String(text)
        var factor = 1.0
        if let last = digits.last, let known = factors[last] {
            factor = known
            digits.removeLast()
        }
        guard let number = Double(digits), number.isFinite, number >= 0, digits.allSatisfy({ $0.isNumber || $0 == "." })
        else { return nil }
        return Int(exactly: (number * factor).rounded())
    }

    /// What an account is over, in the budget's order.
    package func breaches(of account: FrameAccount) -> [Breach] {
        limits.compactMap { measure, limit in
            let value = account.value(of: measure)
            guard value > limit else { return nil }
            var sum = 0
            let pass = account.passes.first { pass in
                guard let part = pass.part(of: measure) else { return false }
                sum += part
                return sum > limit
            }
            return Breach(
                measure: measure, limit: limit, value: value, pass: pass, dearest: account.dearest(in: measure))
        }
    }
}

extension FrameAccount {
    package func value(of measure: FrameBudget.Measure) -> Int {
        switch measure {
        case .passes: passes.count
        case .offscreenPixels: offscreenPixels
        case .pixels: pixels
        case .draws: draws
        case .targets: targets
        case .uploads: uploads
        }
    }

    /// The effect, not the picture itself, with the largest part of a measure.
    fileprivate func dearest(in measure: FrameBudget.Measure) -> Effect? {
        var best: (effect: Effect, part: Int)?
        for effect in effects where effect.property != nil {
            let part = effect.passes.reduce(0) { $0 + (passes[$1 - 1].part(of: measure) ?? 0) }
            if part > best?.part ?? 0 { best = (effect, part) }
        }
        return best?.effect
    }
}

extension FrameAccount.Pass {
    /// What the pass adds to a measure; nil where it can't be told.
    fileprivate func part(of measure: FrameBudget.Measure) -> Int? {
        switch measure {
        case .passes: 1
        case .offscreenPixels: reason == .root ? 0 : pixels
        case .pixels: pixels
        case .draws: draws
        case .targets, .uploads: nil
        }
    }
}
