// Layer trees as indented text, for plan tests:
//
//     layer 1 bounds 0 0 40 40 opacity 0.5
//       layer 2 frame 0 0 30 30 color red
//
// Two spaces a level. The first layer is the root, placed with its corner at (0, 0) of a y-down display.

import Glibc
import LayerModel

@testable import LayerRender

struct SceneText {
    var store: LayerStore
    var display: DisplayGeometry

    init(_ text: String, size: PixelSize = PixelSize(width: 200, height: 100), scale: Double = 1) throws {
        display = DisplayGeometry(size: size, scale: scale, background: .white)
        var ops: [TransactionOp] = []
        var path: [(id: LayerID, children: [LayerID])] = []
        func close(to depth: Int) {
            while path.count > depth {
                let (id, children) = path.removeLast()
                if !children.isEmpty { ops.append(.setSublayers(id, children)) }
            }
        }
        for line in text.split(separator: "\n") where !line.allSatisfy({ $0 == " " }) {
            let depth = line.prefix(while: { $0 == " " }).count / 2
            close(to: depth)
            var words = line.split(separator: " ").map(String.init)
            let id = LayerID(UInt32(words[1])!)
            ops.append(.createLayer(id, words[0] == "transform" ? .transformLayer : .layer))
            words.removeFirst(2)
            var properties = LayerProperties()
            if depth == 0 { properties.anchorPoint = .zero }
            Self.read(&words, into: &properties, &ops)
            let defaults = LayerProperties()
            for property in LayerProperty.allCases where properties[property] != defaults[property] {
                ops.append(.set(id, property, properties[property]))
            }
            if depth == 0 { ops.append(.setRoot(id)) } else { path[depth - 1].children.append(id) }
            path.append((id, []))
        }
        close(to: 0)
        store = LayerStore()
        try store.apply(Transaction(time: 0, ops: ops))
    }

    private static func read(_ words: inout [String], into p: inout LayerProperties, _ ops: inout [TransactionOp]) {
        func numbers(_ count: Int) -> [Double] {
            let values = words.prefix(count).map { Double($0)! }
            words.removeFirst(count)
            return values
        }
        while !words.isEmpty {
            let key = words.removeFirst()
            switch key {
            case "bounds":
                let n = numbers(4)
                p.bounds = Rect(n[0], n[1], n[2], n[3])
            case "frame":
                let n = numbers(4)
                p.bounds = Rect(0, 0, n[2], n[3])
                p.position = Point(n[0] + n[2] * p.anchorPoint.x, n[1] + n[3] * p.anchorPoint.y)
            case "rotate":
                let angle = numbers(1)[0] * .pi / 180
                let (c, s) = (cos(angle), sin(angle))
                p.transform = Transform(c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
            case "tilt":
                let angle = numbers(1)[0]
                let (c, s) = (cos(angle), sin(angle))
                p.transform = Transform(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1)
            case "oneSided": p.isDoubleSided = false
            case "color": p.backgroundColor = color(words.removeFirst())
            case "opacity": p.opacity = numbers(1)[0]
            case "z": p.zPosition = numbers(1)[0]
            case "radius": p.cornerRadius = numbers(1)[0]
            case "border": p.borderWidth = numbers(1)[0]
            case "clips": p.masksToBounds = true
            case "mode": p.compositingMode = CompositingMode(filterName: words.removeFirst())!
            case "shadow":
                let n = numbers(2)
                (p.shadowOpacity, p.shadowOffset, p.shadowRadius) = (1, Point(n[0], n[1]), 0)
            case "behind":
                p.backgroundFilters = [LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(numbers(1)[0])])]
            case "bitmap": p.shouldRasterize = true
            case "hidden": p.isHidden = true
            case "separate": p.allowsGroupOpacity = false
            case "name": p.name = words.removeFirst()
            case "image", "clearImage":
                let n = numbers(3).map { Int($0) }
                let id = ImageID(UInt32(n[0]))
                ops.append(
                    .defineImage(
                        id,
                        ImageContent(
                            width: n[1], height: n[2], bytesPerRow: n[1] * 4, isOpaque: key == "image",
                            pixels: PixelStorage([UInt8](repeating: 255, count: n[1] * n[2] * 4)))))
                p.contents = id
            default: preconditionFailure("no key \(key)")
            }
        }
    }

    private static func color(_ name: String) -> Color {
        switch name {
        case "red": Color(1, 0, 0)
        case "green": Color(0, 1, 0)
        case "blue": Color(0, 0, 1)
        case "glass": Color(1, 1, 1, 0.5)
        default: .black
        }
    }

    func plan(_ switches: Switches = .all, limits: PlanLimits = PlanLimits()) -> FramePlan {
        var planner = FramePlanner(session: 1, switches: switches)
        planner.limits = limits
        return planner.plan(store, at: 0, on: display, coverage: CoverageCache()).plan
    }
}
