import CAML
import CoreAnimation
import Foundation
import LayerModel
import Testing

/// The animations of a layer that has these in `<animations>`, by key, with the warnings.
private func animations(_ elements: String) throws -> ([String: CAAnimation], [String]) {
    let (layer, warnings) = try layer("", "<animations>\(elements)</animations>")
    var found: [String: CAAnimation] = [:]
    for key in layer.animationKeys() ?? [] { found[key] = layer.animation(forKey: key) }
    return (found, warnings)
}

private func number(_ value: Any?) -> Double? {
    (value as? Double) ?? (value as? NSNumber)?.doubleValue
}

@Suite("Animations in CAML")
struct AnimationReadingTests {
    @Test("Timing attributes are set as they are written, on every class")
    func timing() throws {
        for type in AnimationVocabulary.classes {
            let (found, warnings) = try animations(
                """
                <animation type="\(type)" key="k" keyPath="opacity" beginTime="1e-100" duration="2" speed="0.5"
                 timeOffset="0.25" repeatCount="inf" repeatDuration="0" autoreverses="1" removedOnCompletion="0"
                 fillMode="both" timingFunction="easeIn"><values><real value="0"/><real value="1"/></values></animation>
                """)
            let animation = try #require(found[type == "CATransition" ? "transition" : "k"], "\(type)")
            #expect("\(Swift.type(of: animation))" == type)
            #expect(animation.beginTime == 1e-100 && animation.duration == 2 && animation.speed == 0.5, "\(type)")
            #expect(animation.timeOffset == 0.25 && animation.repeatCount == .infinity && animation.autoreverses)
            #expect(!animation.isRemovedOnCompletion && animation.fillMode == .both && animation.repeatDuration == 0)
            #expect(animation.timingFunction?.curve == .easeIn, "\(type)")
            // Values mean nothing to the others, and a key path nothing to a transition.
            let expected = type == "CAKeyframeAnimation" ? 0 : type == "CATransition" ? 2 : 1
            #expect(warnings.count == expected, "\(type): \(warnings)")
        }
    }

    @Test(
        "Ends of basic animations are attributes or elements, of the key path's kind",
        arguments: [
            #"fromValue="0.25" toValue="1""#,
            #"><fromValue type="real" value="0.25"/><toValue type="integer" value="1"/"#,
            #"><fromValue><real value="0.25"/></fromValue><toValue><integer value="1"/></toValue"#,
        ])
    func ends(form: String) throws {
        let text = "<animation type=\"CABasicAnimation\" keyPath=\"opacity\" byValue=\"0.5\" \(form)"
        let (found, warnings) = try animations(text + (form.hasPrefix(">") ? "></animation>" : "/>"))
        let animation = try #require(found["opacity"] as? CABasicAnimation)
        #expect(
            number(animation.fromValue) == 0.25 && number(animation.toValue) == 1 && number(animation.byValue) == 0.5)
        #expect(warnings == [])
    }

    @Test("Values of every type are read")
    func valueTypes() throws {
        func value<T>(_ keyPath: String, _ element: String, _ type: T.Type = T.self) throws -> T? {
            let (found, warnings) = try animations(
                "<animation type=\"CAKeyframeAnimation\" keyPath=\"\(keyPath)\"><values>\(element)</values></animation>"
            )
            // The layer that these are read for has no filters.
            let isInFilter = keyPath.hasPrefix("filters.")
            #expect(warnings.count == (isInFilter ? 1 : 0) && warnings.allSatisfy { $0.contains("has no filters") })
            return (found[keyPath] as? CAKeyframeAnimation)?.values?.first as? T
        }
        #expect(try value("position", "<CGPoint value=\"1 2\"/>") == CGPoint(x: 1, y: 2))
        #expect(try value("bounds", "<CGRect value=\"1 2 3 4\"/>") == CGRect(x: 1, y: 2, width: 3, height: 4))
        #expect(try value("bounds.size", "<CGSize value=\"3 4\"/>") == CGSize(width: 3, height: 4))
        #expect(try value("position.x", "<integer value=\"7\"/>") == 7.0)
        #expect(try value("hidden", "<integer value=\"1\"/>") == true)
        let color = try value("backgroundColor", "<CGColor value=\"1 0 0.5\" opacity=\"0.25\"/>", CGColor.self)
        #expect(color?.color == Color(1, 0, 0.5, 0.25))
        let transform = try value(
            "transform", "<CATransform3D value=\"translate(3, 4) scale(2)\"/>", CATransform3D.self)
        #expect(transform?.m41 == 3 && transform?.m42 == 4 && transform?.m11 == 2)
        let path = try value("shadowPath", "<CGPath value=\"M0 0L2 4\"/>", CGPath.self)
        #expect(path?.boundingBoxOfPath == CGRect(x: 0, y: 0, width: 2, height: 4))
        #expect(try value("filters.blur.inputRadius", "<real value=\"5\"/>") == 5.0)
        #expect(try value("contents", "<null/>", NSNull.self) != nil)
        #expect(try value("backgroundColor", "<CGColor type=\"null\"/>", NSNull.self) != nil)
    }

    @Test("Key frames: times, modes, curves, spline parameters, paths")
    func keyframes() throws {
        let (found, warnings) = try animations(
            """
            <animation type="CAKeyframeAnimation" key="a" keyPath="position.x" calculationMode="cubic" additive="1" cumulative="1">
             <values><real value="0"/><integer value="5"/><real value="1e1"/></values>
             <keyTimes><real value="0"/><real value="0.25"/><integer value="1"/></keyTimes>
             <timingFunctions><timingFunction name="easeOut"/><CAMediaTimingFunction controlPoints="0.1 0.2 0.3 0.4"/></timingFunctions>
             <tensionValues><real value="0.5"/><real value="0"/><real value="0"/></tensionValues><continuityValues><real value="0.25"/><real value="0"/><real value="0"/></continuityValues>
             <biasValues><real value="-1"/><real value="0"/><real value="0"/></biasValues></animation>
            <p type="CAKeyframeAnimation" key="b" keyPath="position" calculationMode="paced" rotationMode="auto">
             <path type="CGPath" value="M0 0L10 0L10 90"/></p>
            <p type="CAKeyframeAnimation" key="c" keyPath="opacity" calculationMode="discrete">
             <values><real value="0"/><real value="1"/></values>
             <keyTimes><real value="0"/><real value="0.5"/><real value="1"/></keyTimes></p>
            """)
        #expect(warnings == [])
        let a = try #require(found["a"] as? CAKeyframeAnimation)
        #expect(a.values?.map { number($0) } == [0, 5, 10] && a.keyTimes?.map(\.doubleValue) == [0, 0.25, 1])
        #expect(a.calculationMode == .cubic && a.isAdditive && a.isCumulative)
        #expect(
            a.timingFunctions?.map(\.curve) == [
                .easeOut, TimingCurve(Double(Float(0.1)), Double(Float(0.2)), Double(Float(0.3)), Double(Float(0.4))),
            ])
        #expect(a.tensionValues == [0.5, 0, 0] && a.continuityValues == [0.25, 0, 0] && a.biasValues == [-1, 0, 0])
        let b = try #require(found["b"] as? CAKeyframeAnimation)
        #expect(b.path?.boundingBoxOfPath == CGRect(x: 0, y: 0, width: 10, height: 90) && b.rotationMode == .rotateAuto)
        #expect(found["c"] is CAKeyframeAnimation)
    }

    @Test("A spring has its parameters; with mica_autorecalculatesDuration its duration is its settling time")
    func springs() throws {
        let (found, warnings) = try animations(
            """
            <animation type="CASpringAnimation" key="a" keyPath="position.y" mass="1" stiffness="100" damping="1" velocity="2"
             allowsOverdamping="1" duration="0.8"/>
            <p type="CASpringAnimation" key="b" keyPath="position.x" mica_autorecalculatesDuration="1" duration="0.8"/>
            <p type="CASpringAnimation" key="c" keyPath="position.x" mica_autorecalculatesDuration="1" damping="20"/>
            """)
        #expect(warnings == [])
        let a = try #require(found["a"] as? CASpringAnimation)
        #expect(a.damping == 1 && a.initialVelocity == 2 && a.allowsOverdamping && a.duration == 0.8)
        // The measured durations of the default spring and of the critical one.
        #expect(abs((found["b"]?.duration ?? 0) - 1.4727003346780927) < 1e-12)
        #expect(found["c"]?.duration == 1.0)
    }

    @Test("Groups hold animations, also groups; transitions have a type and a side")
    func groupsAndTransitions() throws {
        let (found, warnings) = try animations(
            """
            <animation type="CAAnimationGroup" key="g" duration="3"><animations>
              <animation type="CABasicAnimation" keyPath="opacity" toValue="0"/>
              <p type="CAAnimationGroup" duration="1"><animations><animation type="CASpringAnimation" keyPath="zPosition" toValue="4"/></animations></p>
            </animations></animation>
            <p type="CATransition" subtype="fromTop" startProgress="0.25" endProgress="0.75" duration="2"><type value="push"/></p>
            """)
        #expect(warnings == [])
        let group = try #require(found["g"] as? CAAnimationGroup)
        #expect(group.animations?.count == 2 && group.duration == 3)
        let inner = try #require(group.animations?.last as? CAAnimationGroup)
        #expect((inner.animations?.first as? CASpringAnimation)?.keyPath == "zPosition")
        let transition = try #require(found["transition"] as? CATransition)
        #expect(transition.type == .push && transition.subtype == .fromTop)
        #expect(transition.startProgress == 0.25 && transition.endProgress == 0.75)
    }

    @Test("A value function takes numbers: one, or three")
    func valueFunctions() throws {
        let (found, warnings) = try animations(
            """
            <animation type="CABasicAnimation" key="a" keyPath="transform" valueFunction="rotateZ" toValue="3"/>
            <p type="CABasicAnimation" key="b" keyPath="transform" valueFunction="scale" toValue="1 2 3">
              <fromValue type="NSArray"><real value="4"/><real value="5"/><real value="6"/></fromValue></p>
            """)
        #expect(warnings == [])
        #expect((found["a"] as? CABasicAnimation)?.valueFunction?.name == .rotateZ)
        let b = try #require(found["b"] as? CABasicAnimation)
        #expect(b.toValue as? [Double] == [1, 2, 3] && b.fromValue as? [Double] == [4, 5, 6])
    }

    @Test("Without a key the key path is it, then the place; an animation may be named by object")
    func keys() throws {
        let (found, warnings) = try animations(
            """
            <animation id="#1" type="CABasicAnimation" keyPath="opacity" toValue="0"/><p type="CABasicAnimation" keyPath="opacity" toValue="1"/>
            <p key="again" object="#1"/>
            """)
        #expect(warnings == [] && Set(found.keys) == ["opacity", "1", "again"])
    }

    @Test(
        "What can't be played is reported where it stands",
        arguments: [
            (
                #"<animation type="CAMatchMoveAnimation" keyPath="position"><sourceLayer object="two"/></animation>"#,
                "CAMatchMoveAnimation of position"
            ),
            (#"<animation type="CAWobble" keyPath="position"/>"#, "CAWobble is no animation that is played"),
            (#"<animation type="CABasicAnimation"/>"#, "names no keyPath"),
            (
                #"<animation type="CABasicAnimation" keyPath="emitterSize"/>"#,
                "emitterSize is ignored: only a CAEmitterLayer has it"
            ),
            (
                #"<animation type="CABasicAnimation" keyPath="emitterCells.a.birthRate"/>"#,
                "only a CAEmitterLayer has it"
            ),
            (#"<animation type="CABasicAnimation" keyPath="birthRate"/>"#, "only a CAEmitterLayer has it"),
            (#"<animation type="CABasicAnimation" keyPath="wobble"/>"#, "wobble is ignored: the key path is not known"),
            (
                #"<animation type="CABasicAnimation" keyPath="position.z"/>"#,
                "position.z is ignored: the key path is not known"
            ),
            (#"<animation type="CABasicAnimation" keyPath="contentsGravity"/>"#, "contentsGravity can't be animated"),
            (
                #"<animation type="CABasicAnimation" keyPath="opacity" wobble="1"/>"#,
                "wobble of the CABasicAnimation is not known"
            ),
            (
                #"<animation type="CABasicAnimation" keyPath="opacity" damping="1"/>"#,
                "a CABasicAnimation has no damping"
            ),
            (
                #"<animation type="CABasicAnimation" keyPath="opacity" duration="undefined"/>"#,
                "duration=\"undefined\" is not a number"
            ),
            (
                #"<animation type="CABasicAnimation" keyPath="opacity" duration="nan"/>"#,
                "duration=\"nan\" is not a number"
            ),
            (
                #"<animation type="CABasicAnimation" keyPath="opacity" fillMode="frozen"/>"#,
                "is not one of: removed forwards"
            ),
            (#"<animation type="CABasicAnimation" keyPath="opacity" timingFunction="easy"/>"#, "nor four numbers"),
            (
                #"<animation type="CABasicAnimation" keyPath="opacity" toValue="1 2"/>"#,
                "toValue=\"1 2\" is not a number"
            ),
            (#"<animation type="CAKeyframeAnimation" keyPath="opacity"/>"#, "has neither values nor a path"),
            (
                #"<animation type="CAKeyframeAnimation" keyPath="opacity"><values><real value="0"/><real value="1"/></values><keyTimes><real value="0"/><real value="0.5"/><real value="1"/></keyTimes></animation>"#,
                "has 3 keyTimes where 2 are expected"
            ),
            (
                #"<animation type="CAKeyframeAnimation" keyPath="opacity"><values><real value="0"/><real value="1"/></values><keyTimes><real value="1"/><real value="0"/></keyTimes></animation>"#,
                "don't ascend"
            ),
            (
                #"<animation type="CAKeyframeAnimation" keyPath="opacity"><values><real value="0"/><real value="x"/></values></animation>"#,
                "value=\"x\" of <real> is not a number"
            ),
            (#"<animation keyPath="opacity"/>"#, "names no class (type); it is read as a CABasicAnimation"),
            (#"<animation object="nine"/>"#, "names no element"),
            (#"<animation id="nine" object="nine"/>"#, "refers to itself"),
            (
                #"<animation type="CABasicAnimation" keyPath="opacity"><toValue><real/></toValue></animation>"#,
                "no value attribute"
            ),
        ])
    func reports(element: String, part: String) throws {
        let (_, warnings) = try animations(element)
        #expect(warnings.count == 1 && warnings[0].contains(part), "\(warnings)")
        #expect(warnings.allSatisfy { $0.hasPrefix("1:") })
    }

    @Test(
        "What is wrong with an animation is said with its key and its layer's name",
        arguments: ["duration=\"x\"", "wobble=\"1\""])
    func place(attribute: String) throws {
        let group = """
            <animation type="CAAnimationGroup" key="grow" duration="1"><animations>
            <animation type="CABasicAnimation" keyPath="opacity" \(attribute)/></animations></animation>
            """
        for (text, subject) in [
            ("<animation type=\"CABasicAnimation\" keyPath=\"opacity\" \(attribute)/>", "\"opacity\" of \"card\""),
            (group, "\"grow\" of \"card\""),
        ] {
            let scene =
                "<caml><CALayer bounds=\"0 0 9 9\"><sublayers><CALayer name=\"card\"><animations>\(text)</animations></CALayer></sublayers></CALayer></caml>"
            let warnings = try SceneDocument.load(Data(scene.utf8), name: "scene").warnings.map { "\($0)" }
            #expect(warnings.count == 1 && warnings[0].contains(subject), "\(warnings)")
        }
    }

    @Test("A strict load takes no animation that is not played as it is written")
    func strict() throws {
        let text = caml("", "<animations><animation type=\"CABasicAnimation\" keyPath=\"emitterSize\"/></animations>")
        #expect(sceneError { try load(text, strict: true) }.contains("only a CAEmitterLayer has it"))
    }

    @Test("Files made to hurt: many key frames, deep groups, objects in circles, endless numbers")
    func hostile() throws {
        let frames = String(repeating: "<real value=\"1\"/>", count: 90_000)
        let (many, none) = try animations(
            "<animation type=\"CAKeyframeAnimation\" keyPath=\"opacity\" repeatCount=\"1e300\" duration=\"inf\"><values>\(frames)</values></animation>"
        )
        #expect((many["opacity"] as? CAKeyframeAnimation)?.values?.count == 90_000 && none == [])
        let over = caml("", "<animations><animation><values>\(frames)\(frames)</values></animation></animations>")
        #expect(sceneError { try load(over) }.contains("100000"))
        let open = String(repeating: "<animation type=\"CAAnimationGroup\"><animations>", count: 100)
        let close = String(repeating: "</animations></animation>", count: 100)
        let (_, deep) = try animations(open + close)
        #expect(deep.count == 1 && deep[0].contains("at most 16 deep"), "\(deep)")
        let (_, circle) = try animations(
            #"<animation id="a" object="b"/><p id="b" object="a"/><p type="CABasicAnimation" keyPath="opacity"><toValue id="v" object="v"/></p>"#
        )
        #expect(circle.count == 3 && circle.allSatisfy { $0.contains("refers to itself") }, "\(circle)")
        // Groups that hold themselves ten times, and a long animation that is meant ten thousand times.
        let again = String(repeating: "<p object=\"g\"/>", count: 10)
        let (_, bomb) = try animations(
            "<animation id=\"g\" type=\"CAAnimationGroup\"><animations>\(again)</animations></animation>")
        #expect(!bomb.isEmpty && bomb.count <= 1_000)
        let long = String(repeating: "<real value=\"1\"/>", count: 5_000)
        let meant = String(repeating: "<p object=\"l\"/>", count: 10_000)
        let (_, many2) = try animations(
            "<animation id=\"l\" type=\"CAKeyframeAnimation\" keyPath=\"opacity\"><values>\(long)</values></animation>\(meant)"
        )
        #expect(many2.count == 1 && many2[0].contains("too many values"), "\(many2.prefix(3))")
        for value in ["1e999", "-1e999", "nan", "inf", ""] {
            let (_, warnings) = try animations(
                "<animation type=\"CABasicAnimation\" keyPath=\"opacity\" speed=\"\(value)\" fromValue=\"\(value)\" repeatCount=\"-1\"/>"
            )
            // The count is out of its range, too.
            #expect(warnings.count == 3, "\(value): \(warnings)")
        }
    }
}
