import LayerModel
import Quartz2D

/// The images of one scene: each file is decoded once, each way of painting it made once.
package final class PictureLibrary {
    private let files: any SceneFiles
    /// References climb no higher than this.
    private let root: BundlePath
    private let limits: SceneLimits
    private var decoded: [BundlePath: Result<DecodedPicture, PictureFault>] = [:]
    private var painted: [Painting: CGImage] = [:]
    private var missing: Set<String> = []
    private var reported: Set<BundlePath> = []
    private let warnings: SceneWarnings
    /// Shared by all libraries of one load.
    private let budget: PictureBudget

    private struct Painting: Hashable {
        var path: BundlePath
        var coverage: PictureCoverage?
        var color: Color
    }

    package init(
        files: any SceneFiles, root: BundlePath, limits: SceneLimits, budget: PictureBudget, warnings: SceneWarnings
    ) {
        self.files = files
        self.root = root
        self.limits = limits
        self.budget = budget
        self.warnings = warnings
    }

    /// The image that `source` names.
    ///
    /// - Parameters:
    ///   - coverage: The file is no picture but a coverage that is painted with `color`.
    ///   - color: Multiplied into every pixel; nil leaves a picture as it is, and paints coverage black.
    package func image(_ source: String, from folder: BundlePath, coverage: PictureCoverage? = nil, color: Color? = nil)
        throws(PictureFault) -> CGImage
    {
        let path = try locate(source, from: folder)
        let picture = try decode(path)
        let image = picture.image
        // A profile or gamma says nothing about a coverage.
        if coverage == nil, reported.insert(path).inserted {
            for warning in picture.warnings { warnings.add(file: files.name(of: path), warning) }
        }
        guard coverage != nil || (color != nil && color != .white) else { return image }
        let painting = Painting(path: path, coverage: coverage, color: color ?? .black)
        if let known = painted[painting] { return known }
        try budget.take(image)
        let result =
            coverage.map { image.painting($0, with: painting.color) } ?? image.multiplied(by: painting.color)
        painted[painting] = result
        return result
    }

    /// Says why a file that is not drawn could not be drawn either; nil where it is there, or was reported before.
    package func newlyMissing(_ source: String, from folder: BundlePath) -> PictureFault? {
        guard missing.insert(source).inserted else { return nil }
        do {
            _ = try locate(source, from: folder)
            return nil
        } catch {
            return error
        }
    }

    /// True the first time that a source is asked about, so that a file that many key frames name is reported once.
    package func isNews(_ source: String) -> Bool { missing.insert(source).inserted }

    private func locate(_ source: String, from folder: BundlePath) throws(PictureFault) -> BundlePath {
        let candidates: [BundlePath]
        do {
            candidates = try BundlePath.candidates(source, from: folder, root: root)
        } catch {
            throw PictureFault("the file \"\(source.prefix(200))\" \(error.message)")
        }
        for candidate in candidates where files.contains(candidate) { return candidate }
        // Asks once more for the reason: a link that leaves the bundle is not a file that is missing.
        do throws(FileFault) {
            _ = try files.bytes(of: candidates[0], limit: limits.imageBytes)
            return candidates[0]
        } catch {
            throw PictureFault("the file \"\(source.prefix(200))\" \(error.message)")
        }
    }

    private func decode(_ path: BundlePath) throws(PictureFault) -> DecodedPicture {
        if let known = decoded[path] { return try known.get() }
        try budget.check()
        let result: Result<DecodedPicture, PictureFault>
        do throws(FileFault) {
            let bytes = try files.bytes(of: path, limit: limits.imageBytes)
            result = PictureLibrary.decode(bytes, path: path, budget: budget)
        } catch {
            result = .failure(PictureFault("the file \"\(path)\" \(error.message)"))
        }
        decoded[path] = result
        return try result.get()
    }

    private static func decode(_ bytes: [UInt8], path: BundlePath, budget: PictureBudget) -> Result<
        DecodedPicture, PictureFault
    > {
        do {
            let picture = try DecodedPicture(bytes)
            try budget.take(picture.image)
            return .success(picture)
        } catch let fault as PictureFault {
            return .failure(fault)
        } catch let error as ImageFileError {
            return .failure(PictureFault("the file \"\(path)\" can't be decoded: \(error.problem)"))
        } catch {
            return .failure(PictureFault("the file \"\(path)\" can't be decoded: \(error)"))
        }
    }
}

/// Why an image is not drawn.
package struct PictureFault: Error, Equatable {
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// The bytes of decoded images that one load may still take.
package final class PictureBudget {
    private var left: Int
    private let limit: Int
    private var isExhausted = false

    package init(bytes: Int) {
        left = bytes
        limit = bytes
    }

    /// Counts an image. Once one was too large, so is every other: decoding them only to find out would cost time.
    package func take(_ image: CGImage) throws(PictureFault) {
        try check()
        guard image.content.byteCount <= left else {
            isExhausted = true
            return try check()
        }
        left -= image.content.byteCount
    }

    package func check() throws(PictureFault) {
        guard !isExhausted else {
            throw PictureFault("the images of this scene are over the limit of \(limit) decoded bytes")
        }
    }
}
