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
        let names = [
            "contentsGravity": "left", "cornerCurve": "continuous", "compositingFilter": "multiplyBlendMode",
            "fillRule": "even-odd", "lineCap": "square", "lineJoin": "bevel", "type": "conic",
            "emitterShape": "circle", "emitterMode": "outline", "renderMode": "additive",
        ]
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
                ? "5" : "\"\(names[property.key] ?? "nearest")\""
        case .image: value = "null"
        case .path: value = "\"M0 0H9V9Z\""
        case .layer: value = "{}"
        case .filters: value = "[{\"type\": \"colorInvert\"}]"
        case .numbers: value = "[0.25, 0.5]"
        case .colors: value = "[[1, 0, 0, 1], [0, 0, 1, 0.5]]"
        case .cells: value = "[{\"birthRate\": 2}]"
        }
        let untouched: CALayer =
            switch property.owner {
            case .shapeLayer: CAShapeLayer()
            case .gradientLayer: CAGradientLayer()
            case .replicatorLayer: CAReplicatorLayer()
            case .emitterLayer: CAEmitterLayer()
            default: CABackdropLayer()
            }
        let layer = try root("{\"\(property.key)\": \(value), \"class\": \"\(type(of: untouched))\"}")
        if property == .mask {
            #expect(layer.mask != nil)
        } else if property.kind != .image,
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
                "root.backgroundColor is a list of 3, not a color: [red, green, blue, alpha] or null"
            ),
            ("{\"transform\": [1, 0]}", "root.transform is a list of 2, not a list of 16 numbers"),
            ("{\"contents\": 3}", "root.contents is a number, not the name of an image file"),
            ("{\"cornerCurve\": \"square\"}", "root.cornerCurve is not one of: circular continuous"),
            (
                "{\"maskedCorners\": 16}",
                "root.maskedCorners is not one of: 0 to 15, or some of minXminY maxXminY minXmaxY maxXmaxY"
            ),
            ("{\"class\": 1}", "root.class is a number, not a class name"),
            ("{\"mask\": []}", "root.mask is a list of 0, not a layer"),
            ("{\"filters\": {}}", "root.filters is an object, not a list of filters"),
            ("{\"filters\": [3]}", "root.filters[0] is a number, not a filter"),
            (
                "{\"filters\": [{}]}",
                "root.filters[0].type is missing: the filter's name, such as \"gaussianBlur\""
            ),
            (
                "{\"filters\": [{\"type\": \"x\", \"inputRadius\": \"3\"}]}",
                "root.filters[0].inputRadius is a string, not a number"
            ),
            (
                "{\"filters\": [{\"type\": \"colorMatrix\", \"matrix\": [1]}]}",
                "root.filters[0].matrix is a list of 1, not four rows of five numbers"
            ),
            ("{\"compositingFilter\": 3}", "root.compositingFilter is a number, not the name of a compositing filter"),
            (
                "{\"shadowPath\": \"M0 0L1\"}",
                "root.shadowPath has something else where a number is expected (character 7)"
            ),
            ("{\"isolate\": 1}", "root.isolate is a number, not true or false"),
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
              "groupName": "g", "mask": null, "enabled": false,
              "opacity": 0.25,
              "opacity": 0.5,
              "class": "CASDFLayer", "colorMap": 3}}
            """
        #expect(
            try warnings(text) == [
                "1:18 the key colour is not known; it is ignored",
                "2:3 the key root.wobble is not known; it is ignored",
                "3:3 root.frame is ignored: write bounds and position",
                "4:3 root.groupName is ignored: only a CABackdropLayer has it",
                "6:3 \"opacity\" is written twice; the last one counts",
                "7:12 root: CASDFLayer is drawn as a plain layer: not drawn yet (distance fields)",
                "7:26 root.colorMap is ignored: not drawn yet (gradients)",
            ])
        #expect(try load(text).documentRoots[0].opacity == 0.5)
        #expect(sceneError { try load(text, strict: true) }.hasPrefix("1:18 the key colour is not known"))
    }

    @Test("A mask is a layer of its own, with masks and sublayers, none of the sublayers")
    func masks() throws {
        let layer = try root(
            """
            {"mask": {"name": "m", "bounds": [0, 0, 5, 5], "mask": {"name": "mm"}, "sublayers": [{"name": "s"}],
             "contentsGravity": "top"}, "sublayers": [{"name": "child"}]}
            """)
        #expect(layer.sublayers?.map(\.name) == ["child"] && layer.mask?.name == "m")
        #expect(layer.mask?.superlayer === layer && layer.mask?.mask?.name == "mm")
        #expect(layer.mask?.sublayers?.first?.name == "s" && layer.mask?.contentsGravity == .bottom)
    }

    @Test("Filters with every kind of input, in order")
    func filters() throws {
        let layer = try root(
            """
            {"filters": [{"type": "gaussianBlur", "name": "b", "enabled": false, "inputRadius": 3,
              "inputNormalizeEdges": true, "inputQuality": "low"},
             {"type": "colorMatrix", "matrix": [[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5]]},
             {"type": "dropShadow", "inputColor": [1, 0, 0, 0.5], "inputOffset": [3, 4]}],
             "backgroundFilters": [{"type": "colorMatrix", "inputColorMatrix": [1,0,0,0,0,0,1,0,0,0,0,0,1,0,0,0,0,0,1,0]}],
             "compositingFilter": {"type": "plusL", "name": "c"}}
            """)
        let rows = (0..<20).map { Double($0 % 5 + 1) }
        #expect(
            layer.properties.filters == [
                LayerFilter(
                    .gaussianBlur, name: "b", isEnabled: false,
                    inputs: [.inputRadius: .number(3), .inputNormalizeEdges: .flag(true)]),
                LayerFilter(.colorMatrix, inputs: [.inputColorMatrix: .numbers(rows)]),
                LayerFilter(
                    .dropShadow,
                    inputs: [.inputColor: .color(Color(1, 0, 0, 0.5)), .inputOffset: .point(Point(3, 4))]),
            ])
        let identity = LayerFilter(.colorMatrix).colorMatrix
        #expect(
            layer.properties.backgroundFilters == [
                LayerFilter(.colorMatrix, inputs: [.inputColorMatrix: .numbers(identity)])
            ])
        #expect(layer.properties.compositingMode == .plusLighter)
        #expect((layer.compositingFilter as? CAFilter)?.name == "c")
    }

    @Test("Filters and compositing filters that are not known are left out, with a warning and nothing else")
    func unknownFilters() throws {
        let text = scene(
            """
            {"filters": [{"type": "wobble", "inputRadius": 1},
             {"type": "colorInvert", "wobble": 2}],
             "compositingFilter": "wobbleBlendMode", "sublayers": [{"filters": null, "compositingFilter": null}]}
            """)
        #expect(
            try warnings(text) == [
                "1:43 root.filters[0]: the filter wobble is not known; it is left out",
                "2:26 the key root.filters[1].wobble is not known; it is ignored",
                "3:23 root.compositingFilter \"wobbleBlendMode\" is not known; it is left out",
            ])
        let layer = try load(text).documentRoots[0]
        #expect(layer.properties.filters == [LayerFilter(.colorInvert)] && layer.compositingFilter == nil)
    }

    @Test("An isolated layer has an opacity just below its own")
    func isolation() throws {
        #expect(try root("{\"isolate\": true}").opacity == 0.99999)
        #expect(try root("{\"isolate\": true, \"opacity\": 0.5}").opacity == Float(0.5 * 0.99999))
        #expect(try root("{\"isolate\": false}").opacity == 1)
    }

    @Test("A shadow path is SVG path data, a backdrop has its own keys")
    func shadowAndBackdrop() throws {
        let layer = try root(
            "{\"shadowPath\": \"M1 2h3v4h-3z\", \"shadowOffset\": [5, 6], \"shadowOpacity\": 0.5}")
        #expect(layer.shadowPath == CGPath(rect: CGRect(x: 1, y: 2, width: 3, height: 4), transform: nil))
        #expect(layer.shadowOffset == CGSize(width: 5, height: 6) && layer.shadowOpacity == 0.5)
        #expect(try root("{\"shadowPath\": \"\"}").shadowPath == nil)
        let text = "{\"enabled\": false, \"scale\": 0.5, \"groupName\": \"g\", \"class\": \"CABackdropLayer\"}"
        let backdrop = try #require(try root(text) as? CABackdropLayer)
        #expect(!backdrop.isEnabled && backdrop.scale == 0.5 && backdrop.groupName == "g")
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
