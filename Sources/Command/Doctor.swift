import LayerGPU
import LayerRender
import LayerWire
import RenderServer
import Rostrum

extension Verb {
    static let doctor = Verb(
        "doctor", "Say whether this machine can draw, with what, and what is missing.",
        flags: RenderingChoices.flags + [FontFolders.flag, .json],
        notes: "Exit code 0: pictures are drawn, and right; 4: they are not, and the report says what to do.",
        examples: [
            Example("rostrum doctor", "Driver, limits, fonts, switches, environment, advice."),
            Example("rostrum doctor --device surfaceless", "The same for Mesa's platform without any device."),
        ]
    ) { arguments in
        try FontFolders.use(arguments)
        let diagnosis = Diagnosis(try RenderingChoices.configuration(arguments))
        let report = DoctorReport(diagnosis: diagnosis)
        try Console.result(arguments.isSet("json") ? report.json.line + "\n" : report.text)
        return diagnosis.isWell ? .done : .environment
    }
}

/// A diagnosis for people and for machines.
private struct DoctorReport {
    let diagnosis: Diagnosis

    // MARK: Text

    var text: String {
        var lines = ["rostrum \(serverVersion)", ""]
        lines += graphicsLines
        lines += section("Devices not taken", diagnosis.refusals.map { "\($0)" })
        lines += section(
            "Fonts",
            ["\(diagnosis.fonts.count) files"] + diagnosis.fonts.folders.map { "\($0.path): \($0.count)" }
                + [
                    "families: "
                        + (diagnosis.fonts.families.isEmpty ? "none" : diagnosis.fonts.families.joined(separator: ", "))
                ]
                + ["Helvetica is drawn with \(diagnosis.fonts.standard)"])
        lines += section(
            "Clips",
            ["built in: " + ClipFormat.allCases.filter { !$0.needsEncoder }.map(\.rawValue).joined(separator: ", ")]
                + [diagnosis.video.program.map { "ffmpeg: \($0), \(diagnosis.video.version)" } ?? "ffmpeg: not there"]
                + diagnosis.video.encoders.map {
                    "\($0.format.rawValue): \($0.isThere ? $0.encoder : "no \($0.encoder)")"
                })
        lines += section(
            "Switches (--disable NAME)",
            Switches.names.map { "\($0.name): \(diagnosis.switches.contains($0.value) ? "on" : "off")" })
        lines += section(
            "Environment", Diagnosis.variables.map { "\($0.name): \($0.value ?? "not set")" })
        lines += section("Limits of a session", limits.map { "\($0.0): \($0.1)" })
        lines += section("To put right", diagnosis.problems)
        lines += section("Could be better", diagnosis.advice)
        lines.append(diagnosis.isWell ? "Pictures are drawn, and right." : "Pictures can't be drawn as things stand.")
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [title + ":"] + lines.map { "  " + $0.replacing("\n", with: "\n  ") } + [""]
    }

    private var graphicsLines: [String] {
        guard let info = diagnosis.graphics else { return section("Graphics", ["no driver"]) }
        return section(
            "Graphics",
            [
                "device: \(info.device)",
                "renderer: \(info.renderer) (\(info.isSoftware ? "on the processor" : "a GPU"))",
                "vendor: \(info.vendor)", "OpenGL ES: \(info.version)", "EGL: \(info.eglVersion), \(info.eglVendor)",
                "extensions: \(info.extensions.count)",
                "largest texture: \(info.maxTextureSize) pixels a side",
                "largest target: \(info.maxTargetSize) pixels a side",
                "BGRA: \(yes(info.hasBGRA))", "timer queries: \(yes(info.hasTimerQueries))",
                "debug messages: \(yes(info.hasDebugMessages))", "reset status: \(yes(info.hasResetStatus))",
            ]
                + (diagnosis.fastRoadRatio.map {
                    ["fast road: rectangles are drawn \(Diagnosis.rounded($0)) times as fast as the rest"]
                } ?? []))
    }

    private func yes(_ value: Bool) -> String { value ? "yes" : "no" }

    private var limits: [(String, String)] {
        let limits = diagnosis.limits
        return [
            ("picture", "\(limits.imageSide) pixels a side"), ("layers", "\(limits.layers), \(limits.depth) deep"),
            ("images", "\(limits.imageBytes >> 20) MiB together"), ("commit", "\(limits.commitBytes >> 20) MiB"),
            ("commits under way", "\(limits.credits)"), ("frames held", "\(limits.frames)"),
            ("sessions of a server", "\(limits.sessions)"),
        ]
    }

    // MARK: JSON

    var json: JSONText {
        .object([
            ("version", .string(serverVersion)), ("ok", .bool(diagnosis.isWell)), ("graphics", graphicsJSON),
            (
                "refusals",
                .array(
                    diagnosis.refusals.map {
                        .object([("device", .string($0.device)), ("reason", .string($0.reason))])
                    })
            ),
            (
                "fonts",
                .object([
                    ("count", .integer(diagnosis.fonts.count)),
                    ("folders", .object(diagnosis.fonts.folders.map { ($0.path, .integer($0.count)) })),
                    ("families", .array(diagnosis.fonts.families.map { .string($0) })),
                    ("helvetica", .string(diagnosis.fonts.standard)),
                ])
            ),
            (
                "clips",
                .object(
                    [
                        ("ffmpeg", .optional(diagnosis.video.program)),
                        ("version", diagnosis.video.program == nil ? .null : .string(diagnosis.video.version)),
                    ]
                        + ClipFormat.allCases.map { format in
                            (format.rawValue, .bool(diagnosis.video.canWrite(format)))
                        })
            ),
            ("switches", .object(Switches.names.map { ($0.name, .bool(diagnosis.switches.contains($0.value))) })),
            ("environment", .object(Diagnosis.variables.map { ($0.name, .optional($0.value)) })),
            ("limits", limitsJSON),
            ("problems", .array(diagnosis.problems.map { .string($0) })),
            ("advice", .array(diagnosis.advice.map { .string($0) })),
        ])
    }

    private var graphicsJSON: JSONText {
        guard let info = diagnosis.graphics else { return .null }
        return .object([
            ("device", .string(info.device)), ("renderer", .string(info.renderer)),
            ("software", .bool(info.isSoftware)),
            ("vendor", .string(info.vendor)), ("version", .string(info.version)),
            ("egl_version", .string(info.eglVersion)), ("egl_vendor", .string(info.eglVendor)),
            ("extensions", .array(info.extensions.map { .string($0) })),
            ("max_texture_size", .integer(info.maxTextureSize)), ("max_target_size", .integer(info.maxTargetSize)),
            ("bgra", .bool(info.hasBGRA)), ("timer_queries", .bool(info.hasTimerQueries)),
            ("debug_messages", .bool(info.hasDebugMessages)), ("reset_status", .bool(info.hasResetStatus)),
            ("fast_road_ratio", diagnosis.fastRoadRatio.map { .number($0) } ?? .null),
        ])
    }

    private var limitsJSON: JSONText {
        let limits = diagnosis.limits
        return .object([
            ("image_side", .integer(Int(limits.imageSide))), ("layers", .integer(Int(limits.layers))),
            ("depth", .integer(Int(limits.depth))), ("image_bytes", .unsigned(limits.imageBytes)),
            ("commit_bytes", .integer(Int(limits.commitBytes))), ("credits", .integer(Int(limits.credits))),
            ("frames", .integer(Int(limits.frames))), ("sessions", .integer(Int(limits.sessions))),
        ])
    }
}
