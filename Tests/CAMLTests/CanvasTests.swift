import CAML
import CoreAnimation
import Foundation
import Testing

@Suite("The canvas")
struct CanvasTests {
    private static let index = """
        <plist version="1.0"><dict><key>documentWidth</key><real>200</real><key>documentHeight</key><real>80</real>
        <key>geometryFlipped</key><FLIP/></dict></plist>
        """

    private func bundle(_ scene: String, flipped: Bool? = nil, name: String = "x.ca") -> [String: String] {
        var files = ["\(name)/main.caml": scene]
        if let flipped {
            files["\(name)/index.xml"] = CanvasTests.index.replacingOccurrences(of: "FLIP", with: "\(flipped)")
        }
        return files
    }

    @Test("The document's size is the index's, else the root's bounds")
    func size() throws {
        try SceneTestInputs.withFolder(bundle(caml())) { path in
            let document = try SceneDocument.load(path: path + "/x.ca")
            #expect(document.size == CGSize(width: 100, height: 50) && !document.isGeometryFlipped)
        }
        try SceneTestInputs.withFolder(bundle(caml(), flipped: true)) { path in
            let document = try SceneDocument.load(path: path + "/x.ca")
            #expect(document.size == CGSize(width: 200, height: 80) && document.isGeometryFlipped)
            #expect(document.rootLayer.bounds == CGRect(x: 0, y: 0, width: 200, height: 80))
            #expect(document.rootLayer.frame.origin == .zero)
            #expect(document.name == "x")
        }
    }

    @Test("The root's position, anchor and transform are ignored: its bounds' corner sits in the canvas's")
    func corner() throws {
        let document = try load(
            """
            <caml><CALayer bounds="5 7 100 50" position="300 400" anchorPoint="0.25 1" anchorPointZ="3" zPosition="9" \
            transform="rotate(45deg)" transform.scale="3" sublayerTransform="scale(2)"><sublayers>
            <CALayer id="c" bounds="0 0 1 1" anchorPoint="0 0" position="5 7"/></sublayers></CALayer></caml>
            """)
        #expect(document.warnings.isEmpty)
        #expect(document.size == CGSize(width: 100, height: 50))
        let root = try #require(document.documentRoots.first)
        #expect(root.convert(CGPoint(x: 5, y: 7), to: document.rootLayer) == .zero)
        #expect(root.frame == CGRect(x: 0, y: 0, width: 100, height: 50))
        #expect(CATransform3DIsIdentity(root.transform))
        // The sublayer transform still turns about the anchor that the file gives: (5 + 25, 7 + 50) stays, twice the rest.
        let child = try #require(document.layer(withID: "c"))
        #expect(child.convert(CGPoint.zero, to: document.rootLayer) == CGPoint(x: -25, y: -50))
    }

    @Test("The flip of the index belongs to the document, the flip of the attribute to its layer; both may apply")
    func flips() throws {
        for flipped in [false, true] {
            try SceneTestInputs.withFolder(bundle(caml("geometryFlipped=\"1\""), flipped: flipped)) { path in
                let document = try SceneDocument.load(path: path + "/x.ca")
                #expect(document.isGeometryFlipped == flipped)
                #expect(!document.rootLayer.isGeometryFlipped)
                #expect(document.documentRoots[0].isGeometryFlipped)
            }
        }
    }

    @Test("A CAML file inside a bundle, named by the bundle's index, is read as the bundle")
    func insideBundle() throws {
        try SceneTestInputs.withFolder(bundle(caml(), flipped: true)) { path in
            for name in ["main.caml", "index.xml"] {
                let document = try SceneDocument.load(path: path + "/x.ca/" + name)
                #expect(document.size.width == 200 && document.isGeometryFlipped)
            }
        }
    }

    @Test("A wallpaper stacks Background, Floating, Foreground, whatever the order of the files; one can be picked")
    func wallpaper() throws {
        var files: [String: String] = [:]
        for role in ["Foreground", "Background", "Floating"] {
            files.merge(bundle(caml("name=\"\(role) root\""), name: "w.wallpaper/n_\(role)-390w.ca")) { a, _ in a }
        }
        files["w.wallpaper/Wallpaper.plist"] = "<plist version=\"1.0\"><dict/></plist>"
        try SceneTestInputs.withFolder(files) { path in
            let all = try SceneDocument.load(path: path)
            #expect(all.documentRoots.map(\.name) == ["Background root", "Floating root", "Foreground root"])
            #expect(all.rootLayer.sublayers?.map(\.name) == ["Background", "Floating", "Foreground"])
            #expect(all.warnings.isEmpty)
            let one = try SceneDocument.load(path: path, options: .init(only: "floating"))
            #expect(one.documentRoots.map(\.name) == ["Floating root"])
            #expect(one.rootLayer.sublayers?.map(\.name) == ["Floating root"])
            let missing = sceneError { try SceneDocument.load(path: path, options: .init(only: "Middle")) }
            #expect(missing == "0:0 there is no \"Middle\": there are Background, Floating, Foreground")
        }
    }

    @Test("The plist names the bundles; a name that is not there is reported and the bundle found by its role")
    func named() throws {
        var files = bundle(caml("name=\"one\""), name: "w.wallpaper/one.ca")
        files.merge(bundle(caml("name=\"two\""), name: "w.wallpaper/My_Floating.ca")) { a, _ in a }
        files["w.wallpaper/Wallpaper.plist"] = """
            <plist version="1.0"><dict><key>assets</key><dict>
            <key>backgroundAnimationFileName</key><string>one.ca</string>
            <key>floatingAnimationFileName</key><string>two.ca</string></dict></dict></plist>
            """
        try SceneTestInputs.withFolder(files) { path in
            let document = try SceneDocument.load(path: path)
            #expect(document.documentRoots.map(\.name) == ["one", "two"])
            #expect(
                document.warnings.map { "\($0.line):\($0.column) \($0.message)" } == [
                    "3:1 the Floating bundle \"two.ca\" is not there"
                ])
        }
    }

    @Test(
        "Stacked bundles whose y runs differently are flipped onto one canvas; smaller ones stand in the top left corner"
    )
    func mixed() throws {
        // 100 by 50, y up, in front of 200 by 80, y down.
        var files = bundle(
            caml("", "<sublayers><CALayer id=\"p\" position=\"10 20\"/></sublayers>"), name: "Floating.ca")
        files.merge(bundle(caml(), flipped: true, name: "Background.ca")) { a, _ in a }
        try SceneTestInputs.withFolder(files) { path in
            let document = try SceneDocument.load(path: path)
            #expect(document.isGeometryFlipped && document.size == CGSize(width: 200, height: 80))
            let p = try #require(document.layer(withID: "p"))
            // 20 above the bottom of 50 is 30 below the top.
            #expect(p.convert(CGPoint.zero, to: document.rootLayer) == CGPoint(x: 10, y: 30))
            #expect(document.warnings.count == 1)
        }
        // The other way round: y up behind, y down in front.
        files = bundle(
            caml("", "<sublayers><CALayer id=\"p\" position=\"10 20\"/></sublayers>"), flipped: true,
            name: "Floating.ca")
        files.merge(bundle(caml(), name: "Background.ca")) { a, _ in a }
        try SceneTestInputs.withFolder(files) { path in
            let document = try SceneDocument.load(path: path)
            #expect(!document.isGeometryFlipped && document.size == CGSize(width: 100, height: 50))
            let p = try #require(document.layer(withID: "p"))
            // 20 below a top that is at y 50.
            #expect(p.convert(CGPoint.zero, to: document.rootLayer) == CGPoint(x: 10, y: 30))
        }
    }

    @Test("Zip archives of a bundle load as the bundle does, and name files inside them")
    func zipped() throws {
        var writer = ZipWriter()
        writer.add("x.ca/", [])
        writer.add("x.ca/main.caml", caml("wobble=\"\""))
        writer.add("__MACOSX/x.ca/main.caml", "junk")
        let document = try SceneDocument.load(Data(writer.finished()), name: "x.zip")
        #expect(document.size.width == 100)
        #expect(document.warnings.map(\.file) == ["x.zip/x.ca/main.caml"])
    }

    @Test("Folders without a bundle, or with too many, are errors that say what is there")
    func unclear() throws {
        try SceneTestInputs.withFolder(["a.txt": ""]) { path in
            #expect(
                sceneError { try SceneDocument.load(path: path) }
                    == "0:0 holds no bundle: no index.xml, main.caml or Wallpaper.plist")
        }
        var files = bundle(caml("name=\"a\""), name: "a.ca")
        files.merge(bundle(caml("name=\"b\""), name: "b.ca")) { a, _ in a }
        try SceneTestInputs.withFolder(files) { path in
            #expect(
                sceneError { try SceneDocument.load(path: path) }
                    == "0:0 holds 2 bundles (a.ca, b.ca); choose one by name")
            let chosen = try SceneDocument.load(path: path, options: .init(only: "b"))
            #expect(chosen.documentRoots[0].name == "b")
        }
        #expect(sceneError { try SceneDocument.load(path: "/nowhere/x.ca") }.hasPrefix("0:0 can't be read"))
    }

    @Test("A root document outside its bundle, or not there, is an error")
    func rootDocument() throws {
        for (name, expected) in [("../../secret.caml", "leaves the bundle"), ("none.caml", "is not there")] {
            let index = "<plist version=\"1.0\"><dict><key>rootDocument</key><string>\(name)</string></dict></plist>"
            try SceneTestInputs.withFolder(["x.ca/index.xml": index, "secret.caml": caml()]) { path in
                #expect(sceneError { try SceneDocument.load(path: path + "/x.ca") }.hasSuffix(expected))
            }
        }
    }
}
