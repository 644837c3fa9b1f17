import LayerWire

extension Verb {
    static let dump = Verb(
        "dump", "Print a recording as text.",
        operands: ["FILE"],
        notes: """
            One line a message, one more for each change of a commit. The same recording gives the same text everywhere, so
            two of them can be compared with diff. What is whole of a damaged recording is printed first.
            """,
        examples: [
            Example("rostrum dump scene.rec", "Every message that was recorded."),
            Example("diff <(rostrum dump a.rec) <(rostrum dump b.rec)", "What differs between two recordings."),
        ]
    ) { arguments in
        let path = arguments.operands[0]
        var text = ""
        try CommandFailure.recording(path) {
            defer { try? Console.result(text) }
            try RecordingText.write(RecordingReader(path: path)) { line in
                text += line + "\n"
                guard text.utf8.count > 1 << 16 else { return }
                try Console.result(text)
                text = ""
            }
        }
        return .done
    }
}
