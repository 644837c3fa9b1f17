import Glibc
import CoreAnimation
import Quartz2D

/// A scene of the bench: what moves from frame to frame. Numbers that both painters draw from, pixels of 1920x1080.
enum BenchScene: String, CaseIterable {
    /// Sixty cards that scroll: rounded, a shadow, a portrait cut to a circle, three bars, a border.
    case cards = "S1"
    /// Thirty pictures that move, each seen through a star that fades downwards.
    case stars = "S3"
    /// A clipped panel that moves: 200 rounded boxes with gradients, shadows and borders.
    case panel = "S4"
    /// A moving photo under a pane that blurs it.
    case pane = "S6"
    /// The cards at rest, and a small arc that turns.
    case spinner = "S7"
    /// An opaque photo that moves by whole pixels under a translucent picture.
    case photo = "S8"

    var meaning: String {
        switch self {
        case .cards: "60 scrolling cards with shadows, portraits, bars and borders"
        case .stars: "30 moving pictures in masks: a star, times a gradient"
        case .panel: "a moving, clipped panel of 200 rounded boxes with gradients, shadows and borders"
        case .pane: "a moving photo under a pane that blurs what lies behind it"
        case .spinner: "60 cards at rest and a turning arc of 40x40"
        case .photo: "a moving opaque photo under a translucent picture"
        }
    }

    /// How far what moves has moved.
    func offset(_ frame: Int) -> (x: Double, y: Double) {
        switch self {
        case .cards: (0, -Double(3 * frame % 216))
        case .stars: (Double(2 * frame % 100), 0)
        case .panel: (Double(2 * frame % 1_100), 200)
        case .pane, .photo: (-Double(2 * frame % 200), 0)
        case .spinner: (0, 0)
        }
    }

    // MARK: Everywhere

    static let width = 1_920
    static let height = 1_080

    /// What lies behind everything, levels.
    static let ground = BenchColor(0xEE, 0xF1, 0xF5)

    // MARK: Cards

    static let bar = BenchColor(0xC8, 0xCC, 0xD2)
    /// Black.
    static let borderAlpha = 0.12
    static let cardShadow = BenchShadow(radius: 8, down: 4, opacity: 0.3)
    static let cardSize = (width: 170.0, height: 196.0, radius: 16.0)
    /// Top left corners of the cards.
    static let cardCorners: [(x: Double, y: Double)] = (0..<60).map { index in
        let (column, row) = (index % 10, index / 10)
        return (x: Double(12 + 190 * column), y: Double(10 + 216 * row))
    }
    /// In the card; a circle as wide.
    static let portrait = (x: 37.0, y: 14.0, side: 96.0)
    /// In the card, 12 high, round at the ends.
    static let bars: [(x: Double, y: Double, width: Double)] = [(20, 124, 130), (20, 146, 110), (20, 168, 80)]
    static let barHeight = 12.0

    // MARK: Stars

    static let pictureSide = 256.0
    /// Top left corners of the pictures.
    static let pictureCorners: [(x: Double, y: Double)] = (0..<30).map { (index: Int) -> (x: Double, y: Double) in
        (x: Double(20 + index % 6 * 300), y: Double(10 + index / 6 * 205))
    }
    /// Corners of a star with five points, in a picture.
    static let star: [(x: Double, y: Double)] = (0..<10).map { (corner: Int) -> (x: Double, y: Double) in
        let radius: Double = corner % 2 == 0 ? 127 : 52
        let angle = Double(corner) * Double.pi / 5
        return (x: 128 + radius * sin(angle), y: 128 - radius * cos(angle))
    }
    /// Alpha at the top and the bottom of a picture.
    static let fade = (top: 1.0, bottom: 0.2)

    // MARK: The panel

    static let panelSize = (width: 800.0, height: 600.0)
    static let boxSize = (width: 34.0, height: 50.0, radius: 8.0)
    static let boxShadow = BenchShadow(radius: 4, down: 2, opacity: 0.3)
    /// White, two wide.
    static let boxBorderAlpha = 0.63
    /// Top left corners of the boxes, and their colors at the top and the bottom.
    static let boxes: [BenchBox] = (0..<200).map { (index: Int) -> BenchBox in
        let top = BenchColor(60 + index * 37 % 180, 80 + index * 53 % 160, 200)
        let bottom = BenchColor(240, 120 + index * 29 % 120, 60 + index * 71 % 150)
        return BenchBox(x: Double(3 + index % 20 * 40), y: Double(4 + index / 20 * 60), top: top, bottom: bottom)
    }

    // MARK: The pane

    static let paneFrame = (x: 360.0, y: 190.0, width: 1_200.0, height: 700.0)
    /// Standard deviation.
    static let paneBlur = 20.0
    /// White.
    static let paneTint = 64.0 / 255

    // MARK: The spinner

    static let spinnerFrame = (x: 940.0, y: 520.0, side: 40.0)
    static let spinnerColor = BenchColor(30, 110, 240)
    /// Radians that the arc has turned.
    static func spinnerAngle(_ frame: Int) -> Double { Double(10 * frame % 360) * .pi / 180 }
}

/// A part of a scene that is drawn: all of it, or a cutting of the same pixels.
struct BenchStage {
    var width = BenchScene.width
    var height = BenchScene.height
    /// Where the cutting lies in the scene.
    var x = 0
    var y = 0

    static let whole = BenchStage()
}

/// A shadow, black: standard deviation, how far down, opacity.
struct BenchShadow {
    var radius: Double
    var down: Double
    var opacity: Double
}

/// One of the panel's boxes: its top left corner, its colors at the top and the bottom.
struct BenchBox {
    var x: Double
    var y: Double
    var top: BenchColor
    var bottom: BenchColor
}

/// Levels.
struct BenchColor {
    var red: Double
    var green: Double
    var blue: Double

    init(_ red: Int, _ green: Int, _ blue: Int) {
        (self.red, self.green, self.blue) = (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
    }

    var cgColor: CGColor { CGColor(red: red, green: green, blue: blue, alpha: 1) }
}
