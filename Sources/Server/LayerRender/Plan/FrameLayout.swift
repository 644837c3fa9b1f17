// Where each layer's drawings lie among those of the display, so that a plan can exchange some of them and leave the others
// (FramePlanner+Patch.swift). Only layers whose drawings are there as they were emitted have a place: nothing above them
// clips them by a mask, fades them as a group, or puts them into a surface.

import LayerModel

struct FrameLayout {
    /// What a layer's drawings depend on besides its subtree: the same for all sublayers of a layer.
    struct Context: Equatable {
        var scissor: PixelRect
        /// What each drawing is faded by.
        var opacity: Float
        var carriage: Carriage
    }

    /// Of one layer of the presented tree.
    struct Place {
        /// Index of the context, or -1: the layer has no place.
        var context: Int32 = -1
        var quads: Range<Int32> = 0..<0
        var notes: Range<Int32> = 0..<0
    }

    /// The last plan can be patched.
    var isUsable = false
    /// By the layers of the presented tree.
    var places: ContiguousArray<Place> = []
    var contexts: ContiguousArray<Context> = []
    /// For each record the index of its layer; -1 where it isn't shown, -2 where it is more than once.
    var shown: ContiguousArray<Int32> = []
    /// How much the last whole plan had.
    var mappings = 0
    var surfaces = 0
    var bitmaps = 0
    var particles = 0

    /// Starts over for a tree.
    mutating func begin(_ tree: PresentedTree, records: Int) {
        isUsable = true
        contexts.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        places.append(contentsOf: repeatElement(Place(), count: tree.layers.count))
        shown.removeAll(keepingCapacity: true)
        shown.append(contentsOf: repeatElement(-1, count: records))
        note(0..<tree.layers.count, in: tree)
    }

    /// The layers of a range are about to be others.
    mutating func forget(_ range: Range<Int>, in tree: PresentedTree) {
        for index in range {
            places[index] = Place()
            let record = Int(tree.layers[index].record)
            if shown[record] == Int32(index) { shown[record] = -1 }
        }
    }

    /// The layers of a range are these.
    mutating func note(_ range: Range<Int>, in tree: PresentedTree) {
        for index in range {
            let record = Int(tree.layers[index].record)
            shown[record] = shown[record] == -1 ? Int32(index) : -2
        }
    }

    /// The number of a context. Most often it is that of the one before.
    mutating func number(of context: Context) -> Int32 {
        if contexts.last != context { contexts.append(context) }
        return Int32(contexts.count - 1)
    }

    /// The drawings and notes of some layers are elsewhere now.
    mutating func move(_ layers: Range<Int>, quads: Int, notes: Int) {
        for index in layers where places[index].context >= 0 {
            places[index].quads = places[index].quads.moved(by: quads)
            places[index].notes = places[index].notes.moved(by: notes)
        }
    }
}

extension Range<Int32> {
    var whole: Range<Int> { Int(lowerBound)..<Int(upperBound) }

    fileprivate func moved(by shift: Int) -> Range<Int32> { lowerBound + Int32(shift)..<upperBound + Int32(shift) }

    func lengthened(by more: Int) -> Range<Int32> { lowerBound..<upperBound + Int32(more) }
}
