import CoreAnimation
import Foundation
import LayerModel
import Testing

@Suite("Replicator layers")
struct ReplicatorLayerTests {
    @Test("At first one instance, opaque white, where the sublayers are, at their time")
    func defaults() {
        let layer = CAReplicatorLayer()
        #expect(layer.instanceCount == 1 && !layer.preservesDepth && layer.instanceDelay == 0)
        #expect(CATransform3DIsIdentity(layer.instanceTransform))
        #expect(layer.instanceColor?.color == .white)
        #expect(layer.instanceRedOffset == 0 && layer.instanceGreenOffset == 0)
        #expect(layer.instanceBlueOffset == 0 && layer.instanceAlphaOffset == 0)
        #expect((CAReplicatorLayer.defaultValue(forKey: "instanceCount") as? NSNumber)?.intValue == 1)
        #expect(layer.properties == LayerProperties())
    }

    @Test("A count below 0 is none, and what is no number is refused")
    func counts() {
        let layer = CAReplicatorLayer()
        layer.instanceCount = -4
        #expect(layer.instanceCount == 0)
        layer.setValue(7, forKey: "instanceCount")
        #expect(layer.instanceCount == 7 && layer.takeFaults().isEmpty)
        layer.setValue("many", forKey: "instanceColor")
        layer.instanceDelay = .nan
        #expect(layer.takeFaults().count == 2 && layer.instanceDelay == 0)
    }

    @Test("Parts of the transform have key paths, and typed key paths have names")
    func keyPaths() {
        let layer = CAReplicatorLayer()
        layer.setValue(0.5, forKeyPath: "instanceTransform.rotation.z")
        #expect(
            abs(((layer.value(forKeyPath: "instanceTransform.rotation.z") as? NSNumber)?.doubleValue ?? 0) - 0.5) < 1e-9
        )
        layer.setValue(12, forKeyPath: "instanceTransform.translation.x")
        #expect(layer.instanceTransform.m41 == 12)
        let copy = CAReplicatorLayer(layer: layer)
        #expect(copy.instanceTransform.m41 == 12 && copy.properties == layer.properties)
    }

    @Test("A hit test finds the first instance alone")
    func hitFirst() {
        let root = layer(0, 0, 100, 100)
        let row = CAReplicatorLayer()
        row.frame = rect(0, 0, 10, 10)
        row.instanceCount = 5
        row.instanceTransform = CATransform3DMakeTranslation(20, 0, 0)
        let dot = layer(0, 0, 10, 10)
        row.addSublayer(dot)
        root.addSublayer(row)
        #expect(root.hitTest(point(5, 5)) === dot)
        #expect(root.hitTest(point(25, 5)) === root)
    }

    @Test("One that preserves depth is hit in its sublayers alone, as a transform layer is")
    func hitDepth() {
        let root = layer(0, 0, 100, 100)
        let space = CAReplicatorLayer()
        space.frame = rect(0, 0, 50, 50)
        space.addSublayer(layer(0, 0, 10, 10))
        root.addSublayer(space)
        #expect(root.hitTest(point(30, 30)) === space)
        space.preservesDepth = true
        #expect(root.hitTest(point(30, 30)) === root)
        #expect(root.hitTest(point(5, 5)) === space.sublayers?.first)
    }

    @Test("What is set in a committed layer is animated by itself, except the depth")
    func implicit() {
        let layer = CAReplicatorLayer()
        for property in LayerProperty.allCases where property.owner == .replicatorLayer {
            #expect(property.isAnimatable == (property != .preservesDepth), "\(property.key)")
            #expect(layer.value(forKey: property.key) != nil, "\(property.key)")
        }
    }
}
