// Planes that cut through each other near the middle of a small picture: two to five, of everything that a layer can be
// at a seam. Some are fans, in which all planes share one line.

import Foundation
import LayerModel
import ReferenceCompositor

struct CrossingScene {
    var display = ReferenceDisplay(
        pixelSize: PixelSize(width: 112, height: 96), scale: 1, isFlipped: true, background: .white)
    var transactions: [Transaction]
    /// For people: what the planes are.
    var kinds: [Kind] = []

    enum Kind: CaseIterable {
        case opaque, glass, image, clearImage, rounded, card, faded, separate, clipped, masked
        // A blur in perspective is drawn as if it had one size, which the compositor does not: without it only.
        case shadowed, blurred

        var hasBlur: Bool { self == .shadowed || self == .blurred }
    }

    init(planes: [LayerTree], perspective: Double = 0) {
        var root = LayerTree(sublayers: planes) {
            $0.bounds = Rect(0, 0, 112, 96)
            $0.anchorPoint = .zero
            $0.backgroundColor = Color(0.2, 0.5, 0.3)
            // Vanishing at the middle.
            $0.sublayerTransform.m34 = perspective
        }
        root.properties.anchorPoint = Point(0.5, 0.5)
        root.properties.position = Point(56, 48)
        transactions = [
            root.transaction(images: [
                (ImageID(1), Self.image(isOpaque: true)), (ImageID(2), Self.image(isOpaque: false)),
            ])
        ]
    }

    /// - Parameter isLooking: Some of the planes have blend modes or look at what lies below them.
    init(seed: UInt64, isLooking: Bool = false) {
        var random = SplitMix64(seed: seed)
        let isFan = random.chance(0.3)
        let count = random.integer(2...5)
        let axis = random.integer(0...2)
        let perspective = random.chance(0.6) ? -1 / random.number(150, 400) : 0
        var planes: [LayerTree] = []
        var kinds: [Kind] = []
        for number in 0..<count {
            let kind = random.pick(Kind.allCases.filter { perspective == 0 || !$0.hasBlur })
            kinds.append(kind)
            var plane = Self.plane(kind, &random)
            plane.properties.name = "\(kind) \(number)"
            if isLooking, number == 0 || random.chance(0.4) { Self.look(&plane, &random) }
            let angle = random.number(0.15, 1.3) * (random.chance(0.5) ? 1 : -1)
            if isFan {
                plane.properties.position = Point(56.3, 48.6)
                plane.properties.transform = Self.turn(angle, about: axis)
            } else {
                plane.properties.position = Point(56 + random.number(-12, 12), 48 + random.number(-12, 12))
                plane.properties.zPosition = random.number(-8, 8)
                plane.properties.transform = Self.turn(random.number(-3, 3), about: 3)
                    .concatenating(Self.turn(angle, about: random.integer(0...2)))
            }
            planes.append(plane)
        }
        self.init(planes: planes, perspective: perspective)
        self.kinds = kinds
    }

    var scene: ReferenceScene { get throws { try ReferenceScene(transactions, display: display) } }

    /// A turn by an angle about x, y, the diagonal between them, or z.
    static func turn(_ angle: Double, about axis: Int) -> Transform {
        let (c, s) = (cos(angle), sin(angle))
        switch axis {
        case 0: return Transform(1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1)
        case 1: return Transform(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1)
        case 2:
            let back = turn(-.pi / 4, about: 3)
            return back.concatenating(turn(angle, about: 0)).concatenating(turn(.pi / 4, about: 3))
        default: return Transform(c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
        }
    }

    /// Makes what a plane shows depend on what lies below it, pixel by pixel.
    private static func look(_ plane: inout LayerTree, _ random: inout SplitMix64) {
        let isMode = random.chance(0.7)
        if isMode {
            plane.properties.compositingMode = random.pick(CompositingMode.allCases)
        } else {
            plane.properties.backgroundFilters = [
                LayerFilter(random.pick([.colorInvert, .colorHueRotate]), inputs: [.inputAngle: .number(2)])
            ]
            if random.chance(0.5) { plane.properties.backgroundColor = Color(0.9, 0.5, 0.1, 0.4) }
        }
        let what = isMode ? "\(plane.properties.compositingMode)" : "backdrop"
        plane.properties.name? += ", " + what
    }

    /// A plane of a kind about 60 points wide.
    static func plane(_ kind: Kind, _ random: inout SplitMix64) -> LayerTree {
        func color(_ alpha: Double) -> Color { Color(random.unit(), random.unit(), random.unit(), alpha) }
        var plane = LayerTree {
            $0.bounds = Rect(0, 0, Double(random.integer(40...80)), Double(random.integer(40...70)))
            $0.position = Point(56, 48)
        }
        plane.properties.backgroundColor = color(1)
        switch kind {
        case .opaque: break
        case .glass: plane.properties.backgroundColor = color(random.number(0.2, 0.95))
        case .image, .clearImage:
            plane.properties.backgroundColor = nil
            plane.properties.contents = ImageID(kind == .image ? 1 : 2)
        case .masked:
            plane.mask = LayerTree {
                $0.setFrame(Rect(2, 3, 34, 30))
                $0.cornerRadius = 10
                $0.backgroundColor = color(random.pick([1, 0.6]))
            }
        case .shadowed:
            plane.properties.shadowOpacity = 0.8
            plane.properties.shadowRadius = random.pick([0, 3])
            plane.properties.shadowOffset = Point(4, 5)
        case .blurred:
            plane.properties.filters = [LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(3)])]
        case .rounded: plane.properties.cornerRadius = 14
        case .card:
            if random.chance(0.5) { plane.properties.backgroundColor = color(0.6) }
            plane.properties.borderWidth = 4
            plane.properties.borderColor = color(1)
            plane.sublayers = [
                LayerTree {
                    $0.setFrame(Rect(8, 10, 30, 24))
                    $0.backgroundColor = color(random.pick([1, 0.5]))
                    $0.cornerRadius = 5
                }
            ]
        case .faded, .separate:
            plane.properties.opacity = 0.6
            plane.properties.allowsGroupOpacity = kind == .faded
            plane.sublayers = [
                LayerTree {
                    $0.setFrame(Rect(6, 6, 28, 28))
                    $0.backgroundColor = color(1)
                }
            ]
        case .clipped:
            plane.properties.cornerRadius = 10
            plane.properties.masksToBounds = true
            plane.sublayers = [
                LayerTree {
                    $0.setFrame(Rect(-6, -6, 44, 44))
                    $0.backgroundColor = color(random.pick([1, 0.5]))
                }
            ]
        }
        return plane
    }

    private static func image(isOpaque: Bool) -> ImageContent {
        .drawn(width: 16, height: 16) { x, y in
            let (s, t) = (Double(x) / 15, Double(y) / 15)
            return Color(s, t, 1 - s, isOpaque ? 1 : 0.1 + 0.9 * s * (1 - t))
        }
    }
}
