/// How a color's components are to be read. Every space here ends up in extended sRGB, the space that is drawn in.
public final class CGColorSpace: Sendable, Hashable {
    package enum Space: Sendable, Hashable {
        case sRGB, extendedSRGB, genericGrayGamma2_2
    }

    package let space: Space

    package init(_ space: Space) {
        self.space = space
    }

    /// The name of a space, one of the constants below.
    public struct Name: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// Red, green and blue, encoded as sRGB.
    public static let sRGB = Name(rawValue: "kCGColorSpaceSRGB")

    /// sRGB whose components may lie outside 0…1.
    public static let extendedSRGB = Name(rawValue: "kCGColorSpaceExtendedSRGB")

    /// One component, encoded with gamma 2.2; drawn as red, green and blue alike.
    public static let genericGrayGamma2_2 = Name(rawValue: "kCGColorSpaceGenericGrayGamma2_2")

    /// Nil for a name that is none of the constants above.
    public convenience init?(name: Name) {
        switch name {
        case Self.sRGB: self.init(.sRGB)
        case Self.extendedSRGB: self.init(.extendedSRGB)
        case Self.genericGrayGamma2_2: self.init(.genericGrayGamma2_2)
        default: return nil
        }
    }

    /// The name that it can be made by.
    public var name: Name {
        switch space {
        case .sRGB: Self.sRGB
        case .extendedSRGB: Self.extendedSRGB
        case .genericGrayGamma2_2: Self.genericGrayGamma2_2
        }
    }

    /// Without alpha.
    public var numberOfComponents: Int { space == .genericGrayGamma2_2 ? 1 : 3 }

    /// Gray, or red, green and blue.
    public var model: CGColorSpaceModel { space == .genericGrayGamma2_2 ? .monochrome : .rgb }

    public static func == (a: CGColorSpace, b: CGColorSpace) -> Bool { a.space == b.space }

    public func hash(into hasher: inout Hasher) { hasher.combine(space) }

    static let standard = CGColorSpace(.sRGB)
    static let gray = CGColorSpace(.genericGrayGamma2_2)
}

/// What a space's components are.
public enum CGColorSpaceModel: Int32, Sendable {
    case monochrome = 0
    case rgb = 1
}

/// A display's own RGB; here that is sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .standard }

/// A display's own gray; here that is gamma 2.2.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { .gray }
