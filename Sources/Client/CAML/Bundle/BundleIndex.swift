import Foundation

/// What `index.xml` says about the picture. The other keys are an editor's or a player's.
package struct BundleIndex {
    package var rootDocument = "main.caml"
    /// True: y grows downwards.
    package var isGeometryFlipped = false
    /// Points; nil where it is not given: then the root's bounds count.
    package var documentSize: CGSize?

    package init() {}

    /// - Throws: `SceneError` at a value of the wrong type or a size that is no size.
    package init(_ list: PropertyListFile) throws {
        rootDocument = try list.string("rootDocument") ?? rootDocument
        isGeometryFlipped = try list.boolean("geometryFlipped")
        let width = try BundleIndex.length("documentWidth", in: list)
        let height = try BundleIndex.length("documentHeight", in: list)
        if let width, let height { documentSize = CGSize(width: width, height: height) }
    }

    private static func length(_ key: String, in list: PropertyListFile) throws -> Double? {
        guard let length = try list.number(key) else { return nil }
        guard length.isFinite, length > 0 else { throw list.error(key, "is not a length above 0") }
        return length
    }
}
