import CAML
import CoreAnimation
import Foundation
import LayerModel
import Testing

private func scene(_ animations: String, _ more: String = "") -> String {
    "{\"size\": [9, 9], \"root\": {\"animations\": \(animations)\(more)}}"
}

/// The animations of the root by key, from a strict load.
private func animations(_ text: String) throws -> [String: CAAnimation] {
    let root = try #require(try load(scene(text), strict: true).documentRoots.first)
    var found: [String: CAAnimation] = [:]
    for key in root.animationKeys() ?? [] { found[key] = root.animation(forKey: key) }
    return found
}

@Suite("Animations in JSON scenes")
struct JSONAnimationTests {
    @Test("Each class with what it has")
    func classes() throws {
        let found = try animations(
            #"""
            [{"class": "CABasicAnimation", "keyPath": "position", "fromValue": [1, 2], "toValue": [3, 4], "duration": 2, "beginTime": 0.5,
              "fillMode": "both", "removedOnCompletion": false, "timingFunction": [0.5, 0, 1, 1], "additive": true},
             {"class": "CAKeyframeAnimation", "key": "frames", "keyPath": "backgroundColor", "values": [[1, 0, 0, 1], null], "keyTimes": [0, 1],
              "timingFunctions": ["easeIn"], "calculationMode": "linear", "repeatCount": "inf"},
             {"class": "CASpringAnimation", "keyPath": "position.x", "damping": 10, "mica_autorecalculatesDuration": true, "velocity": 0},
             {"class": "CAAnimationGroup", "key": "group", "duration": 1, "animations": [
               {"class": "CABasicAnimation", "keyPath": "transform", "valueFunction": "translate", "byValue": [1, 2, 3]}]},
             {"class": "CATransition", "type": "reveal", "subtype": "fromBottom"}]
            """#)
        #expect(Set(found.keys) == ["position", "frames", "position.x", "group", "transition"])
        let basic = try #require(found["position"] as? CABasicAnimation)
        #expect(basic.fromValue as? CGPoint == CGPoint(x: 1, y: 2) && basic.toValue as? CGPoint == CGPoint(x: 3, y: 4))
        #expect(basic.duration == 2 && basic.beginTime == 0.5 && basic.fillMode == .both && basic.isAdditive)
        #expect(!basic.isRemovedOnCompletion && basic.timingFunction?.curve == TimingCurve(0.5, 0, 1, 1))
        let frames = try #require(found["frames"] as? CAKeyframeAnimation)
        #expect((frames.values?.first as? CGColor)?.color == Color(1, 0, 0, 1) && frames.values?.last is NSNull)
        #expect(frames.keyTimes == [0, 1] && frames.repeatCount == .infinity)
        // The measured duration of the default spring.
        #expect(abs((found["position.x"]?.duration ?? 0) - 1.4727003346780927) < 1e-12)
        let inner = (found["group"] as? CAAnimationGroup)?.animations?.first as? CABasicAnimation
        #expect(inner?.byValue as? [Double] == [1, 2, 3] && inner?.valueFunction?.name == .translate)
        #expect((found["transition"] as? CATransition)?.type == .reveal)
    }

    @Test(
        "A value of the wrong type is an error with its place and key path",
        arguments: [
            (#"{"a": 1}"#, "root.animations is an object, not a list of animations"),
            ("[1]", "root.animations[0] is a number, not an animation"),
            ("[{}]", "root.animations[0].class is missing"),
            (#"[{"class": "CABasicAnimation"}]"#, "root.animations[0].keyPath is missing"),
            (
                #"[{"class": "CABasicAnimation", "keyPath": "opacity", "toValue": [1]}]"#,
                "root.animations[0].toValue is a list of 1, not a number"
            ),
            (
                #"[{"class": "CAKeyframeAnimation", "keyPath": "position", "values": [[1, 2], [1]]}]"#,
                "root.animations[0].values[1] is a list of 1, not a list of 2 numbers"
            ),
            (
                #"[{"class": "CABasicAnimation", "keyPath": "opacity", "timingFunction": [1]}]"#,
                "root.animations[0].timingFunction is not four finite numbers"
            ),
            (
                #"[{"class": "CABasicAnimation", "keyPath": "opacity", "repeatCount": "often"}]"#,
                "root.animations[0].repeatCount is a string, not a number"
            ),
        ])
    func errors(animations: String, message: String) {
        #expect(sceneError { try load(scene(animations)) }.contains(message))
    }

    @Test(
        "What can't be played is a warning where it stands",
        arguments: [
            (#"[{"class": "CAWobble"}]"#, "CAWobble is no animation that is played"),
            (
                #"[{"class": "CABasicAnimation", "keyPath": "emitterSize"}]"#,
                "emitterSize is a key that only a CAEmitterLayer has"
            ),
            (#"[{"class": "CABasicAnimation", "keyPath": "wobble"}]"#, "wobble is not known"),
            (#"[{"class": "CABasicAnimation", "keyPath": "name"}]"#, "name can't be animated"),
            (
                #"[{"class": "CABasicAnimation", "keyPath": "opacity", "damping": 1}]"#,
                "root.animations[0].damping is not known"
            ),
            (#"[{"class": "CAKeyframeAnimation", "keyPath": "opacity", "values": []}]"#, "neither values nor a path"),
        ])
    func reports(animations: String, part: String) throws {
        let warnings = try load(scene(animations)).warnings
        #expect(warnings.count == 1 && warnings[0].message.contains(part), "\(warnings)")
    }

    @Test("Groups may lie so deep, and no deeper")
    func deepGroups() throws {
        func nested(_ count: Int) -> String {
            (0..<count).reduce(#"{"class": "CABasicAnimation", "keyPath": "opacity", "toValue": 0, "duration": 1}"#) {
                inner, _ in
                #"{"class": "CAAnimationGroup", "animations": [\#(inner)]}"#
            }
        }
        #expect(try load(scene("[\(nested(16))]")).warnings.isEmpty)
        #expect(sceneError { try load(scene("[\(nested(17))]")) }.contains("at most 16 deep"))
        let open = String(repeating: #"[{"class": "CAAnimationGroup", "animations": "#, count: 40)
        let close = String(repeating: "}]", count: 40)
        #expect(sceneError { try load(scene(open + "[]" + close)) }.contains("at most 16 deep"))
    }
}
