import CLinux
import Glibc
import LayerModel
import LayerWire
import Quartz2D
import RenderServer
import Rostrum

extension Verb {
    static let record = Verb(
        "record", "Write down what a client sends, to draw it again later.",
        operands: ["[SCENE]"],
        flags: [
            Flag("output", letter: "o", value: "FILE", "The recording to write. Needed."),
            Flag("socket", value: "PATH", "Instead of a scene: serve at this socket and record every session."),
        ] + SceneCanvas.flags + RenderingChoices.flags,
        notes: """
            With a scene: what drawing it at --time sends, with its images, and one capture. The file is replaced only when
            it is whole.
            With --socket: a server that draws as rostrum serve does and records until SIGINT or SIGTERM ends it (exit code
            0, or 4 where a session could not be recorded to its end). The first session goes into FILE, the next ones
            into FILE.2, FILE.3, …
            A recording holds the pixels of its images: whoever has the file can see what was drawn.
            """,
        examples: [
            Example("rostrum record Scene.ca -o scene.rec", "What a client sends to show the bundle."),
            Example(
                "rostrum record --socket /tmp/r.sock -o app.rec",
                "Records apps that run with ROSTRUM_SOCKET=/tmp/r.sock."),
        ]
    ) { arguments in
        let file = try arguments.required("output")
        guard file != "-" else {
            throw arguments.bad("output", "must be a file: a recording can't be written to a pipe")
        }
        if arguments.isSet("socket") {
            guard arguments.operands.isEmpty else {
                throw CommandFailure.usage("a scene and --socket exclude each other", help: "leave one of them out")
            }
            return try RecordingServer(arguments, file: file).run()
        }
        guard let scene = arguments.operands.first else {
            throw CommandFailure.usage(
                "record needs a SCENE or --socket PATH", help: "all flags: rostrum record --help")
        }
        return try recordScene(scene, arguments, file: file)
    }

    private static func recordScene(_ path: String, _ arguments: Arguments, file: String) throws -> ExitCode {
        EmbeddedServer.configuration = try RenderingChoices.configuration(arguments)
        try OutputFile(file).check()
        let canvas = try SceneCanvas(path, arguments)
        let writer = try CommandFailure.recording(file) { try RecordingWriter(path: file, mode: .whole) }
        Interruption.watch(draft: writer.draft)
        defer { Interruption.watch(draft: nil) }
        var failure: SystemError?
        let display = try CommandFailure.explaining {
            try HeadlessDisplay(
                width: canvas.size.width, height: canvas.size.height, scale: CGFloat(canvas.scale),
                background: CGColor(canvas.background), server: .embedded
            ) { serial, message in
                do throws(SystemError) { try writer.append(message, serial: serial) } catch {
                    failure = failure ?? error
                }
            }
        }
        canvas.show(under: display.rootLayer)
        try CommandFailure.explaining {
            do {
                _ = try display.image(of: display.capture(at: canvas.time, .pixels))
            } catch DisplayError.faults(let faults) where !arguments.isSet("strict") {
                for fault in faults { Console.warn("\(fault)") }
            }
        }
        if canvas.isStrict { try ClientWarnings.shared.refuse() }
        try CommandFailure.recording(file) {
            if let failure { throw failure }
            try writer.finish()
        }
        return .done
    }
}

/// A server that records what its clients send, until a signal ends it.
private struct RecordingServer {
    let socket: String
    let file: String
    let configuration: RenderConfiguration

    init(_ arguments: Arguments, file: String) throws {
        socket = try arguments.required("socket")
        for flag in SceneCanvas.flags where arguments.isSet(flag.name) {
            throw arguments.bad(flag.name, "is about a scene; with --socket the clients decide")
        }
        self.file = file
        configuration = try RenderingChoices.configuration(arguments)
        try OutputFile(file).check()
    }

    func run() throws -> ExitCode {
        let listener: ServerListener
        do { listener = try ServerListener(path: socket) } catch {
            throw CommandFailure(
                .environment, "\(error)", help: "choose a path in a folder that exists and where no server listens")
        }
        // Blocked before the first thread starts: all of them inherit it, and this one waits for the signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        let log: @Sendable (String) -> Void = { Console.say("\($0)\n") }
        let recorder = SessionRecorder(path: file, log: log)
        let server = try CommandFailure.explaining {
            try RenderServer(
                ServerConfiguration(render: configuration, log: log) { session, serial, message in
                    recorder.observe(session: session, serial: serial, message: message)
                }, listener: listener)
        }
        try Console.result("recording at \(socket)\n")
        var signal: Int32 = 0
        sigwait(&signals, &signal)
        server.stop()
        recorder.finish()
        for file in recorder.files { Console.say("recorded \(file)\n") }
        guard recorder.failures == 0 else {
            throw CommandFailure(
                .environment, "\(recorder.failures) sessions are not recorded to their end",
                help: "see the lines above; is the disk full?")
        }
        return .done
    }
}

extension CommandFailure {
    /// Calls `body`; what is wrong with a recording becomes a failure that names it.
    static func recording<R>(_ path: String, _ body: () throws -> R) throws -> R {
        do {
            return try explaining(body)
        } catch let error as ProtocolError {
            let place = error.offset.map { " (\(path), byte \($0)\(error.op.map { ", op \($0)" } ?? ""))" } ?? ""
            throw CommandFailure(
                .badInput, place.isEmpty ? "\(path): \(error.message)" : error.message + place,
                help: "make one with rostrum record; docs/wire-protocol.md says what it holds")
        } catch let error as SystemError {
            throw CommandFailure(.environment, "\(error)", help: "choose another place for the recording")
        } catch let error as ConnectionError {
            throw CommandFailure(.environment, "\(error)", help: "see whether the server still runs")
        }
    }
}
