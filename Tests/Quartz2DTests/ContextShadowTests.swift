import Foundation
import Testing

@testable import Quartz2D

@Suite struct ContextShadowTests {
    /// Alpha outside a long straight edge.
    private func edge(blur: CGFloat, count: Int) -> [Int] {
        let context = makeContext(260, 130)
        context.setShadow(offset: .zero, blur: blur, color: .black)
        context.setFillColor(.white)
        context.fill(CGRect(x: 0, y: -100, width: 130, height: 400))
        return context.alphas(row: 64, 130..<130 + count)
    }

    @Test("A straight edge's shadow has the measured alphas: the deviation is half the blur, cut at two deviations")
    func measuredEdges() {
        let ten = [122, 112, 101, 91, 81, 72, 63, 55, 47, 40, 34, 28, 23, 18, 14, 11, 8, 5, 3, 1, 0]
        let four = [114, 89, 66, 46, 30, 18, 9, 4, 0]
        let fifteen = [
            124, 117, 110, 103, 96, 89, 83, 76, 70, 64, 59, 53, 48, 43, 39, 34, 30, 27, 23, 20, 17, 15, 12, 10, 8, 6, 5,
            3,
            2, 1, 0,
        ]
        for (blur, wanted) in [(20.0, ten), (8, four), (30, fifteen)] {
            let found = edge(blur: blur, count: wanted.count)
            let worst = zip(found, wanted).map { abs($0 - $1) }.max()!
            #expect(worst <= 3, "blur \(blur): \(found)")
        }
    }

    @Test("A wide blur has the Gaussian's shape too")
    func wide() {
        let sigma = 40.0
        let context = makeContext(400, 40)
        context.setShadow(offset: .zero, blur: 2 * sigma, color: .black)
        context.fill(CGRect(x: -400, y: -400, width: 600, height: 900))
        let found = context.alphas(row: 20, 200..<280)
        // Cut at two deviations and brought back to 1.
        let whole = erf(2 / 2.0.squareRoot())
        let wanted = (0..<80).map { (pixel: Int) -> Double in
            let inside: Double = erf((Double(pixel) + 0.5) / sigma / 2.0.squareRoot())
            return 255 * (whole - inside) / whole / 2
        }
        let worst = zip(found, wanted).map { abs(Double($0) - $1) }.max()!
        #expect(worst <= 3, "off by \(worst)")
    }

    @Test("Offset and blur are base space's: the ctm does not scale them, and height goes up in a bitmap context")
    func offset() {
        let context = makeContext(60, 60)
        context.scaleBy(x: 2, y: 2)
        context.setShadow(
            offset: CGSize(width: 10, height: 5), blur: 0, color: CGColor(red: 1, green: 0, blue: 0, alpha: 1))
        context.setFillColor(.white)
        context.fill(CGRect(x: 10, y: 10, width: 5, height: 5))
        // The square covers x 20…30 and y 20…30 up; the shadow lies 10 to the right and 5 up.
        #expect(context.bytes(22, 35) == [255, 255, 255, 255])
        #expect(context.bytes(38, 28) == [255, 0, 0, 255] && context.bytes(38, 34) == [255, 0, 0, 255])
        #expect(context.bytes(38, 36) == [0, 0, 0, 0] && context.bytes(38, 24) == [0, 0, 0, 0])
    }

    @Test("What lies outside the clip casts its shadow inside; nil color casts none; the default is a third of black")
    func clipped() {
        let context = makeContext(40, 20)
        context.saveGState()
        context.clip(to: CGRect(x: 20, y: 0, width: 20, height: 20))
        context.setShadow(offset: CGSize(width: 20, height: 0), blur: 0)
        context.fill(CGRect(x: 0, y: 0, width: 10, height: 20))
        #expect(context.bytes(25, 10) == [0, 0, 0, 85] && context.bytes(5, 10) == [0, 0, 0, 0])
        context.restoreGState()
        context.clear(.infinite)
        context.setShadow(offset: CGSize(width: 20, height: 0), blur: 0, color: nil)
        context.fill(CGRect(x: 0, y: 0, width: 10, height: 20))
        #expect(context.area == 200)
    }

    @Test("A transparency layer casts one shadow")
    func layerShadow() {
        let context = makeContext(40, 20)
        context.setShadow(offset: CGSize(width: 0, height: -8), blur: 0, color: CGColor(gray: 0, alpha: 0.5))
        context.beginTransparencyLayer(auxiliaryInfo: nil)
        context.setFillColor(.white)
        context.fill(CGRect(x: 0, y: 14, width: 20, height: 4))
        context.fill(CGRect(x: 10, y: 14, width: 20, height: 4))
        context.endTransparencyLayer()
        #expect(Set(context.alphas(row: 12, 0..<30)) == [128])
    }
}
