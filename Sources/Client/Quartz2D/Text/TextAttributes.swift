// Attributes of attributed strings. Foundation on Linux has the strings but not the keys, which belong to UIKit and AppKit;
// they are spelled the same here, and Core Text's keys mean the same as they.

import Foundation
import LayerModel

extension NSAttributedString.Key {
    /// A `CTFont`, or a `CGFont`.
    public static let font = NSAttributedString.Key(rawValue: "NSFont")
    /// A `CGColor`.
    public static let foregroundColor = NSAttributedString.Key(rawValue: "NSColor")
    /// A `CGColor` behind the text.
    public static let backgroundColor = NSAttributedString.Key(rawValue: "NSBackgroundColor")
    /// Points after each character.
    public static let kern = NSAttributedString.Key(rawValue: "NSKern")
    /// The same as `kern`.
    public static let tracking = NSAttributedString.Key(rawValue: "CTTracking")
    /// An `NSUnderlineStyle`'s raw value.
    public static let underlineStyle = NSAttributedString.Key(rawValue: "NSUnderline")
    /// A `CGColor`; without it the text's own.
    public static let underlineColor = NSAttributedString.Key(rawValue: "NSUnderlineColor")
    /// An `NSUnderlineStyle`'s raw value.
    public static let strikethroughStyle = NSAttributedString.Key(rawValue: "NSStrikethrough")
    /// A `CGColor`; without it the text's own.
    public static let strikethroughColor = NSAttributedString.Key(rawValue: "NSStrikethroughColor")
    /// Points upwards.
    public static let baselineOffset = NSAttributedString.Key(rawValue: "NSBaselineOffset")
    /// An `NSParagraphStyle`; that of the first character holds for all.
    public static let paragraphStyle = NSAttributedString.Key(rawValue: "NSParagraphStyle")
}

/// The name of `NSAttributedString.Key.font`.
public let kCTFontAttributeName = "NSFont"
/// A `CGColor`, where `NSAttributedString.Key.foregroundColor` is not there.
public let kCTForegroundColorAttributeName = "CTForegroundColor"
/// The name of `NSAttributedString.Key.kern`.
public let kCTKernAttributeName = "NSKern"
/// The name of `NSAttributedString.Key.underlineStyle`.
public let kCTUnderlineStyleAttributeName = "NSUnderline"
/// The name of `NSAttributedString.Key.underlineColor`.
public let kCTUnderlineColorAttributeName = "NSUnderlineColor"
/// The name of `NSAttributedString.Key.paragraphStyle`.
public let kCTParagraphStyleAttributeName = "NSParagraphStyle"

/// A line under or through text.
public struct NSUnderlineStyle: OptionSet, Hashable, Sendable {
    public var rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// One line.
    public static let single = NSUnderlineStyle(rawValue: 1)
    /// One line, twice as thick.
    public static let thick = NSUnderlineStyle(rawValue: 2)
    /// Two lines.
    public static let double = NSUnderlineStyle(rawValue: 9)
}

/// Where a paragraph's lines stand; `natural` is as the script runs.
public enum NSTextAlignment: Int, Sendable {
    case left = 0
    case center = 1
    case right = 2
    case justified = 3
    case natural = 4
}

/// How a paragraph's lines are set.
open class NSParagraphStyle: NSObject, @unchecked Sendable {
    fileprivate var storedAlignment = NSTextAlignment.natural
    fileprivate var storedLineSpacing: CGFloat = 0

    /// Where lines stand; `natural` at first.
    open var alignment: NSTextAlignment { storedAlignment }
    /// Points between two lines; 0 at first, 0 to 10,000.
    open var lineSpacing: CGFloat { storedLineSpacing }

    public override init() {
        super.init()
    }

    /// A style with the defaults.
    public static var `default`: NSParagraphStyle { NSParagraphStyle() }
}

/// How a paragraph's lines are set, to be changed.
open class NSMutableParagraphStyle: NSParagraphStyle, @unchecked Sendable {
    open override var alignment: NSTextAlignment {
        get { storedAlignment }
        set { storedAlignment = newValue }
    }

    open override var lineSpacing: CGFloat {
        get { storedLineSpacing }
        set { storedLineSpacing = newValue.isFinite ? min(max(newValue, 0), 10_000) : 0 }
    }
}

/// One stretch of text with its own looks.
struct TextStyle {
    var font: CTFont?
    var color: CGColor?
    var background: CGColor?
    var kern = 0.0
    var rise = 0.0
    /// Lines under or through the text: how many, of which color.
    var underline: NSUnderlineStyle = []
    var underlineColor: CGColor?
    var strikethrough: NSUnderlineStyle = []
    var strikethroughColor: CGColor?

    init() {}

    init(_ attributes: [NSAttributedString.Key: Any]) {
        font = (attributes[.font] as? CTFont) ?? (attributes[.font] as? CGFont).map { CTFont($0.name, size: 12) }
        color =
            (attributes[.foregroundColor] as? CGColor)
            ?? attributes[NSAttributedString.Key(rawValue: kCTForegroundColorAttributeName)] as? CGColor
        background = attributes[.backgroundColor] as? CGColor
        kern = TextStyle.number(attributes[.kern]) ?? TextStyle.number(attributes[.tracking]) ?? 0
        rise = TextStyle.number(attributes[.baselineOffset]) ?? 0
        underline = TextStyle.line(attributes[.underlineStyle])
        underlineColor = attributes[.underlineColor] as? CGColor
        strikethrough = TextStyle.line(attributes[.strikethroughStyle])
        strikethroughColor = attributes[.strikethroughColor] as? CGColor
    }

    private static func line(_ value: Any?) -> NSUnderlineStyle {
        if let style = value as? NSUnderlineStyle { return style }
        let bits = number(value) ?? 0
        return NSUnderlineStyle(rawValue: Int(min(max(bits, 0), 65_535)))
    }

    /// Points, at most 10,000 of them.
    private static func number(_ value: Any?) -> Double? {
        let number: Double? =
            switch value {
            case let value as Double: value
            case let value as CGFloat: Double(value)
            case let value as Float: Double(value)
            case let value as Int: Double(value)
            case let value as NSNumber: value.doubleValue
            default: nil
            }
        guard let number, number.isFinite else { return nil }
        return min(max(number, -10_000), 10_000)
    }
}
