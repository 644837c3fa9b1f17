import CLinux
import Glibc
import LayerModel
import LayerWire

/// Version of the software, for people.
package let serverVersion = "0.1.0"

/// What the wire thread knows of one client.
final class WireSession {
    let number: UInt32
    let channel: MessageChannel
    private let patience: UInt64
    var name = "unnamed"
    /// The handshake is done.
    var isOpen = false
    var credits: UInt32 = 0
    /// Captures that are not answered.
    var captures = 0
    var pings = 0
    /// Frame buffers that the client has.
    var heldFrames: Set<UInt32> = []
    var isWaitingToWrite = false
    /// What epoll watches for this session.
    var watchedEvents = CLINUX_READABLE
    /// Of the message being handled.
    var serial: UInt32 = 0
    /// When the client's time is up; nil while it owes nothing.
    private(set) var deadline: UInt64?
    /// What the client did for its next commit, as it says.
    private var phases: CommitPhases?
    /// Of the last commit, wherever it lay.
    private var commitBytes = 0

    func note(_ phases: CommitPhases) { self.phases = phases }

    /// How the commit that was just decoded came.
    func takeArrival(received: UInt64, decoded: UInt64) -> CommitArrival {
        defer { phases = nil }
        return CommitArrival(received: received, decoded: decoded, bytes: commitBytes, phases: phases)
    }

    /// Descriptors that `attach` brought for the next commit.
    private var parked: [ReceivedDescriptors] = []
    /// A long reply that was asked for does not count as unread at once.
    private var longestReply = 0

    init(number: UInt32, descriptor: Int32, patience: Double) {
        self.number = number
        channel = MessageChannel(descriptor: descriptor)
        self.patience = UInt64(patience * 1e9)
        deadline = clinux_monotonic_nanoseconds() + self.patience
    }

    /// Sets or clears the deadline after bytes came. The handshake has one deadline, each later message its own.
    /// - Parameter isNewMessage: A message became complete: what is left belongs to another one.
    func noteProgress(now: UInt64, isNewMessage: Bool) {
        guard isOpen else { return }
        if !channel.hasPartialMessage || isOverloaded {
            deadline = nil
        } else if deadline == nil || isNewMessage {
            deadline = now + patience
        }
    }

    // MARK: Commits under way

    /// Weights of the commits that the render thread has not answered, oldest first.
    private var weights: [Int] = []
    private var weight = 0
    /// Memory that commits under way may take before the session is read no further. One is always let through.
    private static let weightLimit = 64 << 20
    /// What an image under way counts as: its mapping is a scarcer thing than its bytes, which are the client's.
    private static let imageWeight = 256 << 10

    var isOverloaded: Bool { weight >= Self.weightLimit }

    func noteCommit(_ transaction: Transaction) {
        var bytes = transaction.ops.count * MemoryLayout<TransactionOp>.stride
        for op in transaction.ops {
            switch op {
            case .setSublayers(_, let sublayers): bytes += sublayers.count * MemoryLayout<LayerID>.stride
            case .defineImage: bytes += Self.imageWeight
            case .set(_, _, .string(let text?)): bytes += text.utf8.count
            default: break
            }
        }
        weights.append(bytes)
        weight += bytes
    }

    /// The render thread has dealt with the oldest commit.
    func noteCommitDone() {
        guard !weights.isEmpty else { return }
        weight -= weights.removeFirst()
    }

    // MARK: Replies

    /// Bytes that wait for the client, but for one long reply.
    var unreadBytes: Int { max(channel.unsentBytes - longestReply, 0) }

    func noteQueued(_ message: ServerMessage) {
        guard case .frame(let frame) = message, frame.plan.utf8.count > 1 << 16 else { return }
        longestReply = max(longestReply, frame.plan.utf8.count + (1 << 16))
    }

    // MARK: Decoding

    /// The message as a value; nil for one that only prepares the next.
    func decode(_ message: IncomingMessage, _ limits: WireLimits) throws(ProtocolError) -> ClientMessage? {
        switch message.type {
        case .attach:
            let waiting = parked.reduce(0) { $0 + $1.descriptors.count } + message.descriptors.descriptors.count
            guard waiting <= Int(limits.messageDescriptors) * 16 else {
                throw ProtocolError(.tooManyDescriptors, "\(waiting) descriptors wait for a commit")
            }
            guard message.payload.isEmpty else {
                throw ProtocolError(.trailingBytes, offset: 0, "an attach carries descriptors only")
            }
            parked.append(message.descriptors)
            return nil
        case .commit:
            defer { parked.removeAll() }
            return try decodeCommit(message.payload, parked + [message.descriptors], first: 0, limits)
        case .commitInFile:
            defer { parked.removeAll() }
            return try decodeLongCommit(message, limits)
        default:
            return try decode(message.type, message.payload, pixels: noPixels)
        }
    }

    private func decodeLongCommit(
        _ message: IncomingMessage, _ limits: WireLimits
    ) throws(ProtocolError) -> ClientMessage {
        let decoded = try decode(.commitInFile, message.payload, pixels: noPixels)
        guard case .commitInFile(let byteCount) = decoded else { return decoded }
        guard byteCount <= limits.commitBytes else {
            throw ProtocolError(
                .messageTooLong, "a commit of \(byteCount) bytes; the limit is \(limits.commitBytes)")
        }
        guard let file = message.descriptors.descriptors.first else {
            throw ProtocolError(.missingDescriptor, "a long commit without its file")
        }
        guard Self.hasRoom(forCommitOf: Int(byteCount)) else {
            throw ProtocolError(.limit, "the server has no memory for a commit of \(byteCount) bytes")
        }
        let storage = try SealedFile.received(file, offset: 0, count: Int(byteCount))
        // Copied, so that what is decoded is what was checked, whoever can still write to the file.
        var payload = [UInt8](repeating: 0, count: Int(byteCount))
        let copied = storage.withBytes { source in
            payload.withUnsafeMutableBytes { clinux_copy_guarded($0.baseAddress!, source.baseAddress!, source.count) }
        }
        guard byteCount > 0, copied == 0 else {
            throw ProtocolError(.badDescriptor, "the commit's file can't be read")
        }
        return try decodeCommit(payload, parked + [message.descriptors], first: 1, limits)
    }

    /// A long commit, copied and decoded, fits into the address space: running out of it half way ends the process.
    private static func hasRoom(forCommitOf bytes: Int) -> Bool {
        // The shortest op has five bytes.
        let needed = bytes + min(bytes / 5, WireLimits.commitOps) * MemoryLayout<TransactionOp>.stride
        let space = mmap(nil, max(needed, 1), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let space, space != MAP_FAILED else { return false }
        munmap(space, max(needed, 1))
        return true
    }

    private func decodeCommit(
        _ payload: [UInt8], _ groups: [ReceivedDescriptors], first: Int, _ limits: WireLimits
    ) throws(ProtocolError) -> ClientMessage {
        commitBytes = payload.count
        var files = groups.dropLast().flatMap(\.descriptors)
        files += groups.last?.descriptors.dropFirst(first) ?? []
        return try decode(.commit, payload) { index, offset, count throws(ProtocolError) in
            guard Int(index) < files.count else {
                throw ProtocolError(
                    .missingDescriptor, "descriptor \(index) of the commit; \(files.count) came with it")
            }
            guard count <= Int(clamping: limits.imageBytes) else {
                throw ProtocolError(.limit, "an image of \(count) bytes; the limit is \(limits.imageBytes)")
            }
            return try SealedFile.received(files[Int(index)], offset: offset, count: count)
        }
    }

    private func decode(
        _ type: MessageType, _ payload: [UInt8],
        pixels: (UInt16, UInt64, Int) throws(ProtocolError) -> PixelStorage
    ) throws(ProtocolError) -> ClientMessage {
        let result: Result<ClientMessage, ProtocolError> = payload.withUnsafeBytes { bytes in
            do throws(ProtocolError) {
                return .success(try ClientMessage.decode(type, bytes, pixels: pixels))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

private func noPixels(_: UInt16, _: UInt64, _: Int) throws(ProtocolError) -> PixelStorage {
    throw ProtocolError(.unexpectedMessage, "pixels outside of a commit")
}
