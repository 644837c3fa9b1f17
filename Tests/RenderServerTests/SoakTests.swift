import CLinux
import Foundation
import LayerModel
import LayerWire
import RenderServer
import Synchronization
import TestFiles
import Testing

extension ServerTests {
    /// Clients come and go for a while; at the end everything is as it was. `ROSTRUM_SOAK_SECONDS` says how long.
    @Suite("A long time")
    struct SoakTests {
        @Test("Clients come and go, commit, capture, break off: descriptors, textures, targets and memory stay flat")
        func soak() async {
            // A process of its own: it counts the descriptors and the memory of all of it.
            await #expect(processExitsWith: .success) {
                let seconds = Double(ProcessInfo.processInfo.environment["ROSTRUM_SOAK_SECONDS"] ?? "") ?? 2
                let soak = try Soak()
                // Until pools, caches and arenas have what they need.
                try soak.run(seconds: max(seconds / 4, 1))
                let before = try soak.settle()
                try soak.run(seconds: seconds)
                let after = try soak.settle()
                guard after.descriptors == before.descriptors else {
                    throw ServerError("\(before.descriptors) descriptors became \(after.descriptors)")
                }
                guard after.resident - before.resident < 24 << 20 else {
                    throw ServerError("\((after.resident - before.resident) >> 20) MiB more")
                }
                // Targets kept in reserve come and go with the frames; no more than the sizes that were asked for.
                guard after.holdings.graphics.targetsAlive <= 40 else {
                    throw ServerError("\(after.holdings.graphics.targetsAlive) targets")
                }
                guard soak.visits > 50, soak.frames > 20 else {
                    throw ServerError("\(soak.visits) visits, \(soak.frames) frames")
                }
                soak.server.server.stop()
            }
        }
    }
}

/// A server with its witness, and clients of all kinds.
private final class Soak {
    let server: LiveServer
    private let witness: Witness
    private let visitCount = Atomic(0)
    private let frameCount = Atomic(0)
    private let failure = Mutex<String?>(nil)
    private let seed = Atomic<UInt64>(1)

    var visits: Int { visitCount.load(ordering: .relaxed) }
    var frames: Int { frameCount.load(ordering: .relaxed) }

    struct State {
        var descriptors: Int32
        var resident: Int64
        var holdings: ServerHoldings
    }

    init() throws {
        server = try LiveServer(patience: 0.5)
        witness = try Witness(server)
    }

    /// Three threads of clients, one after the other in each.
    func run(seconds: Double) throws {
        let end = clinux_monotonic_nanoseconds() + UInt64(seconds * 1e9)
        nonisolated(unsafe) let soak = self
        DispatchQueue.concurrentPerform(iterations: 3) { _ in
            while clinux_monotonic_nanoseconds() < end, soak.failure.withLock({ $0 == nil }) {
                let seed = soak.seed.wrappingAdd(1, ordering: .relaxed).oldValue
                do { try soak.visit(seed) } catch { soak.failure.withLock { $0 = "visit \(seed): \(error)" } }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw ServerError(failure) }
        try witness.check(alone: false)
    }

    /// What is held when all are gone. The witness sees its picture, and that the server holds only that.
    func settle() throws -> State {
        guard wait(seconds: 5, until: { server.server.statistics.sessions == 1 }) else {
            throw ServerError("\(server.server.statistics.sessions) sessions are left")
        }
        try witness.check()
        guard let holdings = server.server.holdings() else { throw ServerError("the server has stopped") }
        // A session's end is noticed before its last descriptor is closed.
        var descriptors = Int32.max
        _ = wait {
            defer { descriptors = clinux_open_descriptors() }
            return clinux_open_descriptors() == descriptors
        }
        _ = server.takeLog()
        return State(descriptors: descriptors, resident: clinux_resident_bytes(), holdings: holdings)
    }

    /// One client's life, by its number.
    private func visit(_ seed: UInt64) throws {
        var random = Numbers(state: seed)
        visitCount.wrappingAdd(1, ordering: .relaxed)
        let client = try RawClient(server, overPair: random.below(3) == 0)
        defer { client.vanish() }
        if random.below(12) == 0 {
            client.send(raw: (0..<random.below(40)).map { _ in UInt8(random.below(256)) })
            return
        }
        var hello = RawClient.hello
        (hello.width, hello.height) = (UInt32(8 + random.below(120)), UInt32(8 + random.below(90)))
        try client.greet(hello)
        let images = random.below(4)
        client.commit(tree(&random, images: images))
        for frame in 0..<random.below(5) {
            if random.below(2) == 0 {
                client.commit([
                    .set(LayerID(2), .opacity, .number(Double(random.below(10)) / 9)),
                    .set(LayerID(3), .cornerRadius, .number(Double(random.below(16)))),
                ])
            }
            guard let answer = client.capture(at: Double(frame)), let reply = answer.frame else {
                throw ServerError("no frame")
            }
            frameCount.wrappingAdd(1, ordering: .relaxed)
            if random.below(3) > 0 { client.release(reply) }
        }
        switch random.below(6) {
        case 0: client.send(.goodbye)
        case 1:
            // Killed in the middle of a message, with a descriptor under way.
            let file = NamedFile(bytes: 1 << 16, sealed: true)
            client.send(2, [1, 2, 3], descriptors: [file.descriptor], length: 900)
            file.close()
        case 2:
            // Killed with captures that nobody waits for.
            for serial in 100..<106 as Range<UInt32> { client.send(.capture(time: 9, .pixels), serial: serial) }
        case 3:
            // Killed in the middle of an upload.
            let file = NamedFile(bytes: 1 << 20, sealed: true)
            client.commit(
                raw: commitPayload(imageOp(99, width: 512, height: 512, row: 2_048)), descriptors: [file.descriptor])
            file.close()
        case 4: client.commit([.destroyLayer(LayerID(77))])
        default: break
        }
    }

    private func tree(_ random: inout Numbers, images: Int) -> [TransactionOp] {
        var ops: [TransactionOp] = []
        let layers = 3 + random.below(30)
        for id in 1...UInt32(layers) {
            let layer = LayerID(id)
            ops.append(.createLayer(layer, .layer))
            ops += place(
                layer, Double(4 + random.below(60)), Double(4 + random.below(60)),
                at: Point(Double(random.below(64)), Double(random.below(64)) + 0.5))
            ops.append(.set(layer, .backgroundColor, .color(Color(Double(random.below(9)) / 8, 0.5, 0.25))))
            if random.below(3) == 0 { ops.append(.set(layer, .cornerRadius, .number(Double(random.below(12))))) }
            if random.below(4) == 0 { ops.append(.set(layer, .masksToBounds, .bool(true))) }
            if random.below(4) == 0 { ops.append(.set(layer, .opacity, .number(0.6))) }
            if random.below(5) == 0 {
                ops.append(.set(layer, .transform, .transform(.rotation(Double(random.below(60)) / 10, 0, 0, 1))))
            }
        }
        for number in 0..<images {
            let side = 1 + random.below(96)
            let content = ImageContent(
                width: side, height: side, bytesPerRow: side * 4, isOpaque: false,
                pixels: PixelStorage([UInt8](repeating: 90, count: side * side * 4)))
            ops.append(.defineImage(ImageID(UInt32(number + 1)), content))
            ops.append(.set(LayerID(UInt32(number + 1)), .contents, .image(ImageID(UInt32(number + 1)))))
        }
        // Each below one that comes before it.
        var sublayers = [[LayerID]](repeating: [], count: layers + 1)
        for id in 2...layers { sublayers[1 + random.below(id - 1)].append(LayerID(UInt32(id))) }
        for (id, list) in sublayers.enumerated() where !list.isEmpty {
            ops.append(.setSublayers(LayerID(UInt32(id)), list))
        }
        return ops + [.setRoot(LayerID(1))]
    }
}
