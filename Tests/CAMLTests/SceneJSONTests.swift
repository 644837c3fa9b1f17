import CAML
import CoreAnimation
import Foundation
import LayerModel
import Testing

@Suite("JSON scenes")
struct SceneJSONTests {
    private func scene(_ root: String, _ rest: String = "") -> String {
        "{\"size\": [200, 100]\(rest), \"root\": \(root)}"
    }

    private func root(_ text: String) throws -> CALayer {
        try #require(try load(scene(text), strict: true).documentRoots.first)
    }

    private func warnings(_ text: String) throws -> [String] {
        try load(text).warnings.map { "\($0.line):\($0.column) \($0.message)" }
    }

    @Test("The picture: size, scale, background, y down; the root stands where it says")
    func picture() throws {
        let document = try load(
            scene(
                "{\"position\": [30, 40], \"bounds\": [0, 0, 20, 10]}",
                ", \"scale\": 2, \"background\": [1, 0, 0.5, 0.25], \"name\": \"n\", \"format\": \"layerscene-0\", \"expect\": {\"x\": 1}"
            ))
        #expect(document.warnings.isEmpty && document.name == "n")
        #expect(document.size == CGSize(width: 200, height: 100) && document.scale == 2 && document.isGeometryFlipped)
        #expect(document.background?.color == Color(1, 0, 0.5, 0.25))
        #expect(document.documentRoots[0].frame == CGRect(x: 20, y: 35, width: 20, height: 10))
    }

    @Test("Every property of the table is read under its own name", arguments: LayerProperty.allCases)
    func everyProperty(property: LayerProperty) throws {
        let value: String
        switch property.kind {
        case .bool: value = "true"
        case .number: value = "0.5"
        case .point: value = "[3, 4]"
        case .rect: value = "[0, 0.25, 0.5, 0.75]"
        case .transform: value = "[1,2,0,0, 3,4,0,0, 0,0,1,0, 5,6,0,1]"
        case .color: value = "[1, 0, 0.5, 0.25]"
        case .string: value = "\"text\""
        case .code:
            value =
                property.isBitSet
                ? "5" : "\"\(["contentsGravity": "left", "cornerCurve": "continuous"][property.key] ?? "nearest")\""
        case .image, .path, .layer, .filters: value = "null"
        }
        let layer = try root("{\"\(property.key)\": \(value)}")
        let untouched = CALayer()
        if property.kind != .image,
            !["allowsEdgeAntialiasing", "allowsGroupOpacity", "doubleSided"].contains(property.key)
        {
            #expect(layer.properties[property] != untouched.properties[property])
        }
    }

    @Test("Gravities name the picture's top and bottom, however often y is turned")
    func gravity() throws {
        let document = try load(
            scene(
                """
                {"name": "a", "contentsGravity": "topLeft", "sublayers": [
                 {"name": "b", "geometryFlipped": true, "contentsGravity": "topLeft", "sublayers": [
                  {"name": "c", "contentsGravity": "bottom"}]}]}
                """))
        // In y down, the picture's top is min y, which Core Animation calls the bottom.
        #expect(document.layer(named: "a")?.contentsGravity == .bottomLeft)
        #expect(document.layer(named: "b")?.contentsGravity == .topLeft)
        #expect(document.layer(named: "c")?.contentsGravity == .bottom)
    }

    @Test("Corner masks go by the layer's own numbers, by name or as bits")
    func corners() throws {
        #expect(try root("{\"maskedCorners\": [\"minXminY\", \"maxXminY\"]}").maskedCorners.rawValue == 3)
        #expect(try root("{\"maskedCorners\": []}").maskedCorners.rawValue == 0)
        #expect(try root("{\"edgeAntialiasingMask\": [\"minX\", \"maxY\"]}").edgeAntialiasingMask.rawValue == 9)
    }

    @Test(
        "Wrong types and sizes are errors with place and key path",
        arguments: [
            ("{\"bounds\": [0, 0, 1]}", "root.bounds is a list of 3, not a list of 4 numbers"),
            ("{\"bounds\": \"0 0 1 1\"}", "root.bounds is a string, not a list of 4 numbers"),
            ("{\"bounds\": [0, 0, 1, null]}", "root.bounds is a list of 4, not a list of 4 numbers"),
            ("{\"opacity\": true}", "root.opacity is a boolean, not a number"),
            ("{\"hidden\": 1}", "root.hidden is a number, not true or false"),
            (
                "{\"backgroundColor\": [1, 0, 0]}",
                "root.backgroundColor is a list of 3, not a colour: [red, green, blue, alpha] or null"
            ),
            ("{\"transform\": [1, 0]}", "root.transform is a list of 2, not a list of 16 numbers"),
            ("{\"contents\": 3}", "root.contents is a number, not the name of an image file"),
            ("{\"cornerCurve\": \"square\"}", "root.cornerCurve is not one of: circular continuous"),
            (
                "{\"maskedCorners\": 16}",
                "root.maskedCorners is not one of: 0 to 15, or some of minXminY maxXminY minXmaxY maxXmaxY"
            ),
            ("{\"class\": 1}", "root.class is a number, not a class name"),
            ("{\"sublayers\": {}}", "root.sublayers is an object, not a list of layers"),
            ("[]", "root is a list of 0, not a layer"),
        ])
    func wrong(text: String, expected: String) {
        let message = sceneError { try load(scene(text)) }
        #expect(message.hasSuffix(" " + expected), "\(message)")
    }

    @Test("An error deep in the tree has its exact place and key path")
    func place() {
        let text = """
            {"size": [1, 1], "root": {"sublayers": [{}, {},
              {"sublayers": [{"bounds": [0, 0, "1", 1]}]}]}}
            """
        #expect(
            sceneError { try load(text) }
                == "2:29 root.sublayers[2].sublayers[0].bounds is a list of 4, not a list of 4 numbers")
    }

    @Test(
        "What a scene must have: size, root, values above 0",
        arguments: [
            ("{\"root\": {}}", "1:1 size is missing: [width, height] in points"),
            ("{\"size\": [1, 1]}", "1:1 root is missing: the scene's layer"),
            ("{\"size\": [0, 1], \"root\": {}}", "1:10 size is not above 0"),
            ("{\"size\": [1, 1], \"scale\": -1, \"root\": {}}", "1:27 scale is not above 0"),
            ("[1]", "1:1 a scene is an object, not a list of 1"),
        ])
    func required(text: String, expected: String) {
        #expect(sceneError { try load(text) } == expected)
    }

    @Test("Unknown keys, later keys and keys written twice are warnings where they stand")
    func unknown() throws {
        let text = """
            {"size": [1, 1], "colour": 1, "root": {
              "wobble": 1,
              "frame": [0, 0, 1, 1],
              "shadowOpacity": 1, "mask": null, "isolate": true,
              "opacity": 0.25,
              "opacity": 0.5,
              "class": "CAGradientLayer", "colors": []}}
            """
        #expect(
            try warnings(text) == [
                "1:18 the key colour is not known; it is ignored",
                "2:3 the key root.wobble is not known; it is ignored",
                "3:3 root.frame is ignored: write bounds and position",
                "4:3 root.shadowOpacity is ignored: not drawn yet (shadows)",
                "4:37 root.isolate is ignored: not drawn yet (groups of their own)",
                "6:3 \"opacity\" is written twice; the last one counts",
                "7:12 root: CAGradientLayer is drawn as a plain layer: not drawn yet (gradients)",
            ])
        #expect(try load(text).documentRoots[0].opacity == 0.5)
        #expect(sceneError { try load(text, strict: true) }.hasPrefix("1:18 the key colour is not known"))
    }

    @Test("Contents outside the scene's folder, or not there, are warnings")
    func contents() throws {
        for (source, reason) in [
            ("../x.png", "leaves the bundle"), ("/x.png", "is an absolute path"), ("x.png", "is not there"),
        ] {
            let list = try warnings(scene("{\n\"contents\": \"\(source)\"}"))
            #expect(
                list.count == 1 && list[0].hasPrefix("2:13 root.contents: the file \"\(source)\" \(reason)"), "\(list)")
        }
    }

    @Test("Layers are limited")
    func layerLimit() {
        var limits = SceneLimits()
        limits.elements = 3
        let text = scene("{\"sublayers\": [{}, {},\n{}]}")
        #expect(sceneError { try load(text, limits: limits) } == "2:1 more than 3 layers")
    }
}
