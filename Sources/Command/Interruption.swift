import Glibc

/// What Ctrl-C does to a command that is writing: takes the draft away, then ends the process as the signal would.
enum Interruption {
    /// The path of the draft under way, for the handler, which may not allocate.
    nonisolated(unsafe) private static var draft: UnsafeMutablePointer<CChar>?

    static func install() {
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // `nohup` and shells' background jobs ignore signals for a reason.
            var old = sigaction()
            sigaction(signal, nil, &old)
            if old.__sigaction_handler.sa_handler.map({ unsafeBitCast($0, to: Int.self) }) == 1 { continue }
            Glibc.signal(signal) { number in
                if let draft = Interruption.draft { unlink(draft) }
                Glibc.signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Names the draft that must not stay behind; nil when it has become a file.
    static func watch(draft path: String?) {
        let old = draft
        draft = path.map { strdup($0) }
        free(old)
    }
}
