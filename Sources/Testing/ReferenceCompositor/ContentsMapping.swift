// Where an image lies in its layer, and which texel is seen at a point of the layer.
//
// contentsRect chooses a part of the image, contentsGravity sizes and places it, contentsCenter cuts it in nine parts
// whose middle ones stretch. Both rectangles have their min y at the layer's min y. Each axis is a map by itself:
// linear, or of three linear pieces. Source: semantic reference, §1.5.

import Glibc
import LayerModel

/// The place of a layer's contents.
struct ContentsMapping {
    /// The rectangle that the contents fill, in the layer's space. It may reach beyond the bounds.
    let frame: Rect
    private let x: Axis
    private let y: Axis
    /// False: the image's rows run towards the layer's min y.
    private let isFlipped: Bool
    private let picture: ReferencePicture

    /// Nil when nothing is left to see.
    ///
    /// - Parameter isFlipped: The image's first row is at the layer's min y, not at its max y.
    init?(_ properties: LayerProperties, _ picture: ReferencePicture, isFlipped: Bool) {
        self.picture = picture
        self.isFlipped = isFlipped
        let scale = properties.contentsScale > 0 ? properties.contentsScale : 1
        let part = properties.contentsRect.standardized
        let width = Double(picture.width)
        let height = Double(picture.height)
        let natural = Size(width * part.width / scale, height * part.height / scale)
        frame = Self.frame(properties.contentsGravity, natural: natural, bounds: properties.bounds)
        let texels = Rect(part.minX * width, part.minY * height, part.width * width, part.height * height)
        guard frame.isFinite, !frame.isEmpty, Point(frame.maxX, frame.maxY).isFinite, natural.isFinite,
            Point(texels.maxX, texels.maxY).isFinite
        else { return nil }
        let center = properties.contentsCenter.standardized
        x = Axis(
            from: frame.minX, length: frame.width, texelFrom: texels.minX, texels: texels.width,
            center: center.minX...center.maxX, contentsScale: scale)
        y = Axis(
            from: frame.minY, length: frame.height, texelFrom: texels.minY, texels: texels.height,
            center: center.minY...center.maxY, contentsScale: scale)
    }

    /// §1.5's table. `top` is max y, `bottom` min y of the layer's own numbers.
    static func frame(_ gravity: ContentsGravity, natural: Size, bounds: Rect) -> Rect {
        var size = natural
        switch gravity {
        case .resize: return bounds
        case .resizeAspect, .resizeAspectFill:
            let horizontal = bounds.width / natural.width
            let vertical = bounds.height / natural.height
            let factor = gravity == .resizeAspect ? min(horizontal, vertical) : max(horizontal, vertical)
            size = Size(natural.width * factor, natural.height * factor)
        default: break
        }
        let x =
            switch gravity {
            case .left, .topLeft, .bottomLeft: bounds.minX
            case .right, .topRight, .bottomRight: bounds.maxX - size.width
            default: bounds.midX - size.width / 2
            }
        let y =
            switch gravity {
            case .bottom, .bottomLeft, .bottomRight: bounds.minY
            case .top, .topLeft, .topRight: bounds.maxY - size.height
            default: bounds.midY - size.height / 2
            }
        return Rect(x, y, size.width, size.height)
    }

    /// The color at a point of the layer, not rounded, and whether a rounding error could change it.
    ///
    /// - Parameters:
    ///   - point: Outside the frame the nearest point of the frame counts.
    ///   - right, down: How far the point moves for one device pixel.
    func color(
        at point: Point, right: Point, down: Point, _ properties: LayerProperties
    ) -> (ink: Ink, isDoubtful: Bool) {
        let column = x.texel(at: point.x)
        let across = y.texel(at: point.y)
        let row = isFlipped ? across.position : Double(picture.height) - across.position
        let texel = Point(column.position, row)
        // Texels a pixel, along the picture's axis where there are more.
        let rightTexels = Self.length(right.x * column.slope, right.y * across.slope)
        let downTexels = Self.length(down.x * column.slope, down.y * across.slope)
        let texels = max(rightTexels, downTexels)
        let isSmaller = texels > 1 + 1e-6
        // Where the middle has no room the texels jump; and the filter may be another one beyond a seam.
        let jumpsOnly = properties.minificationFilter == properties.magnificationFilter
        let isAtSeam = x.isAtSeam(point.x, jumpsOnly) || y.isAtSeam(point.y, jumpsOnly)
        switch isSmaller ? properties.minificationFilter : properties.magnificationFilter {
        case .nearest:
            let columns = x.allowed(picture.width)
            var rows = y.allowed(picture.height)
            if !isFlipped { rows = picture.height - 1 - rows.upperBound...picture.height - 1 - rows.lowerBound }
            return (
                picture.nearest(texel, columns: columns, rows: rows),
                isAtSeam || Self.isBetween(texel.x, columns) || Self.isBetween(texel.y, rows)
            )
        case .trilinear where isSmaller:
            return (picture.trilinear(texel, lod: log2(texels) + properties.minificationFilterBias), isAtSeam)
        case .linear, .trilinear:
            return (picture.linear(texel), isAtSeam)
        }
    }

    private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }

    /// True when a position is so near the border of two allowed texels that either may be taken.
    private static func isBetween(_ position: Double, _ texels: ClosedRange<Int>) -> Bool {
        let border = position.rounded()
        return abs(position - border) < 1.0 / 256 && border > Double(texels.lowerBound)
            && border <= Double(texels.upperBound)
    }
}

/// One axis: from the layer's coordinate to texels, counted along the layer's axis.
private struct Axis {
    private struct Piece {
        var from: Double
        var to: Double
        var texelFrom: Double
        var texelTo: Double
    }

    private var pieces: [Piece]

    /// - Parameters:
    ///   - from, length: The frame, points.
    ///   - texelFrom, texels: The part of the image that contentsRect chose.
    ///   - center: What stretches, in units of that part.
    init(
        from: Double, length: Double, texelFrom: Double, texels: Double, center: ClosedRange<Double>,
        contentsScale: Double
    ) {
        var low = min(max(center.lowerBound, 0), 1)
        var high = min(max(center.upperBound, 0), 1)
        if high <= low, texels > 0 {
            // No size: one texel, centered there.
            let middle = (low + high) / 2
            low = max(middle - 0.5 / texels, 0)
            high = min(middle + 0.5 / texels, 1)
        }
        var before = low * texels / contentsScale
        var after = (1 - high) * texels / contentsScale
        if before + after > length {
            let shrink = length / (before + after)
            before *= shrink
            after *= shrink
        }
        if low <= 0, high >= 1 {
            pieces = [Piece(from: from, to: from + length, texelFrom: texelFrom, texelTo: texelFrom + texels)]
            return
        }
        let positions = [from, from + before, from + length - after, from + length]
        let cuts = [texelFrom, texelFrom + low * texels, texelFrom + high * texels, texelFrom + texels]
        pieces = (0..<3).map {
            Piece(from: positions[$0], to: positions[$0 + 1], texelFrom: cuts[$0], texelTo: cuts[$0 + 1])
        }
        pieces.removeAll { $0.to - $0.from < 1e-9 * length }
    }

    /// The texel position, and texels a point there.
    func texel(at place: Double) -> (position: Double, slope: Double) {
        var index = 0
        while index < pieces.count - 1, place >= pieces[index].to { index += 1 }
        let piece = pieces[index]
        let slope = (piece.texelTo - piece.texelFrom) / (piece.to - piece.from)
        let inside = place < piece.from ? piece.from : place > piece.to ? piece.to : place
        return (piece.texelFrom + (inside - piece.from) * slope, slope)
    }

    /// Two pieces meet here: a rounding error decides which of them it is.
    ///
    /// - Parameter jumpsOnly: Only where the texels don't go on from one to the other.
    func isAtSeam(_ place: Double, _ jumpsOnly: Bool) -> Bool {
        let reach = 1e-9 * (pieces[pieces.count - 1].to - pieces[0].from)
        return zip(pieces, pieces.dropFirst()).contains { before, after in
            abs(place - after.from) <= reach && !(jumpsOnly && before.texelTo == after.texelFrom)
        }
    }

    /// The texels that the chosen part touches, of those there are.
    func allowed(_ count: Int) -> ClosedRange<Int> {
        func clamped(_ value: Double) -> Int { Int(min(max(value, 0), Double(count - 1))) }
        let first = clamped((pieces[0].texelFrom + 1e-9).rounded(.down))
        let last = clamped((pieces[pieces.count - 1].texelTo - 1e-9).rounded(.up) - 1)
        return first...max(first, last)
    }
}
