import Foundation
import LayerModel
import LayerWire
import Testing

@Suite("Recordings", .serialized)
final class RecordingTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("rostrum-recording-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func messages(seed: Int) -> [ClientMessage] {
        var random = RandomMessages(seed: seed)
        return [.hello(random.hello()), .commit(random.fullTransaction()), .capture(time: 1, .pixels)]
            + (0..<10).map { _ in .commit(random.transaction(ops: 5)) } + [.capture(time: 2, [.pixels, .plan])]
    }

    private func write(_ messages: [ClientMessage], to path: String) throws {
        let writer = try RecordingWriter(path: path, mode: .whole)
        for (serial, message) in messages.enumerated() { try writer.append(message, serial: UInt32(serial)) }
        try writer.finish()
    }

    private func read(_ path: String) -> ([RecordedMessage], ProtocolError?) {
        var all: [RecordedMessage] = []
        do throws(ProtocolError) {
            let reader = try RecordingReader(path: path)
            while let message = try reader.next() { all.append(message) }
            return (all, nil)
        } catch {
            return (all, error)
        }
    }

    @Test("A recording reads back as it was written, pixels and all")
    func roundTrip() throws {
        for seed in 0..<20 {
            let written = messages(seed: seed)
            try write(written, to: path("a"))
            let (read, error) = read(path("a"))
            #expect(error == nil, "seed \(seed)")
            #expect(read.map(\.message) == written, "seed \(seed)")
            #expect(read.map(\.serial) == (0..<UInt32(written.count)).map { $0 })
            #expect(read.map(\.index) == Array(0..<written.count))
        }
    }

    @Test("What shapes no frame is left out")
    func leftOut() throws {
        var all = messages(seed: 1)
        all.insert(.ping, at: 1)
        all += [.live, .releaseFrame(3), .attach, .goodbye]
        try write(all, to: path("a"))
        #expect(read(path("a")).0.map(\.message) == messages(seed: 1))
    }

    @Test("A whole recording appears when it is finished, and only then")
    func whole() throws {
        try Data("old".utf8).write(to: URL(fileURLWithPath: path("a")))
        do {
            let writer = try RecordingWriter(path: path("a"), mode: .whole)
            try writer.append(messages(seed: 1)[0], serial: 0)
            try writer.flush()
        }
        #expect(try String(contentsOfFile: path("a"), encoding: .utf8) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
        try write(messages(seed: 1), to: path("a"))
        #expect(read(path("a")).0.count == 14)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
    }

    @Test("A growing recording is complete up to its last flush")
    func growing() throws {
        let writer = try RecordingWriter(path: path("a"), mode: .growing)
        let all = messages(seed: 2)
        for (serial, message) in all.enumerated() {
            try writer.append(message, serial: UInt32(serial))
            try writer.flush()
            let (read, error) = read(path("a"))
            #expect(error == nil)
            #expect(read.map(\.message) == Array(all[...serial]))
        }
    }

    @Test("A recording can't be made where there is no folder")
    func noFolder() {
        #expect(throws: SystemError.self) { try RecordingWriter(path: path("x/y"), mode: .whole) }
    }

    @Test("A recording cut anywhere gives every whole message, then where it breaks off")
    func truncation() throws {
        let written = [
            messages(seed: 3)[0], .capture(time: 1, .pixels), .commit(Transaction(time: 2, ops: [.setRoot(.none)])),
        ]
        try write(written, to: path("a"))
        let whole = try Data(contentsOf: URL(fileURLWithPath: path("a")))
        let starts = read(path("a")).0.map(\.offset)
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: URL(fileURLWithPath: path("b")))
            let (read, error) = read(path("b"))
            let expected = starts.filter { $0 > 12 && $0 <= count }.count
            #expect(read.map(\.message) == Array(written[..<expected]), "cut to \(count) bytes")
            if starts.contains(count) {
                #expect(error == nil, "cut to \(count) bytes")
            } else {
                #expect(error?.code == .badRecording, "cut to \(count) bytes")
                #expect(error?.offset != nil, "cut to \(count) bytes")
            }
        }
    }

    /// The messages and the error of a recording whose bytes were changed.
    private func damaged(_ change: (inout Data) -> Void) throws -> ([RecordedMessage], ProtocolError?) {
        try write([messages(seed: 4)[0], .capture(time: 1, .pixels)], to: path("a"))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path("a")))
        change(&bytes)
        try bytes.write(to: URL(fileURLWithPath: path("b")))
        return read(path("b"))
    }

    @Test("Damage is refused with its byte: another file, another version, lengths, messages, descriptors")
    func damage() throws {
        func expect(_ messages: Int, at offset: Int, _ what: Comment, _ change: (inout Data) -> Void) throws {
            let (read, error) = try damaged(change)
            #expect(error?.code == .badRecording, what)
            #expect(error?.offset == offset, what)
            #expect(read.count == messages, what)
        }
        try expect(0, at: 0, "an empty file") { $0 = Data() }
        try expect(0, at: 0, "another file") { $0[0] = 0x7F }
        try expect(0, at: 8, "version 2") { $0[8] = 2 }
        try expect(0, at: 8, "reserved bits") { $0[11] = 1 }
        try expect(0, at: 12, "a length of 4 GiB") { $0.replaceSubrange(12..<16, with: [255, 255, 255, 255]) }
        try expect(0, at: 16, "an unknown message") { $0[16] = 99 }
        try expect(0, at: 16, "a server's message") { $0[16] = 134 }
        try expect(0, at: 16, "an attach") { $0[16] = 4 }
        try expect(0, at: 16, "a capture before the hello") { $0[16] = 5 }
        try expect(0, at: 18, "descriptors") { $0[18] = 1 }
        let second = try damaged { _ in }.0[1].offset
        try expect(1, at: second + 4, "a second hello") { $0[second + 4] = 1 }
        try expect(1, at: second + 12, "a time that is no number") {
            $0.replaceSubrange(second + 12..<second + 20, with: [255, 255, 255, 255, 255, 255, 255, 255])
        }
    }

    @Test("An error in a commit names the byte of the file, the op, and stays")
    func commitDamage() throws {
        try write(
            [messages(seed: 4)[0], .commit(Transaction(time: 0, ops: [.setRoot(.none), .destroyLayer(LayerID(1))]))],
            to: path("a"))
        let start = try #require(read(path("a")).0.last).offset
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path("a")))
        // Header, time, count, the first op of five bytes: then the second op's code.
        let place = start + 12 + 8 + 4 + 5
        #expect(bytes[place] == 2)
        bytes[place] = 77
        try bytes.write(to: URL(fileURLWithPath: path("a")))
        let reader = try RecordingReader(path: path("a"))
        _ = try reader.next()
        for _ in 0..<2 {
            do throws(ProtocolError) {
                _ = try reader.next()
                Issue.record("no error")
            } catch {
                #expect(error.code == .badRecording)
                #expect(error.offset == place)
                #expect(error.op == 1)
            }
        }
    }

    @Test("Files that are none are refused at once: none there, a folder, a pipe, a device")
    func otherFiles() {
        let pipe = path("pipe")
        mkfifo(pipe, 0o600)
        for path in [path("none"), folder.path, pipe, "/dev/zero"] {
            #expect(read(path).1?.code == .badRecording, "\(path)")
        }
    }

    @Test("Bytes changed at random never trap")
    func mutations() throws {
        try write(messages(seed: 5), to: path("a"))
        let whole = try Data(contentsOf: URL(fileURLWithPath: path("a")))
        var random = RandomMessages(seed: 6)
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = random.integer() }
            if random.bool() { bytes.removeLast(random.below(bytes.count)) }
            try bytes.write(to: URL(fileURLWithPath: path("b")))
            _ = read(path("b"))
        }
    }

    // MARK: Text

    @Test("A recording as text: a line a message, a line an op")
    func text() throws {
        let pixels = PixelStorage([1, 2, 3, 255])
        try write(
            [
                .hello(
                    Hello(clientName: "a\"b\n", width: 64, height: 32, scale: 1.5, isFlipped: true, background: .white)),
                .commit(
                    Transaction(
                        time: 0.5,
                        ops: [
                            .createLayer(LayerID(4), .layer), .createLayer(LayerID(5), .transformLayer),
                            .set(LayerID(4), .bounds, .rect(Rect(0, -0.0, 100, 1e-7))),
                            .set(LayerID(4), .transform, .transform(.identity)),
                            .set(LayerID(5), .sublayerTransform, .transform(.translation(1, 2, 3))),
                            .set(LayerID(4), .contentsGravity, .code(3)), .set(LayerID(4), .cornerCurve, .code(9)),
                            .set(LayerID(4), .maskedCorners, .code(6)),
                            .set(LayerID(4), .edgeAntialiasingMask, .code(0)),
                            .set(LayerID(4), .backgroundColor, .color(nil)),
                            .set(LayerID(4), .borderColor, .color(Color(0.1, 2, -1, .nan))),
                            .set(LayerID(4), .name, .string("\u{202E}é")), .set(LayerID(4), .name, .string(nil)),
                            .set(LayerID(4), .hidden, .bool(true)),
                            .defineImage(
                                ImageID(2),
                                ImageContent(width: 1, height: 1, bytesPerRow: 4, isOpaque: true, pixels: pixels)),
                            .set(LayerID(4), .contents, .image(ImageID(2))),
                            .set(LayerID(4), .contents, .image(.none)), .setSublayers(LayerID(5), [LayerID(4)]),
                            .setSublayers(LayerID(4), []), .setRoot(LayerID(5)), .setRoot(.none),
                            .releaseImage(ImageID(2)), .destroyLayer(LayerID(4)),
                        ])), .commit(Transaction(time: 1, ops: [.setRoot(.none)])),
                .capture(time: 2, [.pixels, .synchronous]), .capture(time: 3, []),
            ], to: path("a"))
        var lines: [String] = []
        try RecordingText.write(RecordingReader(path: path("a"))) { lines.append($0) }
        // FNV-1a of 01 02 03 ff, by hand: four rounds of (hash xor byte) × 0x100000001b3.
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in [1, 2, 3, 255] as [UInt64] { hash = (hash ^ byte) &* 1_099_511_628_211 }
        #expect(
            lines == [
                "recording version 1",
                "message 0 hello from \"a\\\"b\\n\", versions 1 to 1, 64x32 pixels at scale 1.5, y down, background (1 1 1 1)",
                "message 1 commit at 0.5 s, 23 ops", "  create layer 4", "  create layer 5 transformLayer",
                "  set layer 4 bounds (0 -0.0 100 1e-07)", "  set layer 4 transform identity",
                "  set layer 5 sublayerTransform (1 0 0 0 0 1 0 0 0 0 1 0 1 2 3 1)",
                "  set layer 4 contentsGravity center", "  set layer 4 cornerCurve 9",
                "  set layer 4 maskedCorners (maxXMinY minXMaxY)", "  set layer 4 edgeAntialiasingMask ()",
                "  set layer 4 backgroundColor none", "  set layer 4 borderColor (0.1 2 -1 nan)",
                "  set layer 4 name \"\\u{202e}é\"", "  set layer 4 name none", "  set layer 4 hidden true",
                "  define image 2 1x1 bgra8 opaque, fnv \(String(hash, radix: 16))", "  set layer 4 contents image 2",
                "  set layer 4 contents none", "  set layer 5 sublayers (4)", "  set layer 4 sublayers ()",
                "  set root layer 5", "  set root none", "  release image 2", "  destroy layer 4",
                "message 2 commit at 1 s, 1 op", "  set root none", "message 3 capture at 2 s: pixels synchronous",
                "message 4 capture at 3 s",
            ])
    }

    @Test("Paths, masks and filters as text")
    func textOfEffects() {
        var path = VectorPath(rect: Rect(0, 0, 8, 4.5))
        path.move(to: Point(1, 2))
        path.quad(to: Point(5, 6), control: Point(3, 4))
        let filters = [
            LayerFilter(
                .dropShadow, name: "s \"1\"", isEnabled: false,
                inputs: [.inputOffset: .point(Point(1, 2)), .inputColor: .color(.black), .inputRadius: .number(3)]),
            LayerFilter(
                .variableBlur,
                inputs: [
                    .inputMaskImage: .image(ImageID(7)), .inputHardEdges: .flag(true),
                    .inputColorMatrix: .numbers([1, 2]),
                ]),
        ]
        let lines = [
            (LayerProperty.shadowPath, PropertyValue.path(path)), (.shadowPath, .path(nil)),
            (.mask, .layer(LayerID(9))), (.mask, .layer(.none)), (.filters, .filters(filters)),
            (.backgroundFilters, .filters([])), (.compositingFilter, .code(1)), (.compositingFilter, .code(99)),
        ].map { RecordingText.text(.set(LayerID(1), $0, $1)) }
        #expect(
            lines == [
                "set layer 1 shadowPath (0 0 move 8 0 line 8 4.5 line 0 4.5 line close 1 2 move 3 4 5 6 quad)",
                "set layer 1 shadowPath none", "set layer 1 mask layer 9", "set layer 1 mask none",
                "set layer 1 filters (dropShadow \"s \\\"1\\\"\" off inputRadius=3 inputColor=(0 0 0 1) inputOffset=(1 2), "
                    + "variableBlur inputColorMatrix=(1 2) inputHardEdges=true inputMaskImage=image 7)",
                "set layer 1 backgroundFilters ()", "set layer 1 compositingFilter multiplyBlendMode",
                "set layer 1 compositingFilter 99",
            ])
        #expect(RecordingText.text(.createLayer(LayerID(3), .backdropLayer)) == "create layer 3 backdropLayer")
    }

    @Test("Every line of random messages is one line, and the same twice")
    func textOfRandomMessages() {
        for seed in 0..<20 {
            for message in messages(seed: seed) {
                let lines = RecordingText.lines(message, serial: 1)
                #expect(lines == RecordingText.lines(message, serial: 1))
                for line in lines { #expect(!line.contains { $0.isNewline }, "\(line)") }
            }
        }
    }
}
