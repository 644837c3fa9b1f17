/// What a context says about itself.
package struct GraphicsInfo: Equatable, Sendable {
    /// How the context was reached, as `--device` spells it.
    package var device: String
    package var eglVendor: String
    package var eglVersion: String
    package var vendor: String
    package var renderer: String
    package var version: String
    /// Of OpenGL ES, sorted.
    package var extensions: [String]
    /// Pixels, width and height.
    package var maxTextureSize: Int
    /// Pixels, width and height.
    package var maxRenderbufferSize: Int
    /// Pixels.
    package var maxViewport: (width: Int, height: Int) { (maxViewportWidth, maxViewportHeight) }
    var maxViewportWidth: Int
    var maxViewportHeight: Int
    /// The processor draws: llvmpipe and its kin.
    package var isSoftware: Bool
    /// Targets and textures in blue-green-red-alpha order, drawn and read without swapping.
    package var hasBGRA: Bool
    package var hasTimerQueries: Bool
    package var hasDebugMessages: Bool
    /// The driver reports a lost context.
    package var hasResetStatus: Bool

    /// The largest target: what fits a texture and a viewport. Pixels, width and height.
    package var maxTargetSize: Int { min(maxTextureSize, maxViewportWidth, maxViewportHeight) }

    static func isSoftwareRenderer(_ renderer: String) -> Bool {
        let name = renderer.lowercased()
        return ["llvmpipe", "softpipe", "swrast", "swiftshader", "lavapipe", "software"].contains { name.contains($0) }
    }
}
