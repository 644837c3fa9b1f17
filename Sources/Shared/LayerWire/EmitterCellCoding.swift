// Cells of emitters as bytes. Source: docs/wire-protocol.md, "Values".

import LayerModel

extension ByteWriter {
    /// A count, then each cell with those in it behind its numbers.
    /// - Parameter depth: How many cells these lie in; deeper ones than are allowed are left out.
    mutating func write(_ cells: [EmitterCell], inside depth: Int) {
        let count = depth < EmitterCell.deepest ? min(cells.count, EmitterCell.most) : 0
        write(UInt8(count))
        for cell in cells.prefix(count) {
            write(cell.name)
            write(cell.isEnabled)
            for number in cell.numbers { write(number) }
            write(cell.contents.rawValue)
            write(cell.minificationFilter.rawValue)
            write(cell.magnificationFilter.rawValue)
            write(cell.duration != nil)
            if let duration = cell.duration { write(duration) }
            write(cell.cells, inside: depth + 1)
        }
    }
}

extension ByteReader {
    /// - Parameter total: Cells that were read, of all of the value.
    mutating func readCells(inside depth: Int, _ total: inout Int) throws(ProtocolError) -> [EmitterCell] {
        let start = offset
        let count = Int(try read(UInt8.self))
        total += count
        guard total <= EmitterCell.most, depth < EmitterCell.deepest || count == 0 else {
            throw ProtocolError(
                .limit, offset: start,
                "\(total) cells, \(depth + 1) deep; the limits are \(EmitterCell.most) and \(EmitterCell.deepest)")
        }
        var cells: [EmitterCell] = []
        for _ in 0..<count { cells.append(try readCell(inside: depth, &total)) }
        return cells
    }

    private mutating func readCell(inside depth: Int, _ total: inout Int) throws(ProtocolError) -> EmitterCell {
        var cell = EmitterCell()
        cell.name = try readBool() ? try readText(limit: EmitterCell.longestName) : nil
        cell.isEnabled = try readBool()
        var numbers: [Double] = []
        for _ in 0..<EmitterCell.numberCount { numbers.append(try readDouble()) }
        cell.numbers = numbers
        cell.contents = ImageID(try read(UInt32.self))
        cell.minificationFilter = try readContentsFilter()
        cell.magnificationFilter = try readContentsFilter()
        cell.duration = try readBool() ? try readDouble() : nil
        cell.cells = try readCells(inside: depth + 1, &total)
        return cell
    }

    private mutating func readContentsFilter() throws(ProtocolError) -> ContentsFilter {
        let code = try read(UInt8.self)
        guard let filter = ContentsFilter(rawValue: code) else {
            throw ProtocolError(.badValue, offset: offset - 1, "there is no contents filter \(code)")
        }
        return filter
    }
}
