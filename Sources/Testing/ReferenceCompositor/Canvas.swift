// A target that is drawn into: 8 bits a component, rounded at every draw, as the targets of the server are.
//
// Beside the color each pixel carries flags. *Edge*: a coverage strictly between 0 and 1 took part in its color.
// *Doubtful*: the color hangs on a yes or no (hard edge, nearest texel) that a rounding error could turn around.
// *Blurred*: a blur took part. *Mixed*: a color and what lay below it, each rounded before. And a *slack*: how many levels a formula with a steep slope makes of one level of its
// inputs. A draw that replaces the pixel entirely clears them: what was there before plays no part any more.

import LayerModel

/// Which kinds of uncertainty are in a pixel. Not an `OptionSet`: its generic members cost debug builds too much here.
struct PixelFlags {
    var rawValue: UInt8

    static let none = PixelFlags(rawValue: 0)
    static let edge = PixelFlags(rawValue: 1)
    static let doubtful = PixelFlags(rawValue: 2)
    static let blurred = PixelFlags(rawValue: 4)
    static let mixed = PixelFlags(rawValue: 8)

    var isNone: Bool { rawValue == 0 }

    func contains(_ flag: PixelFlags) -> Bool { rawValue & flag.rawValue != 0 }

    static func | (a: PixelFlags, b: PixelFlags) -> PixelFlags { PixelFlags(rawValue: a.rawValue | b.rawValue) }
}

/// Pixels of a part of the picture, transparent at first.
final class Canvas {
    /// Which pixels of the picture there are.
    let bounds: PixelRect
    private let pixels: UnsafeMutablePointer<UInt8>
    private let flags: UnsafeMutablePointer<UInt8>
    /// Levels; nil as long as all are 0.
    private var slacks: UnsafeMutablePointer<Float>?
    /// Everything drawn lies in here.
    private(set) var touched = PixelRect.empty

    /// What this canvas is a continuation of, and how much of it will be laid back there. Nil for a group of its own.
    var base: (canvas: Canvas, cover: Cover)?
    /// What backdrops of one group name see, since the first of them.
    var captures: [String: Canvas] = [:]

    init(bounds: PixelRect) {
        self.bounds = bounds
        pixels = .allocate(capacity: max(bounds.area * 4, 1))
        pixels.initialize(repeating: 0, count: max(bounds.area * 4, 1))
        flags = .allocate(capacity: max(bounds.area, 1))
        flags.initialize(repeating: 0, count: max(bounds.area, 1))
    }

    deinit {
        pixels.deallocate()
        flags.deallocate()
        slacks?.deallocate()
    }

    /// The same pixels again.
    func copy() -> Canvas {
        let result = Canvas(bounds: bounds)
        result.pixels.update(from: pixels, count: bounds.area * 4)
        result.flags.update(from: flags, count: bounds.area)
        if let slacks {
            result.makeSlacks()
            result.slacks?.update(from: slacks, count: bounds.area)
        }
        result.touched = touched
        result.captures = captures
        return result
    }

    private func offset(_ x: Int, _ y: Int) -> Int { (y - bounds.minY) * bounds.width + (x - bounds.minX) }

    // MARK: Reading

    func ink(x: Int, y: Int) -> Ink {
        let p = pixels + offset(x, y) * 4
        return Ink(blue: Double(p[0]), green: Double(p[1]), red: Double(p[2]), alpha: Double(p[3]))
    }

    func flags(x: Int, y: Int) -> PixelFlags { PixelFlags(rawValue: flags[offset(x, y)]) }

    func slack(x: Int, y: Int) -> Double { slacks.map { Double($0[offset(x, y)]) } ?? 0 }

    /// How far the color of a pixel may be off, levels: what a steep formula multiplies. One level; two where it is blurred or a
    /// mix itself, which is what such a pixel may be off in a picture.
    func uncertainty(x: Int, y: Int) -> Double {
        let flags = flags(x: x, y: y)
        let own = flags.contains(.edge) ? 20.0 : flags.contains(.blurred) || flags.contains(.mixed) ? 2 : 1
        return max(own, slack(x: x, y: y))
    }

    /// True where something was drawn.
    func isTouched(x: Int, y: Int) -> Bool {
        guard x >= bounds.minX, x < bounds.maxX, y >= bounds.minY, y < bounds.maxY else { return false }
        let at = offset(x, y)
        return pixels[at * 4 + 3] != 0 || flags[at] != 0
    }

    /// 0 outside of the canvas.
    func alpha(x: Int, y: Int) -> Double {
        guard x >= bounds.minX, x < bounds.maxX, y >= bounds.minY, y < bounds.maxY else { return 0 }
        return Double(pixels[offset(x, y) * 4 + 3])
    }

    // MARK: Drawing

    /// Sets a pixel, rounded.
    func replace(x: Int, y: Int, with ink: Ink, flags newFlags: PixelFlags, slack: Double = 0) {
        let at = offset(x, y)
        let p = pixels + at * 4
        p[0] = roundedByte(ink.blue)
        p[1] = roundedByte(ink.green)
        p[2] = roundedByte(ink.red)
        p[3] = roundedByte(ink.alpha)
        flags[at] = newFlags.rawValue
        if slack > 0 || slacks != nil { setSlack(slack, at) }
    }

    /// Lays a color over a pixel: `weight` (coverage times opacity) of it, source-over.
    func blend(x: Int, y: Int, _ ink: Ink, weight: Double, flags newFlags: PixelFlags, slack: Double = 0) {
        let at = offset(x, y)
        let p = pixels + at * 4
        let keep = 1 - ink.alpha * weight / 255
        let isMix = keep > 0 && keep < 1 && p[3] > 0
        p[0] = roundedByte(ink.blue * weight + Double(p[0]) * keep)
        p[1] = roundedByte(ink.green * weight + Double(p[1]) * keep)
        p[2] = roundedByte(ink.red * weight + Double(p[2]) * keep)
        p[3] = roundedByte(ink.alpha * weight + Double(p[3]) * keep)
        flags[at] = keep > 0 ? flags[at] | newFlags.rawValue : newFlags.rawValue
        if isMix { flags[at] |= PixelFlags.mixed.rawValue }
        if slack > 0 || slacks != nil {
            setSlack(slack * weight + Double(slacks?[at] ?? 0) * max(keep, 0), at)
        }
    }

    private func setSlack(_ value: Double, _ at: Int) {
        if slacks == nil { makeSlacks() }
        slacks?[at] = Float(value)
    }

    private func makeSlacks() {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(bounds.area, 1))
        memory.initialize(repeating: 0, count: max(bounds.area, 1))
        slacks = memory
    }

    /// Notes that pixels in `rect` may have changed.
    func touch(_ rect: PixelRect) {
        touched = touched.union(rect.intersection(bounds))
    }

    /// Lays one color over everything, without coverage.
    func fill(_ ink: Ink) {
        for y in bounds.minY..<bounds.maxY {
            for x in bounds.minX..<bounds.maxX { replace(x: x, y: y, with: ink, flags: .none) }
        }
        touch(bounds)
    }

    // MARK: The result

    /// The bytes: premultiplied BGRA, rows from the top without padding.
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: pixels, count: bounds.area * 4)) }

    /// The flag of each pixel, rows from the top.
    func map(of flag: PixelFlags) -> [Bool] {
        var map = Array(repeating: false, count: bounds.area)
        var i = 0
        while i < bounds.area {
            if flags[i] & flag.rawValue != 0 { map[i] = true }
            i += 1
        }
        return map
    }

    /// The slack of each pixel in whole levels, rounded up; empty when all are 0.
    var slackLevels: [UInt8] {
        guard let slacks else { return [] }
        return (0..<bounds.area).map { UInt8(min(max(slacks[$0].rounded(.up), 0), 255)) }
    }

    /// True where a pixel has a slack.
    var hasSlack: Bool { slacks != nil }

    /// True when any pixel has the flag.
    func contains(_ flag: PixelFlags) -> Bool {
        var i = 0
        while i < bounds.area {
            if flags[i] & flag.rawValue != 0 { return true }
            i += 1
        }
        return false
    }
}
