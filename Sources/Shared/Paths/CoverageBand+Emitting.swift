// From sums to bytes: a band of rows becomes spans and tiles.

import LayerModel

extension CoverageBand {
    /// Turns the rows into spans and tiles, and clears them.
    ///
    /// - Parameters:
    ///   - y: The first row, pixels of the picture.
    ///   - sharedCells: What shared cells are covered by, if there are any.
    ///   - isSharing: Who passes a cell was noted.
    func emit(
        y: Int, rows: Int, _ rule: FillRule, isSharing: Bool, _ sharedCells: SharedCells?,
        into builder: inout MaskBuilder
    ) {
        switch rule {
        case .nonZero: emit(y: y, rows: rows, isSharing, sharedCells, into: &builder) { foldNonZero($0) }
        case .evenOdd: emit(y: y, rows: rows, isSharing, sharedCells, into: &builder) { foldEvenOdd($0) }
        }
    }

    @inline(__always)
    private func emit(
        y: Int, rows: Int, _ isSharing: Bool, _ sharedCells: SharedCells?, into builder: inout MaskBuilder,
        _ fold: (Double) -> UInt8
    ) {
        builder.beginBand(y: y)
        for row in 0..<rows { running[row] = 0 }
        var isSameAsBefore = false
        for column in 0..<columns {
            let x = originX + column * Self.side
            let width = min(Self.side, width - column * Self.side)
            if !isTouched[column] {
                if isSameAsBefore {
                    builder.widen(by: width)
                } else {
                    builder.addUniform(x: x, width: width, rows: rows) { fold(running[$0]) }
                }
                isSameAsBefore = true
                continue
            }
            isTouched[column] = false
            isSameAsBefore = false
            for row in 0..<rows {
                let word = row * words + column
                let line = bytes + row * Self.side
                sum(cells + row * stride + column * Self.side, marks[word], &running[row], into: line, fold)
                marks[word] = 0
                guard isSharing else { continue }
                clearPassed(word)
                if let sharedCells, shared[word] != 0 {
                    sharedCells.write(word, shared[word], into: line)
                    shared[word] = 0
                }
            }
            builder.addTile(x: x, width: width, rows: rows, bytes)
        }
        guard isTouched[columns] else { return builder.endBand() }
        isTouched[columns] = false
        for row in 0..<rows {
            marks[row * words + columns] = 0
            cells[row * stride + columns * Self.side] = 0
            cells[row * stride + columns * Self.side + 1] = 0
        }
        builder.endBand()
    }

    /// Sums a row of a tile from the left, only where something was added, and clears it. Writes up to a tile's width
    /// past the last pixel, which the next row overwrites.
    @inline(__always)
    private func sum(
        _ line: UnsafeMutablePointer<Double>, _ marks: UInt32, _ running: inout Double,
        into target: UnsafeMutablePointer<UInt8>, _ fold: (Double) -> UInt8
    ) {
        var value = running
        var rest = marks
        let raw = UnsafeMutableRawPointer(target)
        raw.storeBytes(of: SIMD32(repeating: fold(value)), as: SIMD32<UInt8>.self)
        while rest != 0 {
            let cell = rest.trailingZeroBitCount
            rest &= rest &- 1
            value += line[cell]
            line[cell] = 0
            (raw + cell).storeBytes(of: SIMD32(repeating: fold(value)), as: SIMD32<UInt8>.self)
        }
        running = value
    }
}

/// A level from a share of a pixel. What is half a level but for rounding goes up, whatever order the edges came in.
@inline(__always)
func level(_ covered: Double) -> UInt8 {
    UInt8(truncatingIfNeeded: Int32(covered * 255 + (0.5 + 1e-9)))
}

@inline(__always)
private func foldNonZero(_ area: Double) -> UInt8 {
    let covered = abs(area)
    return level(covered < 1 ? covered : 1)
}

@inline(__always)
private func foldEvenOdd(_ area: Double) -> UInt8 {
    var covered = abs(area)
    covered -= 2 * (covered * 0.5).rounded(.down)
    return level(covered > 1 ? 2 - covered : covered)
}
