import Rostrum

/// A scene of the gallery: layers on a display, and what happens to them in time.
struct Example: Sendable {
    /// The name of its files.
    var name: String
    /// What it shows, a line.
    var caption: String
    /// Points.
    var size = CGSize(width: 360, height: 240)
    /// Seconds of its clip.
    var duration: CFTimeInterval
    /// The time of its still picture, seconds.
    var stillTime: CFTimeInterval
    /// Puts its layers on a display and says what happens later.
    var build: @Sendable (HeadlessDisplay) -> Void

    static let all = [
        downloadRing, activityRings, scoreChart, ticket, gradients, fountain, coverFlow, spinners,
    ]

    /// A display that shows it, at the time 0.
    func display(scale: CGFloat) throws -> HeadlessDisplay {
        let display = try HeadlessDisplay(width: size.width, height: size.height, scale: scale)
        display.rootLayer.contentsScale = scale
        // What is built is there from the start: nothing of it appears with an animation.
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        display.perform { build(display) }
        CATransaction.commit()
        return display
    }

    /// Writes its still picture.
    func writeStill(to path: String, scale: CGFloat) throws {
        try display(scale: scale).snapshot(at: stillTime).writePNG(to: path, level: 9)
    }

    /// Writes its clip; the ending of the path says the format.
    @discardableResult
    func writeClip(to path: String, scale: CGFloat, fps: FrameRate) throws -> ClipSummary {
        var options = ClipOptions()
        options.replacesSequence = true
        return try display(scale: scale).record(path, to: duration, fps: fps, options: options)
    }
}

extension HeadlessDisplay {
    /// Something that happens at a time: a tap, news from a server.
    struct Event {
        var time: CFTimeInterval
        var action: () -> Void

        init(_ time: CFTimeInterval, _ action: @escaping () -> Void) {
            self.time = time
            self.action = action
        }
    }

    /// Runs events at the refreshes that their times fall on, however few frames are drawn.
    func play(_ events: [Event]) {
        var rest = events[...]
        displayLink { link in
            while let next = rest.first, next.time <= link.timestamp + 1e-6 {
                rest.removeFirst()
                next.action()
            }
            if rest.isEmpty { link.invalidate() }
        }
    }
}

extension Example: CustomStringConvertible {
    var description: String { name }
}
