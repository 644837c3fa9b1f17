import CAML
import CoreAnimation
import Foundation
import Glibc
import LayerModel
import Testing

@Suite("Contents of layers")
struct ContentsTests {
    /// Loads a scene with `children` of its root, beside a picture of one opaque pixel (10, 20, 30), a coverage of one gray
    /// pixel (128), and a file that is no picture.
    private func load(_ children: String, attributes: String = "", limits: SceneLimits = SceneLimits()) throws
        -> (SceneDocument, [String])
    {
        try SceneTestInputs.withFolder(["x.ca/main.caml": caml(attributes, children), "x.ca/text.png": "text"]) {
            path in
            let picture = try CGImage(width: 1, height: 1, straightRGBA: [10, 20, 30, 255])
            let coverage = try CGImage(width: 1, height: 1, straightRGBA: [128, 128, 128, 255])
            try picture.writePNG(to: path + "/outside.png")
            try picture.writePNG(to: path + "/x.ca/a b.png")
            try picture.writePNG(to: path + "/x.ca/100%25.png")
            try coverage.writePNG(to: path + "/x.ca/gray.png")
            symlink("../outside.png", path + "/x.ca/link.png")
            let document = try SceneDocument.load(path: path + "/x.ca", options: .init(limits: limits))
            return (document, document.warnings.map { "\($0.line):\($0.column) \($0.message)" })
        }
    }

    /// The first pixel of the root's contents: red, green, blue, alpha, premultiplied.
    private func pixel(_ children: String, attributes: String = "") throws -> [UInt8] {
        let (document, warnings) = try load(children, attributes: attributes)
        #expect(warnings == [])
        let image = try #require(document.documentRoots[0].contents as? CGImage)
        let bgra = image.content.pixels.withBytes { Array($0[..<4]) }
        return [bgra[2], bgra[1], bgra[0], bgra[3]]
    }

    @Test(
        "An image is named by src, in the element or in an image in it; spaces and percent signs are taken both ways",
        arguments: [
            "<contents src=\"a b.png\"/>", "<contents type=\"CGImage\" src=\"a%20b.png\"/>",
            "<contents><CGImage src=\"./none/../a b.png\"/></contents>", "<contents src=\"100%25.png\"/>",
            "<contents object=\"#i\"/><userInfo><CGImage id=\"i\" src=\"a b.png\"/></userInfo>",
            "<contents object=\"#i\"/><userInfo><CGImage id=\"#i\" src=\"a b.png\"/></userInfo>",
        ])
    func named(children: String) throws {
        #expect(try pixel(children) == [10, 20, 30, 255])
    }

    @Test("The attribute contents names an image too")
    func attribute() throws {
        #expect(try pixel("", attributes: "contents=\"a b.png\"") == [10, 20, 30, 255])
    }

    @Test("A tinted image is its coverage in the tint's color, times the multiply color")
    func tinted() throws {
        let tint =
            "<contents type=\"CATintedImage\"><image A8asL8=\"1\" src=\"gray.png\" type=\"CGImage\"/>"
            + "<tint type=\"CGColor\" value=\"1 0.5 0\"/></contents>"
        #expect(try pixel(tint) == [128, 64, 0, 128])
        #expect(try pixel(tint, attributes: "contentsMultiplyColor=\"0.5 1 1\"") == [64, 64, 0, 128])
        // Without A8asL8 the alpha counts, which is full.
        #expect(try pixel(tint.replacingOccurrences(of: "A8asL8=\"1\"", with: "")) == [255, 128, 0, 255])
    }

    @Test("An alpha-only image is painted with the multiply color, black without one")
    func alphaOnly() throws {
        let contents = "<contents A8asL8=\"1\" src=\"gray.png\"/>"
        #expect(try pixel(contents, attributes: "contentsMultiplyColor=\"1 1 1\"") == [128, 128, 128, 128])
        #expect(try pixel(contents) == [0, 0, 0, 128])
        let element = "<contentsMultiplyColor value=\"1 0 0\" opacity=\"0.5\"/>"
        #expect(try pixel(contents + element) == [64, 0, 0, 64])
    }

    @Test("A multiply color scales a picture's pixels")
    func multiplied() throws {
        #expect(
            try pixel("<contents src=\"a b.png\"/>", attributes: "contentsMultiplyColor=\"0.5 1 0\"") == [
                5, 20, 0, 255,
            ])
    }

    @Test("One file is one image, however often and under whatever name it is used")
    func shared() throws {
        let (document, _) = try load(
            """
            <contents src="a b.png"/><sublayers><CALayer id="1"><contents src="a%20b.png"/></CALayer>
            <CALayer id="2" contentsMultiplyColor="0 1 1"><contents src="a b.png"/></CALayer>
            <CALayer id="3" contentsMultiplyColor="0 1 1"><contents src="a b.png"/></CALayer></sublayers>
            """)
        func image(_ id: String) -> CGImage? { document.layer(withID: id)?.contents as? CGImage }
        #expect(image("1") != nil && image("1") === document.documentRoots[0].contents as? CGImage)
        #expect(image("2") != nil && image("2") === image("3") && image("2") !== image("1"))
    }

    @Test(
        "What can't be drawn is said where it is named",
        arguments: [
            ("<contents src=\"none.png\"/>", "1:47 the file \"none.png\" is not there; nothing is drawn for it"),
            (
                "<contents src=\"../outside.png\"/>",
                "1:47 the file \"../outside.png\" leaves the bundle; nothing is drawn for it"
            ),
            (
                "<contents src=\"%2e%2e/outside.png\"/>",
                "1:47 the file \"%2e%2e/outside.png\" leaves the bundle; nothing is drawn for it"
            ),
            (
                "<contents src=\"/etc/passwd\"/>",
                "1:47 the file \"/etc/passwd\" is an absolute path; files are named relative to the scene; nothing is drawn for it"
            ),
            (
                "<contents src=\"link.png\"/>",
                "1:47 the file \"link.png\" leads out of the bundle; nothing is drawn for it"
            ),
            (
                "<contents src=\"text.png\"/>",
                "1:47 the file \"text.png\" can't be decoded: it begins like no picture that can be read; nothing is drawn for it"
            ),
            ("<contents object=\"#none\"/>", "1:47 object=\"#none\" names no element; the contents are ignored"),
            ("<contents type=\"CGImage\"/>", "1:37 <contents> names no image file (src); nothing is drawn for it"),
            ("<contents type=\"CAIOSurface\"/>", "1:37 contents of type CAIOSurface are ignored: not drawn yet"),
            ("<contents id=\"a\" object=\"#a\"/>", "1:37 the contents are nested too deeply; they are ignored"),
            (
                "<contents type=\"CATintedImage\"><tint value=\"1 1 1\"/></contents>",
                "1:37 the tinted image names no image file (src); nothing is drawn for it"
            ),
            (
                "<contents src=\"a b.png\" wobble=\"1\"/>",
                "1:61 the attribute wobble of <contents> is not known; it is ignored"
            ),
        ])
    func faults(children: String, expected: String) throws {
        let (document, warnings) = try load(children)
        #expect(warnings == [expected])
        #expect((document.documentRoots[0].contents == nil) != children.contains("wobble"))
    }

    @Test("Images that skipped parts name and the bundle lacks are reported once each")
    func skipped() throws {
        let (_, warnings) = try load(
            """

            <emitterCells><contents src="1.png"/><contents src="a b.png"/>
            <contents src="1.png"/><contents src="../2.png"/></emitterCells>
            """)
        #expect(
            warnings == [
                "2:1 <emitterCells> (contents, contents, contents, contents) is ignored: only a CAEmitterLayer has it",
                "2:25 the file \"1.png\" is not there", "3:34 the file \"../2.png\" leaves the bundle",
            ])
    }

    @Test("Images of key frames are the files' images; one that is missing is reported once, and shows nothing")
    func keyFrames() throws {
        let (document, warnings) = try load(
            """

            <animations><animation type="CAKeyframeAnimation" keyPath="contents" calculationMode="discrete"><values>
            <CGImage src="a b.png"/><CGImage src="1.png"/><CGImage src="1.png"/><null/></values></animation></animations>
            """)
        let subject = "(animation \"contents\" of \"CALayer\")"
        #expect(warnings == ["3:34 the file \"1.png\" is not there; nothing is drawn for it \(subject)"])
        let animation = document.documentRoots[0].animation(forKey: "contents") as? CAKeyframeAnimation
        #expect(animation?.values?.map { $0 is CGImage } == [true, false, false, false])
    }

    @Test("Decoded images are limited in all")
    func budget() throws {
        var limits = SceneLimits()
        limits.decodedImageBytes = 7
        let (document, warnings) = try load(
            "<contents src=\"a b.png\"/><sublayers><CALayer><contents src=\"gray.png\"/></CALayer></sublayers>",
            limits: limits)
        #expect(document.documentRoots[0].contents != nil)
        #expect(
            warnings.count == 1 && warnings[0].hasSuffix("over the limit of 7 decoded bytes; nothing is drawn for it"))
    }
}
