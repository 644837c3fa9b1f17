import LayerModel

/// What is left out of a line that is too long. An unknown name counts as `none`.
public struct CATextLayerTruncationMode: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing: what is too long is cut at the bounds. The default.
    public static let none = CATextLayerTruncationMode(rawValue: "none")
    /// The beginning: the line begins with an ellipsis.
    public static let start = CATextLayerTruncationMode(rawValue: "start")
    /// The middle: an ellipsis stands there.
    public static let middle = CATextLayerTruncationMode(rawValue: "middle")
    /// The end: the line ends with an ellipsis.
    public static let end = CATextLayerTruncationMode(rawValue: "end")
}

/// Where lines begin. An unknown name counts as `natural`.
public struct CATextLayerAlignmentMode: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// As the script of the text runs; the default.
    public static let natural = CATextLayerAlignmentMode(rawValue: "natural")
    /// At min x.
    public static let left = CATextLayerAlignmentMode(rawValue: "left")
    /// At max x.
    public static let right = CATextLayerAlignmentMode(rawValue: "right")
    /// In the middle.
    public static let center = CATextLayerAlignmentMode(rawValue: "center")
    /// At both sides, but for the last line of a paragraph.
    public static let justified = CATextLayerAlignmentMode(rawValue: "justified")
}
