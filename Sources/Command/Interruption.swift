import Glibc
import Synchronization

/// What Ctrl-C does to a command that is writing: takes the draft away, then ends the process as the signal would.
enum Interruption {
    /// The path of the draft under way, for the handler, which may not allocate.
    nonisolated(unsafe) private static var draft: UnsafeMutablePointer<CChar>?
    /// Whether the first signal is only noted; which one it was.
    private static let waits = Atomic<Bool>(false)
    private static let noted = Atomic<Int32>(0)

    /// Ends long work: thrown by `check`, seen by nobody.
    struct Request: Error {}

    static func install() {
        // The handler finds them made.
        _ = (waits.load(ordering: .relaxed), noted.load(ordering: .relaxed))
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // `nohup` and shells' background jobs ignore signals for a reason.
            var old = sigaction()
            sigaction(signal, nil, &old)
            if old.__sigaction_handler.sa_handler.map({ unsafeBitCast($0, to: Int.self) }) == 1 { continue }
            Glibc.signal(signal) { number in
                if Interruption.waits.load(ordering: .relaxed), Interruption.noted.load(ordering: .relaxed) == 0 {
                    return Interruption.noted.store(number, ordering: .relaxed)
                }
                if let draft = Interruption.draft { unlink(draft) }
                Glibc.signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// From here on the first signal is only noted, for work that looks at `check` often and tidies up more than one file. A second
    /// one ends the process at once.
    static func wait() { waits.store(true, ordering: .relaxed) }

    /// A signal has come, and was only noted.
    static var isRequested: Bool { noted.load(ordering: .relaxed) != 0 }

    /// - Throws: `Request` where a signal has come.
    static func check() throws {
        if isRequested { throw Request() }
    }

    /// The end of what `wait` began: ends the process as the signal that came would have, or goes on.
    static func end() {
        waits.store(false, ordering: .relaxed)
        let number = noted.load(ordering: .relaxed)
        guard number != 0 else { return }
        discardDraft()
        Glibc.signal(number, SIG_DFL)
        raise(number)
    }

    /// Takes the draft under way away.
    static func discardDraft() {
        if let draft { unlink(draft) }
    }

    /// Names the draft that must not stay behind; nil when it has become a file.
    static func watch(draft path: String?) {
        let old = draft
        draft = path.map { strdup($0) }
        free(old)
    }
}
