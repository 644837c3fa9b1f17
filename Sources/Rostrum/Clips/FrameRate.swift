/// Frames a second as a fraction, so that no time of a frame drifts.
///
/// 29.97, 23.976, 59.94 and 119.88 are the broadcast rates 30000/1001, 24000/1001, 60000/1001 and 120000/1001. Any other number
/// counts to a thousandth.
public struct FrameRate: Sendable, Hashable, CustomStringConvertible, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral
{
    /// Frames in `denominator` seconds; both are above 0 and have no common divisor.
    public let numerator: Int
    /// Of the fraction; above 0.
    public let denominator: Int

    /// The slowest and the fastest rate, frames a second.
    static let slowest = 0.001
    static let fastest = 1_000.0

    /// - Throws: `ClipError.badTimes` where the rate is not between 0.001 and 1000 frames a second.
    public init(_ numerator: Int, over denominator: Int) throws(ClipError) {
        let isPositive = numerator > 0 && denominator > 0 && numerator <= 1 << 31 && denominator <= 1 << 31
        let rate = Double(numerator) / Double(denominator)
        guard isPositive, rate >= Self.slowest, rate <= Self.fastest else {
            throw .badTimes("a rate of \(numerator)/\(denominator) frames a second; it must be from 0.001 to 1000")
        }
        self.init(reducing: numerator, denominator)
    }

    /// - Throws: `ClipError.badTimes` where the rate is not between 0.001 and 1000 frames a second.
    public init(_ framesPerSecond: Double) throws(ClipError) {
        guard framesPerSecond.isFinite, framesPerSecond >= Self.slowest, framesPerSecond <= Self.fastest else {
            throw .badTimes("a rate of \(framesPerSecond) frames a second; it must be from 0.001 to 1000")
        }
        for whole in [24, 30, 60, 120] {
            let broadcast = Double(whole) * 1_000 / 1_001
            if abs(framesPerSecond - broadcast) < 0.000_6 * broadcast / 24 {
                self.init(reducing: whole * 1_000, 1_001)
                return
            }
        }
        self.init(reducing: max(Int((framesPerSecond * 1_000).rounded()), 1), 1_000)
    }

    /// The rate of a literal; one that is out of range counts as the nearest that is not.
    public init(integerLiteral value: Int) {
        self.init(reducing: min(max(value, 1), Int(Self.fastest)), 1)
    }

    /// The rate of a literal; one that is out of range counts as the nearest that is not.
    public init(floatLiteral value: Double) {
        let inRange = value.isFinite ? min(max(value, Self.slowest), Self.fastest) : 1
        self = (try? FrameRate(inRange)) ?? FrameRate(integerLiteral: 1)
    }

    private init(reducing numerator: Int, _ denominator: Int) {
        var (a, b) = (numerator, denominator)
        while b != 0 { (a, b) = (b, a % b) }
        self.numerator = numerator / a
        self.denominator = denominator / a
    }

    /// Frames a second.
    public var framesPerSecond: Double { Double(numerator) / Double(denominator) }

    /// The rate of every `step`th frame.
    ///
    /// - Precondition: `step` is above 0 and at most a million.
    func every(_ step: Int) -> FrameRate { FrameRate(reducing: numerator, denominator * step) }

    /// `60`, or `30000/1001`.
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
