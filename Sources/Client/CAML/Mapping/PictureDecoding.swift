import Foundation
import Quartz2D

/// A decoded image file.
struct DecodedPicture {
    let image: CGImage
    /// What of the file its pixels don't show: a color profile, a gamma.
    let warnings: [String]

    /// - Throws: `ImageFileError` for a file that can't be decoded or is over Quartz2D's limits.
    init(_ bytes: [UInt8]) throws {
        image = try CGImage(data: Data(bytes))
        // They name the file first, which has no name here.
        warnings = image.warnings.map { warning in
            warning.range(of: ": ").map { String(warning[$0.upperBound...]) } ?? warning
        }
    }
}
