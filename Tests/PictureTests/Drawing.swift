// One GL context on one thread for all picture tests: llvmpipe's programs are compiled once.

import Foundation
import LayerGPU
import LayerModel
import LayerRender
import ReferenceCompositor
import RenderServer

/// A drawn picture: premultiplied BGRA, tight rows.
struct Picture: Equatable {
    var size: PixelSize
    var bytes: [UInt8]
    var plan: FramePlan

    static func == (a: Picture, b: Picture) -> Bool { a.size == b.size && a.bytes == b.bytes }
}

/// Draws scenes on a thread of its own, one render core a set of switches.
final class Drawing: @unchecked Sendable {
    static let shared = Drawing()

    private let queue = DispatchQueue(label: "drawing")
    private let key = DispatchSpecificKey<Bool>()
    private var thread: Thread?
    private let condition = NSCondition()
    private var jobs: [() -> Void] = []
    private var cores: [CoreKey: RenderCore] = [:]
    private var session: UInt32 = 0

    private struct CoreKey: Hashable {
        var switches: Switches
        var bakesAll: Bool
    }

    private init() {
        let thread = Thread { [unowned self] in
            while true {
                condition.lock()
                while jobs.isEmpty { condition.wait() }
                let job = jobs.removeFirst()
                condition.unlock()
                job()
            }
        }
        thread.stackSize = 16 << 20
        thread.start()
        self.thread = thread
    }

    /// GL lives on one thread.
    func perform<R>(_ body: @escaping () throws -> R) throws -> R {
        var result: Result<R, any Error>?
        let done = DispatchSemaphore(value: 0)
        condition.lock()
        jobs.append {
            result = Result { try body() }
            done.signal()
        }
        condition.signal()
        condition.unlock()
        done.wait()
        return try result!.get()
    }

    /// - Parameter bakesAll: Whatever can be baked is, as cheap as it may be to draw.
    func core(_ switches: Switches, bakesAll: Bool = false) -> RenderCore {
        let key = CoreKey(switches: switches, bakesAll: bakesAll)
        if let core = cores[key] { return core }
        var limits = PlanLimits()
        if bakesAll { (limits.bakingGainPercent, limits.bakingGainPixels) = (0, 0) }
        let core = RenderCore(
            RenderConfiguration(device: testedDevice, debug: true, switches: switches, planLimits: limits))
        cores[key] = core
        return core
    }

    func draw(
        _ transactions: [Transaction], on display: ReferenceDisplay, switches: Switches = .all
    ) throws -> Picture {
        try draw(frames: [(transactions, 0)], on: display, switches: switches)[0]
    }

    /// One session's frames: for each what is committed before, and the display's time.
    func draw(
        frames: [(transactions: [Transaction], time: Double)], on display: ReferenceDisplay, switches: Switches = .all,
        bakesAll: Bool = false
    ) throws -> [Picture] {
        try perform { [self] in
            let core = core(switches, bakesAll: bakesAll)
            session += 1
            core.open(
                session,
                display: DisplayGeometry(
                    size: display.pixelSize, scale: display.scale, isFlipped: display.isFlipped,
                    background: display.background))
            defer { core.close(session) }
            return try frames.map { transactions, time in
                for transaction in transactions { _ = try core.commit(transaction, to: session) }
                let frame = try core.render(session, at: time, timing: .off)
                let size = display.pixelSize
                var bytes = [UInt8](repeating: 0, count: size.area * 4)
                try bytes.withUnsafeMutableBytes {
                    try core.read(
                        session, PixelRect(x: 0, y: 0, width: size.width, height: size.height),
                        into: $0.baseAddress!, bytesPerRow: size.width * 4)
                }
                if core.debugErrorCount > 0 { throw DrawingError.graphics(core.debugMessages) }
                return Picture(size: size, bytes: bytes, plan: frame.plan)
            }
        }
    }
}

/// What `ROSTRUM_DEVICE` says.
let testedDevice = (try? DeviceChoice.fromEnvironment()) ?? .automatic

enum DrawingError: Error {
    case graphics([String])
}

extension Picture {
    /// Writes a picture for people, where artifacts go.
    func write(_ name: String) -> String {
        try? FileManager.default.createDirectory(atPath: artifactFolder, withIntermediateDirectories: true)
        let path = artifactFolder + "/" + name + ".pam"
        var data = Data(
            "P7\nWIDTH \(size.width)\nHEIGHT \(size.height)\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".utf8)
        for index in stride(from: 0, to: bytes.count, by: 4) {
            data.append(contentsOf: [bytes[index + 2], bytes[index + 1], bytes[index], bytes[index + 3]])
        }
        try? data.write(to: URL(fileURLWithPath: path))
        return path
    }
}
