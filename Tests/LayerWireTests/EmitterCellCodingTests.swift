import LayerModel
import Testing

@testable import LayerWire

@Suite("Emitter cells as bytes")
struct EmitterCellCodingTests {
    private func read(_ writer: ByteWriter) throws -> [EmitterCell] {
        try writer.bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            var count = 0
            return try reader.readCells(inside: 0, &count)
        }
    }

    @Test("What is written is read, cells in cells with it")
    func roundTrip() throws {
        var random = RandomMessages(seed: 5)
        for _ in 0..<50 {
            let cells = (0..<3).map { _ in random.cell(inside: 1) }
            var writer = ByteWriter()
            writer.write(cells, inside: 0)
            var again = ByteWriter()
            again.write(try read(writer), inside: 0)
            let isSame = again.bytes == writer.bytes
            #expect(isSame)
        }
    }

    @Test("More cells than are allowed are refused where they begin")
    func tooMany() throws {
        var writer = ByteWriter()
        writer.write(UInt8(EmitterCell.most + 1))
        #expect(throws: ProtocolError.self) { _ = try read(writer) }
    }

    @Test("Cells that end early are refused")
    func truncated() throws {
        var writer = ByteWriter()
        writer.write([EmitterCell()], inside: 0)
        for count in 1..<writer.bytes.count {
            #expect(throws: ProtocolError.self) {
                try Array(writer.bytes.prefix(count)).withUnsafeBytes { bytes in
                    var reader = ByteReader(bytes)
                    var total = 0
                    _ = try reader.readCells(inside: 0, &total)
                }
            }
        }
    }
}
