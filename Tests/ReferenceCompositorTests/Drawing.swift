import LayerModel
import ReferenceCompositor
import Testing

/// A tree drawn on a display.
func draw(
    _ tree: LayerTree, _ width: Int, _ height: Int, scale: Double = 1, isFlipped: Bool = true,
    background: Color = .white, images: [ImageContent] = []
) throws -> ReferenceImage {
    let display = ReferenceDisplay(
        pixelSize: PixelSize(width: width, height: height), scale: scale, isFlipped: isFlipped, background: background)
    let numbered = images.enumerated().map { (ImageID(UInt32($0.offset + 1)), $0.element) }
    return ReferenceCompositor.render(try ReferenceScene([tree.transaction(images: numbered)], display: display))
}

/// A root whose bounds are the picture, anchored at its corner.
func root(
    _ width: Double, _ height: Double, _ sublayers: [LayerTree], _ configure: (inout LayerProperties) -> Void = { _ in }
) -> LayerTree {
    LayerTree(sublayers: sublayers) {
        $0.bounds = Rect(0, 0, width, height)
        $0.anchorPoint = .zero
        configure(&$0)
    }
}

/// A layer of one color at a frame.
func box(
    _ frame: Rect, _ color: Color? = nil, _ sublayers: [LayerTree] = [],
    _ configure: (inout LayerProperties) -> Void = { _ in }
) -> LayerTree {
    LayerTree(sublayers: sublayers) {
        $0.setFrame(frame)
        $0.backgroundColor = color
        configure(&$0)
    }
}

/// Rotation about z by an angle in radians, and about y; row vectors.
func turnedZ(_ angle: Double) -> Transform {
    let (c, s) = (cosine(angle), sine(angle))
    return Transform(c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
}

func turnedY(_ angle: Double) -> Transform {
    let (c, s) = (cosine(angle), sine(angle))
    return Transform(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1)
}

func turnedX(_ angle: Double) -> Transform {
    let (c, s) = (cosine(angle), sine(angle))
    return Transform(1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1)
}

func perspective(_ distance: Double) -> Transform {
    var t = Transform.identity
    t.m34 = -1 / distance
    return t
}

let red = Color(1, 0, 0)
let green = Color(0, 1, 0)
let blue = Color(0, 0, 1)

/// Straight red, green, blue, alpha at a pixel, within a tolerance.
func expect(
    _ image: ReferenceImage, _ x: Int, _ y: Int, _ expected: [Int], within tolerance: Int = 2,
    _ location: SourceLocation = #_sourceLocation
) {
    let actual = image.straight(x, y).map(Int.init)
    let isNear = zip(actual, expected).allSatisfy { abs($0 - $1) <= tolerance }
    #expect(
        isNear, "pixel (\(x), \(y)) is \(actual), not \(expected) within \(tolerance)", sourceLocation: location)
}

/// The pixels with any alpha, as one rectangle.
func coveredBox(_ image: ReferenceImage) -> PixelRect {
    var result = PixelRect.empty
    for y in 0..<image.size.height {
        for x in 0..<image.size.width where image.premultiplied(x, y)[3] > 0 {
            result = result.union(PixelRect(x: x, y: y, width: 1, height: 1))
        }
    }
    return result
}

/// The largest difference of a component anywhere.
func largestDifference(_ a: ReferenceImage, _ b: ReferenceImage) -> Int {
    zip(a.pixels, b.pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
}
