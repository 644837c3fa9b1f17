import LayerModel

extension ClientMessage {
    package var type: MessageType {
        switch self {
        case .hello: .hello
        case .commit: .commit
        case .commitInFile: .commitInFile
        case .attach: .attach
        case .capture: .capture
        case .releaseFrame: .releaseFrame
        case .ping: .ping
        case .goodbye: .goodbye
        case .phases: .phases
        case .live: .live
        }
    }

    package func encode(into writer: inout ByteWriter, place: (ImageContent) -> UInt16? = { _ in nil }) {
        switch self {
        case .hello(let hello):
            writer.write(WireVersion.magic)
            writer.write(hello.oldestVersion)
            writer.write(hello.newestVersion)
            writer.write(hello.clientName)
            writer.write(hello.width)
            writer.write(hello.height)
            writer.write(hello.scale)
            writer.write(hello.isFlipped)
            writer.write(hello.background.red)
            writer.write(hello.background.green)
            writer.write(hello.background.blue)
            writer.write(hello.background.alpha)
        case .commit(let transaction): writer.write(transaction, place: place)
        case .commitInFile(let byteCount): writer.write(byteCount)
        case .capture(let time, let options):
            writer.write(time)
            writer.write(options.rawValue)
        case .releaseFrame(let buffer): writer.write(buffer)
        case .phases(let phases): phases.encode(into: &writer)
        case .attach, .ping, .goodbye, .live: break
        }
    }

    package static func decode(
        _ type: MessageType, _ payload: UnsafeRawBufferPointer,
        pixels: (UInt16, UInt64, Int) throws(ProtocolError) -> PixelStorage
    ) throws(ProtocolError) -> ClientMessage {
        var reader = ByteReader(payload)
        let message: ClientMessage
        switch type {
        case .hello: message = .hello(try Hello(&reader))
        case .commit: message = .commit(try reader.readTransaction(pixels: pixels))
        case .commitInFile: message = .commitInFile(byteCount: try reader.read())
        case .attach: message = .attach
        case .capture:
            let time = try reader.readDouble()
            guard time.isFinite else { throw ProtocolError(.badValue, offset: 0, "the time must be finite") }
            message = .capture(time: time, CaptureOptions(rawValue: try reader.read()))
        case .releaseFrame: message = .releaseFrame(try reader.read())
        case .ping: message = .ping
        case .goodbye: message = .goodbye
        case .phases: message = .phases(try CommitPhases(&reader))
        case .live: message = .live
        default: throw ProtocolError(.unexpectedMessage, "\(type) is no message of a client")
        }
        try reader.finish()
        return message
    }
}

extension Hello {
    fileprivate init(_ reader: inout ByteReader) throws(ProtocolError) {
        guard try reader.read(UInt32.self) == WireVersion.magic else {
            throw ProtocolError(.badMagic, offset: 0, "this is no Rostrum client")
        }
        let oldest = try reader.read(UInt16.self)
        let newest = try reader.read(UInt16.self)
        // Before anything that another version may have written differently.
        guard oldest <= WireVersion.newest, newest >= WireVersion.oldest else {
            throw ProtocolError(
                .unsupportedVersion, offset: 4,
                "the client speaks versions \(oldest) to \(newest), this server \(WireVersion.oldest) to \(WireVersion.newest)"
            )
        }
        let name = try reader.readText(limit: WireLimits.nameBytes)
        self.init(
            clientName: name, width: try reader.read(), height: try reader.read(), scale: try reader.readDouble(),
            isFlipped: try reader.readBool(),
            background: Color(
                try reader.readDouble(), try reader.readDouble(), try reader.readDouble(), try reader.readDouble()))
        oldestVersion = oldest
        newestVersion = newest
    }
}

extension ServerMessage {
    package var type: MessageType {
        switch self {
        case .welcome: .welcome
        case .refused: .refused
        case .credits: .credits
        case .released: .released
        case .frame: .frame
        case .fault: .fault
        case .pong: .pong
        }
    }

    package func encode(into writer: inout ByteWriter) {
        switch self {
        case .welcome(let welcome):
            writer.write(welcome.version)
            welcome.limits.encode(into: &writer)
            writer.write(welcome.serverName)
        case .refused(let fault, let oldest, let newest):
            writer.write(oldest)
            writer.write(newest)
            fault.encode(into: &writer)
        case .credits(let count): writer.write(count)
        case .released(let images):
            writer.write(UInt32(images.count))
            for image in images { writer.write(image.rawValue) }
        case .frame(let frame): frame.encode(into: &writer)
        case .fault(let fault): fault.encode(into: &writer)
        case .pong: break
        }
    }

    package static func decode(
        _ type: MessageType, _ payload: UnsafeRawBufferPointer
    ) throws(ProtocolError) -> ServerMessage {
        var reader = ByteReader(payload)
        let message: ServerMessage
        switch type {
        case .welcome:
            message = .welcome(
                Welcome(
                    version: try reader.read(), limits: try WireLimits(&reader),
                    serverName: try reader.readText(limit: WireLimits.nameBytes)))
        case .refused:
            let oldest = try reader.read(UInt16.self)
            let newest = try reader.read(UInt16.self)
            message = .refused(try Fault(&reader), oldest: oldest, newest: newest)
        case .credits: message = .credits(try reader.read())
        case .released:
            let count = try reader.readCount(ofAtLeast: 4)
            var images: [ImageID] = []
            for _ in 0..<count { images.append(ImageID(try reader.read(UInt32.self))) }
            message = .released(images)
        case .frame: message = .frame(try FrameReply(&reader))
        case .fault: message = .fault(try Fault(&reader))
        case .pong: message = .pong
        default: throw ProtocolError(.unexpectedMessage, "\(type) is no message of a server")
        }
        try reader.finish()
        return message
    }
}

extension WireLimits {
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.write(messageBytes)
        writer.write(commitBytes)
        writer.write(messageDescriptors)
        writer.write(credits)
        writer.write(frames)
        writer.write(layers)
        writer.write(depth)
        writer.write(imageSide)
        writer.write(imageBytes)
        writer.write(unreadBytes)
        writer.write(sessions)
        writer.write(patience)
    }

    fileprivate init(_ reader: inout ByteReader) throws(ProtocolError) {
        self.init()
        messageBytes = try reader.read()
        commitBytes = try reader.read()
        messageDescriptors = try reader.read()
        credits = try reader.read()
        frames = try reader.read()
        layers = try reader.read()
        depth = try reader.read()
        imageSide = try reader.read()
        imageBytes = try reader.read()
        unreadBytes = try reader.read()
        sessions = try reader.read()
        patience = try reader.readDouble()
    }
}

extension Fault {
    /// Stands for "none" where a number may be missing.
    private static let none = UInt32.max

    fileprivate func encode(into writer: inout ByteWriter) {
        writer.write(code)
        writer.write(isFatal)
        writer.write(serial)
        writer.write(op ?? Self.none)
        writer.write(offset ?? Self.none)
        writer.write(layer?.rawValue ?? Self.none)
        writer.write(message)
    }

    fileprivate init(_ reader: inout ByteReader) throws(ProtocolError) {
        func optional(_ value: UInt32) -> UInt32? { value == Self.none ? nil : value }
        let code = try reader.read(UInt16.self)
        let isFatal = try reader.readBool()
        let serial = try reader.read(UInt32.self)
        let op = optional(try reader.read())
        let offset = optional(try reader.read())
        let layer = optional(try reader.read())
        self.init(
            code: code, isFatal: isFatal, serial: serial, op: op, offset: offset, layer: layer.map { LayerID($0) },
            message: try reader.readText(limit: 1 << 20))
    }
}

extension FrameReply {
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.write(time)
        writer.write(width)
        writer.write(height)
        writer.write(bytesPerRow)
        writer.write(buffer)
        writer.write(isUnchanged)
        writer.write(passesDrawn)
        writer.write(planNanoseconds)
        writer.write(drawNanoseconds)
        writer.write(plan)
        writer.write(UInt32(passes.count))
        for pass in passes { pass.encode(into: &writer) }
        writer.write(UInt32(degradations.count))
        for text in degradations { writer.write(text) }
        writer.write(UInt32(commits.count))
        for commit in commits { commit.encode(into: &writer) }
    }

    fileprivate init(_ reader: inout ByteReader) throws(ProtocolError) {
        self.init(
            time: try reader.readDouble(), width: try reader.read(), height: try reader.read(),
            bytesPerRow: try reader.read(), buffer: try reader.read(), isUnchanged: try reader.readBool(),
            passesDrawn: try reader.read(), planNanoseconds: try reader.read(), drawNanoseconds: try reader.read(),
            plan: try reader.readText(limit: WireLimits.replyBytes), passes: [], degradations: [])
        let rows = try reader.readCount(ofAtLeast: 52)
        for _ in 0..<rows { passes.append(try PassRow(&reader)) }
        let lines = try reader.readCount(ofAtLeast: 4)
        for _ in 0..<lines { degradations.append(try reader.readText(limit: 1 << 16)) }
        let count = try reader.readCount(ofAtLeast: CommitRow.byteCount)
        for _ in 0..<count { commits.append(try CommitRow(&reader)) }
    }
}

extension PassRow {
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.write(label)
        writer.write(reason)
        writer.write(layer.rawValue)
        writer.write(width)
        writer.write(height)
        writer.write(quads)
        writer.write(draws)
        writer.write(pixels)
        writer.write(cpuNanoseconds)
        writer.write(gpuNanoseconds ?? .max)
    }

    fileprivate init(_ reader: inout ByteReader) throws(ProtocolError) {
        let label = try reader.readText(limit: 1 << 16)
        let reason = try reader.readText(limit: 1 << 16)
        self.init(
            label: label, reason: reason, layer: LayerID(try reader.read()), width: try reader.read(),
            height: try reader.read(), quads: try reader.read(), draws: try reader.read(), pixels: try reader.read(),
            cpuNanoseconds: try reader.read(), gpuNanoseconds: nil)
        let gpu = try reader.read(UInt64.self)
        gpuNanoseconds = gpu == .max ? nil : gpu
    }
}
