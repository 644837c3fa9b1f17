// From scenes as values to layers, and the canvas that they stand on.
//
// The canvas is a layer of the document's size with its corner at (0, 0). In CAML the root stands on it with its bounds'
// corner in the canvas's: its position and transform say where a window had it and are ignored. Its anchor point stays,
// for a sublayer transform turns about it, and the position follows from it. A JSON root stands where it says.
// A wallpaper is a canvas of canvases; one whose y runs the other way than the first one's is flipped.
// Source: docs/caml.md, "The canvas".

import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

/// One scene file with what is known about its picture.
package struct SceneSheet {
    package var tree: SceneTree
    /// Points.
    package var size: CGSize
    /// True: y grows downwards.
    package var isGeometryFlipped: Bool
    /// True for CAML: the root's own position and transform don't count.
    package var placesRootInCorner: Bool
    package var scale = 1.0
    package var background: Color?
    /// What a wallpaper calls it.
    package var role: String?
    /// For messages.
    package var file: String
}

/// The layers of one document.
package struct SceneStage {
    package let rootLayer: CALayer
    package private(set) var documentRoots: [CALayer] = []
    package let size: CGSize
    package let isGeometryFlipped: Bool
    package let scale: Double
    package let background: Color?
    package private(set) var layersByName: [String: CALayer] = [:]
    package private(set) var layersByID: [String: CALayer] = [:]
    package let states = SceneStateController()

    /// - Parameter sheets: At least one; from the back to the front.
    package init(_ sheets: [SceneSheet], warnings: SceneWarnings) {
        precondition(!sheets.isEmpty, "a document without a scene file")
        let first = sheets[0]
        size = first.size
        isGeometryFlipped = first.isGeometryFlipped
        scale = first.scale
        background = first.background
        if size.width <= 0 || size.height <= 0 {
            warnings.add(file: first.file, "the document is \(size.width) by \(size.height) points: it shows nothing")
        }
        guard sheets.count > 1 else {
            rootLayer = SceneStage.canvas(first.size)
            add(first, to: rootLayer)
            return
        }
        rootLayer = SceneStage.canvas(first.size)
        for sheet in sheets {
            let canvas = SceneStage.canvas(sheet.size)
            canvas.name = sheet.role
            canvas.isGeometryFlipped = sheet.isGeometryFlipped != isGeometryFlipped
            if sheet.size != size {
                warnings.add(
                    file: sheet.file,
                    "the document is \(sheet.size.width) by \(sheet.size.height) points, the one behind it "
                        + "\(size.width) by \(size.height): it is drawn in its top left corner")
                // The top is the greatest y where y grows upwards.
                if !isGeometryFlipped { canvas.position = CGPoint(x: 0, y: size.height - sheet.size.height) }
            }
            rootLayer.addSublayer(canvas)
            add(sheet, to: canvas)
        }
    }

    private static func canvas(_ size: CGSize) -> CALayer {
        let canvas = CALayer()
        canvas.anchorPoint = .zero
        canvas.bounds = CGRect(origin: .zero, size: size)
        return canvas
    }

    private static func layer(of node: SceneNode) -> CALayer {
        if node.text != nil { return CATextLayer() }
        if let layerClass = node.client.layerClass { return layerClass.makeLayer() }
        return switch node.layerClass {
        case .layer: CALayer()
        case .transformLayer: CATransformLayer()
        case .backdropLayer: CABackdropLayer()
        case .shapeLayer: CAShapeLayer()
        case .gradientLayer: CAGradientLayer()
        case .replicatorLayer: CAReplicatorLayer()
        case .emitterLayer: CAEmitterLayer()
        }
    }

    private mutating func add(_ sheet: SceneSheet, to canvas: CALayer) {
        var layers: [CALayer] = []
        layers.reserveCapacity(sheet.tree.nodes.count)
        let elements = SceneLayers()
        for node in sheet.tree.nodes {
            let layer = SceneStage.layer(of: node)
            let isPlaced = node.parent < 0 && sheet.placesRootInCorner
            layer.apply(node, without: isPlaced ? [.position, .zPosition, .transform] : [])
            if isPlaced {
                layer.standInCorner()
                elements.placedRoot = layer
            }
            elements[SceneLayerReference(node.element)] = layer
            for animation in node.animations { layer.add(animation.animation, forKey: animation.key) }
            if !node.states.isEmpty {
                let record = StatefulLayer(
                    states: node.states, transitions: node.stateTransitions, layers: elements)
                states.add(layer, record)
            }
            layers.append(layer)
            if let name = node.name, layersByName[name] == nil { layersByName[name] = layer }
            if let id = node.id, layersByID[id] == nil { layersByID[id] = layer }
            if node.isDetached { continue }
            if node.parent < 0 {
                documentRoots.append(layer)
                canvas.addSublayer(layer)
            } else if node.isMask {
                layers[node.parent].mask = layer
            } else {
                layers[node.parent].addSublayer(layer)
            }
        }
    }
}

extension SceneNode {
    fileprivate var name: String? {
        guard case .string(let name) = value(of: .name) else { return nil }
        return name
    }
}

extension CALayer {
    /// Places the layer so that its bounds' corner is its superlayer's origin, in the plane z = 0.
    fileprivate func standInCorner() {
        let x = anchorPoint.x * bounds.width
        let y = anchorPoint.y * bounds.height
        if x.isFinite, y.isFinite { position = CGPoint(x: x, y: y) }
        zPosition = anchorPointZ
    }
}
