// A recording as text: one line a message, one more, indented, for each change of a commit. The same messages give the same
// text everywhere: numbers are the shortest that read back the same, pixels are named by a 64-bit FNV-1a of their rows
// without padding. Two recordings are compared with `diff`. Source: docs/wire-protocol.md, "Text form".

import LayerModel

package enum RecordingText {
    /// Every line of a recording, without line ends. What is whole is given before an error is thrown.
    package static func write(_ reader: RecordingReader, line: (String) throws -> Void) throws {
        try line("recording version \(RecordingFormat.version)")
        while let message = try reader.next() {
            for text in lines(message.message, serial: message.serial) { try line(text) }
        }
    }

    package static func lines(_ message: ClientMessage, serial: UInt32) -> [String] {
        let start = "message \(serial)"
        switch message {
        case .hello(let hello): return ["\(start) \(text(hello))"]
        case .commit(let transaction):
            let count = transaction.ops.count
            return [
                "\(start) commit at \(number(transaction.time)) s, \(count) \(count == 1 ? "op" : "ops")"
            ] + transaction.ops.map { "  " + text($0) }
        case .capture(let time, let options):
            return ["\(start) capture at \(number(time)) s\(text(options))"]
        case .commitInFile(let byteCount): return ["\(start) commit in a file of \(byteCount) bytes"]
        case .releaseFrame(let buffer): return ["\(start) release frame \(buffer)"]
        case .attach: return ["\(start) attach"]
        case .ping: return ["\(start) ping"]
        case .goodbye: return ["\(start) goodbye"]
        case .phases: return ["\(start) phases"]
        case .live: return ["\(start) live"]
        }
    }

    private static func text(_ hello: Hello) -> String {
        "hello from \(quoted(hello.clientName)), versions \(hello.oldestVersion) to \(hello.newestVersion), "
            + "\(hello.width)x\(hello.height) pixels at scale \(number(hello.scale)), "
            + "y \(hello.isFlipped ? "down" : "up"), background \(text(hello.background))"
    }

    private static func text(_ options: CaptureOptions) -> String {
        let names: [(CaptureOptions, String)] = [
            (.pixels, "pixels"), (.timings, "timings"), (.plan, "plan"), (.synchronous, "synchronous"),
        ]
        var text = ""
        for (option, name) in names where options.contains(option) { text += " \(name)" }
        let known = names.reduce(0) { $0 | $1.0.rawValue }
        if options.rawValue & ~known != 0 { text += " other(\(options.rawValue & ~known))" }
        return text.isEmpty ? "" : ":" + text
    }

    package static func text(_ op: TransactionOp) -> String {
        switch op {
        case .createLayer(let layer, .layer): "create \(layer)"
        case .createLayer(let layer, let layerClass): "create \(layer) \(layerClass)"
        case .destroyLayer(let layer): "destroy \(layer)"
        case .set(let layer, let property, let value): "set \(layer) \(property.key) \(text(value, of: property))"
        case .setSublayers(let layer, let sublayers):
            "set \(layer) sublayers (\(sublayers.map { String($0.rawValue) }.joined(separator: " ")))"
        case .setRoot(.none): "set root none"
        case .setRoot(let layer): "set root \(layer)"
        case .defineImage(let image, let content):
            "define \(image) \(content.width)x\(content.height) \(content.format) "
                + "\(content.isOpaque ? "opaque" : "with alpha"), fnv \(hash(of: content))"
        case .releaseImage(let image): "release \(image)"
        case .addAnimation(let layer, let id, let key, let animation):
            "add \(layer) \(id) \(quoted(key)) \(text(animation))"
        case .removeAnimation(let layer, let id): "remove \(layer) \(id)"
        }
    }

    // MARK: Values

    package static func text(_ value: PropertyValue, of property: LayerProperty) -> String {
        switch value {
        case .bool(let value): value ? "true" : "false"
        case .number(let value): number(value)
        case .point(let p): list([p.x, p.y])
        case .rect(let r): list([r.origin.x, r.origin.y, r.size.width, r.size.height])
        case .transform(.identity): "identity"
        case .transform(let transform): list(transform.elements)
        case .color(let color): color.map(text) ?? "none"
        case .code(let code): name(of: code, property)
        case .image(let image): image == .none ? "none" : "\(image)"
        case .string(let text): text.map(quoted) ?? "none"
        case .path(let path): path.map(text) ?? "none"
        case .layer(let layer): layer == .none ? "none" : "\(layer)"
        case .filters(let filters): "(" + filters.map(text).joined(separator: ", ") + ")"
        case .numbers(let numbers): list(numbers)
        case .colors(let colors): "(" + colors.map(text).joined(separator: " ") + ")"
        case .cells(let cells): "(" + cells.map(text).joined(separator: " ") + ")"
        }
    }

    /// As in PostScript, the points before the verb.
    static func text(_ path: VectorPath) -> String {
        var words: [String] = []
        var next = 0
        for verb in path.verbs {
            for point in path.points[next..<next + verb.pointCount] { words += [number(point.x), number(point.y)] }
            next += verb.pointCount
            words.append("\(verb)")
        }
        return "(" + words.joined(separator: " ") + ")"
    }

    private static func text(_ filter: LayerFilter) -> String {
        var text = filter.kind.typeName
        if let name = filter.name { text += " \(quoted(name))" }
        if !filter.isEnabled { text += " off" }
        for (input, value) in filter.inputs.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            text += " \(input)=\(Self.text(value))"
        }
        return text
    }

    /// What differs from a new cell's.
    private static func text(_ cell: EmitterCell) -> String {
        var words = ["cell"]
        if let name = cell.name { words.append(quoted(name)) }
        if !cell.isEnabled { words.append("off") }
        let usual = EmitterCell()
        for number in EmitterCell.Number.allCases where cell[number] != usual[number] {
            words.append("\(number)=\(Self.number(cell[number]))")
        }
        if let duration = cell.duration { words.append("duration=\(Self.number(duration))") }
        if cell.minificationFilter != .linear { words.append("minificationFilter=\(cell.minificationFilter)") }
        if cell.magnificationFilter != .linear { words.append("magnificationFilter=\(cell.magnificationFilter)") }
        if cell.contents != .none { words.append("\(cell.contents)") }
        words += cell.cells.map(text)
        return "(" + words.joined(separator: " ") + ")"
    }

    private static func text(_ value: LayerFilter.Value) -> String {
        switch value {
        case .number(let value): number(value)
        case .flag(let flag): flag ? "true" : "false"
        case .color(let color): text(color)
        case .numbers(let numbers): list(numbers)
        case .point(let point): list([point.x, point.y])
        case .image(let image): image == .none ? "none" : "\(image)"
        }
    }

    private static func text(_ color: Color) -> String { list([color.red, color.green, color.blue, color.alpha]) }

    static func list(_ numbers: [Double]) -> String { "(" + numbers.map(number).joined(separator: " ") + ")" }

    private static func name(of code: UInt8, _ property: LayerProperty) -> String {
        switch property {
        case .contentsGravity: ContentsGravity(rawValue: code).map { "\($0)" } ?? "\(code)"
        case .minificationFilter, .magnificationFilter: ContentsFilter(rawValue: code).map { "\($0)" } ?? "\(code)"
        case .compositingFilter: CompositingMode(rawValue: code)?.filterName ?? "\(code)"
        case .cornerCurve: CornerCurve(rawValue: code).map { "\($0)" } ?? "\(code)"
        case .fillRule: FillRule(rawValue: code).map { "\($0)" } ?? "\(code)"
        case .lineCap: LineCap(rawValue: code).map { "\($0)" } ?? "\(code)"
        case .lineJoin: LineJoin(rawValue: code).map { "\($0)" } ?? "\(code)"
        case .gradientType: GradientKind(rawValue: code).map { "\($0)" } ?? "\(code)"
        case .emitterShape: EmitterShape(rawValue: code).map { "\($0)" } ?? "\(code)"
        case .emitterMode: EmitterMode(rawValue: code).map { "\($0)" } ?? "\(code)"
        case .renderMode: EmitterRenderMode(rawValue: code).map { "\($0)" } ?? "\(code)"
        case .maskedCorners: names(of: code, ["minXMinY", "maxXMinY", "minXMaxY", "maxXMaxY"])
        case .edgeAntialiasingMask: names(of: code, ["left", "right", "bottom", "top"])
        default: "\(code)"
        }
    }

    /// The names of the bits that are set; the number where one has no name.
    private static func names(of code: UInt8, _ bits: [String]) -> String {
        guard Int(code) >> bits.count == 0 else { return "\(code)" }
        return "(" + bits.indices.filter { Int(code) >> $0 & 1 == 1 }.map { bits[$0] }.joined(separator: " ") + ")"
    }

    /// Whole numbers without a point, others as the shortest text that reads back the same.
    package static func number(_ value: Double) -> String {
        guard let whole = Int(exactly: value), abs(whole) < 1 << 53, value != 0 || value.sign == .plus else {
            return "\(value)"
        }
        return "\(whole)"
    }

    /// In double quotes, on one line whatever is in it, and without anything a terminal would obey.
    package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// As in double quotes, without them: for logs, too.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                default: result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    /// Of the rows without their padding: 16 hexadecimal digits.
    package static func hash(of content: ImageContent) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        content.pixels.withBytes { bytes in
            let rowBytes = content.width * content.format.bytesPerPixel
            for row in 0..<content.height {
                let start = row * content.bytesPerRow
                for byte in UnsafeRawBufferPointer(rebasing: bytes[start..<start + rowBytes]) {
                    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                }
            }
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
