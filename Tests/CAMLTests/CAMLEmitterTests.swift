import CAML
import CoreAnimation
import Foundation
import LayerModel
import Testing

@Suite("Emitters in files")
struct CAMLEmitterTests {
    @Test("An emitter with its cells, cells in cells, attributes and elements")
    func cells() throws {
        let document = try load(
            caml(
                "",
                """

                <sublayers><CAEmitterLayer id="e" emitterPosition="3 4" emitterSize="5 6" emitterShape="circle"
                emitterMode="outline" renderMode="additive" birthRate="2" scale="3" seed="7" velocity="4">
                <emitterCells><CAEmitterCell name="a" birthRate="8" lifetime="2" velocityRange="9" color="1 0 0.5"
                mass="1" rotation="0.5" xAcceleration="-3">
                <emitterCells><CAEmitterCell name="b" enabled="0"><color value="0 1 0" opacity="0.5"/></CAEmitterCell>
                </emitterCells></CAEmitterCell></emitterCells></CAEmitterLayer></sublayers>
                """))
        #expect(document.warnings.isEmpty)
        let emitter = try #require(document.layer(withID: "e") as? CAEmitterLayer)
        #expect(emitter.emitterPosition == CGPoint(x: 3, y: 4) && emitter.emitterSize == CGSize(width: 5, height: 6))
        #expect(emitter.emitterShape == .circle && emitter.emitterMode == .outline && emitter.renderMode == .additive)
        #expect(emitter.birthRate == 2 && emitter.scale == 3 && emitter.seed == 7 && emitter.velocity == 4)
        let cell = try #require(emitter.properties.emitter.cells.first)
        #expect(cell.name == "a" && cell.birthRate == 8 && cell.lifetime == EmitterRange(2) && cell.velocity.range == 9)
        #expect(cell.color == Color(1, 0, 0.5) && cell.rotation.mean == 0.5 && cell.acceleration.x == -3)
        let inner = try #require(cell.cells.first)
        #expect(inner.name == "b" && !inner.isEnabled && inner.color == Color(0, 1, 0, 0.5))
    }

    @Test("What is no cell, and what a cell doesn't have, is a warning where it stands")
    func warnings() throws {
        let document = try load(
            caml(
                "",
                """

                <sublayers><CAEmitterLayer><emitterCells><CALayer/>
                <CAEmitterCell wobble="1" birthRate="x"/></emitterCells></CAEmitterLayer></sublayers>
                """))
        #expect(document.warnings.map(\.line) == [2, 3, 3])
        #expect(document.warnings.first?.message == "<CALayer> is ignored: it is not an emitter cell")
    }
}
