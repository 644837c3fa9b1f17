import LayerModel

extension PresentedTree {
    /// Takes away what rounding adds to the places of a layer and all below it, wherever they are moved from.
    mutating func steady(_ layer: Int) {
        func steady(_ value: Double) -> Double { (value * 1_048_576).rounded() / 1_048_576 }
        for index in layer..<Int(layers[layer].subtreeEnd) {
            layers[index].toDevice.a31 = steady(layers[index].toDevice.a31)
            layers[index].toDevice.a32 = steady(layers[index].toDevice.a32)
            let space = Int(layers[index].space)
            if space >= 0 {
                bitmapPlaces[space].a31 = steady(bitmapPlaces[space].a31)
                bitmapPlaces[space].a32 = steady(bitmapPlaces[space].a32)
            }
        }
    }
}
