import CAML
import LayerGPU
import LayerWire
import Quartz2D
import RenderServer
import Rostrum

extension CommandFailure {
    /// Calls `body`; an error of the modules below becomes one with an exit code and a line of help.
    static func explaining<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as SceneError {
            throw CommandFailure(error)
        } catch let error as SceneFileError {
            throw CommandFailure(error)
        } catch let error as DisplayError {
            throw CommandFailure(error)
        } catch let error as ClipError {
            throw CommandFailure(error)
        } catch let error as ImageFileError {
            throw CommandFailure(error)
        } catch let error as GPUError {
            throw CommandFailure(.environment, "\(error)", help: seeDoctor)
        } catch let error as ServerError {
            throw CommandFailure(
                .environment, "\(error)", help: "see how many processes and open files are allowed: ulimit -a")
        }
    }

    private static let seeDoctor = "rostrum doctor shows what is there and what is missing"

    init(_ error: SceneError) {
        let message =
            error.line > 0
            ? "\(error.message) (\(error.file):\(error.line):\(error.column))" : "\(error.file): \(error.message)"
        self.init(.badInput, message, help: "docs/caml.md and docs/scene-json.md say what a scene may hold")
    }

    init(_ error: SceneFileError) {
        let help =
            error.isAlreadyThere
            ? "choose another name, or replace it with --overwrite" : "choose another place for the output"
        self.init(.environment, "\(error)", help: help)
    }

    init(_ error: ImageFileError) {
        self.init(.badInput, "\(error)", help: "give a PNG, JPEG or WebP file")
    }

    init(_ error: DisplayError) {
        switch error {
        case .badSize(let text), .limit(let text):
            self.init(
                .limit, text, help: "draw less or smaller, or with a server that allows more: docs/command-line.md")
        case .faults(let faults):
            let isLimit = faults.contains { $0.key == "limit" }
            self.init(
                isLimit ? .limit : .badInput, "\(error)", help: "the layers of the scene that are named are at fault")
        case .server(let text):
            self.init(.environment, text, help: "see whether the server runs; its log says more")
        case .timeout(let text):
            self.init(.timeout, text, help: "see whether the server still runs")
        case .environment(let text):
            self.init(.environment, text, help: Self.seeDoctor)
        case .timeWentBack, .openTransaction:
            self.init(.badInput, "\(error)")
        }
    }

    init(_ error: ClipError) {
        switch error {
        case .badTimes(let text), .badFormat(let text):
            self.init(.usage, text, help: "docs/clips.md says what each format can do")
        case .tooManyFrames(let text):
            self.init(.limit, text, help: "draw it in parts, with --frames")
        case .noEncoder(let program, let package):
            self.init(
                .environment, "there is no \(program), which encodes this format",
                help: "apt-get install \(package), or write .apng, .y4m, .bgra or PNG files, which need none")
        case .badEncoder(let text):
            self.init(
                .environment, text, help: "let ROSTRUM_FFMPEG name an ffmpeg, or unset it: the first on PATH is taken")
        case .encoderFailed:
            self.init(.environment, "\(error)", help: "rostrum doctor lists the encoders that this ffmpeg has")
        case .unwritable:
            self.init(.environment, "\(error)", help: "choose another place for the output")
        case .alreadyThere:
            self.init(.environment, "\(error)", help: "choose another folder, or replace them with --overwrite")
        }
    }
}
