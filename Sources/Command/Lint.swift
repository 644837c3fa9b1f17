import CAML
import Foundation
import Glibc

extension Verb {
    static let lint = Verb(
        "lint", "Say what is wrong in scene files, and where.",
        operands: ["FILE…"],
        flags: [
            Flag("strict", "Exit code 1 for warnings too."),
            .json,
        ],
        notes: """
            A FILE is whatever render reads. A fault is a line on stdout, as compilers write them: file:line:column: error: message, or
            warning: for what is not drawn as it is written. Where a name is not known, the message says which one may have been
            meant, or which class of layers has it.

            Exit code 0: no errors; 1: errors, under --strict warnings too; 3: a file is not there.
            """,
        examples: [
            Example("rostrum lint Scene.ca", "Every fault of a bundle."),
            Example("rostrum lint scenes/*.json --strict", "For a build: warnings fail, too."),
        ]
    ) { arguments in
        var (errors, warnings) = (0, 0)
        for path in arguments.operands {
            let findings = try SceneFindings(path)
            errors += findings.errors
            warnings += findings.warnings
            try Console.result(arguments.isSet("json") ? findings.json.line + "\n" : findings.text)
        }
        return errors > 0 || (arguments.isSet("strict") && warnings > 0) ? .differs : .done
    }
}

/// The faults of one scene.
private struct SceneFindings {
    private struct Finding {
        var isError: Bool
        var file: String
        var line: Int
        var column: Int
        var message: String

        /// `file:line:column: error: message`; without a place for a file as a whole.
        var text: String {
            let place = line > 0 ? "\(file):\(line):\(column)" : file
            return "\(place): \(isError ? "error" : "warning"): \(message)\n"
        }
    }

    private let path: String
    private var list: [Finding] = []
    /// All of them, with those that are not in the list.
    private(set) var warnings = 0
    private(set) var errors = 0

    /// - Throws: `CommandFailure` where there is no such file.
    init(_ path: String) throws {
        self.path = path
        var status = stat()
        guard path == "-" || stat(path, &status) == 0 else {
            throw CommandFailure(
                .badInput, "\(path): can't be read: \(String(cString: strerror(errno)))", help: "name a scene file")
        }
        let loader = SceneLoader(SceneDocument.Options())
        var fault: SceneError?
        do {
            if path == "-" {
                _ = try loader.load([UInt8](StandardInput.data(limit: SceneLimits().archiveFileBytes)), name: "stdin")
            } else {
                _ = try loader.load(path: path)
            }
        } catch let error as SceneError {
            fault = error
        }
        loader.warnings.sort()
        warnings = loader.warnings.count
        list = loader.warnings.list.map { warning in
            Finding(
                isError: false, file: warning.file, line: warning.line, column: warning.column,
                message: warning.message)
        }
        if let fault {
            // What it went on after, or what it could not.
            let faults =
                loader.warnings.errors.contains(fault) ? loader.warnings.errors : loader.warnings.errors + [fault]
            errors = faults.count
            list += faults.map { fault in
                Finding(
                    isError: true, file: fault.file, line: fault.line, column: fault.column, message: fault.message)
            }
        }
    }

    var text: String {
        let more = warnings + errors - list.count
        return list.map(\.text).joined() + (more > 0 ? "\(path): warning: \(more) more warnings are not shown\n" : "")
    }

    var json: JSONText {
        .object([
            ("file", .string(path)), ("errors", .integer(errors)), ("warnings", .integer(warnings)),
            (
                "findings",
                .array(
                    list.map { finding in
                        .object([
                            ("severity", .string(finding.isError ? "error" : "warning")),
                            ("file", .string(finding.file)),
                            ("line", .integer(finding.line)), ("column", .integer(finding.column)),
                            ("message", .string(finding.message)),
                        ])
                    })
            ),
        ])
    }
}
