import LayerModel

/// How much of each pixel a path covers, where a unit of the path is a pixel and y runs down.
package enum ReferenceShape {
    /// Its inside; rows from the top, 0…1 a pixel.
    package static func inside(of path: VectorPath, _ rule: FillRule, width: Int, height: Int) -> [Double] {
        values(PathCoverage.contours(path).filter { $0.count > 2 }, rule, width, height)
    }

    /// A line along it.
    package static func line(along path: VectorPath, _ style: StrokeStyle, width: Int, height: Int) -> [Double] {
        guard style.width > 0 else { return Array(repeating: 0, count: width * height) }
        return values(LinePieces(path, style).pieces, .nonZero, width, height)
    }

    private static func values(_ contours: [[Point]], _ rule: FillRule, _ width: Int, _ height: Int) -> [Double] {
        let size = PixelSize(width: width, height: height)
        let plane = Plane(ReferenceDisplay(pixelSize: size, scale: 1, isFlipped: true, background: .clear))
        let coverage = PathCoverage.of(
            contours, plane, rule, in: PixelRect(x: 0, y: 0, width: width, height: height))
        return (0..<width * height).map { coverage.value(x: $0 % width, y: $0 / width) }
    }
}
