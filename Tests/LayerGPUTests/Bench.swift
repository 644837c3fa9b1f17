import CGraphics
import Glibc
import LayerModel
import LayerRender
import Testing

@testable import LayerGPU

/// One test after the other: each makes a context of its own, and some count what the process holds.
@Suite("LayerGPU", .serialized) struct LayerGPUTests {}

/// One device and executor for a test, and what reads its pictures.
struct Bench {
    let device: GraphicsDevice
    let executor: PassExecutor
    let root: RootTarget

    init(_ width: Int = 64, _ height: Int = 48, forceRGBA: Bool = false) throws {
        device = try GraphicsDevice.open(.fromEnvironment(), debug: true)
        executor = try PassExecutor(device, forceRGBA: forceRGBA)
        root = try executor.makeRootTarget(size: PixelSize(width: width, height: height))
    }

    var size: PixelSize { root.size }

    /// Draws one pass over the whole root and returns its pixels.
    func picture(
        _ batches: [DrawBatch], vertices: ContiguousArray<PlanVertex> = [], clear: PremultipliedColor = .clear,
        uploads: [CoverageUpload] = []
    ) throws -> Picture {
        var plan = FramePlan(time: 0, size: size)
        plan.vertices = vertices
        plan.uploads = uploads
        plan.passes = [pass(batches, load: .clear(clear))]
        return try picture(plan)
    }

    func picture(_ plan: FramePlan) throws -> Picture {
        _ = try executor.execute(plan, into: root)
        return try picture()
    }

    func picture() throws -> Picture {
        var picture = Picture(width: size.width, height: size.height)
        try picture.bytes.withUnsafeMutableBytes { bytes in
            try executor.read(
                root, PixelRect(x: 0, y: 0, width: size.width, height: size.height), into: bytes.baseAddress!,
                bytesPerRow: size.width * 4)
        }
        return picture
    }

    func pass(
        _ batches: [DrawBatch], slot: Int = 0, size: PixelSize? = nil, load: LoadAction = .keep, label: String = "root"
    ) -> RenderPass {
        RenderPass(
            slot: slot, label: label, reason: slot == 0 ? .root : .groupOpacity, layer: LayerID(1),
            origin: PixelPoint(x: 0, y: 0), size: size ?? self.size, load: load, batches: batches)
    }

    /// Defines an image under `number` and returns its key.
    @discardableResult
    func define(_ number: UInt32, _ picture: Picture, session: UInt32 = 1) throws -> ImageKey {
        let key = ImageKey(session: session, image: ImageID(number))
        try executor.define(image: key, content: picture.content)
        return key
    }

    /// The driver found nothing wrong with our calls.
    func expectNoErrors(_ location: SourceLocation = #_sourceLocation) {
        let errors = device.debugMessages.filter(\.isError)
        #expect(device.debugErrorCount == 0, "\(errors)", sourceLocation: location)
    }
}

/// Pixels in memory: blue, green, red, alpha.
struct Picture: Equatable {
    var width: Int
    var height: Int
    var bytes: [UInt8]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        bytes = [UInt8](repeating: 0, count: width * height * 4)
    }

    /// Each pixel by its place.
    init(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> Pixel) {
        self.init(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { self[x, y] = pixel(x, y) }
        }
    }

    subscript(x: Int, y: Int) -> Pixel {
        get {
            let at = (y * width + x) * 4
            return Pixel(red: bytes[at + 2], green: bytes[at + 1], blue: bytes[at], alpha: bytes[at + 3])
        }
        set {
            let at = (y * width + x) * 4
            (bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]) = (
                newValue.blue, newValue.green, newValue.red, newValue.alpha
            )
        }
    }

    var content: ImageContent {
        ImageContent(
            width: width, height: height, bytesPerRow: width * 4, isOpaque: false, pixels: PixelStorage(bytes))
    }

    /// Compares with a formula, and prints how many pixels are further off than `tolerance` levels, and the worst.
    ///
    /// - Parameter step: Compares every so many pixels of a row, beginning with another in each row: for slow formulas.
    func expect(
        within tolerance: Double, _ what: String = "", step: Int = 1, _ location: SourceLocation = #_sourceLocation,
        _ formula: (Int, Int) -> Levels
    ) {
        var (worst, count, text) = (tolerance, 0, "")
        for y in 0..<height {
            for x in stride(from: y % step, to: width, by: step) {
                let difference = self[x, y].levels.distance(formula(x, y))
                guard difference > tolerance else { continue }
                count += 1
                if difference > worst {
                    worst = difference
                    text = "(\(x), \(y)) is \(self[x, y]), expected \(formula(x, y)): off by \(difference)"
                }
            }
        }
        if count > 0 { Issue.record("\(what) \(count) pixels; \(text)", sourceLocation: location) }
    }
}

struct Pixel: Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    var alpha: UInt8

    var levels: Levels { Levels(Double(red), Double(green), Double(blue), Double(alpha)) }
}

/// A color in levels of 255, not rounded.
struct Levels {
    var red: Double
    var green: Double
    var blue: Double
    var alpha: Double

    init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    init(_ color: PremultipliedColor) {
        self.init(
            Double(color.red) * 255, Double(color.green) * 255, Double(color.blue) * 255, Double(color.alpha) * 255)
    }

    static func * (a: Levels, factor: Double) -> Levels {
        Levels(a.red * factor, a.green * factor, a.blue * factor, a.alpha * factor)
    }

    static func * (a: Levels, b: PremultipliedColor) -> Levels {
        Levels(a.red * Double(b.red), a.green * Double(b.green), a.blue * Double(b.blue), a.alpha * Double(b.alpha))
    }

    static func + (a: Levels, b: Levels) -> Levels {
        Levels(a.red + b.red, a.green + b.green, a.blue + b.blue, a.alpha + b.alpha)
    }

    /// Premultiplied source-over.
    func over(_ below: Levels) -> Levels { self + below * (1 - alpha / 255) }

    func distance(_ b: Levels) -> Double {
        max(max(abs(red - b.red), abs(green - b.green)), max(abs(blue - b.blue), abs(alpha - b.alpha)))
    }
}

/// The six vertices of a rectangle. `image` gives image coordinates for a corner in pixels, `tile` coverage coordinates.
func quad(
    _ rect: PixelRect, _ color: PremultipliedColor = .white,
    image: (Double, Double) -> (u: Double, v: Double) = { _, _ in (0, 0) },
    q: (Double, Double) -> Double = { _, _ in 1 }, tile: (Double, Double) -> (s: Double, t: Double) = { _, _ in (0, 0) }
) -> ContiguousArray<PlanVertex> {
    func corner(_ x: Int, _ y: Int) -> PlanVertex {
        let (x, y) = (Double(x), Double(y))
        return PlanVertex(
            x: Float(x), y: Float(y), u: Float(image(x, y).u), v: Float(image(x, y).v), q: Float(q(x, y)),
            s: Float(tile(x, y).s), t: Float(tile(x, y).t), red: color.red, green: color.green, blue: color.blue,
            alpha: color.alpha)
    }
    let (a, b) = (corner(rect.minX, rect.minY), corner(rect.maxX, rect.minY))
    let (c, d) = (corner(rect.minX, rect.maxY), corner(rect.maxX, rect.maxY))
    return [a, b, c, c, b, d]
}

func batch(
    _ program: DrawProgram, _ texture: TextureSource? = nil, blend: DrawBlend = .sourceOver,
    _ sampling: TextureSampling = .nearest, bias: Float = 0, coverage: Int? = nil, first: Int = 0, quads: Int = 1
) -> DrawBatch {
    DrawBatch(
        kind: .quads(program: program, firstVertex: first, quads: quads), blend: blend, texture: texture,
        sampling: sampling, levelBias: bias, coverage: coverage.map { .coverage(page: $0) }, layer: LayerID(1))
}

func copyBatch(_ texture: TextureSource, from: PixelPoint, to: PixelRect) -> DrawBatch {
    DrawBatch(kind: .copy(from: from, to: to), blend: .copy, texture: texture, layer: LayerID(1))
}

/// A picture with different values in all channels, premultiplied.
func testPicture(_ width: Int, _ height: Int) -> Picture {
    Picture(width, height) { x, y in
        let alpha = 64 + (x * 37 + y * 11) % 192
        return Pixel(
            red: UInt8((x * 53 + y * 7) % 256 * alpha / 255), green: UInt8((x * 5 + y * 71) % 256 * alpha / 255),
            blue: UInt8((x * 19 + y * 31) % 256 * alpha / 255), alpha: UInt8(alpha))
    }
}

func color(_ red: Float, _ green: Float, _ blue: Float, _ alpha: Float) -> PremultipliedColor {
    PremultipliedColor(red: red, green: green, blue: blue, alpha: alpha)
}
