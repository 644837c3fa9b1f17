import Foundation
import Quartz2D

/// The pixels of an image file.
///
/// - Throws: What Quartz2D says about a file that it can't decode.
func decodePicture(_ bytes: [UInt8]) throws -> CGImage {
    throw PictureFault("not yet")
}
