import Glibc
import LayerWire
import Quartz2D
import Rostrum

extension Verb {
    static let replay = Verb(
        "replay", "Draw a recording again.",
        operands: ["FILE"],
        flags: [
            Flag("output", letter: "o", value: "FILE", "The PNG file for the recording's last frame; - is stdout."),
            Flag(
                "frames", value: "FOLDER",
                "A folder for every frame: 00000.png, 00001.png, … Made where it isn't there."),
            Flag(
                "server", value: "SOCKET",
                "Have it drawn by the rostrum serve at this socket.\nDefault: ROSTRUM_SOCKET, else by this process."),
            TraceOutput.flag,
            Flag("strict", "What the server refuses is an error, not a warning."),
        ] + RenderingChoices.flags,
        notes: """
            Needs -o or --frames, or both. A frame is what a capture in the recording showed; a recording without one shows
            what is there after its last commit. The frames of a damaged recording up to the damage are written.
            """,
        examples: [
            Example("rostrum replay scene.rec -o scene.png", "The picture that was recorded."),
            Example("rostrum replay app.rec --frames frames", "Every frame the app captured."),
        ]
    ) { try Replay($0).run() }
}

/// One run of `rostrum replay`.
private struct Replay {
    let path: String
    let picture: OutputFile?
    let folder: String?
    let server: HeadlessDisplay.Server
    let isStrict: Bool
    let trace: TraceOutput?

    init(_ arguments: Arguments) throws {
        path = arguments.operands[0]
        picture = try arguments.isSet("output") ? OutputFile(arguments.required("output")) : nil
        folder = try arguments.isSet("frames") ? arguments.required("frames") : nil
        isStrict = arguments.isSet("strict")
        guard picture != nil || folder != nil else {
            throw CommandFailure.usage(
                "replay needs -o FILE or --frames FOLDER", help: "all flags: rostrum replay --help")
        }
        trace = try TraceOutput(arguments)
        if trace?.file.isStandardOutput == true, picture?.isStandardOutput == true {
            throw CommandFailure.usage("-o - and --trace - both want stdout", help: "give one of them a file")
        }
        let outputs = [picture.map { OutputFile.Named("-o", $0) }, trace.map { OutputFile.Named("--trace", $0.file) }]
        try OutputFile.refuseSharing(outputs, input: path)
        if let folder {
            let names = try CommandFailure.explaining { try SequenceNames(folder, isFolder: true) }
            try OutputFile.refuseSharing(outputs, with: names)
        }
        let isOwn = arguments.isSet("device") || arguments.isSet("disable") || trace != nil
        guard arguments.isSet("server") else {
            server = isOwn ? .embedded : .automatic
            var configuration = try RenderingChoices.configuration(arguments)
            configuration.trace = trace?.trace
            EmbeddedServer.configuration = configuration
            return
        }
        guard trace == nil else {
            throw CommandFailure.usage(
                "--trace looks at what this process draws, --server has another one draw", help: "leave one of them out"
            )
        }
        guard !isOwn else {
            throw CommandFailure.usage(
                "--device and --disable say how this process draws, --server that another one does",
                help: "give them to rostrum serve")
        }
        server = .socket(path: try arguments.required("server"))
    }

    func run() throws -> ExitCode {
        try picture?.check()
        try trace?.file.check()
        if let folder, mkdir(folder, 0o777) != 0, errno != EEXIST {
            throw CommandFailure(
                .environment, "can't make \(folder): \(String(cString: strerror(errno)))",
                help: "choose another place for the frames")
        }
        return try CommandFailure.recording(path) {
            let replay = try RecordingReplay(RecordingReader(path: path)) { hello in
                try HeadlessDisplay.connect(server, hello)
            }
            var last: CGImage?
            // Also for a recording that breaks off: the frames up to there are worth having.
            defer { sayFaults(of: replay) }
            do {
                _ = try replay.run { frame in
                    let image = try HeadlessDisplay.picture(of: frame.frame)
                    try write(image, frame.index)
                    last = image
                }
            } catch let error as ProtocolError {
                try write(last)
                throw error
            }
            try write(last)
            let faults = replay.takeFaults()
            guard !isStrict || faults.isEmpty else {
                throw CommandFailure(.badInput, faults[0], help: "without --strict this is a warning")
            }
            for fault in faults { Console.warn(fault) }
            try trace?.write()
            return .done
        }
    }

    private func sayFaults(of replay: RecordingReplay) {
        for fault in replay.takeFaults() { Console.warn(fault) }
    }

    private func write(_ image: CGImage, _ index: Int) throws {
        guard let folder else { return }
        let number = String(index)
        let name = String(repeating: "0", count: max(5 - number.count, 0)) + number
        try OutputFile("\(folder)/\(name).png").write(image.pngData())
    }

    private func write(_ last: CGImage?) throws {
        guard let picture, let last else { return }
        try picture.write(last.pngData())
    }
}
