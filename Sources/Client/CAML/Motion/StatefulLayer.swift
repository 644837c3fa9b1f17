// One layer's states: what choosing one changes, takes back and animates. The rules stand at SceneStateController.

import CoreAnimation
import Foundation
import Quartz2D

/// The states of one layer, and the changes that are made.
package final class StatefulLayer {
    package let states: [SceneState]
    package let transitions: [SceneStateTransition]
    private let statesByName: [String: Int]
    private(set) var current: String?

    /// The layers of the file, by their elements.
    package let layersByElement: SceneLayers
    /// What takes back the changes that were made, in their order.
    private var undo: [() -> Void] = []

    package init(states: [SceneState], transitions: [SceneStateTransition], layers: SceneLayers) {
        self.states = states
        statesByName = Dictionary(states.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
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
        guard var index = statesByName[name] else { return nil }
        var chain = [states[index]]
        var known: Set<Int> = [index]
        while let base = states[index].basedOn, let next = statesByName[base], known.insert(next).inserted {
            chain.append(states[next])
            index = next
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
            let places = keyPath.hasPrefix("bounds") ? AutoresizedPlaces(below: target) : nil
            target.setValue(value is NSNull ? nil : value, forKeyPath: keyPath)
            undo.append {
                target.setValue(old, forKeyPath: keyPath)
                places?.restore()
            }
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
