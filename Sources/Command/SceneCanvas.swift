import CAML
import CLinux
import CoreAnimation
import Foundation
import LayerModel
import LayerWire

/// A scene and the canvas it is shown on, as the command line asks for them.
struct SceneCanvas {
    let document: SceneDocument
    /// Points.
    let size: CGSize
    /// Pixels a point.
    let scale: Double
    /// What lies behind the scene, straight.
    let background: Color
    /// When, in seconds of the scene's clock.
    let time: Double
    /// Pixels.
    let pixels: PixelSize
    /// Every warning is an error.
    let isStrict: Bool
    /// The state to show, or the way to it.
    private let state: SceneStateChoice?

    static let flags = [
        Flag("time", value: "T", "The moment to show, in seconds from the scene's start. Default 0."),
        Flag(
            "size", value: "WxH",
            "The canvas in points. Default: the scene's own size. A scene of another\nsize keeps its size and its top left corner."
        ),
        Flag("scale", value: "S", "Pixels a point. Default: what a JSON scene says, else 1."),
        Flag(
            "background", value: "COLOR",
            "What lies behind: #rrggbb, #rrggbbaa, r,g,b or r,g,b,a with numbers from 0 to 1,\ntransparent, white or black. "
                + "Default: what a JSON scene says, else transparent."),
        Flag("only", value: "NAME", "Of a wallpaper, the one bundle of this name: Background, Floating, …"),
        Flag("state", value: "NAME", "The state that the scene is in. Default: none, the base values."),
        Flag(
            "transition", value: "FROM:TO",
            "The scene goes from one state to another, beginning at time 0. One of the two may be\nempty: none."
        ),
        FontFolders.flag,
        Flag("strict", "Every warning is an error."),
    ]

    /// Loads the scene and says on stderr what of it is not drawn.
    ///
    /// - Parameter path: A file or folder; `-` is stdin.
    /// - Throws: `CommandFailure`.
    init(_ path: String, _ arguments: Arguments) throws {
        // What is wrong with the line is said before a file is read.
        time = try arguments.number("time", from: 0) ?? 0
        let wantedSize = try arguments.size("size")
        let wantedScale = try arguments.number("scale", above: 0)
        let wantedBackground = try arguments.color("background")
        let wantedState = try SceneStateChoice(arguments)
        try FontFolders.use(arguments)
        let options = SceneDocument.Options(
            strict: arguments.isSet("strict"), only: try arguments.isSet("only") ? arguments.required("only") : nil)

        let document = try CommandFailure.explaining {
            path == "-"
                ? try SceneDocument.load(
                    StandardInput.data(limit: options.limits.archiveFileBytes), name: "stdin", options: options)
                : try SceneDocument.load(path: path, options: options)
        }
        for warning in document.warnings { Console.say("\(warning)\n") }
        let more = document.warningCount - document.warnings.count
        if more > 0 { Console.warn("\(more) more warnings are not shown") }

        self.document = document
        isStrict = options.strict
        state = try wantedState?.found(in: document, path)
        size = wantedSize.map { CGSize(width: $0.width, height: $0.height) } ?? document.size
        scale = wantedScale ?? Double(document.scale)
        background = wantedBackground ?? document.background?.color ?? .clear
        guard size.width > 0, size.height > 0 else {
            throw CommandFailure(
                .badInput, "\(path): the scene is \(size.width) by \(size.height) points and shows nothing",
                help: "say how large the canvas is: --size WxH")
        }
        pixels = try Self.pixelSize(size, scale)
    }

    /// Bytes of a picture file's pixels, four a pixel. Source: the limit of `CGImage`'s readers and writers.
    private static let pictureBytes = 512 << 20

    /// The canvas in whole pixels, rounded up, as `HeadlessDisplay` makes it.
    private static func pixelSize(_ size: CGSize, _ scale: Double) throws -> PixelSize {
        let width = (Double(size.width) * scale - 1e-6).rounded(.up)
        let height = (Double(size.height) * scale - 1e-6).rounded(.up)
        let side = Double(WireLimits().imageSide)
        let isTooLarge = !(width <= side && height <= side)
        guard !isTooLarge, width * height * 4 <= Double(pictureBytes) else {
            let limit =
                isTooLarge
                ? "the largest side is \(Int(side))"
                : "a picture may take \(pictureBytes >> 20) MiB, four bytes a pixel"
            throw CommandFailure(
                .limit, "a canvas of \(size.width) by \(size.height) points at scale \(scale) is too large: \(limit)",
                help: "choose a smaller --size or --scale")
        }
        return PixelSize(width: max(Int(width), 1), height: max(Int(height), 1))
    }

    /// Puts the scene, in its state, under the root of a display that counts y downwards: top left corner in top left corner.
    func show(under root: CALayer) {
        document.rootLayer.isGeometryFlipped = !document.isGeometryFlipped
        state?.choose(in: document)
        if scale > 1 { sharpenText() }
        root.addSublayer(document.rootLayer)
    }

    /// Text layers of the usual contentsScale are drawn at the canvas's.
    private func sharpenText() {
        var pending = [document.rootLayer]
        while let layer = pending.popLast() {
            if let text = layer as? CATextLayer, text.contentsScale == 1 { text.contentsScale = CGFloat(scale) }
            pending += layer.sublayers ?? []
            if let mask = layer.mask { pending.append(mask) }
        }
    }
}

/// What is piped in.
enum StandardInput {
    /// Everything until the end.
    ///
    /// - Throws: `CommandFailure` where there is more than `limit` bytes, or stdin can't be read.
    static func data(limit: Int) throws -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(
                    .badInput, "stdin can't be read: \(String(cString: strerror(errno)))", help: "pipe a scene in")
            }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
            guard data.count <= limit else {
                throw CommandFailure(.limit, "stdin has more than \(limit >> 20) MiB", help: "give a smaller scene")
            }
        }
    }
}
