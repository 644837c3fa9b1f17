// From one layer's space to another. Source: semantic reference, §1.2.
//
// These take records where they lie: copying all properties of a layer costs more than what is read of them.

import LayerModel

/// L(C) of the reference: from a layer's space to its superlayer's, before the superlayer's sublayerTransform.
package func layerToSuperlayer(_ record: UnsafePointer<LayerRecord>) -> Transform {
    let bounds = record.pointee.properties.bounds
    let anchorX = bounds.minX + record.pointee.properties.anchorPoint.x * bounds.width
    let anchorY = bounds.minY + record.pointee.properties.anchorPoint.y * bounds.height
    var matrix: Transform
    if record.pointee.properties.transform.isIdentity {
        matrix = .translation(
            record.pointee.properties.position.x - anchorX, record.pointee.properties.position.y - anchorY,
            record.pointee.properties.zPosition - record.pointee.properties.anchorPointZ)
    } else {
        matrix = record.pointee.properties.transform
            .translatedBefore(-anchorX, -anchorY, -record.pointee.properties.anchorPointZ)
            .translatedAfter(
                record.pointee.properties.position.x, record.pointee.properties.position.y,
                record.pointee.properties.zPosition)
    }
    if record.pointee.properties.isGeometryFlipped {
        // y' = 2·min y + height - y, first.
        let mirror = bounds.minY + bounds.maxY
        matrix = matrix.translatedBefore(0, mirror, 0)
        matrix.m21 = -matrix.m21
        matrix.m22 = -matrix.m22
        matrix.m23 = -matrix.m23
        matrix.m24 = -matrix.m24
    }
    return matrix
}

/// S'(P) of the reference: the sublayerTransform about the layer's anchor point.
package func sublayerSpace(of record: UnsafePointer<LayerRecord>) -> Transform {
    guard !record.pointee.properties.sublayerTransform.isIdentity else { return .identity }
    let bounds = record.pointee.properties.bounds
    let x = bounds.minX + record.pointee.properties.anchorPoint.x * bounds.width
    let y = bounds.minY + record.pointee.properties.anchorPoint.y * bounds.height
    let z = record.pointee.properties.anchorPointZ
    return record.pointee.properties.sublayerTransform.translatedBefore(-x, -y, -z).translatedAfter(x, y, z)
}
