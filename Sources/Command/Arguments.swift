// The command line of one verb, read by the verb's own table of flags: `--flag value`, `--flag=value`, `-f value`, `--` before
// what only looks like a flag, `-` for stdin or stdout. Every complaint names the flag, says what would be right, and ends
// with exit code 2.

import CAML

/// What was written after the verb.
struct Arguments: Sendable {
    let verb: Verb
    /// What stands without a flag, in order.
    let operands: [String]
    /// By the flag's name; an empty string for a switch.
    private let values: [String: String]

    /// - Throws: `CommandFailure` with code `usage`.
    init(_ words: [String], for verb: Verb) throws {
        self.verb = verb
        var operands: [String] = []
        var values: [String: String] = [:]
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            if word == "--" {
                operands += words[index...]
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let flag = try Self.flag(parts[0], in: verb)
            guard values[flag.name] == nil else { throw Self.complaint(verb, "--\(flag.name) is given twice") }
            guard let placeholder = flag.value else {
                guard parts.count == 1 else { throw Self.complaint(verb, "--\(flag.name) takes no value") }
                values[flag.name] = ""
                continue
            }
            if parts.count == 2 {
                values[flag.name] = parts[1]
            } else if index < words.count, !words[index].hasPrefix("--") {
                values[flag.name] = words[index]
                index += 1
            } else {
                throw Self.complaint(verb, "\(parts[0]) needs a value: \(parts[0]) \(placeholder)")
            }
        }
        self.operands = operands
        self.values = values
        try checkOperands()
    }

    private static func flag(_ spelling: String, in verb: Verb) throws -> Flag {
        let known = verb.flags + [.help]
        if spelling.hasPrefix("--") {
            if let flag = known.first(where: { "--" + $0.name == spelling }) { return flag }
        } else if spelling.count == 2, let flag = known.first(where: { $0.letter == spelling.last }) {
            return flag
        }
        let wanted = String(spelling.drop { $0 == "-" })
        let near = nearestSpelling(to: wanted, among: known.map(\.name))
        throw CommandFailure.usage(
            "\(verb.name) has no flag \(spelling)",
            help: near.map { "did you mean --\($0)?" } ?? "all flags: rostrum \(verb.name) --help")
    }

    private static func complaint(_ verb: Verb, _ message: String) -> CommandFailure {
        .usage(message, help: "all flags: rostrum \(verb.name) --help")
    }

    private func checkOperands() throws {
        guard !isSet("help") else { return }
        let needed = verb.operands.filter { !$0.hasPrefix("[") }
        let usage = (["rostrum", verb.name] + verb.operands).joined(separator: " ")
        guard operands.count >= needed.count else {
            let name = needed[operands.count].filter { $0 != "…" }
            throw CommandFailure.usage("\(verb.name) needs \(name)", help: "write: \(usage)")
        }
        guard operands.count <= verb.operands.count || verb.operands.last?.hasSuffix("…") == true else {
            throw CommandFailure.usage(
                "\(verb.name) does not know what to do with \"\(operands[verb.operands.count])\"",
                help: "write: \(usage)")
        }
    }

    // MARK: Values

    /// The flag was given.
    func isSet(_ name: String) -> Bool { values[name] != nil }

    /// The flag's value as it was written.
    func text(_ name: String) -> String? { values[name] }

    /// The value of a flag that must be given and not be empty.
    func required(_ name: String) throws -> String {
        guard let text = values[name] else {
            let flag = verb.flags.first { $0.name == name }
            let spelling = (flag?.letter.map { "-\($0)" } ?? "--\(name)") + " \(flag?.value ?? "VALUE")"
            throw Self.complaint(verb, "\(verb.name) needs \(spelling)")
        }
        guard !text.isEmpty else { throw bad(name, "must not be empty") }
        return text
    }

    /// A finite number.
    func number(_ name: String, above least: Double? = nil, from lowest: Double? = nil) throws -> Double? {
        guard let text = values[name] else { return nil }
        guard let number = Double(text), number.isFinite else { throw bad(name, "must be a number, not \"\(text)\"") }
        if let least, number <= least { throw bad(name, "must be above \(plain(least)), not \(text)") }
        if let lowest, number < lowest { throw bad(name, "must be \(plain(lowest)) or more, not \(text)") }
        return number
    }

    /// A whole number within a range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let what =
                range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
            throw bad(name, "must be a whole number, \(what), not \"\(text)\"")
        }
        return number
    }

    /// Two lengths above 0: `320x200`.
    func size(_ name: String) throws -> (width: Double, height: Double)? {
        guard let text = values[name] else { return nil }
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Double(parts[0]), let height = Double(parts[1]), width.isFinite,
            height.isFinite, width > 0, height > 0
        else { throw bad(name, "must be a width and a height in points, such as 320x200, not \"\(text)\"") }
        return (width, height)
    }

    /// One of a few words.
    func choice(_ name: String, of words: [String]) throws -> String? {
        guard let text = values[name] else { return nil }
        guard words.contains(text) else {
            let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
            throw bad(name, "must be \(list), not \"\(text)\"")
        }
        return text
    }

    /// A complaint about a flag's value.
    func bad(_ name: String, _ what: String) -> CommandFailure {
        Self.complaint(verb, "--\(name) \(what)")
    }

    private func plain(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }
}
