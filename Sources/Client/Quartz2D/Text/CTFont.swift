// Fonts by name, with Apple's spelling.

import CPango
import Foundation

/// A font without a size.
public final class CGFont: Hashable, Sendable {
    let name: FontName

    /// - Parameter name: A PostScript name such as `Helvetica-Bold`, or a family. A font that is not installed is replaced
    ///   when it is drawn with.
    public init?(_ name: String) {
        guard !name.isEmpty else { return nil }
        self.name = FontName(name)
    }

    /// The name as it was given.
    public var postScriptName: String? { name.text }
    /// The name as it was given.
    public var fullName: String? { name.text }

    public static func == (a: CGFont, b: CGFont) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A font with a size.
public final class CTFont: Hashable, Sendable {
    let name: FontName
    /// Points.
    public let size: CGFloat

    /// - Parameter size: Points; 0, or what is not finite, means 12.
    public init(_ name: String, size: CGFloat) {
        self.name = FontName(name)
        self.size = size > 0 && size.isFinite ? size : 12
    }

    init(_ name: FontName, size: CGFloat) {
        (self.name, self.size) = (name, size > 0 && size.isFinite ? size : 12)
    }

    /// The name that it was made with.
    public var postScriptName: String { name.text }
    /// The family that is drawn with on this machine.
    public var familyName: String { TextEngine.shared.metrics(of: name, size: Double(size)).family }
    /// Points above the baseline.
    public var ascent: CGFloat { CGFloat(TextEngine.shared.metrics(of: name, size: Double(size)).ascent) }
    /// Points below the baseline, positive.
    public var descent: CGFloat { CGFloat(TextEngine.shared.metrics(of: name, size: Double(size)).descent) }

    public static func == (a: CTFont, b: CTFont) -> Bool { a.name == b.name && a.size == b.size }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(size)
    }
}

/// A font by its name and size. The matrix has no effect.
public func CTFontCreateWithName(_ name: String, _ size: CGFloat, _ matrix: UnsafePointer<CGAffineTransform>?) -> CTFont
{
    CTFont(name, size: size)
}

/// A font of a size. Matrix and attributes have no effect.
public func CTFontCreateWithGraphicsFont(
    _ font: CGFont, _ size: CGFloat, _ matrix: UnsafePointer<CGAffineTransform>?, _ attributes: Any? = nil
) -> CTFont {
    CTFont(font.name, size: size)
}

/// Points.
public func CTFontGetSize(_ font: CTFont) -> CGFloat { font.size }
/// Points above the baseline.
public func CTFontGetAscent(_ font: CTFont) -> CGFloat { font.ascent }
/// Points below the baseline, positive.
public func CTFontGetDescent(_ font: CTFont) -> CGFloat { font.descent }
/// Fonts are set without extra space between lines.
public func CTFontGetLeading(_ font: CTFont) -> CGFloat { 0 }
/// The name that the font was made with.
public func CTFontCopyPostScriptName(_ font: CTFont) -> String { font.postScriptName }
/// The family that text in the font is set in on this machine.
public func CTFontCopyFamilyName(_ font: CTFont) -> String { font.familyName }
