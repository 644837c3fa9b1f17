// A layer that is drawn once more at another place, such as where its shadow falls.

import LayerModel

extension PresentedTree {
    /// Moves a layer with all below it, by a map of the pixels that it is drawn to. Returns how it was.
    ///
    /// - Parameter place: Where that brings the layer itself, if it is known better than by multiplying.
    mutating func move(
        _ layer: Int, by shift: Homography, onto place: Homography? = nil
    ) -> Moved {
        let end = Int(layers[layer].subtreeEnd)
        var saved = Moved(layers: Array(layers[layer..<end]))
        var index = layer
        while index < end {
            let part = Int(layers[index].part)
            if part >= 0, index > layer {
                saved.polygons.append((part, parts[part].polygon))
                parts[part].polygon = parts[part].polygon.map(shift.apply)
            }
            let space = Int(layers[index].space)
            if space >= 0, index > layer {
                // A bitmap moves as a whole.
                saved.places.append((space, bitmapPlaces[space]))
                bitmapPlaces[space] = bitmapPlaces[space].concatenating(shift)
                index = Int(layers[index].subtreeEnd)
            } else {
                layers[index].toDevice = layers[index].toDevice.concatenating(shift)
                if place != nil { layers[index].toDevice.flatten() }
                index += 1
            }
        }
        if let place { layers[layer].toDevice = place }
        return saved
    }

    mutating func put(back saved: Moved, at first: Int) {
        for (index, layer) in saved.layers.enumerated() { layers[first + index] = layer }
        for (space, place) in saved.places { bitmapPlaces[space] = place }
        for (part, polygon) in saved.polygons { parts[part].polygon = polygon }
    }

    /// What a layer that was moved was before, with all below it.
    struct Moved {
        var layers: [PresentedLayer]
        var places: [(space: Int, place: Homography)] = []
        var polygons: [(part: Int, polygon: [Point])] = []
    }
}
