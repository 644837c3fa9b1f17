import CoreAnimation
import Foundation
import Quartz2D

/// The layers of one file by their elements.
package final class SceneLayers {
    private var layers: [Int: CALayer] = [:]
    /// The root, whose own place doesn't count.
    package var placedRoot: CALayer?

    package init() {}

    package subscript(_ reference: SceneLayerReference) -> CALayer? {
        get { layers[reference.element] }
        set { if layers[reference.element] == nil { layers[reference.element] = newValue } }
    }

    /// True for what would move the root of a file on its canvas.
    func isPlaced(_ layer: CALayer, _ keyPath: String) -> Bool {
        guard layer === placedRoot else { return false }
        return ["position", "zPosition", "transform"].contains(keyPath.prefix { $0 != "." })
    }
}

/// Values of unknown type.
enum SceneValues {
    static func areSame(_ a: Any?, _ b: Any?) -> Bool {
        switch (a, b) {
        case (nil, nil): return true
        case (let a as CGPoint, let b as CGPoint): return a == b
        case (let a as CGSize, let b as CGSize): return a == b
        case (let a as CGRect, let b as CGRect): return a == b
        case (let a as CATransform3D, let b as CATransform3D): return CATransform3DEqualToTransform(a, b)
        case (let a as CGColor, let b as CGColor): return a === b || a.color == b.color
        case (let a?, let b?):
            if let a = a as? AnyHashable, let b = b as? AnyHashable { return a == b }
            return type(of: a) is AnyClass && type(of: b) is AnyClass && (a as AnyObject) === (b as AnyObject)
        default: return false
        }
    }
}
