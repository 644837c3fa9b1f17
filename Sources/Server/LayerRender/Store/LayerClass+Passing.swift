import LayerModel

extension LayerClass {
    /// A layer of the class with these values has no plane of its own.
    func passesThrough(_ properties: @autoclosure () -> LayerProperties) -> Bool {
        switch self {
        case .transformLayer: true
        case .replicatorLayer: properties().replicator.preservesDepth
        default: false
        }
    }
}
