import LayerModel

extension PresentedTree {
    /// What of a plane the display shows, and a little more: sides in the plane's own coordinates.
    func visibleSides(on display: DisplayGeometry, _ toDevice: Homography) -> [HalfPlane] {
        let more = 512.0
        return [
            HalfPlane(a: 1, b: 0, c: more), HalfPlane(a: -1, b: 0, c: Double(display.size.width) + more),
            HalfPlane(a: 0, b: 1, c: more), HalfPlane(a: 0, b: -1, c: Double(display.size.height) + more),
            // Before the eye.
            HalfPlane(a: 0, b: 0, c: 1),
        ].map { $0.seen(through: toDevice) }
    }
}
