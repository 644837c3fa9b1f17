// How a bitmap's bytes are to be read.

/// Where alpha stands in a pixel, and whether the colors are multiplied by it.
public enum CGImageAlphaInfo: UInt32, Sendable {
    case none = 0
    case premultipliedLast = 1
    case premultipliedFirst = 2
    case last = 3
    case first = 4
    case noneSkipLast = 5
    case noneSkipFirst = 6
    case alphaOnly = 7
}

/// Alpha and byte order of a bitmap. Which of them a context can have: `CGContext.init(data:…)`.
public struct CGBitmapInfo: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The bits of a `CGImageAlphaInfo`.
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
    /// The bits that say whether components are floats.
    public static let floatInfoMask = CGBitmapInfo(rawValue: 0xF00)
    /// Components are floats.
    public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
    /// The bits of the byte order.
    public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
    /// Bytes as they are listed: the first component comes first.
    public static let byteOrderDefault: CGBitmapInfo = []
    /// Units of 16 bits, the lowest byte first.
    public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
    /// Units of 32 bits, the lowest byte first: ARGB is B, G, R, A in memory.
    public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
    /// Units of 16 bits, the highest byte first.
    public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
    /// Units of 32 bits, the highest byte first.
    public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)
}

extension CGImage {
    /// Alpha comes first in a unit of 32 bits, multiplied into the colors; an opaque image has none.
    public var alphaInfo: CGImageAlphaInfo { isOpaque ? .noneSkipFirst : .premultipliedFirst }
    /// B, G, R, A in memory.
    public var bitmapInfo: CGBitmapInfo { [.byteOrder32Little, CGBitmapInfo(rawValue: alphaInfo.rawValue)] }
    /// sRGB.
    public var colorSpace: CGColorSpace? { .standard }
}

/// What a bitmap context's memory looks like to the app. Drawn is always in premultiplied BGRA, which is what cairo has; any
/// other order is brought up to date after each operation.
struct PixelFormat: Equatable {
    enum Order: Equatable {
        case bgra, rgba, argb, abgr
        /// One byte: alpha.
        case alpha
        /// One byte: Rec. 709 luma of the encoded color, as a gray context keeps it.
        case gray
    }

    var order: Order
    var isOpaque: Bool

    /// The format is cairo's own: no copy is needed.
    var isNative: Bool { order == .bgra }
    var bytesPerPixel: Int { order == .alpha || order == .gray ? 1 : 4 }

    static let native = PixelFormat(order: .bgra, isOpaque: false)

    /// Nil for what is not drawn here: more or fewer than 8 bits a component, straight alpha, floats, another model.
    init?(bitsPerComponent: Int, space: CGColorSpace?, bitmapInfo: UInt32) {
        let info = CGBitmapInfo(rawValue: bitmapInfo)
        guard bitsPerComponent == 8, info.intersection(.floatInfoMask).isEmpty else { return nil }
        guard let alpha = CGImageAlphaInfo(rawValue: bitmapInfo & CGBitmapInfo.alphaInfoMask.rawValue) else {
            return nil
        }
        let isLittle: Bool
        switch info.intersection(.byteOrderMask) {
        case .byteOrder32Little: isLittle = true
        case .byteOrderDefault, .byteOrder32Big: isLittle = false
        default: return nil
        }
        let isGray = space?.model == .monochrome
        switch alpha {
        case .alphaOnly: self.init(order: .alpha, isOpaque: false)
        case .none where isGray: self.init(order: .gray, isOpaque: true)
        case .premultipliedFirst, .noneSkipFirst:
            guard !isGray, space != nil else { return nil }
            self.init(order: isLittle ? .bgra : .argb, isOpaque: alpha == .noneSkipFirst)
        case .premultipliedLast, .noneSkipLast:
            guard !isGray, space != nil else { return nil }
            self.init(order: isLittle ? .abgr : .rgba, isOpaque: alpha == .noneSkipLast)
        case .none, .first, .last: return nil
        }
    }

    init(order: Order, isOpaque: Bool) {
        (self.order, self.isOpaque) = (order, isOpaque)
    }
}
