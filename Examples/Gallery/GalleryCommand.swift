import Foundation
import Rostrum

/// The command line of the gallery.
struct GalleryCommand {
    static let usage = """
        usage: RostrumGallery [NAME…] [--out DIR] [--fps N] [--scale N] [--clip-scale N] [--format ENDING] [--font-dir DIR]

          NAME          what to make; without one, all: \(Example.all.map { $0.name }.joined(separator: ", "))
          --out         the folder for the pictures; "gallery"
          --fps         frames a second of the clips; 30
          --scale       pixels a point of the stills; 2
          --clip-scale  pixels a point of the clips; 1
          --format      the clips' ending: apng, png for a file a frame, or one that ffmpeg makes: mp4, webm, gif; apng.
                        "none" makes stills only
          --font-dir    sets text in the fonts of this folder, and of no other
        """

    /// What is wrong with the command line.
    struct UsageError: Error, CustomStringConvertible {
        var description: String
    }

    var names: [String] = []
    var out = "gallery"
    var fps = 30.0
    var scale = 2.0
    var clipScale = 1.0
    var format = "apng"
    var fontFolder: String?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                names.append(argument)
                continue
            }
            guard let value = rest.popFirst() else { throw UsageError(description: "\(argument) needs a value") }
            func number() throws -> Double {
                guard let number = Double(value), number > 0, number.isFinite else {
                    throw UsageError(description: "\(argument) needs a number above 0, not \(value)")
                }
                return number
            }
            switch argument {
            case "--out": out = value
            case "--fps": fps = try number()
            case "--scale": scale = try number()
            case "--clip-scale": clipScale = try number()
            case "--format": format = value
            case "--font-dir": fontFolder = value
            default: throw UsageError(description: "no flag \(argument)")
            }
        }
        if let name = names.first(where: { name in !Example.all.contains { $0.name == name } }) {
            throw UsageError(description: "no example \(name)")
        }
    }

    /// - Returns: The exit code: 0 done, 1 a picture could not be made, 2 the command line is not right.
    static func run(_ arguments: [String]) -> Int32 {
        if arguments.contains("--help") {
            print(usage)
            return 0
        }
        do {
            try GalleryCommand(arguments).make()
            return 0
        } catch {
            FileHandle.standardError.write(Data("RostrumGallery: \(error)\n".utf8))
            return error is UsageError ? 2 : 1
        }
    }

    private func make() throws {
        if let fontFolder { try HeadlessDisplay.useFonts(in: [fontFolder]) }
        let rate = try FrameRate(fps)
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        for example in Example.all where names.isEmpty || names.contains(example.name) {
            let still = "\(out)/\(example.name).png"
            try example.writeStill(to: still, scale: scale)
            print(still)
            guard format != "none" else { continue }
            let clip = format == "png" ? "\(out)/\(example.name)/" : "\(out)/\(example.name).\(format)"
            try example.writeClip(to: clip, scale: clipScale, fps: rate)
            print(clip)
        }
    }
}
