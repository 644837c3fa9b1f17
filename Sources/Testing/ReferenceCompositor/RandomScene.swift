// Random trees of layers for "the server draws what the reference draws".
//
// A picture that is mostly edge proves little, since edges have a wide tolerance. So layers are large against a pixel
// (at least 14 points), two thirds of them sit on whole pixels, turned ones are the minority, images are smooth, and a
// tree has at most a dozen and a half layers. What a yes or no decides (nearest texels, hard edges) is marked doubtful
// by the reference and costs nothing. Members of a 3D space cross only where `crossings` is asked for.

import Glibc
import LayerModel

/// A scene that follows from a seed.
package struct RandomScene: Sendable {
    /// What may occur.
    package struct Options: OptionSet, Sendable {
        package var rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Turned, scaled, mirrored and sheared in the plane.
        package static let planeTransforms = Options(rawValue: 1 << 0)
        /// Turned out of the plane, with and without perspective.
        package static let depth = Options(rawValue: 1 << 1)
        /// Siblings that cut through each other.
        package static let crossings = Options(rawValue: 1 << 2)
        package static let transformLayers = Options(rawValue: 1 << 3)
        package static let opacity = Options(rawValue: 1 << 4)
        package static let clips = Options(rawValue: 1 << 5)
        package static let corners = Options(rawValue: 1 << 6)
        package static let borders = Options(rawValue: 1 << 7)
        package static let contents = Options(rawValue: 1 << 8)
        /// Y up or down, geometryFlipped, moved bounds origins, odd anchors.
        package static let flips = Options(rawValue: 1 << 9)
        package static let hardEdges = Options(rawValue: 1 << 10)
        /// Positions and sizes that are not whole pixels.
        package static let fractions = Options(rawValue: 1 << 11)
        package static let hidden = Options(rawValue: 1 << 12)

        /// Everything but the effects.
        package static let all = Options(rawValue: (1 << 13) - 1)

        // What they add follows the rest of a layer: without them a seed gives the scene it always gave.
        package static let shadows = Options(rawValue: 1 << 13)
        /// Some of the shadows by a path.
        package static let shadowPaths = Options(rawValue: 1 << 14)
        package static let masks = Options(rawValue: 1 << 15)
        package static let compositingModes = Options(rawValue: 1 << 16)
        package static let filters = Options(rawValue: 1 << 17)
        package static let backdrops = Options(rawValue: 1 << 18)
        package static let rasterization = Options(rawValue: 1 << 19)

        /// Commits after the first one that animate it; see RandomAnimations.swift.
        package static let animations = Options(rawValue: 1 << 20)

        /// Layers that draw a path; see RandomScene+Shapes.swift.
        package static let shapes = Options(rawValue: 1 << 21)

        /// Layers that draw a gradient; see RandomScene+Gradients.swift.
        package static let gradients = Options(rawValue: 1 << 22)

        /// Layers that show their sublayers several times; see RandomScene+Replicators.swift.
        package static let replicators = Options(rawValue: 1 << 23)

        package static let effects: Options = [
            .shadows, .shadowPaths, .masks, .compositingModes, .filters, .backdrops, .rasterization,
        ]
    }

    package let seed: UInt64
    package let display: ReferenceDisplay
    /// The commits that make the tree.
    package let transactions: [Transaction]

    /// When animations are committed, seconds.
    package static let commitTimes = [0, 0.4, 0.75]

    package init(seed: UInt64, options: Options = .all) {
        var maker = SceneMaker(seed: seed, options: options)
        self.seed = seed
        display = maker.makeDisplay()
        let tree = maker.makeTransactions(for: display)
        guard options.contains(.animations) else {
            transactions = tree
            return
        }
        var animations = RandomAnimations(seed: seed, of: tree)
        transactions = tree + Self.commitTimes.map { animations.transaction(at: $0) }
    }

    /// The tree that the transactions make.
    package func scene() throws(TransactionError) -> ReferenceScene {
        try ReferenceScene(transactions, display: display)
    }
}

/// Makes one scene; what happens as effects is in RandomScene+Effects.swift.
struct SceneMaker {
    var random: SplitMix64
    let options: RandomScene.Options
    private var layersLeft = 0
    /// Points of a pixel.
    private(set) var pixel = 1.0

    /// Width and height of the images 1, 2, 3, 4.
    private static let imageSizes = [(16, 16), (8, 8), (24, 12), (10, 20)]

    init(seed: UInt64, options: RandomScene.Options) {
        random = SplitMix64(seed: seed)
        self.options = options
    }

    mutating func makeDisplay() -> ReferenceDisplay {
        let scale = random.pick([1.0, 1, 1, 2, 1.5])
        let size = PixelSize(width: random.integer(96...160), height: random.integer(72...120))
        let isFlipped = options.contains(.flips) ? random.chance(0.6) : true
        let background = random.pick([Color.white, .clear, Color(0.1, 0.2, 0.3), Color(0.8, 0.4, 0.2, 0.5)])
        return ReferenceDisplay(pixelSize: size, scale: scale, isFlipped: isFlipped, background: background)
    }

    mutating func makeTransactions(for display: ReferenceDisplay) -> [Transaction] {
        pixel = 1 / display.scale
        layersLeft = random.integer(6...16)
        let bounds = Rect(
            0, 0, Double(display.pixelSize.width) * pixel, Double(display.pixelSize.height) * pixel)
        var root = LayerTree {
            $0.bounds = bounds
            $0.anchorPoint = .zero
            $0.name = "root"
        }
        if random.chance(0.5) { root.properties.backgroundColor = color(opaque: 0.7) }
        if options.contains(.flips) { root.properties.isGeometryFlipped = random.chance(0.25) }
        fill(&root, level: 1)
        let images =
            options.contains(.contents)
            ? Self.imageSizes.enumerated().map { (ImageID(UInt32($0.offset + 1)), image($0.offset)) } : []
        return [root.transaction(images: images)]
    }

    // MARK: Layers

    private mutating func fill(_ parent: inout LayerTree, level: Int) {
        let bounds = parent.properties.bounds
        let has3D = options.contains(.depth) && random.chance(level == 1 ? 0.35 : 0.2)
        if has3D, random.chance(0.7) {
            parent.properties.sublayerTransform.m34 = -1 / random.number(200, 500)
        }
        for _ in 0..<random.integer(1...(level == 1 ? 5 : 3)) where layersLeft > 0 {
            layersLeft -= 1
            var child = layer(in: bounds)
            transform(&child.properties, has3D: has3D)
            if level < 4, min(child.properties.bounds.width, child.properties.bounds.height) > 26, random.chance(0.6) {
                fill(&child, level: level + 1)
            }
            let mayPass = options.contains(.transformLayers) && (!has3D || options.contains(.crossings))
            if mayPass, !child.sublayers.isEmpty, random.chance(0.15) { child.layerClass = .transformLayer }
            if !options.isDisjoint(with: .effects), child.layerClass == .layer { addEffects(to: &child) }
            if options.contains(.shapes), child.layerClass == .layer, random.chance(0.6) { addShape(to: &child) }
            if options.contains(.gradients), child.layerClass == .layer, random.chance(0.6) {
                addGradient(to: &child)
            }
            if options.contains(.replicators), child.layerClass == .layer, !child.sublayers.isEmpty, random.chance(0.6)
            {
                addInstances(to: &child)
            }
            parent.sublayers.append(child)
        }
    }

    private mutating func layer(in parent: Rect) -> LayerTree {
        var p = LayerProperties()
        let isWhole = !options.contains(.fractions) || random.chance(0.66)
        // The picture is small: what is little against it would be all edge.
        let width = max(parent.width * random.number(0.3, 0.8), 14)
        let height = max(parent.height * random.number(0.3, 0.8), 14)
        var frame = Rect(
            parent.minX + (parent.width - width) * random.number(-0.1, 1.1),
            parent.minY + (parent.height - height) * random.number(-0.1, 1.1), width, height)
        if isWhole {
            func whole(_ value: Double) -> Double { (value / pixel).rounded() * pixel }
            frame = Rect(whole(frame.minX), whole(frame.minY), whole(width), whole(height))
        }
        if options.contains(.flips) {
            if random.chance(0.2) { p.anchorPoint = random.pick([.zero, Point(1, 1), Point(0.25, 0.75)]) }
            if random.chance(0.15) { p.bounds.origin = Point(Double(random.integer(-9...9)), 4) }
            p.isGeometryFlipped = random.chance(0.12)
        }
        p.setFrame(frame)
        p.name = "n\(layersLeft)"
        decorate(&p)
        return LayerTree(p)
    }

    private mutating func decorate(_ p: inout LayerProperties) {
        if random.chance(0.75) { p.backgroundColor = color(opaque: 0.7) }
        if options.contains(.corners), random.chance(0.35) {
            p.cornerRadius = random.pick([3, 6, 10.5, 18, 200])
            if random.chance(0.3) { p.cornerCurve = .continuous }
            if random.chance(0.3) { p.maskedCorners = CornerMask(rawValue: UInt8(random.integer(1...15))) }
        }
        if options.contains(.borders), random.chance(0.3) {
            p.borderWidth = random.pick([pixel, 2, 3, 4.5])
            p.borderColor = color(opaque: 0.7)
        }
        if options.contains(.clips) { p.masksToBounds = random.chance(0.25) }
        if options.contains(.opacity), random.chance(0.3) {
            p.opacity = random.pick([0.25, 0.5, 0.7, 0.9])
            p.allowsGroupOpacity = random.chance(0.75)
        }
        if options.contains(.hidden) { p.isHidden = random.chance(0.04) }
        if options.contains(.hardEdges), random.chance(0.12) {
            p.allowsEdgeAntialiasing = random.chance(0.5)
            p.edgeAntialiasingMask = EdgeMask(rawValue: UInt8(random.integer(0...15)))
        }
        if options.contains(.contents), random.chance(0.35) { contents(&p) }
    }

    private mutating func contents(_ p: inout LayerProperties) {
        let image = random.integer(1...4)
        p.contents = ImageID(UInt32(image))
        p.contentsGravity = random.pick(ContentsGravity.allCases)
        p.contentsScale = random.pick([1, 1, 2, 0.5])
        let filter: ContentsFilter =
            image <= 2 ? random.pick([.linear, .linear, .nearest, .trilinear]) : random.pick([.linear, .nearest])
        p.minificationFilter = filter
        p.magnificationFilter = filter == .trilinear ? .linear : filter
        if random.chance(0.25) { p.contentsRect = Rect(0.25, 0.25, 0.5, 0.75) }
        if random.chance(0.25) { p.contentsCenter = random.pick([Rect(0.25, 0.25, 0.5, 0.5), Rect(0.5, 0.5, 0, 0)]) }
    }

    private mutating func transform(_ p: inout LayerProperties, has3D: Bool) {
        if has3D, random.chance(0.6) {
            let angle = random.number(-1.2, 1.2)
            let c = cos(angle)
            let s = sin(angle)
            p.transform =
                random.chance(0.5)
                ? Transform(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1)
                : Transform(1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1)
            if random.chance(0.25) {
                // Perspective of its own, after the turn.
                p.transform.m14 = -p.transform.m13 / 300
                p.transform.m24 = -p.transform.m23 / 300
                p.transform.m34 = -p.transform.m33 / 300
            }
            p.isDoubleSided = random.chance(0.8)
            // Far enough in front that it does not reach down to its siblings.
            if !options.contains(.crossings) {
                p.zPosition = Double(30 + layersLeft * 4) + abs(s) * max(p.bounds.width, p.bounds.height)
            }
            return
        }
        if random.chance(0.15) { p.zPosition = random.pick([-1, 1, 2]) }
        guard options.contains(.planeTransforms), random.chance(0.3) else { return }
        let angle = random.pick([random.number(-3, 3), .pi / 2, .pi, 0])
        let x = random.pick([1, 1, 1, -1, 0.8])
        let y = random.pick([1, 1, 1, -1, 1.2])
        let c = cos(angle)
        let s = sin(angle)
        let shear = random.chance(0.15) ? 0.3 : 0
        p.transform = Transform(x * c, x * s, 0, 0, -y * s + shear, y * c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
    }

    // MARK: Colors and images

    mutating func color(opaque: Double) -> Color {
        Color(random.unit(), random.unit(), random.unit(), random.chance(opaque) ? 1 : random.number(0.2, 0.9))
    }

    /// Smooth, since sharp detail makes every difference in sampling a difference in color.
    private mutating func image(_ index: Int) -> ImageContent {
        let (width, height) = Self.imageSizes[index]
        let corners = (0..<4).map { _ in color(opaque: index == 2 ? 0 : 0.8) }
        return .drawn(width: width, height: height) { x, y in
            let s = Double(x) / Double(width - 1)
            let t = Double(y) / Double(height - 1)
            func mixed(_ part: (Color) -> Double) -> Double {
                let upper = part(corners[0]) * (1 - s) + part(corners[1]) * s
                let lower = part(corners[2]) * (1 - s) + part(corners[3]) * s
                return upper * (1 - t) + lower * t
            }
            return Color(mixed(\.red), mixed(\.green), mixed(\.blue), mixed(\.alpha))
        }
    }
}
