// A short way to the masks of shapes: a table by a number that takes a few multiplications to make. Most masks of a frame
// were asked for in the last one, and hashing the whole key of each would take longer than all else about it.

import LayerModel
import Paths

/// A shape under the linear part of an affine plane, at a phase: what a mask of its own is made for.
struct PlacedShape: Equatable {
    var shape: ShapeGeometry
    var a11, a12, a21, a22: Double
    /// 1/1024 pixels.
    var phaseX, phaseY: Int16
    var hard: Bool

    static func == (a: PlacedShape, b: PlacedShape) -> Bool {
        a.phaseX == b.phaseX && a.phaseY == b.phaseY && a.hard == b.hard && a.a11 == b.a11 && a.a12 == b.a12
            && a.a21 == b.a21 && a.a22 == b.a22 && a.shape == b.shape
    }

    /// Where to look in the table. Different shapes may share a number; and equal ones may have two, as 0 and -0 are equal, which
    /// only costs a second entry.
    fileprivate var number: Int {
        var sum = UInt64(UInt16(bitPattern: phaseX)) << 17 | UInt64(UInt16(bitPattern: phaseY)) << 1 | (hard ? 1 : 0)
        func mix(_ value: Double) {
            sum = (sum ^ value.bitPattern) &* 0x9E37_79B9_7F4A_7C15
            sum ^= sum >> 29
        }
        mix(shape.rect.width)
        mix(shape.rect.height)
        mix(shape.rect.minX)
        mix(shape.rect.minY)
        mix(shape.cornerRadius + shape.ringWidth)
        mix(a11 + a22)
        mix(a12 - a21)
        return Int(truncatingIfNeeded: sum >> 40)
    }
}

/// Shapes that were asked for lately, and the entries of their masks.
struct RecentShapes {
    private struct Place {
        var shape: PlacedShape
        var entry: Int32
    }

    /// A power of two.
    private static let count = 4_096
    private var places = ContiguousArray<Place?>(repeating: nil, count: count)

    func entry(of shape: PlacedShape) -> Int32? {
        places.withUnsafeBufferPointer { places in
            guard let place = places[shape.number & (Self.count - 1)], place.shape == shape else { return nil }
            return place.entry
        }
    }

    mutating func note(_ shape: PlacedShape, _ entry: Int32) {
        places[shape.number & (Self.count - 1)] = Place(shape: shape, entry: entry)
    }

    /// Entries came to mean something else.
    mutating func forget() {
        for index in places.indices { places[index] = nil }
    }
}
