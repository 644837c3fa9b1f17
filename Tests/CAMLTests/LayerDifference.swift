import CAML
import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

/// Where two trees of layers differ: a line each, at most a few.
func layerDifferences(_ a: CALayer, _ b: CALayer) -> [String] {
    var differences: [String] = []
    var pending = [(a, b, "root")]
    while let (a, b, path) = pending.popLast(), differences.count < 5 {
        func note(_ what: String) { differences.append("\(path) (\(a.frameworkClass)): \(what)") }
        if a.frameworkClass != b.frameworkClass { note("is a \(b.frameworkClass)") }
        for property in LayerProperty.allCases {
            switch property {
            case .contents, .mask, .filters, .backgroundFilters, .emitterCells: continue
            default: break
            }
            let (x, y) = (a.properties[property], b.properties[property])
            if x != y { note("\(property.key): \("\(x)".prefix(200)) became \("\(y)".prefix(200))") }
        }
        if !sameObjects(a.contents, b.contents) { note("contents") }
        for (key, x, y) in [
            ("filters", a.filters, b.filters), ("backgroundFilters", a.backgroundFilters, b.backgroundFilters),
            ("compositingFilter", a.compositingFilter.map { [$0] }, b.compositingFilter.map { [$0] }),
        ] where !sameObjects(x, y) {
            note("\(key): \("\(x ?? [])".prefix(300)) became \("\(y ?? [])".prefix(300))")
        }
        if !sameObjects((a as? CAEmitterLayer)?.emitterCells, (b as? CAEmitterLayer)?.emitterCells) {
            note("emitterCells")
        }
        for key in SceneText.Key.allCases where a is CATextLayer {
            if !sameObjects(a.value(forKey: key.rawValue) ?? 0, b.value(forKey: key.rawValue) ?? 0) {
                note(key.rawValue)
            }
        }
        let (motions, others) = (a.addedAnimations, b.addedAnimations)
        if motions.count != others.count {
            note("has \(motions.count) animations, then \(others.count)")
        }
        for (x, y) in zip(motions, others) {
            if let key = x.key, key != y.key { note("animation \(key) became \(y.key ?? "nil")") }
            animationDifferences(x.animation, y.animation).forEach { note("animation \(x.key ?? "nil"): \($0)") }
        }
        switch (a.mask, b.mask) {
        case (nil, nil): break
        case (let x?, let y?): pending.append((x, y, path + ".mask"))
        default: note("mask")
        }
        let (inner, outer) = (a.sublayers ?? [], b.sublayers ?? [])
        if inner.count != outer.count { note("has \(inner.count) sublayers, then \(outer.count)") }
        for (index, pair) in zip(inner, outer).enumerated() { pending.append((pair.0, pair.1, "\(path)[\(index)]")) }
    }
    return differences
}

private func animationDifferences(_ a: CAAnimation, _ b: CAAnimation) -> [String] {
    guard type(of: a) == type(of: b) else { return ["\(type(of: a)) became \(type(of: b))"] }
    var keys = AnimationVocabulary.fields.keys.filter { AnimationVocabulary.has($0, a) }.sorted() + ["keyPath"]
    keys.removeAll { $0 == "animations" || $0 == AnimationVocabulary.followsSpring }
    var differences: [String] = []
    for key in keys {
        let (x, y) = (a.value(forKey: key), b.value(forKey: key))
        if !sameObjects(x, y) {
            differences.append("\(key): \("\(x ?? "nil")".prefix(200)) became \("\(y ?? "nil")".prefix(200))")
        }
    }
    if let x = (a as? CAAnimationGroup)?.animations, let y = (b as? CAAnimationGroup)?.animations {
        if x.count != y.count { differences.append("has \(x.count) members, then \(y.count)") }
        for pair in zip(x, y) { differences += animationDifferences(pair.0, pair.1) }
    }
    return differences
}

/// The same value, of any of the types that layers and animations hold; images by their pixels.
func sameObjects(_ a: Any?, _ b: Any?) -> Bool {
    switch (a, b) {
    case (nil, nil): return true
    case (let a as CGImage, let b as CGImage): return ImageComparison.compare(a, b, tolerance: 0).isMatch
    case (let a as CGColor, let b as CGColor): return a.color == b.color
    case (let a as CGPath, let b as CGPath): return a.vectorPath == b.vectorPath
    case (let a as CAMediaTimingFunction, let b as CAMediaTimingFunction): return a.curve == b.curve
    case (let a as CATransform3D, let b as CATransform3D): return CATransform3DEqualToTransform(a, b)
    case (let a as CAFilter, let b as CAFilter):
        return a.type == b.type && a.name == b.name && a.isEnabled == b.isEnabled
            && a.inputs.keys.sorted() == b.inputs.keys.sorted()
            && a.inputs.allSatisfy { sameObjects($0.value, b.inputs[$0.key]) }
    case (let a as CAEmitterCell, let b as CAEmitterCell):
        let numbers = EmitterCell.Number.allCases.filter(\.isKey)
        return numbers.allSatisfy { a.number($0) == b.number($0) } && a.name == b.name && a.isEnabled == b.isEnabled
            && sameObjects(a.color, b.color) && sameObjects(a.contents, b.contents) && a.contentsRect == b.contentsRect
            && a.duration == b.duration && a.minificationFilter == b.minificationFilter
            && a.magnificationFilter == b.magnificationFilter && sameObjects(a.emitterCells, b.emitterCells)
    case (let a as CGPoint, let b as CGPoint): return a == b
    case (let a as CGSize, let b as CGSize): return a == b
    case (let a as CGRect, let b as CGRect): return a == b
    case (let a as CAValueFunction, let b as CAValueFunction): return a.name == b.name
    case (let a as [Any], let b as [Any]):
        return a.count == b.count && zip(a, b).allSatisfy { sameObjects($0, $1) }
    case (let a?, let b?):
        if let x = a as? AnyHashable, let y = b as? AnyHashable, x == y { return true }
        return "\(a)" == "\(b)"
    default: return false
    }
}
