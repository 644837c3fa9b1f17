/// What one frame had to do besides drawing: what was kept from earlier ones and what was made anew. Over several frames this
/// shows what thrashes.
package struct FrameWork: Sendable, Equatable {
    /// The picture is the last one again: nothing was planned or drawn.
    package var isUnchanged = false
    /// Masks that an earlier frame, or an earlier layer of this one, had made.
    package var masksFound = 0
    package var masksMade = 0
    /// Kept pictures of groups that were shown as they were, and those that were drawn to be kept.
    package var picturesFound = 0
    package var picturesMade = 0
    /// Kept masks that had to go.
    package var evictions = 0
    package var targetsMade = 0
    /// Targets that were there already.
    package var targetsReused = 0
    package var imagePixelsUploaded = 0
    package var coveragePixelsUploaded = 0
    /// Of all targets that are kept, when the frame was drawn.
    package var targetBytes = 0
    /// Of the images of all sessions.
    package var imageBytes = 0

    package init() {}

    /// Notes which kept pictures a plan shows and which it draws.
    package mutating func notePictures(of plan: FramePlan) {
        let drawn = Set(plan.passes.map(\.slot))
        for (slot, target) in plan.slots.enumerated() where target.sprite != nil {
            if drawn.contains(slot) { picturesMade += 1 } else { picturesFound += 1 }
        }
    }

    /// What came between two counts. A count that began anew, in a new graphics context, gives 0.
    package static func - (a: FrameWork, b: FrameWork) -> FrameWork {
        var difference = a
        difference.masksFound = max(a.masksFound - b.masksFound, 0)
        difference.masksMade = max(a.masksMade - b.masksMade, 0)
        difference.evictions = max(a.evictions - b.evictions, 0)
        difference.targetsMade = max(a.targetsMade - b.targetsMade, 0)
        difference.targetsReused = max(a.targetsReused - b.targetsReused, 0)
        difference.imagePixelsUploaded = max(a.imagePixelsUploaded - b.imagePixelsUploaded, 0)
        difference.coveragePixelsUploaded = max(a.coveragePixelsUploaded - b.coveragePixelsUploaded, 0)
        return difference
    }

    /// `planned and drawn; 3 masks found, 1 made; …`
    package var text: String {
        guard !isUnchanged else { return "the last picture again: nothing planned, nothing drawn" }
        var parts = ["masks: \(AccountText.grouped(masksFound)) found, \(AccountText.grouped(masksMade)) made"]
        if picturesFound + picturesMade > 0 {
            parts.append("kept pictures: \(picturesFound) found, \(picturesMade) made")
        }
        parts.append("targets: \(targetsReused) reused, \(targetsMade) made")
        if imagePixelsUploaded > 0 { parts.append("\(AccountText.count(imagePixelsUploaded, "image pixel")) uploaded") }
        if coveragePixelsUploaded > 0 {
            parts.append("\(AccountText.count(coveragePixelsUploaded, "mask pixel")) uploaded")
        }
        if evictions > 0 { parts.append("kept masks dropped \(AccountText.count(evictions, "time"))") }
        return parts.joined(separator: "; ")
    }
}
