// A trace in Chrome's trace event format, JSON: https://ui.perfetto.dev and chrome://tracing open it. Times are microseconds
// with three decimals.

extension FrameTrace {
    /// The whole trace. The server is one process of it, each client another.
    package var json: String {
        let (events, dropped) = contents
        var text = "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"dropped_events\":\(dropped)},\"traceEvents\":[\n"
        var tracks: [TraceEvent.Track] = [.wire, .render, .passes]
        var seen = Set(tracks)
        for event in events where seen.insert(event.track).inserted { tracks.append(event.track) }
        var lines = ["{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"rostrum\"}}"]
        for track in tracks {
            if case .client(let session) = track {
                lines.append(
                    "{\"ph\":\"M\",\"pid\":\(track.process),\"tid\":0,\"name\":\"process_name\","
                        + "\"args\":{\"name\":\"client of session \(session)\"}}")
            }
            lines.append(
                "{\"ph\":\"M\",\"pid\":\(track.process),\"tid\":\(track.thread),\"name\":\"thread_name\","
                    + "\"args\":{\"name\":\"\(track.name)\"}}")
        }
        lines += events.map(\.json)
        text += lines.joined(separator: ",\n")
        text += "\n]}\n"
        return text
    }
}

extension TraceEvent.Track {
    fileprivate var process: Int {
        switch self {
        case .client(let session), .decoding(let session): 1_000 + Int(session)
        case .wire, .render, .passes: 1
        }
    }

    fileprivate var thread: Int {
        switch self {
        case .client, .wire: 1
        case .decoding, .render: 2
        case .passes: 3
        }
    }

    fileprivate var name: String {
        switch self {
        case .client: "commits"
        case .decoding: "image files"
        case .wire: "wire"
        case .render: "render"
        case .passes: "passes"
        }
    }
}

extension TraceEvent {
    fileprivate var json: String {
        var text =
            "{\"pid\":\(track.process),\"tid\":\(track.thread),\"ts\":\(microseconds(time)),\"name\":\(quoted(name))"
        switch kind {
        case .span(let end):
            text += ",\"ph\":\"X\",\"dur\":\(microseconds(end - time))"
            if !details.isEmpty { text += ",\"args\":{\(details.map(\.json).joined(separator: ","))}" }
        case .flowStart(let id): text += ",\"ph\":\"s\",\"cat\":\"commit\",\"id\":\(id)"
        case .flowStep(let id): text += ",\"ph\":\"t\",\"cat\":\"commit\",\"id\":\(id)"
        case .flowEnd(let id): text += ",\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"commit\",\"id\":\(id)"
        case .counter(let values):
            let list = values.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ",")
            text += ",\"ph\":\"C\",\"args\":{\(list)}"
        }
        return text + "}"
    }
}

extension TraceEvent.Detail {
    fileprivate var json: String {
        switch self {
        case .number(let key, let value): "\(quoted(key)):\(value)"
        case .text(let key, let value): "\(quoted(key)):\(quoted(value))"
        }
    }
}

private func microseconds(_ nanoseconds: UInt64) -> String {
    let rest = String(nanoseconds % 1_000)
    return "\(nanoseconds / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
}

/// Labels are a client's: whatever they hold, the file stays JSON.
private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\u{0}"..."\u{1F}", "\u{7F}":
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
