import CoreAnimation
import LayerModel

/// A layer with a frame's parts set at once.
func layer(
    bounds: CGRect = .zero, position: CGPoint = .zero, anchor: CGPoint = CGPoint(x: 0.5, y: 0.5), name: String? = nil
) -> CALayer {
    let layer = CALayer()
    layer.bounds = bounds
    layer.position = position
    layer.anchorPoint = anchor
    layer.name = name
    return layer
}

/// A layer whose min corner is at (0, 0) of its own coordinates.
func layer(_ x: Double, _ y: Double, _ width: Double, _ height: Double, name: String? = nil) -> CALayer {
    let layer = CALayer()
    layer.frame = CGRect(x: x, y: y, width: width, height: height)
    layer.name = name
    return layer
}

func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> CGRect {
    CGRect(x: x, y: y, width: width, height: height)
}

func point(_ x: Double, _ y: Double) -> CGPoint { CGPoint(x: x, y: y) }

func isClose(_ a: CGPoint, _ b: CGPoint, within tolerance: Double = 1e-9) -> Bool {
    abs(Double(a.x - b.x)) <= tolerance && abs(Double(a.y - b.y)) <= tolerance
}

func isClose(_ a: CGRect, _ b: CGRect, within tolerance: Double = 1e-9) -> Bool {
    isClose(a.origin, b.origin, within: tolerance)
        && isClose(
            CGPoint(x: a.width, y: a.height), CGPoint(x: b.width, y: b.height), within: tolerance)
}

func isClose(_ a: Transform, _ b: Transform, within tolerance: Double = 1e-12) -> Bool {
    zip(a.elements, b.elements).allSatisfy { abs($0 - $1) <= tolerance * max(1, abs($1)) }
}

/// An image of one color.
func image(_ width: Int = 2, _ height: Int = 2) -> CGImage {
    let bytes = [UInt8](repeating: 255, count: width * height * 4)
    return CGImage(
        ImageContent(
            width: width, height: height, bytesPerRow: width * 4, isOpaque: true, pixels: PixelStorage(bytes)))
}

extension [TransactionOp] {
    /// Without what changes of values imply: that has tests of its own.
    var ofValues: [TransactionOp] {
        filter {
            switch $0 {
            case .addAnimation, .removeAnimation: false
            default: true
            }
        }
    }
}

/// An object that records what it is asked.
final class Journal: @unchecked Sendable {
    var entries: [String] = []
    /// What must live as long as the journal.
    var owned: [AnyObject] = []
    func note(_ entry: String) { entries.append(entry) }
}

/// A blur, as an app makes it.
func blur(_ radius: Any, name: String? = nil) -> CAFilter {
    let filter = CAFilter(type: "gaussianBlur")
    filter.name = name
    filter.setValue(radius, forKey: "inputRadius")
    return filter
}
