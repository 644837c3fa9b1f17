import CAML
import Foundation
import Testing

@Suite("Damaged files")
struct FuzzTests {
    /// SplitMix64: the same bytes on every run.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
            return z ^ z >> 31
        }
    }

    static let seeds: [[UInt8]] = {
        let scene = caml(
            "name=\"a\" transform=\"rotate(45deg) scale(2)\" transform.rotation.z=\"1\" backgroundColor=\"1 0 0\"",
            """
            <backgroundColor opacity="0.5" value="0 0 1"/><contents type="CATintedImage"><image A8asL8="1" src="a%20b.png"/>\
            <tint type="CGColor" value="1 1 1"/></contents><mask type="CALayer"><filters><CAFilter filter="gaussianBlur"
            inputRadius="2"/><CAFilter filter="colorMatrix" inputColorMatrix="1 0 0 0 0"/></filters></mask>\
            <shadowPath value="M0 0A1 1 0 0 1 5 5z"/><compositingFilter filter="xor"/><sublayers><CALayer id="#1"/></sublayers><!-- x --><![CDATA[y]]>
            """)
        let motion = caml(
            "id=\"a\"",
            """
            <animations><animation id="x" type="CAKeyframeAnimation" keyPath="position" calculationMode="cubic" repeatCount="inf"><values>\
            <CGPoint value="1 2"/><CGPoint value="3 4"/></values><keyTimes><real value="0"/><real value="1"/></keyTimes><path value="M0 0L1 1"/>\
            </animation><p object="x" key="y"/><p type="CAAnimationGroup"><animations><p type="CASpringAnimation" keyPath="filters.b.inputRadius"
            mica_autorecalculatesDuration="1" damping="3"><fromValue><real value="1"/></fromValue></p></animations></p></animations>
            <states><LKState name="A" basedOn="B"><elements><LKStateSetValue targetId="a" keyPath="opacity"><value value="1"/></LKStateSetValue>\
            <LKStateAddElement keyPath="sublayers"><CALayer/></LKStateAddElement></elements></LKState></states><stateTransitions>\
            <LKStateTransition fromState="*" toState="A"><elements><LKStateTransitionElement key="opacity"><animation type="CABasicAnimation"/>\
            </LKStateTransitionElement></elements></LKStateTransition></stateTransitions>
            """)
        let movingJSON = """
            {"size": [20, 10], "root": {"animations": [{"class": "CAKeyframeAnimation", "keyPath": "transform", "valueFunction": "scale",
             "values": [[1, 1, 1], [2, 2, 2]], "keyTimes": [0, 1], "repeatCount": "inf", "timingFunctions": ["easeIn", [0, 0, 1, 1]]},
             {"class": "CAAnimationGroup", "animations": [{"class": "CATransition", "type": "push"}]}]}}
            """
        let json = """
            {"size": [20, 10], "root": {"mask": {"shadowPath": "M0 0a1-1 0 01.5.5S1 2 3 4z", "isolate": true,
             "filters": [{"type": "colorMatrix", "matrix": [[1,0,0,0,0],[0,1,0,0,0],[0,0,1,0,0],[0,0,0,1,0]]}]},
             "compositingFilter": "plusL", "bounds": [0, 0, 1e1, 1], "maskedCorners": ["minXminY"], "opacity": 0.5,
             "sublayers": [{"name": "\\u00e9", "contents": "a.png", "transform": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]}}
            """
        var zip = ZipWriter()
        zip.add("x.ca/index.xml", "<plist version=\"1.0\"><dict><key>documentWidth</key><real>3</real></dict></plist>")
        zip.add("x.ca/main.caml", scene)
        return [Array(scene.utf8), Array(json.utf8), zip.finished(), Array(motion.utf8), Array(movingJSON.utf8)]
    }()

    @Test("Bytes changed, cut, doubled and inserted never trap: the loader throws or loads", arguments: 0..<5)
    func mutations(seed: Int) {
        var generator = Generator(state: UInt64(seed) + 1)
        let original = FuzzTests.seeds[seed]
        let tokens = [
            "<", ">", "\"", "&", "{", "]", "-", "1e308", "inf", "<!DOCTYPE", "]]>", "\0", "\u{FFFD}", "#1", ",", "/../",
        ]
        for _ in 0..<250 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                guard !bytes.isEmpty else { break }
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...20, using: &generator)))
                case 2: bytes.insert(contentsOf: tokens.randomElement(using: &generator)!.utf8, at: at)
                case 3: bytes.insert(contentsOf: Array(bytes[at..<min(bytes.count, at + 30)]), at: at)
                default: bytes.removeLast(bytes.count - at)
                }
            }
            bytes.withUnsafeBytes { fuzzCAML($0) }
        }
    }

    @Test("Every find of the fuzzer stays fixed, and its corpus loads or is refused")
    func finds() throws {
        for folder in ["FailCases/caml", "Fuzz/Corpus/caml"] {
            let url = SceneTestInputs.package.appendingPathComponent("Tests/\(folder)")
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() {
                let bytes = try Data(contentsOf: url.appendingPathComponent(name))
                bytes.withUnsafeBytes { fuzzCAML($0) }
            }
        }
    }
}
