import Foundation
import LayerModel

/// An immutable picture: premultiplied BGRA, rows from the top, encoded sRGB.
public final class CGImage: Sendable {
    package let content: ImageContent

    package init(_ content: ImageContent) {
        self.content = content
    }

    /// Pixels.
    public var width: Int { content.width }

    /// Pixels.
    public var height: Int { content.height }
}
