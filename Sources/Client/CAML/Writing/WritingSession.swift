// What one writing gathers: the image files that the scene names, and the warnings.

import CoreAnimation
import LayerModel
import Quartz2D

/// One scene file being written.
package final class WritingSession {
    /// For messages: the file's name.
    package let file: String
    /// What the scene may have, so that it can be read again.
    package let limits = SceneLimits()
    private var kept: [SceneWarning] = []
    private var leftOut = 0

    /// The first ones; the last says how many more there are.
    package var warnings: [SceneWarning] {
        leftOut == 0 ? kept : kept + [SceneWarning(file: file, message: "\(leftOut) more warnings are left out")]
    }

    /// The image files, in the order in which they were met: names relative to the scene file.
    package private(set) var pictures: [(name: String, bytes: [UInt8])] = []
    private var pictureNames: [ObjectIdentifier: String] = [:]
    private var names: Set<String> = []
    private let picturePlace: PicturePlace

    /// What image files are called.
    package enum PicturePlace {
        /// In a bundle that is written as a whole: numbered.
        case bundle
        /// In a folder that other files may be in: by their content, so that none takes another's place.
        case folder(String)
    }

    package init(file: String, pictures place: PicturePlace) {
        self.file = file
        picturePlace = place
    }

    /// - Parameter layer: Whose value is not as it was; nil for the scene as a whole.
    package func warn(_ layer: CALayer?, _ message: String) {
        guard kept.count < limits.warnings else {
            leftOut += 1
            return
        }
        let subject = layer.map { WritingSession.name(of: $0) + ": " } ?? ""
        kept.append(SceneWarning(file: file, message: subject + message))
    }

    package func error(_ layer: CALayer?, _ message: String) -> SceneError {
        SceneError(file: file, message: (layer.map { WritingSession.name(of: $0) + ": " } ?? "") + message)
    }

    /// Class and name.
    private static func name(of layer: CALayer) -> String {
        let name = layer.name.map { " \"\(clean($0.prefix(64)))\"" } ?? ""
        return "\(layer.frameworkClass)" + name
    }

    /// One line, whatever is in it.
    static func clean(_ text: some StringProtocol) -> String {
        var clean = ""
        for scalar in text.unicodeScalars {
            if scalar.value < 0x20 || scalar.value == 0x7F {
                clean += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                clean.unicodeScalars.append(scalar)
            }
        }
        return clean
    }

    /// The name of the file that an image is in; the same image is one file. Nil after a warning.
    package func fileName(of image: CGImage, for layer: CALayer?, key: String) -> String? {
        if let known = pictureNames[ObjectIdentifier(image)] { return known.isEmpty ? nil : known }
        let bytes: [UInt8]
        do {
            bytes = try image.pngData()
        } catch {
            pictureNames[ObjectIdentifier(image)] = ""
            warn(layer, "\(key) is left out: \(error)")
            return nil
        }
        if image.hasChannelsAboveAlpha {
            warn(
                layer,
                "\(key): the image is brighter than its alpha allows; in the file it is as bright as a PNG can say")
        }
        let name = fileName(of: bytes)
        pictureNames[ObjectIdentifier(image)] = name
        if names.insert(name).inserted { pictures.append((name, bytes)) }
        decodedBytes += image.width * image.height * 4
        held.append(image)
        return name
    }

    /// Bytes of the images once they are read, four a pixel.
    private var decodedBytes = 0

    /// - Throws: `SceneError` where there are more images than a scene may have.
    package func checkPictures() throws {
        guard pictures.count + 2 <= limits.entries, decodedBytes <= limits.decodedImageBytes else {
            throw error(
                nil,
                "the scene has \(pictures.count) images of \(decodedBytes) bytes; a scene may have \(limits.entries - 2) of \(limits.decodedImageBytes)"
            )
        }
    }

    /// An identity counts as long as the image lives.
    private var held: [CGImage] = []

    private func fileName(of bytes: [UInt8]) -> String {
        guard case .folder(let folder) = picturePlace else { return "assets/image\(pictures.count).png" }
        let digits = String(WritingSession.fingerprint(bytes), radix: 16)
        let name = folder + "/" + String(repeating: "0", count: 16 - digits.count) + digits
        // Two images of one fingerprint: the second has a number.
        var number = 1
        var candidate = name + ".png"
        while let taken = pictures.first(where: { $0.name == candidate }), taken.bytes != bytes {
            number += 1
            candidate = "\(name)-\(number).png"
        }
        return candidate
    }

    /// FNV-1a, 64 bits.
    private static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}

extension CGImage {
    /// A channel of some pixel is above its alpha: no straight color is that.
    fileprivate var hasChannelsAboveAlpha: Bool {
        guard !isOpaque else { return false }
        return content.pixels.withBytes { bytes in
            for row in 0..<height {
                let start = row * bytesPerRow
                for at in stride(from: start, to: start + width * 4, by: 4) {
                    let alpha = bytes[at + 3]
                    if bytes[at] > alpha || bytes[at + 1] > alpha || bytes[at + 2] > alpha { return true }
                }
            }
            return false
        }
    }
}
