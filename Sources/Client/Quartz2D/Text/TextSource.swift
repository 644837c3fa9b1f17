// An attributed string as Pango takes it: UTF-8, and attributes by byte. Which style a run has travels through Pango as a
// color: its number, as red and green.

import CPango
import Foundation

struct TextSource {
    private(set) var bytes: [UInt8] = []
    private(set) var styles: [TextStyle] = []
    private var ranges: [Range<Int>] = []
    private let baseSize: CGFloat
    /// What the first paragraph's style says; nil where it says nothing.
    private(set) var alignment: TextRequest.Alignment?
    private(set) var lineSpacing = 0.0

    /// - Complexity: O(length), and O(1) for each stretch of attributes.
    init(_ string: NSAttributedString, base: CTFont) {
        baseSize = base.size
        let units = Array(string.string.utf16)
        bytes.reserveCapacity(units.count + units.count / 4)
        let whole = NSRange(location: 0, length: string.length)
        var stretches: [(NSRange, [NSAttributedString.Key: Any])] = []
        string.enumerateAttributes(in: whole) { attributes, range, _ in stretches.append((range, attributes)) }
        for (range, attributes) in stretches {
            let from = max(range.location, 0)
            let to = min(range.location + range.length, units.count)
            guard from < to else { continue }
            let start = bytes.count
            append(units[from..<to])
            styles.append(TextStyle(attributes))
            ranges.append(start..<bytes.count)
            if from == 0, let paragraph = attributes[.paragraphStyle] as? NSParagraphStyle {
                lineSpacing = Double(paragraph.lineSpacing)
                switch paragraph.alignment {
                case .left: alignment = .left
                case .right: alignment = .right
                case .center: alignment = .center
                case .justified: alignment = .justified
                case .natural: break
                }
            }
        }
        if bytes.isEmpty { bytes = [0x20] }
    }

    /// Control characters that mean nothing in text become spaces without width; half a surrogate pair becomes U+FFFD.
    private mutating func append(_ units: ArraySlice<UInt16>) {
        let scalars = String(decoding: units, as: UTF16.self).unicodeScalars
        for scalar in scalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: bytes.append(UInt8(scalar.value))
            case 0x00..<0x20, 0x7F..<0xA0: bytes.append(contentsOf: [0xE2, 0x80, 0x8B])
            default: bytes.append(contentsOf: UTF8.encode(scalar)!)
            }
        }
    }

    /// To be released by the caller.
    func makeAttributes() -> OpaquePointer {
        let list = pango_attr_list_new()!
        for (index, style) in styles.enumerated() {
            let range = ranges[index]
            func add(_ attribute: UnsafeMutablePointer<PangoAttribute>?) {
                guard let attribute else { return }
                attribute.pointee.start_index = UInt32(range.lowerBound)
                attribute.pointee.end_index = UInt32(range.upperBound)
                pango_attr_list_insert(list, attribute)
            }
            let number = min(index, 0xFFFF_FFFE)
            add(pango_attr_foreground_new(UInt16(number >> 16), UInt16(number & 0xFFFF), 0))
            if let font = style.font {
                let size = min(Double(font.size), TextLayout.largestFont)
                let description = TextEngine.describe(font.name, size: size)
                add(pango_attr_font_desc_new(description))
                pango_font_description_free(description)
            }
            if style.kern != 0 { add(pango_attr_letter_spacing_new(Int32(style.kern * 1024))) }
            if style.rise != 0 { add(pango_attr_rise_new(Int32(style.rise * 1024))) }
        }
        return list
    }

    func style(of attributes: UnsafeMutablePointer<GSList>?) -> Int {
        var node = attributes
        while let current = node {
            node = current.pointee.next
            guard let data = current.pointee.data else { continue }
            let attribute = data.assumingMemoryBound(to: PangoAttribute.self)
            guard attribute.pointee.klass.pointee.type == Int32(TEXT_ATTRIBUTE_FOREGROUND) else { continue }
            let color = data.assumingMemoryBound(to: PangoAttrColor.self).pointee
            return min(Int(color.red) << 16 | Int(color.green), max(styles.count - 1, 0))
        }
        return 0
    }
}
