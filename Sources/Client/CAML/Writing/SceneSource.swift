// What is to be written: the layers of a document, or a layer of the app's, with what a file says besides them.
//
// A reader puts the root of a CAML file into the corner of a canvas of the document's size. So the layer of a document that was read
// is the root again; where it can't be (it stands elsewhere, there are several, a lone .caml file must say which way y
// runs), the canvas is written too, as a layer around them. Source: docs/caml.md, "The canvas".

import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

/// A scene to write.
package struct SceneSource {
    package var name: String
    /// Points.
    package var size: CGSize
    /// True: y grows downwards in the canvas.
    package var isGeometryFlipped: Bool
    package var scale: Double
    package var background: Color?
    /// From the back to the front, on the canvas.
    package var roots: [CALayer]
    /// The canvas, where it is a layer itself.
    package var canvas: CALayer?
    /// True: the one root stands in the corner, wherever its own values say.
    package var placesRootInCorner: Bool
    /// What layers are called in the file that they were read from.
    package var ids: [ObjectIdentifier: String] = [:]
    package var states: SceneStateController?

    package init(_ document: SceneDocument) {
        name = document.name
        size = document.size
        isGeometryFlipped = document.isGeometryFlipped
        scale = Double(document.scale)
        background = document.background?.color
        roots = document.rootLayer.sublayers ?? []
        canvas = document.rootLayer
        placesRootInCorner = false
        states = document.stateController
        ids = document.idsByLayer
    }

    package init(_ layer: CALayer, name: String, isGeometryFlipped: Bool) {
        self.name = name
        size = layer.bounds.size
        self.isGeometryFlipped = isGeometryFlipped
        scale = 1
        roots = [layer]
        placesRootInCorner = true
    }

    /// The one layer that is all of the canvas's content, where the canvas itself says nothing.
    package var onlyRoot: CALayer? {
        guard roots.count == 1, background == nil else { return nil }
        guard let canvas else { return roots[0] }
        guard canvas.mask == nil, canvas.contents == nil, canvas.addedAnimations.isEmpty else { return nil }
        guard (canvas.filters ?? []).isEmpty, (canvas.backgroundFilters ?? []).isEmpty else { return nil }
        var plain = LayerProperties()
        plain.bounds = Rect(0, 0, Double(size.width), Double(size.height))
        plain.anchorPoint = .zero
        // How a display has it.
        plain.isGeometryFlipped = canvas.isGeometryFlipped
        return canvas.properties == plain ? roots[0] : nil
    }

    /// The root where it stands as a reader of CAML puts it.
    package var rootInCorner: CALayer? {
        guard let root = onlyRoot else { return nil }
        if placesRootInCorner { return root }
        let corner = CGPoint(x: root.anchorPoint.x * root.bounds.width, y: root.anchorPoint.y * root.bounds.height)
        guard root.position == corner, root.zPosition == root.anchorPointZ, root.properties.transform.isIdentity else {
            return nil
        }
        return root
    }

    /// With masks and the canvas.
    package var layerCount: Int {
        var (count, pending) = (1, roots)
        while let layer = pending.popLast() {
            count += 1
            pending += layer.sublayers ?? []
            if let mask = layer.mask { pending.append(mask) }
        }
        return count
    }

    /// - Throws: `SceneError` where a layer is in a state: its base values can't be known.
    package func checkStates(_ session: WritingSession) throws {
        for layer in states?.layers ?? [] {
            guard let name = states?.state(of: layer) else { continue }
            throw session.error(
                layer,
                "is in the state \"\(WritingSession.clean(name.prefix(64)))\", which would be written as its base values; set the state nil first"
            )
        }
    }

    /// - Throws: `SceneError` where layers lie deeper in one another than a file may have them.
    package static func checkDepth(_ depth: Int, _ layer: CALayer, _ session: WritingSession) throws {
        guard depth <= deepest(session.limits) else {
            throw session.error(layer, "lies more than \(deepest(session.limits)) layers deep, which no file can say")
        }
    }

    /// A layer is an element in `<sublayers>` or a member of a list, and in the deepest there are animations in groups yet.
    private static func deepest(_ limits: SceneLimits) -> Int {
        (limits.depth - 2 * AnimationDescription.maximumDepth - 8) / 2
    }
}
