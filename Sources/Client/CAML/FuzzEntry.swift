import Foundation

/// What a fuzzer drives: any bytes as a scene file, some of its states, and what is written of it. Errors are answers; a trap or a hang
/// is a find, and so is written text that can't be read.
package func fuzzCAML(_ bytes: UnsafeRawBufferPointer) {
    guard let document = try? SceneDocument.load(Data(bytes), name: "fuzz") else { return }
    for name in document.states.prefix(8) { document.stateController.setState(name) }
    document.stateController.setState(nil)
    for format in SceneFormat.allCases {
        guard let text = try? SceneWriter.text(of: document, as: format) else { continue }
        do {
            _ = try SceneDocument.load(Data(text.utf8), name: "written")
        } catch {
            fatalError("written as \(format), it can't be read: \(error)")
        }
    }
}
