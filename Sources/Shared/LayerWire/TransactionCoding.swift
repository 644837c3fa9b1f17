// Transactions as bytes: the same in a message, in a sealed file and in a recording, except for where pixels are.

import LayerModel

/// Numbers of the ops. Never renumber, only append.
enum OpCode: UInt8, CaseIterable {
    case createLayer = 1
    case destroyLayer = 2
    case set = 3
    case setSublayers = 4
    case setRoot = 5
    case defineImage = 6
    case releaseImage = 7
    case addAnimation = 8
    case removeAnimation = 9
}

/// Where the pixels of an image come from.
private enum PixelSource: UInt8 {
    /// A descriptor that came with the commit.
    case descriptor = 0
    /// The bytes follow: recordings.
    case inline = 1
}

extension ByteWriter {
    /// - Parameter place: Called for each image; a number is the index of its descriptor, nil puts the bytes inline.
    package mutating func write(_ transaction: Transaction, place: (ImageContent) -> UInt16?) {
        write(transaction.time)
        write(UInt32(transaction.ops.count))
        for op in transaction.ops { write(op, place) }
    }

    private mutating func write(_ op: TransactionOp, _ place: (ImageContent) -> UInt16?) {
        switch op {
        case .createLayer(let id, let layerClass):
            write(OpCode.createLayer.rawValue)
            write(id.rawValue)
            write(layerClass.rawValue)
        case .destroyLayer(let id):
            write(OpCode.destroyLayer.rawValue)
            write(id.rawValue)
        case .set(let id, let property, let value):
            write(OpCode.set.rawValue)
            write(id.rawValue)
            write(property.rawValue)
            write(value)
        case .setSublayers(let id, let sublayers):
            write(OpCode.setSublayers.rawValue)
            write(id.rawValue)
            write(UInt32(sublayers.count))
            for sublayer in sublayers { write(sublayer.rawValue) }
        case .setRoot(let id):
            write(OpCode.setRoot.rawValue)
            write(id.rawValue)
        case .defineImage(let id, let content):
            write(OpCode.defineImage.rawValue)
            write(id.rawValue)
            write(content, place(content))
        case .releaseImage(let id):
            write(OpCode.releaseImage.rawValue)
            write(id.rawValue)
        case .addAnimation(let id, let animation, let key, let description):
            write(OpCode.addAnimation.rawValue)
            write(id.rawValue)
            write(animation.rawValue)
            write(String?.some(key))
            write(description)
        case .removeAnimation(let id, let animation):
            write(OpCode.removeAnimation.rawValue)
            write(id.rawValue)
            write(animation.rawValue)
        }
    }

    private mutating func write(_ content: ImageContent, _ descriptor: UInt16?) {
        write(UInt32(clamping: content.width))
        write(UInt32(clamping: content.height))
        write(content.format.rawValue)
        write(content.isOpaque)
        let rowBytes = content.width * content.format.bytesPerPixel
        if let descriptor {
            write(UInt32(clamping: content.bytesPerRow))
            write(PixelSource.descriptor.rawValue)
            write(descriptor)
            write(UInt64(0))
        } else {
            write(UInt32(clamping: rowBytes))
            write(PixelSource.inline.rawValue)
            content.pixels.withBytes { bytes in
                for row in 0..<content.height {
                    let start = row * content.bytesPerRow
                    write(raw: UnsafeRawBufferPointer(rebasing: bytes[start..<start + rowBytes]))
                }
            }
        }
    }

    /// Kind, then the value.
    mutating func write(_ value: PropertyValue) {
        write(value.kind.rawValue)
        switch value {
        case .bool(let v): write(v)
        case .number(let v): write(v)
        case .point(let v):
            write(v.x)
            write(v.y)
        case .rect(let v):
            write(v.origin.x)
            write(v.origin.y)
            write(v.size.width)
            write(v.size.height)
        case .transform(let v): for element in v.elements { write(element) }
        case .color(let v):
            write(v != nil)
            if let v { write(v) }
        case .code(let v): write(v)
        case .image(let v): write(v.rawValue)
        case .string(let v): write(v)
        case .path(let v):
            write(v != nil)
            if let v { write(v) }
        case .layer(let v): write(v.rawValue)
        case .filters(let v):
            write(UInt16(clamping: v.count))
            for filter in v.prefix(Int(UInt16.max)) { write(filter) }
        case .numbers(let v): write(v)
        case .colors(let v):
            write(UInt32(v.count))
            for color in v { write(color) }
        case .cells(let v): write(v, inside: 0)
        }
    }

    mutating func write(_ color: Color) {
        write(color.red)
        write(color.green)
        write(color.blue)
        write(color.alpha)
    }

    mutating func write(_ text: String?) {
        write(text != nil)
        if let text { write(text) }
    }
}

extension ByteReader {
    /// - Parameter pixels: Gives the bytes of a descriptor: index, offset and byte count.
    package mutating func readTransaction(
        pixels: (UInt16, UInt64, Int) throws(ProtocolError) -> PixelStorage
    ) throws(ProtocolError) -> Transaction {
        let start = offset
        let time = try readDouble()
        guard time.isFinite else { throw ProtocolError(.badValue, offset: start, "the time must be finite") }
        let count = try readCount(ofAtLeast: 5)
        guard count <= WireLimits.commitOps else {
            throw ProtocolError(
                .limit, offset: offset - 4, "a commit of \(count) ops; the limit is \(WireLimits.commitOps)")
        }
        var transaction = Transaction(time: time)
        transaction.ops.reserveCapacity(count)
        for index in 0..<count {
            do {
                if let op = try readOp(pixels) { transaction.ops.append(op) }
            } catch {
                throw ProtocolError(error.code, offset: error.offset, op: index, error.message)
            }
        }
        return transaction
    }

    /// Nil for a property this version does not know: skipped, so that newer clients can talk to older servers.
    private mutating func readOp(
        _ pixels: (UInt16, UInt64, Int) throws(ProtocolError) -> PixelStorage
    ) throws(ProtocolError) -> TransactionOp? {
        let start = offset
        let code = try read(UInt8.self)
        guard let opCode = OpCode(rawValue: code) else {
            throw ProtocolError(.unknownOp, offset: start, "there is no op \(code)")
        }
        let id = try read(UInt32.self)
        switch opCode {
        case .createLayer:
            let number = try read(UInt8.self)
            guard let layerClass = LayerClass(rawValue: number) else {
                throw ProtocolError(.badValue, offset: offset - 1, "there is no layer class \(number)")
            }
            return .createLayer(LayerID(id), layerClass)
        case .destroyLayer: return .destroyLayer(LayerID(id))
        case .set:
            let key = try read(UInt16.self)
            let value = try readValue()
            guard let property = LayerProperty(rawValue: key) else { return nil }
            return .set(LayerID(id), property, value)
        case .setSublayers:
            let count = try readCount(ofAtLeast: 4)
            var sublayers: [LayerID] = []
            sublayers.reserveCapacity(count)
            for _ in 0..<count { sublayers.append(LayerID(try read(UInt32.self))) }
            return .setSublayers(LayerID(id), sublayers)
        case .setRoot: return .setRoot(LayerID(id))
        case .defineImage: return .defineImage(ImageID(id), try readContent(pixels))
        case .releaseImage: return .releaseImage(ImageID(id))
        case .addAnimation:
            let animation = AnimationID(try read(UInt32.self))
            let key = try readName() ?? ""
            return .addAnimation(LayerID(id), animation, key: key, try readAnimation())
        case .removeAnimation: return .removeAnimation(LayerID(id), AnimationID(try read(UInt32.self)))
        }
    }

    private mutating func readContent(
        _ pixels: (UInt16, UInt64, Int) throws(ProtocolError) -> PixelStorage
    ) throws(ProtocolError) -> ImageContent {
        let start = offset
        let width = Int(try read(UInt32.self))
        let height = Int(try read(UInt32.self))
        let formatCode = try read(UInt8.self)
        guard let format = PixelFormat(rawValue: formatCode) else {
            throw ProtocolError(.badValue, offset: start, "there is no pixel format \(formatCode)")
        }
        let isOpaque = try readBool()
        let bytesPerRow = Int(try read(UInt32.self))
        // 2²⁰ rows of 2³² bytes: far from what 64 bits hold.
        guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20,
            bytesPerRow >= width * format.bytesPerPixel, bytesPerRow % format.bytesPerPixel == 0
        else {
            throw ProtocolError(
                .badImage, offset: start,
                "\(width)x\(height) pixels with \(bytesPerRow) bytes a row are no image; rows hold whole pixels, at least \(width)"
            )
        }
        let needed = bytesPerRow * (height - 1) + width * format.bytesPerPixel
        let sourceCode = try read(UInt8.self)
        let storage: PixelStorage
        switch PixelSource(rawValue: sourceCode) {
        case .descriptor:
            let index = try read(UInt16.self)
            let position = try read(UInt64.self)
            do { storage = try pixels(index, position, needed) } catch {
                throw ProtocolError(error.code, offset: error.offset ?? start, error.message)
            }
        case .inline:
            storage = PixelStorage(copying: try readRaw(needed))
        case nil:
            throw ProtocolError(.badValue, offset: offset - 1, "there is no pixel source \(sourceCode)")
        }
        return ImageContent(
            width: width, height: height, bytesPerRow: bytesPerRow, format: format, isOpaque: isOpaque,
            pixels: storage)
    }

    mutating func readValue() throws(ProtocolError) -> PropertyValue {
        let start = offset
        let code = try read(UInt8.self)
        guard let kind = PropertyValue.Kind(rawValue: code) else {
            throw ProtocolError(.badValue, offset: start, "there is no kind of value \(code)")
        }
        switch kind {
        case .bool: return .bool(try readBool())
        case .number: return .number(try readDouble())
        case .point: return .point(Point(try readDouble(), try readDouble()))
        case .rect: return .rect(Rect(try readDouble(), try readDouble(), try readDouble(), try readDouble()))
        case .transform:
            var elements: [Double] = []
            elements.reserveCapacity(16)
            for _ in 0..<16 { elements.append(try readDouble()) }
            return .transform(Transform(elements: elements)!)
        case .color:
            return .color(try readBool() ? try readColor() : nil)
        case .code: return .code(try read(UInt8.self))
        case .image: return .image(ImageID(try read(UInt32.self)))
        case .string: return .string(try readName())
        case .path: return .path(try readBool() ? try readPath() : nil)
        case .layer: return .layer(LayerID(try read(UInt32.self)))
        case .filters: return .filters(try readFilters())
        case .numbers: return .numbers(try readNumbers())
        case .colors:
            let count = try readCount(ofAtLeast: 32)
            var colors: [Color] = []
            colors.reserveCapacity(count)
            for _ in 0..<count { colors.append(try readColor()) }
            return .colors(colors)
        case .cells:
            var count = 0
            return .cells(try readCells(inside: 0, &count))
        }
    }

    mutating func readColor() throws(ProtocolError) -> Color {
        Color(try readDouble(), try readDouble(), try readDouble(), try readDouble())
    }

    mutating func readName() throws(ProtocolError) -> String? {
        try readBool() ? try readText(limit: WireLimits.nameBytes) : nil
    }
}
