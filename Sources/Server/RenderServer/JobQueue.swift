// Which job is next. Each session has a line of its own, in the order of its messages; sessions with something in their
// line take turns, a job a turn. So what one session asks for, however much it is, keeps another's next job waiting for
// one of its own at most: the one that is being done.
//
// A session that was served goes to the end of the turn only when the next job is asked for, after those that have come
// meanwhile were added: who came while its job was being done comes before its next one.

struct JobQueue {
    /// First in, first out; what was taken is dropped a part at a time.
    private struct Line {
        private var jobs: [RenderJob?] = []
        private var head = 0
        /// When each was added.
        private var tickets: [UInt64] = []

        var isEmpty: Bool { head == jobs.count }
        var firstTicket: UInt64? { isEmpty ? nil : tickets[head] }

        mutating func append(_ job: RenderJob, _ ticket: UInt64) {
            jobs.append(job)
            tickets.append(ticket)
        }

        mutating func removeFirst() -> RenderJob? {
            guard !isEmpty else { return nil }
            defer {
                jobs[head] = nil
                head += 1
                if head * 2 > jobs.count {
                    jobs.removeFirst(head)
                    tickets.removeFirst(head)
                    head = 0
                }
            }
            return jobs[head]
        }
    }

    private var lines: [UInt32: Line] = [:]
    /// Sessions with something in their line, the next one first; not the one just served.
    private var turn: [UInt32] = []
    private var served: UInt32?
    /// What waits for everything that was added before it.
    private var inspections: [(ticket: UInt64, job: RenderJob)] = []
    private var nextTicket: UInt64 = 0

    var isEmpty: Bool { lines.isEmpty && inspections.isEmpty }

    /// Adds a job to its session's line. The end of a session goes ahead of what waits there: nobody wants that any more.
    mutating func add(_ job: RenderJob) {
        defer { nextTicket += 1 }
        guard let session = job.session else {
            inspections.append((nextTicket, job))
            return
        }
        if lines[session] == nil {
            lines[session] = Line()
            if session != served { turn.append(session) }
        }
        if case .close = job { lines[session] = Line() }
        lines[session]!.append(job, nextTicket)
    }

    /// The next job; nil when none waits.
    mutating func next() -> RenderJob? {
        if let session = served {
            served = nil
            if lines[session] != nil { turn.append(session) }
        }
        if let first = inspections.first, !lines.values.contains(where: { $0.firstTicket ?? .max < first.ticket }) {
            return inspections.removeFirst().job
        }
        guard !turn.isEmpty else { return nil }
        let session = turn.removeFirst()
        let job = lines[session]?.removeFirst()
        if lines[session]?.isEmpty ?? true { lines[session] = nil }
        served = session
        return job
    }
}

extension RenderJob {
    /// Whose it is; nil for the server's own.
    fileprivate var session: UInt32? {
        switch self {
        case .open(let session, _), .commit(let session, _, _, _), .capture(let session, _, _, _, _),
            .releaseFrame(let session, _), .ping(let session, _), .live(let session), .close(let session):
            session
        case .inspect, .stop: nil
        }
    }
}
