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

    /// A layer's states as they were read.
    package func record(of layer: CALayer) -> StatefulLayer? { records[ObjectIdentifier(layer)] }

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

    /// Brings every layer that has a state marked `initial` into the first of them; the others stay as they are. A scene shows
    /// base values until somebody asks for this, or for a state.
    public func setInitialStates(transitionSpeed speed: Float = 0) {
        for layer in layers {
            guard let state = records[ObjectIdentifier(layer)]?.states.first(where: \.isInitial) else { continue }
            setState(state.name, of: layer, transitionSpeed: speed)
        }
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
