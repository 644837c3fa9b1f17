/// Which animation is being read: what is said of it names the layer and the key, wherever in it the fault stands.
final class AnimationSubject {
    /// The layer's name, else its id, else its class.
    var layer = ""
    /// The layer's element.
    var element = -1
    /// The class that the layer's element names.
    var className = "CALayer"
    private(set) var key: String?

    /// Reads one animation; one in a group is the group's.
    func reading<R>(_ key: String, _ body: () -> R) -> R {
        guard self.key == nil else { return body() }
        self.key = key
        defer { self.key = nil }
        return body()
    }

    /// Behind a message; empty where no animation is being read.
    var text: String {
        guard let key else { return "" }
        return " (\(key.isEmpty ? "an animation" : "animation \"\(key.prefix(64))\"") of \"\(layer.prefix(64))\")"
    }
}
