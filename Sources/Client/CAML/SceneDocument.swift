import CoreAnimation
import Foundation
import Quartz2D

/// A scene file as a tree of layers: a `.ca` bundle or a zip of one, a `.tendies` wallpaper, a `.caml` file, or a JSON scene.
///
/// `rootLayer` is a canvas: bounds (0, 0, `size`), its corner at (0, 0). Add it to the root of a display of `size`. Its
/// content counts y downwards if `isGeometryFlipped`, upwards if not; on a display that counts the other way, set
/// `rootLayer.isGeometryFlipped = true`. What of the file is not drawn is in `warnings`. Source: docs/caml.md, docs/scene-json.md.
public struct SceneDocument: Sendable {
    /// The scene's own name (JSON), or the file's without its folder and ending.
    public let name: String
    /// The canvas.
    public let rootLayer: CALayer
    /// The root layer of each file in the canvas, from the back to the front: one, or those of a wallpaper's bundles.
    public let documentRoots: [CALayer]
    /// Points.
    public let size: CGSize
    /// True: y grows downwards in the canvas.
    public let isGeometryFlipped: Bool
    /// Pixels a point; 1 where the file doesn't say.
    public let scale: CGFloat
    /// What lies behind the canvas; nil is transparent.
    public let background: CGColor?
    /// What is not drawn as it is written, in the order of the file.
    public let warnings: [SceneWarning]
    /// All warnings, with those over `SceneLimits.warnings` that are not in the list.
    public let warningCount: Int

    /// Chooses states. None is chosen until you do.
    public let stateController: SceneStateController

    private let layersByName: [String: CALayer]
    private let layersByID: [String: CALayer]

    /// The ids of the layers that can be found by one.
    package var idsByLayer: [ObjectIdentifier: String] {
        Dictionary(layersByID.map { (ObjectIdentifier($0.value), $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    /// How to load.
    public struct Options: Hashable, Sendable {
        /// Every warning is an error.
        public var strict = false
        /// The one bundle of a wallpaper to load: "Background", "Floating", "Foreground", or a bundle's name.
        public var only: String?
        /// What the file may cost.
        public var limits = SceneLimits()

        /// Options; without arguments the defaults.
        public init(strict: Bool = false, only: String? = nil, limits: SceneLimits = SceneLimits()) {
            self.strict = strict
            self.only = only
            self.limits = limits
        }
    }

    /// Loads a scene from a file or folder; what it is, its content says, not its name.
    ///
    /// - Throws: `SceneError` with file, line and column.
    public static func load(contentsOf url: URL, options: Options = Options()) throws -> SceneDocument {
        guard url.isFileURL else { throw SceneError(file: url.absoluteString, message: "only files can be loaded") }
        return try load(path: url.path, options: options)
    }

    /// Loads a scene from a file or folder. Messages name files as `path` does.
    ///
    /// - Throws: `SceneError` with file, line and column.
    public static func load(path: String, options: Options = Options()) throws -> SceneDocument {
        try SceneLoader(options).load(path: path)
    }

    /// Loads a scene from memory: a zip archive, CAML or JSON. Files beside it do not exist.
    ///
    /// - Parameter name: What messages call it.
    /// - Throws: `SceneError` with line and column.
    public static func load(_ data: Data, name: String, options: Options = Options()) throws -> SceneDocument {
        try SceneLoader(options).load([UInt8](data), name: name)
    }

    /// The first layer of that name: in the order of the file, the layers below a layer after it.
    public func layer(named name: String) -> CALayer? { layersByName[name] }

    /// The layer with that `id` in CAML; of several, the first.
    public func layer(withID id: String) -> CALayer? { layersByID[id] }

    /// The names of all states, each once, in the order of the file. In a wallpaper each bundle has its own of the same names.
    public var states: [String] {
        var names: [String] = []
        var known: Set<String> = []
        for layer in stateController.layers {
            for name in stateController.states(of: layer) where known.insert(name).inserted { names.append(name) }
        }
        return names
    }

    package init(name: String, stage: SceneStage, warnings: SceneWarnings) {
        self.name = name
        rootLayer = stage.rootLayer
        documentRoots = stage.documentRoots
        size = stage.size
        isGeometryFlipped = stage.isGeometryFlipped
        scale = CGFloat(stage.scale)
        background = stage.background.map { CGColor($0) }
        self.warnings = warnings.list
        warningCount = warnings.count
        layersByName = stage.layersByName
        layersByID = stage.layersByID
        stateController = stage.states
    }
}
