import CAML
import Foundation

extension Verb {
    static let convert = Verb(
        "convert", "Write a scene in another form: a .ca bundle, a .caml file or a .json scene.",
        operands: ["SCENE", "OUT"],
        flags: [
            Flag("only", value: "NAME", "Of a wallpaper, the one bundle of this name: Background, Floating, …"),
            Flag("overwrite", letter: "y", "Replace a file or bundle that is there already."),
            Flag("strict", "Every warning is an error, of reading and of writing: nothing is written."),
            .json,
        ],
        notes: """
            SCENE is whatever render reads; - is stdin. The ending of OUT says the form: .ca is a bundle with its images, .caml and
            .json are files with their images in OUT.assets beside them. What comes out draws the same picture at every time
            and, as CAML, in every state. What the form can't say is a warning on stderr: a JSON scene has no states and no ids.
            OUT appears whole or not at all.
            """,
        examples: [
            Example("rostrum convert scene.json Scene.ca", "A bundle of a JSON scene."),
            Example(
                "rostrum convert Wallpaper.tendies Wallpaper.ca --only Floating",
                "One bundle of a wallpaper, tidied up."),
            Example(
                "rostrum convert Scene.ca scene.caml -y", "The layers of a bundle as one file, replacing what is there."
            ),
        ]
    ) { arguments in
        let (input, output) = (arguments.operands[0], arguments.operands[1])
        guard let format = SceneFormat(path: output) else {
            throw CommandFailure.usage(
                "the ending of \(output) is none of .ca, .caml and .json", help: "the ending says what is written")
        }
        let isStrict = arguments.isSet("strict")
        let options = SceneDocument.Options(
            strict: isStrict, only: try arguments.isSet("only") ? arguments.required("only") : nil)
        return try CommandFailure.explaining {
            let document =
                input == "-"
                ? try SceneDocument.load(
                    StandardInput.data(limit: options.limits.archiveFileBytes), name: "stdin", options: options)
                : try SceneDocument.load(path: input, options: options)
            for warning in document.warnings { Console.say("\(warning)\n") }
            let more = document.warningCount - document.warnings.count
            if more > 0 { Console.warn("\(more) more warnings are not shown") }
            // Ctrl-C before the first file is made ends the process at once; after that it leaves nothing behind.
            defer { Interruption.end() }
            let warnings = try SceneWriter.write(
                document, to: output,
                options: .init(format: format, overwrites: arguments.isSet("overwrite"), strict: isStrict),
                watch: WritingWatch(willWrite: Interruption.wait, isGivenUp: { Interruption.isRequested }))
            for warning in warnings { Console.say("\(warning)\n") }
            if arguments.isSet("json") {
                let all = (document.warnings + warnings).map { JSONText.string("\($0)") }
                let result = JSONText.object([
                    ("input", .string(input)), ("output", .string(output)), ("format", .string(format.rawValue)),
                    ("warnings", .array(all)),
                ])
                try Console.result(result.line + "\n")
            }
            return .done
        }
    }
}
