import LayerModel

extension Quad {
    /// The fixed function that draws the mode exactly; nil where it takes more, and for source-over.
    var fixedBlend: DrawBlend? {
        if maskSurface >= 0, mode.reachesBeyondSource { return nil }
        return switch mode {
        case .screen: .screen
        case .destinationOver: .destinationOver
        case .sourceIn: .sourceIn
        case .destinationIn: .destinationIn
        case .sourceOut: .sourceOut
        case .destinationOut: .destinationOut
        case .sourceAtop: .sourceAtop
        case .destinationAtop: .destinationAtop
        case .xor: .xor
        case .plusLighter: .plusLighter
        case .copy, .clear: .copy
        default: nil
        }
    }
}

extension TextureSource {
    /// As one number: the kind in the highest bits. 0 is no texture. The images of a plan are all of one session, which is
    /// left out.
    var word: UInt64 {
        switch self {
        case .image(let key): 1 << 63 | UInt64(key.tile) << 32 | UInt64(key.image.rawValue)
        case .slot(let slot): 1 << 61 | UInt64(slot)
        case .coverage(let page): 1 << 62 | UInt64(page)
        }
    }

    init?(word: UInt64, session: UInt32) {
        let low = UInt32(truncatingIfNeeded: word)
        switch word >> 61 {
        case 0: return nil
        case 1: self = .slot(Int(low))
        case 2: self = .coverage(page: Int(low))
        default:
            self = .image(ImageKey(session: session, image: ImageID(low), tile: Int(word >> 32 & 0x7FFF_FFFF)))
        }
    }
}
