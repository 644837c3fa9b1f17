import CAML
import CoreAnimation
import Foundation
import LayerModel
import Quartz2D
import Testing

/// Written, read again, compared.
@Suite("Written scenes")
struct WritingTests {
    /// The only root of what is read after `layer` was written.
    private func roundTrip(_ layer: CALayer, as name: String, isGeometryFlipped: Bool = true) throws -> (
        CALayer, SceneDocument, [String]
    ) {
        try SceneTestInputs.withFolder { folder in
            let path = folder + "/" + name
            let written = try SceneWriter.write(layer, isGeometryFlipped: isGeometryFlipped, to: path)
            let document = try SceneDocument.load(path: path, options: .init(strict: true))
            var root = try #require(document.documentRoots.first)
            // Where a file can't say which way y runs, a layer around all of it does.
            if name.hasSuffix("caml"), isGeometryFlipped { root = try #require(root.sublayers?.first) }
            if name.hasSuffix("json"), !isGeometryFlipped { root = try #require(root.sublayers?.first) }
            return (root, document, written.map(\.message))
        }
    }

    @Test("Random trees are the same, property by property, after they were written and read", arguments: 0..<60)
    func randomTrees(seed: Int) throws {
        for name in ["Scene.ca", "Scene.caml", "scene.json"] {
            var random = RandomLayers(seed: UInt64(seed))
            let layer = random.layer()
            let isFlipped = seed % 2 == 0
            let (read, document, warnings) = try roundTrip(layer, as: name, isGeometryFlipped: isFlipped)
            #expect(warnings.isEmpty, "\(name), seed \(seed): \(warnings.prefix(5))")
            #expect(document.size == CGSize(width: 40, height: 30), "\(name)")
            layer.position = read.position
            layer.zPosition = read.zPosition
            let differences = layerDifferences(layer, read)
            #expect(differences.isEmpty, "\(name), seed \(seed):\n\(differences.joined(separator: "\n"))")
        }
    }
}

extension WritingTests {
    // MARK: What stays with the client

    @Test("Scroll and tiled layers come back as they were", arguments: ["Scene.ca", "Scene.caml", "scene.json"])
    func clientValues(name: String) throws {
        let root = CALayer()
        root.bounds = CGRect(x: 0, y: 0, width: 40, height: 30)
        let scroll = CAScrollLayer()
        scroll.scrollMode = .vertically
        scroll.autoresizingMask = [.layerWidthSizable, .layerMaxYMargin]
        let open = CAScrollLayer()
        open.masksToBounds = false
        let tiled = CATiledLayer()
        tiled.tileSize = CGSize(width: 64, height: 32.5)
        tiled.levelsOfDetail = 4
        tiled.levelsOfDetailBias = 2
        for layer in [scroll, open, tiled, CATiledLayer()] { root.addSublayer(layer) }
        let (read, _, warnings) = try roundTrip(root, as: name)
        #expect(warnings.isEmpty, "\(warnings)")
        let layers = try #require(read.sublayers)
        let first = try #require(layers[0] as? CAScrollLayer)
        #expect(
            first.scrollMode == .vertically && first.masksToBounds
                && first.autoresizingMask == [.layerWidthSizable, .layerMaxYMargin])
        let second = try #require(layers[1] as? CAScrollLayer)
        #expect(second.scrollMode == .both && !second.masksToBounds && second.autoresizingMask.isEmpty)
        let third = try #require(layers[2] as? CATiledLayer)
        #expect(
            third.tileSize == CGSize(width: 64, height: 32.5) && third.levelsOfDetail == 4
                && third.levelsOfDetailBias == 2)
        let fourth = try #require(layers[3] as? CATiledLayer)
        #expect(fourth.tileSize == CATiledLayer().tileSize && fourth.levelsOfDetail == 1)
    }

    @Test("A spring that never ends comes back", arguments: ["Scene.ca", "scene.json"])
    func endlessSpring(name: String) throws {
        let root = CALayer()
        root.bounds = CGRect(x: 0, y: 0, width: 40, height: 30)
        let spring = CASpringAnimation(perceptualDuration: 1, bounce: -1)
        spring.keyPath = "opacity"
        spring.fromValue = 0.5
        root.add(spring, forKey: "s")
        let (read, _, warnings) = try roundTrip(root, as: name)
        let motion = try #require(read.animation(forKey: "s") as? CASpringAnimation)
        #expect(warnings.isEmpty && motion.damping == spring.damping, "\(warnings)")
    }

    @Test("Of many warnings the last says how many more there are")
    func manyWarnings() throws {
        let root = CALayer()
        root.bounds = CGRect(x: 0, y: 0, width: 40, height: 30)
        for _ in 0..<1_200 {
            let layer = CALayer()
            layer.setValue(1, forKey: "own")
            root.addSublayer(layer)
        }
        let (_, _, warnings) = try roundTrip(root, as: "scene.json")
        #expect(warnings.count == 1_001 && warnings.last == "200 more warnings are left out")
    }

    @Test("A link is not replaced")
    func link() throws {
        try SceneTestInputs.withFolder { folder in
            #expect(symlink("target.json", folder + "/link.json") == 0)
            let layer = CALayer()
            #expect(throws: SceneFileError.self) {
                try SceneWriter.write(layer, to: folder + "/link.json", options: .init(overwrites: true))
            }
            var status = stat()
            #expect(lstat(folder + "/link.json", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        }
    }

    // MARK: Text

    @Test("Numbers are the shortest text that reads back as the same number")
    func numbers() {
        for (number, text) in [
            (0, "0"), (-0.0, "-0"), (1, "1"), (0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"), (1e-100, "1e-100"),
            (1.0 / 3, "0.3333333333333333"), (-250, "-250"), (.infinity, "inf"),
        ] {
            #expect(NumberText.text(number) == text)
        }
        // What is kept in single precision: 0.3 as a Float is 0.300000012 as a Double.
        #expect(NumberText.text(Double(Float(0.3)), isSingle: true) == "0.3")
        #expect(NumberText.text(0.3, isSingle: true) == "0.3")
        var state: UInt32 = 1
        for _ in 0..<2000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            let single = Float(bitPattern: state)
            guard single.isFinite else { continue }
            let text = NumberText.text(Double(single), isSingle: true)
            #expect(Double(text).map { Float($0) } == single, "\(text)")
        }
    }

    @Test(
        "Transforms are functions where those say exactly the same, else 16 numbers",
        arguments: [
            ("", ""), ("translate(3, 4)", "translate(3, 4)"), ("translate(1, 2, 3)", "translate(1, 2, 3)"),
            ("rotate(45deg)", "rotate(45deg)"), ("scale(2)", "scale(2, 2, 1)"), ("scale(-1, 1)", "scale(-1, 1, 1)"),
            ("translate(5, 0) rotate(90deg)", "translate(5, 0) rotate(90deg)"),
            ("perspective(500)", "perspective(500)"), ("rotate(1.25)", "rotate(1.25)"),
            ("matrix(1, 2, 3, 4, 5, 6)", "matrix(1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 1, 0, 5, 6, 0, 1)"),
        ])
    func transforms(text: String, expected: String) throws {
        let transform = try TransformSyntax.transform(text)
        #expect(transform.sceneText == expected)
        #expect(try TransformSyntax.transform(transform.sceneText) == transform)
    }

    /// `main.caml` of a bundle with this layer, and the warnings.
    private func text(_ layer: CALayer) throws -> (String, [String]) {
        try SceneTestInputs.withFolder { folder in
            let warnings = try SceneWriter.write(layer, to: folder + "/Scene.ca")
            return (
                try String(contentsOfFile: folder + "/Scene.ca/main.caml", encoding: .utf8), warnings.map(\.message)
            )
        }
    }

    @Test("A layer with default values is its class alone; what differs is there, and nothing else")
    func defaults() throws {
        let classes: [CALayer] = [
            CALayer(), CATransformLayer(), CABackdropLayer(), CAShapeLayer(), CAGradientLayer(), CAReplicatorLayer(),
            CAEmitterLayer(), CATextLayer(),
        ]
        let root = CALayer()
        root.name = "Root"
        root.bounds = CGRect(x: 0, y: 0, width: 30, height: 20)
        for layer in classes { root.addSublayer(layer) }
        classes[0].opacity = 0.3
        classes[0].backgroundColor = CGColor(Color(1, 0, 0, 0.5))
        classes[0].borderColor = nil
        (classes[4] as? CAGradientLayer)?.colors = [CGColor(Color(0, 0, 1)), CGColor(Color(0, 1, 0, 0.25))]
        (classes[4] as? CAGradientLayer)?.type = .radial
        let (text, warnings) = try text(root)
        #expect(warnings.isEmpty)
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <caml xmlns="http://www.apple.com/CoreAnimation/1.0">
                  <CALayer name="Root" bounds="0 0 30 20" position="15 10">
                    <sublayers>
                      <CALayer opacity="0.3">
                        <backgroundColor value="1 0 0" opacity="0.5"/>
                        <borderColor type="null"/>
                      </CALayer>
                      <CATransformLayer/>
                      <CABackdropLayer/>
                      <CAShapeLayer/>
                      <CAGradientLayer>
                        <colors>
                          <CGColor value="0 0 1"/>
                          <CGColor value="0 1 0" opacity="0.25"/>
                        </colors>
                        <type value="radial"/>
                      </CAGradientLayer>
                      <CAReplicatorLayer/>
                      <CAEmitterLayer/>
                      <CATextLayer/>
                    </sublayers>
                  </CALayer>
                </caml>

                """)
    }

    @Test("Names hold every character that XML can hold; another is replaced, with a warning")
    func names() throws {
        let root = CALayer()
        root.bounds.size = CGSize(width: 10, height: 10)
        for name in ["<&>\"'", "a\nb\r\tc", "]]>", "🐈\u{301}", "bad\u{1}\u{0}\u{FFFF}"] {
            let layer = CALayer()
            layer.name = name
            root.addSublayer(layer)
        }
        let (read, _, warnings) = try roundTrip(root, as: "Scene.ca")
        let names = (read.sublayers ?? []).map { $0.name ?? "" }
        #expect(Array(names.prefix(4)) == ["<&>\"'", "a\nb\r\tc", "]]>", "🐈\u{301}"])
        #expect(names.last == "bad\u{FFFD}\u{FFFD}\u{FFFD}")
        #expect(
            warnings == [
                "CALayer \"bad\\u{1}\\u{0}\u{FFFF}\": name: a character that XML can't hold is written as U+FFFD"
            ])
        let json = try roundTrip(root, as: "scene.json")
        #expect(json.0.sublayers?.first?.name == "<&>\"'" && json.0.sublayers?.last?.name == "bad\u{1}\u{0}\u{FFFF}")
        #expect(json.2.isEmpty)
    }

    @Test("What no file can say is a warning with the layer and the key")
    func warnings() throws {
        final class Badge: CALayer, @unchecked Sendable {}
        let root = Badge()
        root.name = "Badge"
        root.bounds.size = CGSize(width: 10, height: 10)
        root.setValue(3, forKey: "count")
        let text = CATextLayer()
        text.string = NSAttributedString(string: "words")
        root.addSublayer(text)
        root.filters = [CAFilter(type: "wobble"), "no filter"]
        let blur = CAFilter(type: "gaussianBlur")
        blur.setValue("wide", forKey: "inputRadius")
        blur.setValue(1, forKey: "inputWobble")
        blur.setValue(1, forKey: "inputAngle")
        root.backgroundFilters = [blur]
        root.add(CABasicAnimation(keyPath: "count"), forKey: "own")
        let wrong = CABasicAnimation(keyPath: "position")
        wrong.toValue = "left"
        root.add(wrong, forKey: "wrong")
        let (written, warnings) = try self.text(root)
        #expect(
            warnings == [
                "CALayer \"Badge\": the class Badge is the app's own; it is written as a CALayer",
                "CALayer \"Badge\": count is left out: it is a key of the app's own",
                "CALayer \"Badge\": filters: the filter wobble is not known; it is left out",
                "CALayer \"Badge\": filters: a String is left out",
                "CALayer \"Badge\": backgroundFilters, gaussianBlur: inputRadius is left out: it is a String",
                "CALayer \"Badge\": backgroundFilters: inputAngle is left out: it makes no difference to a gaussianBlur, "
                    + "which has only inputRadius, inputNormalizeEdges, inputHardEdges",
                "CALayer \"Badge\": backgroundFilters, gaussianBlur: the input inputWobble is left out: it is not known",
                "CALayer \"Badge\": animation \"own\" is left out: files can't animate count",
                "CALayer \"Badge\": animation \"wrong\" is left out: its toValue is no value of position",
                "CATextLayer: string is written without its attributes: files hold plain text",
            ], "\(warnings.joined(separator: "\n"))")
        #expect(written.contains("<string type=\"string\" value=\"words\"/>"))
        #expect(
            sceneError {
                try SceneTestInputs.withFolder {
                    try SceneWriter.write(root, to: $0 + "/a.ca", options: .init(strict: true))
                }
            }.contains("the class Badge is the app's own; it is written as a CALayer; strict writing takes no warnings")
        )
    }

    @Test(
        "Layers that lie deeper than a file may have them are an error with the layer, and those that don't are read again"
    )
    func depth() throws {
        for (depth, isFine) in [(100, true), (2000, false)] {
            let root = CALayer()
            root.bounds.size = CGSize(width: 10, height: 10)
            var last = root
            for level in 0..<depth {
                let layer = CALayer()
                layer.name = "L\(level)"
                last.addSublayer(layer)
                last = layer
            }
            for name in ["Scene.ca", "scene.json"] {
                if isFine {
                    #expect(try roundTrip(root, as: name).2.isEmpty)
                } else {
                    #expect(sceneError { try roundTrip(root, as: name) }.contains("layers deep, which no file can say"))
                }
            }
        }
    }

    // MARK: Files

    @Test("The same image is one file; a bundle numbers them, a folder beside a file names them by content")
    func images() throws {
        var random = RandomLayers(seed: 3)
        let (one, other) = (random.image(), random.image())
        let root = CALayer()
        root.bounds.size = CGSize(width: 10, height: 10)
        for image in [one, other, one] {
            let layer = CALayer()
            layer.contents = image
            root.addSublayer(layer)
        }
        try SceneTestInputs.withFolder { folder in
            try SceneWriter.write(root, to: folder + "/Scene.ca")
            let files = FileManager.default
            #expect(
                try files.contentsOfDirectory(atPath: folder + "/Scene.ca").sorted() == [
                    "assets", "index.xml", "main.caml",
                ])
            #expect(
                try files.contentsOfDirectory(atPath: folder + "/Scene.ca/assets").sorted() == [
                    "image0.png", "image1.png",
                ])
            for name in ["a.json", "b.caml"] {
                try SceneWriter.write(root, to: folder + "/" + name)
                let pictures = try files.contentsOfDirectory(atPath: folder + "/\(name.prefix(1)).assets")
                #expect(pictures.count == 2 && pictures.allSatisfy { $0.hasSuffix(".png") && $0.count == 20 })
                let document = try SceneDocument.load(path: folder + "/" + name, options: .init(strict: true))
                let read = name == "a.json" ? document.documentRoots[0] : document.documentRoots[0].sublayers?[0]
                #expect(
                    sameObjects(read?.sublayers?[2].contents, one) && sameObjects(read?.sublayers?[1].contents, other))
            }
            // Nothing else is left behind.
            #expect(
                try files.contentsOfDirectory(atPath: folder).sorted() == [
                    "Scene.ca", "a.assets", "a.json", "b.assets", "b.caml",
                ])
        }
    }

    @Test("What is there stays unless it is to be replaced; a folder that is no bundle is never")
    func replacing() throws {
        let root = CALayer()
        root.bounds.size = CGSize(width: 10, height: 10)
        root.name = "new"
        func fault(_ folder: String, _ name: String, overwrites: Bool = false) -> String {
            do {
                try SceneWriter.write(root, to: folder + "/" + name, options: .init(overwrites: overwrites))
                return "written"
            } catch {
                return "\(error)".replacingOccurrences(of: folder, with: "F")
            }
        }
        try SceneTestInputs.withFolder([
            "Old.ca/main.caml": caml(), "Old.ca/more/x": "x", "old.caml": caml(), "old.json": "{}",
            "Photos.ca/holiday.txt": "x",
            "file.ca": "x", "folder.json/x": "x",
        ]) { folder in
            for name in ["Old.ca", "old.caml", "old.json"] {
                #expect(fault(folder, name) == "can't write F/\(name): it is there already")
                #expect(fault(folder, name, overwrites: true) == "written")
                #expect(try SceneDocument.load(path: folder + "/" + name).layer(named: "new") != nil)
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "/Old.ca/more"))
            #expect(
                fault(folder, "Photos.ca", overwrites: true).hasSuffix(
                    "is no bundle (it holds no index.xml and no main.caml); it is not replaced"))
            #expect(FileManager.default.fileExists(atPath: folder + "/Photos.ca/holiday.txt"))
            #expect(fault(folder, "file.ca", overwrites: true).contains("a file, not a bundle"))
            #expect(fault(folder, "folder.json", overwrites: true).contains("something else than a file"))
            #expect(fault(folder, "none/a.ca").contains("there is no folder F/none"))
            #expect(fault(folder, "a.png").contains("a scene is written as .ca, .caml or .json"))
            let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(".") }
            #expect(left.isEmpty, "\(left)")
        }
    }

    @Test("The same tree gives the same bytes")
    func deterministic() throws {
        var files: [[String: Data]] = []
        for _ in 0..<2 {
            var random = RandomLayers(seed: 11)
            let layer = random.layer()
            try SceneTestInputs.withFolder { folder in
                try SceneWriter.write(layer, to: folder + "/Scene.ca")
                try SceneWriter.write(layer, to: folder + "/Scene.json")
                var bytes: [String: Data] = [:]
                for case let name as String in FileManager.default.enumerator(atPath: folder)! {
                    bytes[name] = FileManager.default.contents(atPath: folder + "/" + name)
                }
                files.append(bytes)
            }
        }
        let isSame = files[0] == files[1]
        #expect(isSame && files[0].count > 3)
    }

    @Test("More layers than a file may have are an error, and nothing is written")
    func tooMany() throws {
        let root = CALayer()
        root.bounds.size = CGSize(width: 10, height: 10)
        for _ in 0...SceneLimits().elements { root.addSublayer(CALayer()) }
        try SceneTestInputs.withFolder { folder in
            #expect(sceneError { try SceneWriter.write(root, to: folder + "/a.ca") }.contains("a file may have 100000"))
            #expect(
                sceneError { try SceneWriter.write(root, to: folder + "/a.json") }.contains("a file may have 100000"))
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.isEmpty)
        }
    }
}
