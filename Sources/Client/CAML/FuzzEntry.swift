import Foundation

/// What a fuzzer drives: any bytes as a scene file. Errors are answers; a trap or a hang is a find.
package func fuzzCAML(_ bytes: UnsafeRawBufferPointer) {
    _ = try? SceneDocument.load(Data(bytes), name: "fuzz")
}
