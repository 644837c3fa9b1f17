/// What a scene file may cost. Everything over a limit is a located error, before the memory is taken.
public struct SceneLimits: Hashable, Sendable {
    /// Bytes of one CAML, JSON or property list file.
    public var documentBytes = 32 << 20
    /// Open elements of XML, open brackets of JSON or a property list.
    public var depth = 256
    /// Elements of one CAML file, layers of one JSON scene.
    public var elements = 100_000
    /// Attributes of one element.
    public var attributesPerElement = 256
    /// Bytes of one attribute value, of one text between tags, or of one JSON string.
    public var textBytes = 1 << 20
    /// Values of one JSON file, of every kind.
    public var jsonValues = 2_000_000
    /// Bytes of one image file.
    public var imageBytes = 64 << 20
    /// Bytes of all decoded images of one document, 4 a pixel.
    public var decodedImageBytes = 512 << 20
    /// Files of a bundle, entries of an archive.
    public var entries = 10_000
    /// Bytes of an archive as it lies on disk.
    public var archiveFileBytes = 512 << 20
    /// Uncompressed bytes of one archive entry.
    public var entryBytes = 256 << 20
    /// Uncompressed bytes of a whole archive.
    public var archiveBytes = 1 << 30
    /// Warnings kept; the ones over it are only counted.
    public var warnings = 1_000

    /// The limits above.
    public init() {}
}
