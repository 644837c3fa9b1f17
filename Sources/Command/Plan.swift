import CAML
import CoreAnimation
import LayerModel
import LayerRender
import LayerWire
import Rostrum

extension Verb {
    static let plan = Verb(
        "plan", "Show the passes a scene is drawn in, and why; draws nothing.",
        operands: ["SCENE"],
        flags: SceneCanvas.flags + [
            RenderingChoices.disable,
            Flag("lines", value: "N", "Show at most this many lines."),
            .json,
        ],
        notes: """
            Needs no graphics driver. A pass is one target being drawn; a scene that needs only one is as fast as can be.
            Each pass says why it is there, each line below it is one draw. Notes say what was done without a pass.
            """,
        examples: [
            Example("rostrum plan Scene.ca", "Every pass, every draw, and what the passes are for."),
            Example("rostrum plan Scene.ca --disable all", "The same without any optimization."),
            Example("rostrum plan Scene.ca --json | jq '.passes[].reason'", "Only the reasons."),
        ]
    ) { arguments in
        let lines = try arguments.integer("lines", in: 1...Int.max)
        let switches = try RenderingChoices.switches(arguments)
        let plan = try PlannedScene(SceneCanvas(arguments.operands[0], arguments), switches)
        if arguments.isSet("json") {
            try Console.result(plan.json.line + "\n")
        } else {
            try Console.result(plan.text(lines: lines))
        }
        return .done
    }
}

/// A scene with the plan of its frame, made as the render server makes it.
private struct PlannedScene {
    let canvas: SceneCanvas
    let plan: FramePlan

    init(_ canvas: SceneCanvas, _ switches: Switches) throws {
        self.canvas = canvas
        var store = LayerStore(limits: .ofSession)
        let transaction = try canvas.transaction()
        do {
            try store.apply(transaction)
        } catch {
            throw CommandFailure(.limit, "\(error)", help: "the server would refuse this scene, too")
        }
        store.present(at: canvas.time)
        var planner = FramePlanner(session: 1, switches: switches)
        plan = PlanningThread.run {
            planner.plan(store, at: canvas.time, on: canvas.display, coverage: CoverageCache()).plan
        }
    }

    /// The plan, then what the reasons in it mean.
    func text(lines: Int?) -> String {
        var all = plan.text.split(separator: "\n").map(String.init)
        for reason in SurfaceReason.allCases {
            let count = plan.passes.count { $0.reason == reason }
            guard count > 0, let meaning = reason.meaning else { continue }
            all.append("why: \(reason.rawValue), \(count == 1 ? "1 pass" : "\(count) passes"): \(meaning)")
        }
        if let lines, all.count > lines {
            let left = all.count - lines
            all = all.prefix(lines) + ["… and \(left) more \(left == 1 ? "line" : "lines")"]
        }
        return all.joined(separator: "\n") + "\n"
    }

    var json: JSONText {
        .object([
            ("time", .number(plan.time)), ("width", .integer(plan.size.width)), ("height", .integer(plan.size.height)),
            ("scale", .number(canvas.scale)), ("targets", .integer(plan.slots.count)),
            ("passes", .array(plan.passes.enumerated().map { Self.json($0.element, number: $0.offset + 1) })),
            (
                "notes",
                .array(
                    plan.notes.map { note in
                        .object([
                            ("layer", .integer(Int(note.layer.rawValue))), ("text", .string(note.kind.text)),
                            ("degraded", .bool(note.isDegradation)),
                        ])
                    })
            ),
        ])
    }

    private static func json(_ pass: RenderPass, number: Int) -> JSONText {
        .object([
            ("pass", .integer(number)), ("label", .string(pass.label)), ("reason", .string(pass.reason.rawValue)),
            ("layer", .integer(Int(pass.layer.rawValue))), ("slot", .integer(pass.slot)),
            ("x", .integer(pass.origin.x)),
            ("y", .integer(pass.origin.y)), ("width", .integer(pass.size.width)),
            ("height", .integer(pass.size.height)),
            ("quads", .integer(pass.quadCount)), ("draws", .integer(pass.batches.count)),
            ("pixels", .integer(pass.pixelCount)),
        ])
    }
}

extension SurfaceReason {
    /// What it takes to draw without this pass; nil where the name says all.
    fileprivate var meaning: String? {
        switch self {
        case .groupOpacity:
            "an opacity below 1 over drawings that overlap; without overlap, or with allowsGroupOpacity off, it needs no pass"
        case .clip:
            "a clip whose rim is not on whole pixels, crossed by drawings that overlap; square clips on whole pixels need no pass"
        default: nil
        }
    }
}
