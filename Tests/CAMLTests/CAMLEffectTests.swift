import CAML
import CoreAnimation
import Foundation
import LayerModel
import Testing

@Suite("Effects in CAML")
struct CAMLEffectTests {
    @Test("Shadows and rasterization are attributes or elements")
    func shadows() throws {
        let (made, warnings) = try layer(
            """
            shadowColor="1 0 0" shadowOpacity="0.5" shadowOffset="3 4" shadowRadius="5" shouldRasterize="1" \
            rasterizationScale="2" shadowOffset.width="7" shadowPath="M0 0H5V5Z"
            """, "<shadowColor value=\"0 1 0\" opacity=\"0.5\"/>")
        #expect(warnings == [])
        #expect(made.shadowColor?.color == Color(0, 1, 0, 0.5) && made.shadowOpacity == 0.5)
        #expect(made.shadowOffset == CGSize(width: 7, height: 4) && made.shadowRadius == 5)
        #expect(made.shouldRasterize && made.rasterizationScale == 2)
        #expect(made.shadowPath?.boundingBox == CGRect(x: 0, y: 0, width: 5, height: 5))
    }

    @Test("A shadow's path may be an element, none, or the bounds with their corners")
    func shadowPaths() throws {
        let (made, warnings) = try layer("", "<shadowPath type=\"CGPath\" value=\"M0 0h1v1z\"/>")
        #expect(warnings == [] && made.shadowPath?.boundingBox == CGRect(x: 0, y: 0, width: 1, height: 1))
        let (none, _) = try layer("shadowPath=\"M0 0\"", "<shadowPath type=\"null\"/>")
        #expect(none.shadowPath == nil)
        let (round, _) = try layer("shadowPathIsBounds=\"1\" cornerRadius=\"10\"")
        #expect(round.shadowPath?.boundingBoxOfPath == CGRect(x: 0, y: 0, width: 100, height: 50))
        #expect(round.shadowPath?.contains(CGPoint(x: 1, y: 1)) == false)
        let (_, wrong) = try layer("shadowPath=\"L1 1\"")
        #expect(
            wrong == [
                "1:36 shadowPath=\"L1 1\" begins with something else than a move (M) (character 1); it is ignored"
            ])
    }

    @Test("A mask is a layer in an element, or the element itself")
    func masks() throws {
        let document = try load(
            caml(
                "",
                """
                <sublayers><CALayer name="child"/></sublayers>
                <mask><CATransformLayer id="m" name="mask"><mask type="CALayer" cornerRadius="3" name="inner"><sublayers>
                <CALayer/></sublayers></mask></CATransformLayer></mask>
                """))
        #expect(document.warnings.isEmpty)
        let root = document.documentRoots[0]
        #expect(root.sublayers?.count == 1 && root.mask is CATransformLayer && root.mask?.superlayer === root)
        #expect(root.mask === document.layer(withID: "m") && root.mask?.mask === document.layer(named: "inner"))
        #expect(root.mask?.mask?.cornerRadius == 3 && root.mask?.mask?.sublayers?.count == 1)
    }

    @Test("A mask that is none, or one too many, is a warning where it stands")
    func wrongMasks() throws {
        let (made, warnings) = try layer(
            "",
            """

            <mask/><mask type="null"/><mask object="#1"/>
            <mask><wobble/><CALayer name="a"/><CALayer/></mask>
            <mask type="CALayer"/><mask><sublayers/></mask>
            """)
        #expect(made.mask?.name == "a")
        #expect(
            warnings == [
                "2:27 <mask> is ignored: it holds no layer, such as <CALayer …>",
                "3:7 <wobble> in <mask> is ignored: a mask is one layer",
                "3:35 <CALayer> in <mask> is ignored: a mask is one layer",
                "4:1 this <mask> is ignored: the layer has one already",
                "4:23 <mask> is ignored: it holds no layer, such as <CALayer …>",
                "4:29 <sublayers> in <mask> is ignored: a mask is one layer",
            ])
    }

    @Test("Filters with their inputs as attributes and elements")
    func filters() throws {
        let (made, warnings) = try layer(
            "",
            """
            <filters><CAFilter filter="gaussianBlur" name="b" enabled="0" inputRadius="4" inputNormalizeEdges="1" id="1"/>\
            <CAFilter type="colorMatrix" inputColorMatrix="1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0" inputQuality="low"/>\
            <CAFilter filter="colorMonochrome"><inputColor value="1 0.5 0" opacity="0.5"/>\
            <inputAmount type="real" value="0.25"/></CAFilter>\
            <CAFilter filter="dropShadow" inputOffset="1 2" inputColor="0 0 1"/></filters>\
            <backgroundFilters><CAFilter filter="colorInvert"/></backgroundFilters>
            """)
        #expect(warnings == [])
        #expect(
            made.properties.filters == [
                LayerFilter(
                    .gaussianBlur, name: "b", isEnabled: false,
                    inputs: [.inputRadius: .number(4), .inputNormalizeEdges: .flag(true)]),
                LayerFilter(
                    .colorMatrix, inputs: [.inputColorMatrix: .numbers(LayerFilter(.colorMatrix).colorMatrix)]),
                LayerFilter(
                    .colorMonochrome,
                    inputs: [.inputColor: .color(Color(1, 0.5, 0, 0.5)), .inputAmount: .number(0.25)]),
                LayerFilter(
                    .dropShadow, inputs: [.inputOffset: .point(Point(1, 2)), .inputColor: .color(Color(0, 0, 1))]),
            ])
        #expect(made.properties.backgroundFilters == [LayerFilter(.colorInvert)])
    }

    @Test(
        "A compositing filter in each of its forms",
        arguments: [
            ("compositingFilter=\"multiplyBlendMode\"", ""),
            ("", "<compositingFilter type=\"CAFilter\" filter=\"multiplyBlendMode\" name=\"n\"/>"),
            ("", "<compositingFilter><CAFilter filter=\"multiplyBlendMode\"/></compositingFilter>"),
            ("", "<compositingFilter type=\"string\" value=\"multiplyBlendMode\"/>"),
            ("compositingFilter=\"xor\"", "<compositingFilter filter=\"CIMultiplyBlendMode\"/>"),
        ])
    func compositing(attributes: String, children: String) throws {
        let (made, warnings) = try layer(attributes, children)
        #expect(warnings == [] && made.properties.compositingMode == .multiply)
    }

    @Test("What is not known of filters is left out, with a warning where it stands and nothing else")
    func unknown() throws {
        let (made, warnings) = try layer(
            "compositingFilter=\"wobble\"",
            """

            <filters><CIFilter filter="CISepiaTone"/><CAFilter name="x"/><CAFilter filter="colorInvert" wobble="1"/></filters>
            <filters/><compositingFilter filter="wobble"/><backgroundFilters><CAFilter filter="gaussianBlur" \
            inputRadius="wide"/></backgroundFilters>
            """)
        #expect(
            warnings == [
                "1:36 compositingFilter=\"wobble\" is not known; it is ignored",
                "2:10 the filter CISepiaTone is not known; it is left out",
                "2:42 <CAFilter> names no type of filter (filter); it is left out",
                "2:93 the attribute wobble of <CAFilter> is not known; it is ignored",
                "3:11 the compositing filter wobble is not known; it is left out",
                "3:98 inputRadius=\"wide\" is not a number; it is ignored",
            ])
        #expect(made.compositingFilter == nil && made.properties.backgroundFilters == [LayerFilter(.gaussianBlur)])
    }

    @Test("A filter's image is a file of the bundle; one that is missing is a warning")
    func filterImages() throws {
        let (made, warnings) = try layer(
            "",
            "<filters><CAFilter filter=\"variableBlur\"><inputMaskImage type=\"CGImage\" src=\"no.png\"/></CAFilter></filters>"
        )
        #expect(
            warnings.count == 1 && warnings[0].contains("no.png") && warnings[0].hasSuffix("the filter has no image"))
        #expect(made.properties.filters == [LayerFilter(.variableBlur)])
    }

    @Test("A backdrop layer has its own properties; in other layers the names mean something else")
    func backdrops() throws {
        let document = try load(
            caml(
                "",
                """
                <sublayers><CABackdropLayer id="b" groupName="g" scale="0.5" enabled="0"><filters><CAFilter
                filter="gaussianBlur"/></filters></CABackdropLayer></sublayers>
                """))
        #expect(document.warnings.isEmpty)
        let backdrop = try #require(document.layer(withID: "b") as? CABackdropLayer)
        #expect(backdrop.groupName == "g" && backdrop.scale == 0.5 && !backdrop.isEnabled)
        #expect(backdrop.properties.filters.count == 1)
        #expect(
            try layer("groupName=\"g\" scale=\"2\"").1 == [
                "1:36 groupName is ignored: only a CABackdropLayer has it",
                "1:50 scale is ignored: only a CABackdropLayer or a CAEmitterLayer has it",
            ])
    }
}
