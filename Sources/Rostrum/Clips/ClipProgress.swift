/// How far a recording is.
public struct ClipProgress: Sendable, Hashable {
    /// Frames that were drawn or reused so far.
    public var rendered: Int
    /// Of those, frames in which nothing had changed: the last picture was used again.
    public var repeated: Int
    /// Frames that are in the file.
    public var encoded: Int
    /// Frames the clip will have.
    public var total: Int
    /// Seconds since the recording began.
    public var elapsed: Double

    /// Seconds to the end at the speed so far; nil before the first frame is written.
    public var remaining: Double? {
        encoded > 0 && elapsed > 0 ? elapsed / Double(encoded) * Double(total - encoded) : nil
    }

    /// Frames written a second so far.
    public var framesPerSecond: Double { elapsed > 0 ? Double(encoded) / elapsed : 0 }
}

/// What a recording wrote.
public struct ClipSummary: Sendable, Hashable {
    /// Where the clip is.
    public var path: String
    /// What it was written as.
    public var format: ClipFormat
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// What plays in a second.
    public var rate: FrameRate
    /// Frames of the clip.
    public var frameCount: Int
    /// Of those, frames in which nothing had changed: the last picture was used again.
    public var repeatedFrames: Int
    /// The first frame that is not opaque although the format keeps no alpha, counted from 0: there black shows through. Nil
    /// where there is none.
    public var firstFrameThatLostAlpha: Int?
    /// What was not as it should be and did not keep the clip from being written: an encoder's complaints.
    public var warnings: [String]
}
