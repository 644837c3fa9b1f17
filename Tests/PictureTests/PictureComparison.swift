// How two pictures may differ, and what is said where they differ by more.
//
// A failure leaves expected.png, actual.png and diff.png in a folder of its own and says which layers are drawn where the
// pictures differ: by the server's own plan, rectangle by rectangle.

import Foundation
import LayerModel
import Quartz2D
import ReferenceCompositor
import Testing

@testable import LayerRender

/// Levels of 255 that the components of a pixel may be off; nil for a pixel that is not compared.
struct Bound: Sendable {
    let text: String
    let of: @Sendable (_ pixel: Int) -> Int?

    static let exact = within(0)

    static func within(_ levels: Int) -> Bound {
        Bound(text: levels == 0 ? "the same bytes" : "within \(levels)") { _ in levels }
    }

    /// 2 levels, 3 where a blur took part, 20 on edge pixels; what the reference itself is not sure of is left out.
    static func reference(_ image: ReferenceImage, inside: Int = 2, edge: Int = 20, blur: Int = 3) -> Bound {
        Bound(text: "within \(inside), \(edge) on edges") {
            image.isDoubtful[$0] ? nil : image.tolerance($0, inside: inside, edge: edge, blur: max(blur, inside))
        }
    }
}

struct PictureComparison {
    /// Pixels that differ by more than their bound, row by row.
    private(set) var offenses: [Int] = []
    /// The largest difference of a compared pixel, and where.
    private(set) var worst = (difference: 0, pixel: 0)
    private let bound: Bound
    private let expected: Pixels
    private let actual: Pixels

    init(_ actual: Pixels, to expected: Pixels, _ bound: Bound) {
        (self.actual, self.expected, self.bound) = (actual, expected, bound)
        guard let differences = actual.differences(to: expected) else { return }
        for (pixel, difference) in differences.enumerated() where difference > 0 {
            guard let levels = bound.of(pixel) else { continue }
            if difference > worst.difference { worst = (difference, pixel) }
            if difference > levels { offenses.append(pixel) }
        }
    }

    var isMatch: Bool { offenses.isEmpty && actual.size == expected.size }

    /// Writes the pictures and says what differs, where, and what is drawn there.
    ///
    /// - Parameter name: Of the folder.
    func report(_ name: String, of picture: ServedPicture) -> String {
        guard actual.size == expected.size else {
            return "\(name): \(actual.size) pixels, not \(expected.size); see \(write(name))"
        }
        let width = actual.size.width
        func at(_ pixel: Int) -> String {
            let (x, y) = (pixel % width, pixel / width)
            return "(\(x), \(y)): \(actual.premultiplied(x, y)), expected \(expected.premultiplied(x, y))"
        }
        var lines = [
            "\(name): \(offenses.count) pixels differ (\(bound.text)); red, green, blue, alpha, premultiplied:"
        ]
        if let first = offenses.first { lines.append("first \(at(first))") }
        lines.append("worst \(at(worst.pixel))")
        lines += Self.layers(at: offenses, in: picture)
        lines.append("pictures: \(write(name))")
        lines.append(picture.plan)
        return lines.joined(separator: "\n")
    }

    private func write(_ name: String) -> String {
        let folder = artifactFolder + "/" + name
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? expected.image.writePNG(to: folder + "/expected.png")
        try? actual.image.writePNG(to: folder + "/actual.png")
        try? ImageComparison.diffImage(expected.image, actual.image).writePNG(to: folder + "/diff.png")
        return folder
    }

    // MARK: Layers

    /// The layers whose rectangles of the plan hold some of the pixels, in drawing order, with how many.
    static func layers(at pixels: [Int], in picture: ServedPicture) -> [String] {
        // With occlusion, a layer that hides another would be the only one named.
        guard let (planner, store, _) = try? picture.planned(.all.subtracting(.occlusion)) else {
            return ["the transactions can't be applied again"]
        }
        let width = picture.pixels.size.width
        var counts: [(surface: String, layer: LayerID, count: Int)] = []
        for surface in planner.shownSurfaces {
            for quad in surface.quads {
                let count = pixels.count { pixel in
                    let (x, y) = (pixel % width, pixel / width)
                    return quad.bounds.minX <= x && x < quad.bounds.maxX && quad.bounds.minY <= y
                        && y < quad.bounds.maxY
                }
                guard count > 0 else { continue }
                let reason = "\(surface.reason.rawValue) pass of \(surface.layer)"
                if let last = counts.indices.last, counts[last].layer == quad.layer, counts[last].surface == reason {
                    counts[last].count = max(counts[last].count, count)
                } else {
                    counts.append((reason, quad.layer, count))
                }
            }
        }
        return counts.map { entry in
            let name = store.index(of: entry.layer).flatMap { store.records[Int($0)].properties.name }
            return
                "  \(entry.layer)\(name.map { " \"\($0)\"" } ?? ""), in the \(entry.surface), lies over \(entry.count)"
                + " of them"
        }
    }
}

extension ServedPicture {
    /// Its plan, made here, without a server and without GL, as `rostrum plan` makes it.
    func planned(_ switches: Switches = .all) throws -> (planner: FramePlanner, store: LayerStore, plan: FramePlan) {
        var store = LayerStore()
        for transaction in transactions { try store.apply(transaction) }
        var planner = FramePlanner(session: 1, switches: switches)
        let display = DisplayGeometry(
            size: display.pixelSize, scale: display.scale, isFlipped: display.isFlipped,
            background: display.background)
        let plan = planner.plan(store, at: 0, on: display, coverage: CoverageCache()).plan
        return (planner, store, plan)
    }
}

/// Records an issue where two pictures differ by more than is allowed.
func expectAlike(
    _ name: String, _ actual: Pixels, _ expected: Pixels, _ bound: Bound, of picture: ServedPicture,
    _ location: SourceLocation = #_sourceLocation
) {
    let comparison = PictureComparison(actual, to: expected, bound)
    if !comparison.isMatch { Issue.record("\(comparison.report(name, of: picture))", sourceLocation: location) }
}

/// Where pictures for people go.
let artifactFolder: String =
    ProcessInfo.processInfo.environment["ROSTRUM_ARTIFACTS"] ?? NSTemporaryDirectory() + "rostrum-artifacts"
