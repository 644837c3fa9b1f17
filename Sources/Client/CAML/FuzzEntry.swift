import Foundation

/// What a fuzzer drives: any bytes as a scene file, and some of its states. Errors are answers; a trap or a hang is a find.
package func fuzzCAML(_ bytes: UnsafeRawBufferPointer) {
    guard let document = try? SceneDocument.load(Data(bytes), name: "fuzz") else { return }
    for name in document.states.prefix(8) { document.stateController.setState(name) }
    document.stateController.setState(nil)
}
