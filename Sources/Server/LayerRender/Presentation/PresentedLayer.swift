// One layer of a flattened tree (PresentedTree.swift), and one part of a layer that is cut there.

import LayerModel

/// One layer as it is shown.
package struct PresentedLayer: Sendable {
    /// Index of the layer's record in the store.
    package var record: Int32
    /// Index just past the last layer of its subtree.
    package var subtreeEnd: Int32
    /// Index of the first sublayer: just past the layer's mask with all below it, which comes first.
    package var firstSublayer: Int32
    /// From the layer's space (points) to device pixels.
    package var toDevice: Homography
    /// The layer's own, clamped, times that of the transform layers it came through.
    package var opacity: Float
    /// Where the layer's space is that of a bitmap (`toDevice` leads to its pixels): index of the bitmap's place, or -1.
    package var space: Int32 = -1
    /// Index of the part of the layer that is shown here, where it is cut along planes that it crosses; or -1. The first
    /// part of a layer has its subtree; the others stand for the same once more.
    var part: Int32
    /// True when the first row of contents lies at the layer's min y.
    package var contentsAreFlipped: Bool
    /// What is known of the order of its sublayers.
    var order = SublayerOrder.byDepth
}

/// How the sublayers of a layer came into their order.
enum SublayerOrder: UInt8 {
    case byDepth
    /// All lie in the layer's plane, which is their own.
    case flat
    /// So they do, and each is only moved in it.
    case plain
}

/// A part of a layer that crosses others in the space they share.
struct CutPart {
    /// Number of the space.
    var space: Int32
    /// Number of the layer among those in its space.
    var plane: Int32
    /// Convex, device pixels; the parts of a plane share nothing but lines, and together they are all of it.
    var polygon: [Point]
    var isFirstOfPlane: Bool
    /// The last one of its space in paint order.
    var isLastOfSpace = false
}
