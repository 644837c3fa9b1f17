// Where a replicator shows its sublayers. Source: semantic reference, §6.4.

import LayerModel

/// Visits what a layer shows of its sublayers: of a replicator each instance, of any other layer the sublayers.
/// - Parameter body: Takes the indices of records, and the map from their superlayer's space to where they are in it, with
///   the `sublayerTransform`.
func forEachInstance(of record: UnsafePointer<LayerRecord>, _ body: ([Int32], Transform) -> Void) {
    let space = sublayerSpace(of: record)
    guard let instances = record.pointee.instances else { return body(record.pointee.sublayers, space) }
    let step = record.pointee.properties.replicator.transform
    guard !step.isIdentity else {
        for sublayers in instances { body(sublayers, space) }
        return
    }
    let bounds = record.pointee.properties.bounds
    let x = bounds.minX + record.pointee.properties.anchorPoint.x * bounds.width
    let y = bounds.minY + record.pointee.properties.anchorPoint.y * bounds.height
    let z = record.pointee.properties.anchorPointZ
    var power = Transform.identity
    for (number, sublayers) in instances.enumerated() {
        if number > 0 { power = power.concatenating(step) }
        guard power.isFinite else { return }
        if sublayers.isEmpty { continue }
        body(
            sublayers,
            power.isIdentity ? space : power.translatedBefore(-x, -y, -z).translatedAfter(x, y, z).concatenating(space))
    }
}
