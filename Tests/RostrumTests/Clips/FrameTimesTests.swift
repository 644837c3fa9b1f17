import Foundation
import Testing

@testable import Rostrum

@Suite("Times of frames")
struct FrameTimesTests {
    @Test(
        "A second has as many frames as the rate says, and a part of a frame at the end is one more",
        arguments: [
            (0.0, 1.0, 60.0, 60), (0, 2, 30, 60), (0.5, 1.5, 24, 24), (0, 0.1, 30, 3), (0, 0.11, 30, 4),
            (0, 0.001, 60, 1),
            (1.0 / 3, 4.0 / 3, 60, 60), (0, 10, 29.97, 300),
        ] as [(Double, Double, Double, Int)])
    func count(_ start: Double, _ end: Double, _ rate: Double, _ expected: Int) throws {
        #expect(try FrameTimes(from: start, to: end, FrameRate(rate)).count == expected)
    }

    @Test("Frame n is at n times the denominator over the numerator, rounded once: nothing drifts in ten hours")
    func exact() throws {
        let rate: FrameRate = 29.97
        #expect(rate.numerator == 30_000 && rate.denominator == 1_001)
        let times = try FrameTimes(from: 0, frames: 0, through: 999_999, rate)
        // 999,999 frames are 1001 * 999999 / 30000 s; the sum of a million single durations is not.
        #expect(times.time(999_999) == 1_000_998_999.0 / 30_000)
        let sixty = try FrameTimes(from: 0, to: 3, 60)
        for n in 0..<180 { #expect(sixty.time(n) == Double(n) / 60) }
    }

    @Test("A range of frames shows what the whole clip shows there, and every Nth plays as long")
    func ranges() throws {
        let all = try FrameTimes(from: 0.25, to: 4, 60)
        let part = try FrameTimes(from: 0.25, frames: 100, through: 110, step: 5, 60)
        #expect((0..<part.count).map(part.number) == [100, 105, 110])
        for index in 0..<3 { #expect(part.time(index) == all.time(100 + index * 5)) }
        #expect(part.playRate == 12)
        #expect(try FrameTimes(from: 0, frames: 7, through: 7, 60).count == 1)
        #expect(try FrameTimes(from: 0, frames: 0, through: 10, step: 4, 60).count == 3)
    }

    @Test("The broadcast rates are fractions of 1001, other rates count to a thousandth")
    func rates() throws {
        #expect(try FrameRate(Double(23.976)).description == "24000/1001")
        #expect(try FrameRate(Double(59.94)).description == "60000/1001")
        #expect(try FrameRate(Double(119.88)).description == "120000/1001")
        #expect(try FrameRate(Double(12.5)).description == "25/2")
        #expect(try FrameRate(Double(60)).description == "60")
        #expect(try FrameRate(30_000, over: 1_000).description == "30")
        let literal: FrameRate = 29.97
        #expect(literal.description == "30000/1001")
    }

    @Test(
        "Times that make no clip are errors that say what is wrong",
        arguments: [
            (1.0, 0.5, "before its start"), (1, 1, "has no frame"), (.nan, 1, "starts at nan"),
            (0, .nan, "ends at nan"),
            (0, .infinity, "ends at inf"), (-1, 1, "starts at -1.0"), (0, 1e9, "60000000000 frames"),
            (1e17, 1e17, "has no frame"), (1e16, 1e16 + 64, "does not tell two frames apart"),
        ] as [(Double, Double, String)])
    func bad(_ start: Double, _ end: Double, _ message: String) {
        do {
            _ = try FrameTimes(from: start, to: end, 60)
            Issue.record("a clip from \(start) to \(end)")
        } catch {
            #expect(error.description.contains(message), "\(error)")
        }
    }

    @Test("Rates that are none are errors", arguments: [0, -1, .nan, .infinity, 1e9, 1e-9] as [Double])
    func badRates(_ rate: Double) {
        #expect(throws: ClipError.self) { try FrameRate(rate) }
    }

    @Test("Fractions and ranges that are none are errors, however large their numbers are")
    func badFractions() {
        #expect(throws: ClipError.self) { try FrameRate(0, over: 1) }
        #expect(throws: ClipError.self) { try FrameRate(.max, over: 1) }
        #expect(throws: ClipError.self) { try FrameRate(60, over: 0) }
        #expect(throws: ClipError.self) { try FrameRate(.min, over: .min) }
        #expect(throws: ClipError.self) { try FrameTimes(from: 0, frames: -1, through: 1, 60) }
        #expect(throws: ClipError.self) { try FrameTimes(from: 0, frames: 2, through: 1, 60) }
        #expect(throws: ClipError.self) { try FrameTimes(from: 0, frames: 0, through: 1, step: 0, 60) }
        #expect(throws: ClipError.self) { try FrameTimes(from: 0, frames: 0, through: .max, 60) }
        #expect(throws: ClipError.self) { try FrameTimes(from: 0, frames: 0, through: 999_999_999, 60) }
    }
}
