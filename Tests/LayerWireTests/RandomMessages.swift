import LayerModel
import LayerWire

/// SplitMix64: the same messages on every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) &* 0x2545_F491_4F6C_DD1D }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}

/// Messages with every field set to something that a default is not.
struct RandomMessages {
    var generator: SeededGenerator

    init(seed: Int) { generator = SeededGenerator(seed) }

    mutating func integer<T: FixedWidthInteger>() -> T { T(truncatingIfNeeded: generator.next()) }
    mutating func below(_ limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }
    mutating func bool() -> Bool { generator.next() & 1 == 1 }

    mutating func number() -> Double {
        switch below(8) {
        case 0: 0
        case 1: -0.0
        case 2: .leastNonzeroMagnitude
        case 3: -1e300
        default: Double(Int64(truncatingIfNeeded: generator.next() >> 20)) / 1024
        }
    }

    mutating func text() -> String {
        let words = [
            "", "a", "größe", "layer \"1\"", "\n\t\\", "🙂", "e\u{301}", "\u{202E}x", String(repeating: "y", count: 300),
        ]
        return words[below(words.count)]
    }

    mutating func color() -> Color { Color(number(), number(), number(), number()) }

    mutating func image() -> ImageContent {
        let (width, height) = (1 + below(5), 1 + below(4))
        let bytes = (0..<width * height * 4).map { _ in integer() as UInt8 }
        return ImageContent(
            width: width, height: height, bytesPerRow: width * 4, isOpaque: bool(), pixels: PixelStorage(bytes))
    }

    mutating func value(of kind: PropertyValue.Kind) -> PropertyValue {
        switch kind {
        case .bool: .bool(bool())
        case .number: .number(number())
        case .point: .point(Point(number(), number()))
        case .rect: .rect(Rect(number(), number(), number(), number()))
        case .transform: .transform(Transform(elements: (0..<16).map { _ in number() })!)
        case .color: .color(bool() ? color() : nil)
        case .code: .code(integer())
        case .image: .image(ImageID(integer() as UInt32))
        case .string: .string(bool() ? text() : nil)
        case .path: .path(bool() ? path() : nil)
        case .layer: .layer(LayerID(integer() as UInt32))
        case .filters: .filters((0..<below(4)).map { _ in filter() })
        case .numbers: .numbers((0..<below(5)).map { _ in number() })
        case .colors: .colors((0..<below(5)).map { _ in color() })
        case .cells: .cells((0..<below(4)).map { _ in cell(inside: 0) })
        }
    }

    mutating func cell(inside depth: Int) -> EmitterCell {
        var cell = EmitterCell()
        cell.name = bool() ? text() : nil
        cell.isEnabled = bool()
        cell.numbers = (0..<EmitterCell.numberCount).map { _ in number() }
        cell.contents = ImageID(integer() as UInt32)
        cell.magnificationFilter = bool() ? .nearest : .trilinear
        cell.duration = bool() ? number() : nil
        if depth + 1 < EmitterCell.deepest { cell.cells = (0..<below(3)).map { _ in self.cell(inside: depth + 1) } }
        return cell
    }

    mutating func path() -> VectorPath {
        var path = VectorPath()
        path.move(to: Point(number(), number()))
        for _ in 0..<below(5) {
            switch below(4) {
            case 0: path.line(to: Point(number(), number()))
            case 1: path.quad(to: Point(number(), number()), control: Point(number(), number()))
            case 2:
                path.cubic(
                    to: Point(number(), number()), Point(number(), number()), Point(number(), number()))
            default: path.close()
            }
        }
        return path
    }

    mutating func filter() -> LayerFilter {
        var filter = LayerFilter(
            LayerFilter.Kind.allCases[below(LayerFilter.Kind.allCases.count)], name: bool() ? text() : nil,
            isEnabled: bool())
        for input in LayerFilter.Input.allCases where below(3) == 0 {
            switch below(6) {
            case 0: filter.inputs[input] = .number(number())
            case 1: filter.inputs[input] = .flag(bool())
            case 2: filter.inputs[input] = .color(color())
            case 3: filter.inputs[input] = .numbers((0..<below(21)).map { _ in number() })
            case 4: filter.inputs[input] = .point(Point(number(), number()))
            default: filter.inputs[input] = .image(ImageID(integer() as UInt32))
            }
        }
        return filter
    }

    mutating func op() -> TransactionOp {
        let layer = LayerID(integer() as UInt32)
        switch below(12) {
        case 0: return .createLayer(layer, bool() ? .layer : .transformLayer)
        case 1: return .destroyLayer(layer)
        case 2: return .setSublayers(layer, (0..<below(6)).map { _ in LayerID(integer() as UInt32) })
        case 3: return .setRoot(layer)
        case 4: return .defineImage(ImageID(integer() as UInt32), image())
        case 5: return .releaseImage(ImageID(integer() as UInt32))
        case 6: return .addAnimation(layer, AnimationID(integer() as UInt32), key: text(), animation())
        case 7: return .removeAnimation(layer, AnimationID(integer() as UInt32))
        default:
            let property = LayerProperty.allCases[below(LayerProperty.allCases.count)]
            return .set(layer, property, value(of: property.kind))
        }
    }

    mutating func transaction(ops: Int) -> Transaction {
        Transaction(time: number(), ops: (0..<ops).map { _ in op() })
    }

    /// Every property once, every op at least once.
    mutating func fullTransaction() -> Transaction {
        var ops: [TransactionOp] = [
            .createLayer(LayerID(1), .layer), .createLayer(LayerID(2), .transformLayer), .destroyLayer(LayerID(3)),
            .setSublayers(LayerID(1), [LayerID(2)]), .setSublayers(LayerID(2), []), .setRoot(LayerID(1)),
            .defineImage(ImageID(1), image()), .releaseImage(ImageID(2)),
            .removeAnimation(LayerID(1), AnimationID(7)),
        ]
        for number in 0..<12 {
            ops.append(.addAnimation(LayerID(1), AnimationID(UInt32(number)), key: text(), animation()))
        }
        for property in LayerProperty.allCases { ops.append(.set(LayerID(1), property, value(of: property.kind))) }
        return Transaction(time: 0.5, ops: ops)
    }

    mutating func hello() -> Hello {
        var hello = Hello(
            clientName: text(), width: integer(), height: integer(), scale: number(), isFlipped: bool(),
            background: color())
        hello.newestVersion = 1 + UInt16(below(9))
        return hello
    }

    mutating func clientMessage(_ type: MessageType) -> ClientMessage {
        switch type {
        case .hello: .hello(hello())
        case .commit: .commit(fullTransaction())
        case .commitInFile: .commitInFile(byteCount: integer())
        case .attach: .attach
        case .capture: .capture(time: number(), CaptureOptions(rawValue: integer()))
        case .releaseFrame: .releaseFrame(integer())
        case .ping: .ping
        case .phases: .phases(phases())
        case .live: .live
        default: .goodbye
        }
    }

    mutating func phases() -> CommitPhases {
        var phases = CommitPhases()
        phases.layout = integer()
        phases.display = integer()
        phases.decode = integer()
        phases.encode = integer()
        phases.sent = integer()
        return phases
    }

    mutating func commitRow() -> CommitRow {
        CommitRow(
            serial: integer(), bytes: integer(), pixelBytes: integer(), phases: bool() ? phases() : nil,
            wire: bool() ? integer() : nil, latch: integer(), upload: integer(), apply: integer())
    }

    mutating func fault() -> Fault {
        Fault(
            code: integer(), isFatal: bool(), serial: integer(), op: bool() ? UInt32(below(1000)) : nil,
            offset: bool() ? UInt32(below(1000)) : nil, layer: bool() ? LayerID(UInt32(below(1000))) : nil,
            message: text())
    }

    mutating func limits() -> WireLimits {
        var limits = WireLimits()
        limits.messageBytes = integer()
        limits.commitBytes = integer()
        limits.messageDescriptors = integer()
        limits.credits = integer()
        limits.frames = integer()
        limits.layers = integer()
        limits.depth = integer()
        limits.imageSide = integer()
        limits.imageBytes = integer()
        limits.unreadBytes = integer()
        limits.sessions = integer()
        limits.patience = number()
        return limits
    }

    mutating func passRow() -> PassRow {
        PassRow(
            label: text(), reason: text(), layer: LayerID(integer() as UInt32), width: integer(), height: integer(),
            quads: integer(), draws: integer(), pixels: integer(), cpuNanoseconds: integer(),
            gpuNanoseconds: bool() ? integer() : nil)
    }

    mutating func serverMessage(_ type: MessageType) -> ServerMessage {
        switch type {
        case .welcome: .welcome(Welcome(version: integer(), limits: limits(), serverName: text()))
        case .refused: .refused(fault(), oldest: integer(), newest: integer())
        case .credits: .credits(integer())
        case .released: .released((0..<below(9)).map { _ in ImageID(integer() as UInt32) })
        case .frame:
            .frame(
                FrameReply(
                    time: number(), width: integer(), height: integer(), bytesPerRow: integer(), buffer: integer(),
                    isUnchanged: bool(), passesDrawn: integer(), planNanoseconds: integer(),
                    drawNanoseconds: integer(), plan: text(), passes: (0..<below(4)).map { _ in passRow() },
                    degradations: (0..<below(4)).map { _ in text() },
                    commits: (0..<below(4)).map { _ in commitRow() }))
        case .fault: .fault(fault())
        default: .pong
        }
    }
}

extension MessageType {
    static let ofClients = allCases.filter { $0.rawValue < 128 }
    static let ofServers = allCases.filter { $0.rawValue >= 128 }
}

/// The bytes of a message, with pixels inline.
func payload(_ message: ClientMessage) -> [UInt8] {
    var writer = ByteWriter()
    message.encode(into: &writer)
    return writer.bytes
}

func payload(_ message: ServerMessage) -> [UInt8] {
    var writer = ByteWriter()
    message.encode(into: &writer)
    return writer.bytes
}

func decodeClient(_ type: MessageType, _ bytes: [UInt8]) throws -> ClientMessage {
    try bytes.withUnsafeBytes { bytes in
        try ClientMessage.decode(type, bytes) { index, _, _ throws(ProtocolError) in
            throw ProtocolError(.missingDescriptor, "descriptor \(index)")
        }
    }
}

func decodeServer(_ type: MessageType, _ bytes: [UInt8]) throws -> ServerMessage {
    try bytes.withUnsafeBytes { try ServerMessage.decode(type, $0) }
}

/// What decoding says is wrong; nil where it finds nothing wrong.
func faultOfDecoding(_ type: MessageType, _ bytes: [UInt8]) -> ProtocolError? {
    do {
        if type.rawValue < 128 { _ = try decodeClient(type, bytes) } else { _ = try decodeServer(type, bytes) }
        return nil
    } catch {
        return error as? ProtocolError
    }
}
