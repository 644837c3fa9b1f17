import CAML
import CoreAnimation
import Foundation
import LayerModel
import Testing

@Suite("CAML to layers")
struct CAMLLayerTests {
    @Test("Attributes become properties")
    func attributes() throws {
        let (made, warnings) = try layer(
            """
            name="box" anchorPoint="0 1" anchorPointZ="2" zPosition="3" opacity="0.5" hidden="1" masksToBounds="1" \
            doubleSided="0" geometryFlipped="1" cornerRadius="7" borderWidth="2" borderColor="1 0 0" \
            contentsGravity="topLeft" contentsScale="3" contentsRect="0 0 0.5 1" contentsCenter="0.25 0 0.5 1" \
            minificationFilter="nearest" magnificationFilter="trilinear" minificationFilterBias="1" opaque="1" \
            allowsEdgeAntialiasing="0" allowsGroupOpacity="0" edgeAntialiasingMask="5" maskedCorners="3" \
            cornerCurve="continuous" backgroundColor="0 0.5 1" sublayerTransform="scale(2)"
            """)
        #expect(warnings == [])
        #expect(made.name == "box" && made.bounds == CGRect(x: 0, y: 0, width: 100, height: 50))
        #expect(made.anchorPoint == CGPoint(x: 0, y: 1) && made.anchorPointZ == 2)
        #expect(made.opacity == 0.5 && made.isHidden && made.masksToBounds && !made.isDoubleSided)
        #expect(made.isGeometryFlipped && made.cornerRadius == 7 && made.borderWidth == 2)
        #expect(made.borderColor?.color == Color(1, 0, 0) && made.backgroundColor?.color == Color(0, 0.5, 1))
        #expect(made.contentsGravity == .topLeft && made.contentsScale == 3)
        #expect(made.contentsRect == CGRect(x: 0, y: 0, width: 0.5, height: 1))
        #expect(made.contentsCenter == CGRect(x: 0.25, y: 0, width: 0.5, height: 1))
        #expect(made.minificationFilter == .nearest && made.magnificationFilter == .trilinear)
        #expect(made.minificationFilterBias == 1 && made.isOpaque)
        #expect(!made.allowsEdgeAntialiasing && !made.allowsGroupOpacity)
        #expect(made.edgeAntialiasingMask.rawValue == 5 && made.maskedCorners.rawValue == 3)
        #expect(made.cornerCurve == .continuous && made.sublayerTransform.m11 == 2)
    }

    @Test("Nothing written means Core Animation's defaults")
    func defaults() throws {
        let (made, warnings) = try layer()
        let plain = CALayer()
        #expect(warnings == [])
        #expect(made.anchorPoint == plain.anchorPoint && made.opacity == 1 && made.borderColor?.color == .black)
        #expect(made.backgroundColor == nil && made.allowsEdgeAntialiasing && made.allowsGroupOpacity)
    }

    @Test("Property elements: colors with opacity, null, and values of every kind")
    func elements() throws {
        let (made, warnings) = try layer(
            "borderColor=\"1 1 1\"",
            """
            <backgroundColor opacity="0.16" value="0.4706 0.4706 0.502"/><borderColor type="null"/>
            <cornerRadius type="real" value="4"/><hidden type="integer" value="1"/><name type="string" value="n"/>
            <anchorPoint type="CGPoint" value="0 0"/>
            """)
        #expect(warnings == [])
        #expect(made.backgroundColor?.color == Color(0.4706, 0.4706, 0.502, 0.16))
        #expect(made.borderColor == nil && made.cornerRadius == 4 && made.isHidden && made.name == "n")
        #expect(made.anchorPoint == .zero)
    }

    @Test("continuousCorners is the corner curve")
    func continuousCorners() throws {
        #expect(try layer("continuousCorners=\"1\"").0.cornerCurve == .continuous)
        #expect(try layer("continuousCorners=\"0\"").0.cornerCurve == .circular)
    }

    @Test("Dotted attributes are key paths, set after the transform wherever they stand")
    func keyPaths() throws {
        let document = try load(
            caml(
                "",
                """
                <sublayers><CALayer id="a" transform.rotation.z="1.5707963267948966" position.x="7" \
                bounds.size.width="9" transform="scale(2, 3)" bounds="0 0 1 1"/></sublayers>
                """))
        #expect(document.warnings.isEmpty)
        let a = try #require(document.layer(withID: "a"))
        #expect(a.position == CGPoint(x: 7, y: 0) && a.bounds.width == 9)
        // Scaled first, then turned: x goes to 2y, y to -3x.
        let t = a.transform
        #expect(abs(t.m11) < 1e-9 && abs(t.m12 - 2) < 1e-9 && abs(t.m21 + 3) < 1e-9 && abs(t.m22) < 1e-9)
    }

    @Test("A rotation written both ways, as editors do, happens once")
    func rotationTwice() throws {
        let document = try load(
            caml(
                "", "<sublayers><CALayer id=\"a\" transform.rotation.z=\"0.5\" transform=\"rotate(0.5)\"/></sublayers>")
        )
        let t = try #require(document.layer(withID: "a")).transform
        #expect(abs(t.m11 - Foundation.cos(0.5)) < 1e-9 && abs(t.m12 - Foundation.sin(0.5)) < 1e-9)
    }

    @Test("Attributes that make no difference say nothing")
    func noEffect() throws {
        let names = CAMLVocabulary.unaffecting.filter { $0 != "id" }.map { "\($0)=\"1\"" }.joined(separator: " ")
        let (_, warnings) = try layer(
            "\(names) id=\"#1\" contentsScaling=\"stretch\" speed=\"1\" beginTime=\"1e-100\" "
                + "shouldRasterize=\"0\" shadowOpacity=\"0\" invertsShadow=\"0\" caplayNote=\"x\" transform=\"\"",
            "<delegate/><modules/><modules type=\"NSArray\"/><scriptComponents/><sublayers/><states/><animations/>")
        #expect(warnings == [])
    }

    @Test("What is not drawn yet is named where it stands")
    func later() throws {
        let (_, warnings) = try layer(
            "invertsShadow=\"1\" enabled=\"0\"\n wobble=\"1\" wobble.x=\"1\"",
            """

            <emitterCells><CAEmitterCell name="spark"/></emitterCells><path type="CGPath" value="M0 0"/>
            <wobbles/>
            """)
        #expect(
            warnings == [
                "1:36 invertsShadow=\"1\" is ignored: not drawn yet (inverted shadows)",
                "1:54 enabled is ignored: only a CABackdropLayer has it",
                "2:2 the attribute wobble is not known; it is ignored",
                "2:13 the key path wobble.x is not known; it is ignored",
                "3:1 <emitterCells> (spark) is ignored: only a CAEmitterLayer has it",
                "3:59 <path> (M0 0) is ignored: only a CAShapeLayer has it",
                "4:1 the element <wobbles> is not known; it is ignored",
            ])
    }

    @Test("Layer classes: transform layers are known, the others are drawn as plain layers with a warning")
    func classes() throws {
        let document = try load(
            caml(
                "",
                """

                <sublayers><CATransformLayer id="t"/>
                <CASDFLayer id="e"/>
                <CAWobbleLayer id="w"/>
                <wobble/></sublayers>
                """))
        #expect(document.layer(withID: "t") is CATransformLayer)
        for id in ["e", "w"] {
            let plain = try #require(document.layer(withID: id))
            #expect(type(of: plain) == CALayer.self)
        }
        #expect(
            document.warnings.map { "\($0.line):\($0.column) \($0.message)" } == [
                "3:1 CASDFLayer is drawn as a plain layer: not drawn yet (distance fields)",
                "4:1 CAWobbleLayer is not a known layer class; it is drawn as a plain layer",
                "5:1 <wobble> is ignored: it is not a layer",
            ])
    }

    @Test(
        "Values that make no sense are dropped with their reason",
        arguments: [
            (
                "zPosition=\"undefined\"",
                "zPosition=\"undefined\" is not a number (an editor wrote \"undefined\"); it is ignored"
            ),
            ("bounds.size.width=\"inf\"", "bounds.size.width=\"inf\" is not finite; it is ignored"),
            ("position=\"1\"", "position=\"1\" has 1 number where 2 are expected; it is ignored"),
            ("opacity=\"nan\"", "opacity=\"nan\" is not a number; it is ignored"),
            (
                "transform=\"spin(3)\"",
                "transform=\"spin(3)\" has the unknown function \"spin\"; known are translate, scale, rotate, perspective, matrix; it is ignored"
            ),
            ("hidden=\"maybe\"", "hidden=\"maybe\" is not 0 or 1; it is ignored"),
            ("cornerCurve=\"square\"", "cornerCurve=\"square\" is not one of: circular continuous; it is ignored"),
        ])
    func dropped(attribute: String, expected: String) throws {
        let (made, warnings) = try layer(attribute)
        #expect(warnings == ["1:36 " + expected])
        #expect(made.bounds.width == 100 && made.opacity == 1 && !made.isHidden)
    }

    @Test("A strict load throws the first warning with its place and says how many there are")
    func strict() {
        let text = caml("\n wobble=\"1\" invertsShadow=\"1\"")
        #expect(
            sceneError { try load(text, strict: true) }
                == "2:2 the attribute wobble is not known; it is ignored (the first of 2 warnings); a strict load takes none"
        )
        #expect(sceneError { try load(caml(), strict: true) } == "no error")
    }

    @Test("Warnings over the limit are counted, not kept")
    func warningLimit() throws {
        var limits = SceneLimits()
        limits.warnings = 2
        let document = try load(caml("a=\"\" b=\"\" c=\"\""), limits: limits)
        #expect(document.warnings.count == 2 && document.warningCount == 3)
    }

    @Test("Names and ids find the first layer in the order of the file")
    func lookup() throws {
        let document = try load(
            caml(
                "name=\"root\"",
                """
                <sublayers><CALayer id="1" name="😀 a"><sublayers><CALayer id="2" name="b"/></sublayers></CALayer>
                <CALayer id="1" name="b"/></sublayers>
                """))
        #expect(document.layer(named: "root") === document.documentRoots[0])
        #expect(document.layer(named: "b") === document.layer(withID: "2"))
        #expect(document.layer(withID: "1")?.name == "😀 a")
        #expect(document.layer(named: "c") == nil && document.layerCount == 4)
    }

    @Test(
        "A file without a layer, or of something else, is an error that says so",
        arguments: [
            ("<caml/>", "1:1 <caml> holds no layer, such as <CALayer …>"),
            ("<caml><MicaAssetManifest/></caml>", "1:1 <caml> holds no layer, such as <CALayer …>"),
            ("\n <svg/>", "2:2 <svg> is not a layer file; <caml> is expected"),
            (
                "hello",
                "1:1 not a scene: CAML begins with <, a JSON scene with {, a bundle is a folder or a zip archive"
            ),
            ("", "1:1 not a scene: CAML begins with <, a JSON scene with {, a bundle is a folder or a zip archive"),
        ])
    func noLayer(text: String, expected: String) {
        #expect(sceneError { try load(text) } == expected)
    }

    @Test("A second root and a layer outside <sublayers> are reported")
    func strays() throws {
        let document = try load("<caml><CALayer bounds=\"0 0 1 1\"><CALayer/></CALayer>\n<CALayer/></caml>")
        #expect(
            document.warnings.map { "\($0.line):\($0.column) \($0.message)" } == [
                "1:33 <CALayer> is ignored: a sublayer belongs in <sublayers>",
                "2:1 <CALayer> is ignored: a CAML file has one root layer",
            ])
        #expect(document.layerCount == 1)
    }
}
