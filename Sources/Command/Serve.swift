import CLinux
import Glibc
import LayerModel
import LayerWire
import RenderServer

extension Verb {
    static let serve = Verb(
        "serve", "Draw for other processes, over a Unix socket.",
        flags: [
            Flag("socket", value: "PATH", "Where to listen. Needed. Only this user may connect."),
            Flag("max-clients", value: "N", "Sessions at a time. Default \(WireLimits().sessions)."),
        ] + RenderingChoices.flags + [
            TraceOutput.flag,
            Flag(
                "refresh", value: "HZ",
                "Refreshes a second: displays with a live clock are drawn at each; frames that take longer\nthan one are counted and logged, each with its longest phase."
            ),
            Flag("log-format", value: "FORMAT", "The log on stderr: text or json. Default text."),
            Flag("quiet", letter: "q", "No log."),
            Flag("json", "Write the ready line as JSON."),
        ],
        notes: """
            Compiles every program, then prints one line on stdout: the server is ready. Clients are HeadlessDisplay and
            rostrum render --server PATH, or either with ROSTRUM_SOCKET=PATH. SIGINT and SIGTERM end it and remove the socket
            (exit codes 130 and 143).
            """,
        examples: [
            Example("rostrum serve --socket /run/user/1000/rostrum.sock", "Serves until it is told to stop."),
            Example(
                "ROSTRUM_SOCKET=/tmp/r.sock rostrum render Scene.ca -o scene.png",
                "A client of a server at /tmp/r.sock."),
        ]
    ) { try Serve($0).run() }
}

/// One run of `rostrum serve`.
private struct Serve {
    let path: String
    let isJSON: Bool
    let log: ServerLog
    let trace: TraceOutput?
    var configuration: ServerConfiguration

    init(_ arguments: Arguments) throws {
        path = try arguments.required("socket")
        guard path.utf8.count <= clinux_socket_path_limit() else {
            throw arguments.bad(
                "socket", "is \(path.utf8.count) bytes long; a socket's path may have \(clinux_socket_path_limit())")
        }
        isJSON = arguments.isSet("json")
        let format = try arguments.choice("log-format", of: ["text", "json"])
        let log = ServerLog(asJSON: format == "json", isQuiet: arguments.isSet("quiet"))
        self.log = log
        configuration = ServerConfiguration(
            render: try RenderingChoices.configuration(arguments),
            log: { line in
                // The session of the warm-up is nobody's business.
                if !line.contains(": \(WarmUp.name), "), !line.contains("(\(WarmUp.name))") { log.write(line) }
            })
        configuration.render.warmsUp = true
        trace = try TraceOutput(arguments)
        if trace?.file.isStandardOutput == true {
            throw arguments.bad("trace", "needs a file: the ready line goes to stdout")
        }
        configuration.render.trace = trace?.trace
        configuration.render.refresh = try arguments.number("refresh", above: 0)
        if let refresh = configuration.render.refresh, refresh < 0.01 || refresh > 100_000 {
            throw arguments.bad("refresh", "must be 0.01 to 100000")
        }
        if let clients = try arguments.integer("max-clients", in: 1...100_000) {
            configuration.limits.sessions = UInt32(clients)
        }
    }

    func run() throws -> ExitCode {
        // Blocked before the first thread starts: all of them inherit it, and this one waits for the signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        try trace?.file.check()
        let listener = try listen()
        let server = try CommandFailure.explaining { try RenderServer(configuration, listener: listener) }
        let warmUp = WarmUp(server: server, path: path, isJSON: isJSON)
        warmUp.start()

        var signal: Int32 = 0
        sigwait(&signals, &signal)
        log.write("ending: \(signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGHUP")")
        server.stop()
        unlink(path)
        try trace?.write()
        return signal == SIGINT ? .interrupted : signal == SIGTERM ? .terminated : .hungUp
    }

    private func listen() throws -> ServerListener {
        do {
            return try ServerListener(path: path)
        } catch let error as SystemError where error.code == EADDRINUSE {
            throw CommandFailure(
                .environment,
                error.call == path ? "\(path) exists and is not a server's socket" : error.call,
                help: "choose another path, or remove what is there")
        } catch {
            throw CommandFailure(
                .environment, "\(error)", help: "choose a path in a folder that exists and can be written to")
        }
    }
}

/// Opens the driver and compiles every program through a session of the server's own, then says that it is ready.
private final class WarmUp: Sendable {
    static let name = "warm-up"

    private let server: RenderServer
    private let path: String
    private let isJSON: Bool

    init(server: RenderServer, path: String, isJSON: Bool) {
        self.server = server
        self.path = path
        self.isJSON = isJSON
    }

    /// On a thread of its own: signals can end the server meanwhile.
    func start() {
        _ = clinux_thread(
            "rostrum-warm-up", 1 << 20, { Unmanaged<WarmUp>.fromOpaque($0!).takeRetainedValue().run() },
            Unmanaged.passRetained(self).toOpaque())
    }

    private func run() {
        do {
            try drawOnePixel()
            let started = clinux_monotonic_nanoseconds()
            // Until its session has ended, it would count as a client.
            while server.statistics.sessions > 0, clinux_monotonic_nanoseconds() - started < 1_000_000_000 {
                usleep(1_000)
            }
            try Console.result(readyLine)
        } catch {
            let failure =
                error as? CommandFailure
                ?? CommandFailure(
                    .environment, "the server can't draw: \(error)",
                    help: "rostrum doctor shows what is there and what is missing")
            Console.say(failure.text)
            unlink(path)
            _exit(failure.code.rawValue)
        }
    }

    private func drawOnePixel() throws {
        let hello = Hello(clientName: Self.name, width: 1, height: 1, scale: 1, isFlipped: true, background: .clear)
        let connection = try ClientConnection(descriptor: server.connect(), hello: hello)
        // With an empty shader cache on a busy machine the compilers take their time.
        connection.patience = 300
        _ = try connection.capture(at: 0, [])
        connection.close()
    }

    private var readyLine: String {
        guard isJSON else { return "rostrum \(serverVersion) is ready at \(path)\n" }
        let value = JSONText.object([
            ("ready", .bool(true)), ("socket", .string(path)), ("version", .string(serverVersion)),
            ("pid", .integer(Int(getpid()))),
        ])
        return value.line + "\n"
    }
}
