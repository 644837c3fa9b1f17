import CoreAnimation
import Quartz2D

/// A scene of the bench: what moves from frame to frame. Numbers that both painters draw from, pixels of 1920x1080.
enum BenchScene: String, CaseIterable {
    /// Sixty cards that scroll: rounded, a shadow, a portrait cut to a circle, three bars, a border.
    case cards = "S1"
    /// An opaque photo that moves by whole pixels under a translucent picture.
    case photo = "S8"

    static let width = 1_920
    static let height = 1_080

    var meaning: String {
        switch self {
        case .cards: "60 scrolling cards with shadows, portraits, bars and borders"
        case .photo: "a moving opaque photo under a translucent picture"
        }
    }

    /// What lies behind the cards, levels.
    static let ground = BenchColor(0xEE, 0xF1, 0xF5)
    static let bar = BenchColor(0xC8, 0xCC, 0xD2)
    /// Black.
    static let borderAlpha = 0.12
    /// Of a card, black: standard deviation, how far down, opacity.
    static let shadow = (radius: 8.0, down: 4.0, opacity: 0.3)

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

    /// How far what moves has moved.
    func offset(_ frame: Int) -> Double {
        switch self {
        case .cards: -Double(3 * frame % 216)
        case .photo: -Double(2 * frame % 200)
        }
    }
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
