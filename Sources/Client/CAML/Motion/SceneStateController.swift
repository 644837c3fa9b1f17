// Which states the layers of a document are in, and the way from one to the next.
//
// Choosing a state takes back what the state before it changed, the last change first, so that base values return; then it makes the changes
// of the states that the new one is based on, and its own. What differs then is animated where the transition has an element whose
// key is the key path: from what was on screen to the new value. The rest changes at once. The transition is the one
// from and to exactly these states, else one with a star on one side, else one with both; of several, the first in the file.
// Source: the semantic reference, §6.13; docs/caml.md, "States".

import CoreAnimation
import Foundation
import Quartz2D

/// Chooses states of a document's layers.
///
/// Use it as the layers themselves: from one thread at a time.
public final class SceneStateController: @unchecked Sendable {
    /// The layers that have states, in the order of the file.
    public private(set) var layers: [CALayer] = []

    private var records: [ObjectIdentifier: StatefulLayer] = [:]

    package init() {}

    package func add(_ layer: CALayer, _ record: StatefulLayer) {
        guard records[ObjectIdentifier(layer)] == nil else { return }
        layers.append(layer)
        records[ObjectIdentifier(layer)] = record
    }

    /// The names of a layer's states, in the order of the file.
    public func states(of layer: CALayer) -> [String] {
        records[ObjectIdentifier(layer)]?.states.map(\.name) ?? []
    }

    /// The state that a layer is in; nil is none: the values that were there before.
    public func state(of layer: CALayer) -> String? { records[ObjectIdentifier(layer)]?.current }

    /// Brings a layer into a state. A name that the layer doesn't have changes nothing.
    ///
    /// - Parameters:
    ///   - name: Nil takes every change of states back.
    ///   - speed: Multiplies the speed of the transition's animations; 0 or less changes everything at once.
    /// - Returns: False where the layer has no such state.
    @discardableResult
    public func setState(_ name: String?, of layer: CALayer, transitionSpeed speed: Float = 1) -> Bool {
        guard let record = records[ObjectIdentifier(layer)] else { return name == nil }
        return record.setState(name, transitionSpeed: speed)
    }

    /// Brings every layer that has the state into it; the others stay as they are.
    ///
    /// - Returns: False where no layer has it.
    @discardableResult
    public func setState(_ name: String?, transitionSpeed speed: Float = 1) -> Bool {
        var isThere = name == nil
        for layer in layers where setState(name, of: layer, transitionSpeed: speed) { isThere = true }
        return isThere
    }
}

/// The states of one layer, and the changes that are made.
package final class StatefulLayer {
    let states: [SceneState]
    let transitions: [SceneStateTransition]
    private(set) var current: String?

    /// The layers of the file, by their elements.
    private let layersByElement: SceneLayers
    /// What takes back the changes that were made, in their order.
    private var undo: [() -> Void] = []

    package init(states: [SceneState], transitions: [SceneStateTransition], layers: SceneLayers) {
        self.states = states
        self.transitions = transitions
        layersByElement = layers
    }

    /// What a state can change with a transition.
    private struct Place: Hashable {
        var layer: ObjectIdentifier
        var keyPath: String
    }

    func setState(_ name: String?, transitionSpeed speed: Float) -> Bool {
        var chain: [SceneState] = []
        if let name {
            guard let found = self.chain(to: name) else { return false }
            chain = found
        }
        guard name != current else { return true }
        let transition = speed > 0 ? transition(from: current, to: name) : nil
        let moving = values(of: transition)
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        for step in undo.reversed() { step() }
        undo.removeAll(keepingCapacity: true)
        for state in chain { state.elements.forEach(make) }
        for element in transition?.elements ?? [] { play(element, from: moving, speed: speed) }
        CATransaction.commit()
        current = name
        return true
    }

    /// The state with those it is based on, the base first. A base that is not there, or that leads back, ends it.
    private func chain(to name: String) -> [SceneState]? {
        guard let state = states.first(where: { $0.name == name }) else { return nil }
        var chain = [state]
        while let base = chain.last?.basedOn, let next = states.first(where: { $0.name == base }),
            !chain.contains(where: { $0.name == base })
        {
            chain.append(next)
        }
        return chain.reversed()
    }

    private func transition(from: String?, to: String?) -> SceneStateTransition? {
        func first(_ matches: (SceneStateTransition) -> Bool) -> SceneStateTransition? {
            transitions.first(where: matches)
        }
        return first { $0.from == from && $0.to == to }
            ?? first { $0.from == "*" && $0.to == to }
            ?? first { $0.from == from && $0.to == "*" }
            ?? first { $0.from == "*" && $0.to == "*" }
    }

    // MARK: Changes

    private func make(_ element: SceneStateElement) {
        guard let target = layersByElement[element.target] else { return }
        switch element.change {
        case .set(let keyPath, let value):
            guard !layersByElement.isPlaced(target, keyPath) else { return }
            let old = target.value(forKeyPath: keyPath)
            target.setValue(value is NSNull ? nil : value, forKeyPath: keyPath)
            undo.append { target.setValue(old, forKeyPath: keyPath) }
        case .addAnimation(let some):
            let before = target.animation(forKey: some.key)
            target.add(some.animation, forKey: some.key)
            undo.append {
                target.removeAnimation(forKey: some.key)
                if let before { target.add(before, forKey: some.key) }
            }
        case .removeAnimation(let key):
            guard let before = target.animation(forKey: key) else { return }
            target.removeAnimation(forKey: key)
            undo.append { target.add(before, forKey: key) }
        case .addSublayer(let object, let before):
            guard let layer = layersByElement[object], !target.isInside(layer) else { return }
            let old = layer.place
            if let before = before.flatMap({ layersByElement[$0] }), before.superlayer === target, before !== layer {
                target.insertSublayer(layer, below: before)
            } else {
                target.addSublayer(layer)
            }
            undo.append { layer.restore(old) }
        case .removeSublayer(let object):
            guard let layer = layersByElement[object], layer.superlayer === target else { return }
            let old = layer.place
            layer.removeFromSuperlayer()
            undo.append { layer.restore(old) }
        case .addFilter(let keyPath, let filter, let before):
            change(keyPath, of: target) { list in
                let place = before.flatMap { name in list.firstIndex { ($0 as? CAFilter)?.name == name } }
                list.insert(filter, at: place ?? list.count)
            }
        case .removeFilter(let keyPath, let name):
            change(keyPath, of: target) { list in list.removeAll { ($0 as? CAFilter)?.name == name } }
        }
    }

    private func change(_ keyPath: String, of target: CALayer, _ body: (inout [Any]) -> Void) {
        let old = target.value(forKeyPath: keyPath)
        var list = old as? [Any] ?? []
        body(&list)
        target.setValue(list, forKeyPath: keyPath)
        undo.append { target.setValue(old, forKeyPath: keyPath) }
    }

    // MARK: Transitions

    /// A value before the change: as set, and as shown.
    private struct Moving {
        var set: Any?
        var shown: Any?
    }

    private func values(of transition: SceneStateTransition?) -> [Place: Moving] {
        var values: [Place: Moving] = [:]
        for element in transition?.elements ?? [] {
            guard let layer = layersByElement[element.target] else { continue }
            let place = Place(layer: ObjectIdentifier(layer), keyPath: element.keyPath)
            guard values[place] == nil else { continue }
            let value = layer.value(forKeyPath: element.keyPath)
            let shown = layer.presentation().map { $0.value(forKeyPath: element.keyPath) } ?? value
            values[place] = Moving(set: value, shown: shown)
        }
        return values
    }

    private func play(_ element: SceneStateTransition.Element, from moving: [Place: Moving], speed: Float) {
        guard let layer = layersByElement[element.target],
            let old = moving[Place(layer: ObjectIdentifier(layer), keyPath: element.keyPath)]
        else { return }
        let new = layer.value(forKeyPath: element.keyPath)
        guard !SceneValues.areSame(old.set, new), let animation = element.animation.copy() as? CAAnimation else {
            return
        }
        animation.fill(from: old.shown ?? NSNull(), to: new ?? NSNull(), keyPath: element.keyPath, depth: 0)
        layer.add(animation.delayed(by: element.delay, speed: speed), forKey: element.keyPath)
    }
}

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
        case (nil, nil): true
        case (let a?, let b?):
            if let a = a as? AnyHashable, let b = b as? AnyHashable {
                a == b
            } else if let a = a as? CATransform3D, let b = b as? CATransform3D {
                CATransform3DEqualToTransform(a, b)
            } else {
                type(of: a) is AnyClass && type(of: b) is AnyClass && (a as AnyObject) === (b as AnyObject)
            }
        default: false
        }
    }
}

extension CAAnimation {
    /// Gives the animation of a key path the ends that it lacks, in groups, too.
    fileprivate func fill(from: Any, to: Any, keyPath: String, depth: Int) {
        if let group = self as? CAAnimationGroup, depth < 16 {
            for member in group.animations ?? [] { member.fill(from: from, to: to, keyPath: keyPath, depth: depth + 1) }
        }
        guard let basic = self as? CABasicAnimation, basic.keyPath == keyPath, basic.byValue == nil else { return }
        if basic.fromValue == nil { basic.fromValue = from }
        if basic.toValue == nil { basic.toValue = to }
    }

    /// Begins later than its commit: in a group that begins with it.
    ///
    /// - Parameter speed: Multiplied into the whole.
    fileprivate func delayed(by delay: Double, speed: Float) -> CAAnimation {
        let wait = max(delay, 0) + (beginTime.isFinite ? max(beginTime, 0) : 0)
        guard wait > 1e-9 else {
            beginTime = 0
            self.speed *= speed
            return self
        }
        let group = CAAnimationGroup()
        let length = repeatDuration > 0 ? repeatDuration : duration * Double(repeatCount > 0 ? repeatCount : 1)
        group.duration =
            wait + max(length * (autoreverses ? 2 : 1) / Double(abs(self.speed) > 0 ? abs(self.speed) : 1), 0)
        group.speed = speed
        group.fillMode = fillMode
        group.isRemovedOnCompletion = isRemovedOnCompletion
        beginTime = wait
        group.animations = [self]
        return group
    }
}

extension CALayer {
    /// True for a layer that is `other` or lies below it.
    fileprivate func isInside(_ other: CALayer) -> Bool {
        var layer: CALayer? = self
        while let current = layer {
            if current === other { return true }
            layer = current.superlayer
        }
        return false
    }

    /// Where a layer hangs.
    fileprivate var place: (superlayer: CALayer?, index: Int) {
        (superlayer, superlayer?.sublayers?.firstIndex { $0 === self } ?? 0)
    }

    fileprivate func restore(_ place: (superlayer: CALayer?, index: Int)) {
        guard let superlayer = place.superlayer else { return removeFromSuperlayer() }
        let count = (superlayer.sublayers ?? []).count { $0 !== self }
        superlayer.insertSublayer(self, at: UInt32(clamping: min(place.index, count)))
    }
}
