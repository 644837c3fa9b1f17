/// A scene, and by which roads the two painters take it.
struct BenchContest: Equatable {
    var name: String
    var scene: BenchScene
    /// The layers say what may be kept.
    var isTold = false
    var cairo = BenchCairo.Road.full
    /// Rostrum's time to cairo's must be at most this.
    var allowedRatio: Double
    /// Mean difference of the two pictures' channels, levels: curves are covered by other arithmetic in each.
    var pictureTolerance = 0.3

    static let all: [BenchContest] = [
        BenchContest(name: "S1", scene: .cards, allowedRatio: 1),
        BenchContest(name: "S3", scene: .stars, allowedRatio: 1.5),
        BenchContest(name: "S4", scene: .panel, allowedRatio: 0.5),
        BenchContest(name: "S4-cached", scene: .panel, isTold: true, cairo: .cached, allowedRatio: 12),
        BenchContest(name: "S6", scene: .pane, allowedRatio: 30, pictureTolerance: 0.5),
        BenchContest(name: "S7", scene: .spinner, allowedRatio: 0.25),
        BenchContest(name: "S7-damage", scene: .spinner, cairo: .damage, allowedRatio: 5),
        BenchContest(name: "S8", scene: .photo, allowedRatio: 2, pictureTolerance: 0.05),
    ]

    /// How the two go about it, for people.
    var roads: String {
        let theirs =
            switch cairo {
            case .full: scene == .pane ? "cairo draws photo and tint: it has no blur" : "cairo draws everything"
            case .damage: "cairo is told what changes and draws only that"
            case .cached: "cairo keeps the panel as an image"
            }
        return "\(isTold ? "shouldRasterize is set" : "Rostrum is told nothing"), \(theirs)"
    }
}
