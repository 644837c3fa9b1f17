import CoreAnimation
import LayerModel
import Testing

@Suite("Limits of animations")
struct AnimationLimitTests {
    /// A little over a hundred thousand values.
    private static func large(_ journal: Journal, _ name: String, _ clock: ManualClock) -> CAKeyframeAnimation {
        let animation = CAKeyframeAnimation(keyPath: "opacity")
        animation.values = values
        animation.duration = 1
        animation.delegate = AnimationJournal(name, journal) { clock.time }
        return animation
    }

    private static let values = (0..<131_000).map { Float($0 % 2) }

    @Test(
        "Animations that hold more than 4,000,000 values together: a fault that names layer and key, and it ends as others do"
    )
    func values() {
        let clock = ManualClock()
        let journal = Journal()
        let layer = clock.addLayer(name: "card")
        // 31 make 4,061,000.
        for number in 1...31 { layer.add(Self.large(journal, "\(number)", clock), forKey: "k\(number)") }
        #expect(clock.takeOps().addedAnimations.count == 30)
        let faults = clock.context.takeFaults()
        #expect(faults.count == 1)
        let text = faults.first?.description ?? ""
        #expect(
            text.contains("card") && text.contains("\"k31\" of opacity") && text.contains("4000000"), "\(text)")
        clock.go(to: 1)
        #expect(journal.entries.contains("31 start 0.0") && journal.entries.contains("31 stop true 1.0"))
        #expect(layer.animationKeys() == nil)

        // What ended and what was taken away makes room.
        for number in 1...30 { layer.add(Self.large(journal, "\(number)", clock), forKey: "k\(number)") }
        #expect(clock.takeOps().addedAnimations.count == 30)
        layer.removeAnimation(forKey: "k7")
        layer.add(Self.large(journal, "again", clock), forKey: "again")
        #expect(clock.takeOps().addedAnimations.count == 1)
        #expect(clock.context.takeFaults().isEmpty)
    }

    @Test("The 1025th animation of a layer shows nothing, with a fault that names layer and key, and ends")
    func ofLayer() {
        let clock = ManualClock()
        let layer = clock.addLayer(name: "card")
        for _ in 0..<AnimationLimits.ofLayer { layer.add(slide(), forKey: nil) }
        layer.add(slide(), forKey: "last")
        #expect(clock.takeOps().addedAnimations.count == AnimationLimits.ofLayer)
        let text = clock.context.takeFaults().first?.description ?? ""
        #expect(text.contains("card") && text.contains("\"last\" of position.x"), "\(text)")
        clock.go(to: 1)
        #expect(layer.animationKeys() == nil)
    }

    @Test("A transition's filter is a warning with layer and key; its type shows")
    func transitionFilter() {
        let clock = ManualClock()
        let layer = clock.addLayer(name: "page")
        let transition = CATransition()
        transition.type = .push
        transition.filter = blur(3)
        layer.add(transition, forKey: nil)
        #expect(clock.takeOps().addedAnimations.count == 1)
        let said = ClientWarnings.shared.messages.contains {
            $0.contains("page") && $0.contains("\"transition\" of filter:") && $0.contains("push")
        }
        #expect(said)
    }
}
