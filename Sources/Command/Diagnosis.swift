// What `rostrum doctor` finds out: opens the driver as a render server would, draws a picture through a whole server and
// looks at its pixels, and asks what of the environment would change either.

import CoreAnimation
import Foundation
import LayerGPU
import LayerRender
import LayerWire
import Quartz2D
import RenderServer
import Rostrum

struct Diagnosis {
    /// The driver; nil where none works.
    private(set) var graphics: GraphicsInfo?
    /// What was tried and not taken, and why.
    private(set) var refusals: [DeviceRefusal] = []
    /// How much slower what is not a rectangle on the pixel grid is drawn; nil where it could not be measured.
    private(set) var fastRoadRatio: Double?
    private(set) var fonts = FontFiles()
    let video = VideoEncoders()
    let switches: Switches
    let limits = WireLimits()
    /// A picture was drawn, and it is the right one.
    private(set) var rendersRight = false
    /// What keeps pictures from being drawn.
    private(set) var problems: [String] = []
    /// What is not as good as it could be.
    private(set) var advice: [String] = []

    /// The variables that change what rostrum does; of each the value, where it is set.
    static var variables: [(name: String, value: String?)] {
        [
            "ROSTRUM_SOCKET", "ROSTRUM_DEVICE", "ROSTRUM_DISABLE", "ROSTRUM_GL_DEBUG", "ROSTRUM_FFMPEG",
            "LIBGL_ALWAYS_SOFTWARE", "GALLIUM_DRIVER", "LP_NUM_THREADS", "MESA_LOADER_DRIVER_OVERRIDE",
            "MESA_SHADER_CACHE_DIR",
            "MESA_SHADER_CACHE_DISABLE", "__EGL_VENDOR_LIBRARY_FILENAMES", "XDG_RUNTIME_DIR",
        ].map { ($0, environment($0)) }
    }

    init(_ configuration: RenderConfiguration) {
        switches = configuration.switches
        openDriver(configuration)
        drawPicture(configuration)
        lookAround()
    }

    private mutating func openDriver(_ configuration: RenderConfiguration) {
        do {
            let device = try GraphicsDevice.open(configuration.device)
            graphics = device.info
            refusals = device.refusals
            fastRoadRatio = try PassExecutor(device).fastRoadProbe().ratio
        } catch .noDevice(let tried) {
            refusals = tried
            problems.append(
                "no device gives an OpenGL ES 3.0 context; for drawing without a GPU: "
                    + "apt-get install libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri")
        } catch {
            problems.append("\(error)")
        }
    }

    /// A red square on white, through client, wire and server.
    private mutating func drawPicture(_ configuration: RenderConfiguration) {
        guard graphics != nil else { return }
        EmbeddedServer.configuration = configuration
        do {
            let display = try HeadlessDisplay(
                width: 16, height: 16, background: CGColor(red: 1, green: 1, blue: 1, alpha: 1), server: .embedded)
            let square = CALayer()
            square.frame = CGRect(x: 4, y: 4, width: 8, height: 8)
            square.backgroundColor = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
            display.rootLayer.addSublayer(square)
            // Premultiplied BGRA.
            let (outside, inside) = try display.withPixels { bytes, rowBytes in
                (Array(bytes[..<4]), Array(bytes[(8 * rowBytes + 32)..<(8 * rowBytes + 36)]))
            }
            rendersRight = outside == [255, 255, 255, 255] && inside == [0, 0, 255, 255]
            if !rendersRight {
                problems.append(
                    "the driver draws wrong: white came out as \(outside), red as \(inside) (blue, green, red, alpha); "
                        + "try another device with --device")
            }
        } catch {
            problems.append("a picture could not be drawn: \(error)")
        }
    }

    private mutating func lookAround() {
        if let graphics {
            if !graphics.hasBGRA { advice.append("the driver has no BGRA targets: reading pictures takes longer") }
            if !graphics.hasTimerQueries {
                advice.append("the driver has no timer queries: gpu_ns of --timings is null without --sync-passes")
            }
            if let fastRoadRatio, graphics.isSoftware, fastRoadRatio < 1.5 {
                advice.append(
                    "llvmpipe's fast road for rectangles seems closed: the general road takes only "
                        + "\(Self.rounded(fastRoadRatio)) times as long. Mesa 22 or later has it on x86-64")
            }
        }
        if fonts.count == 0 {
            advice.append("no fonts: text will have nothing to be drawn with; apt-get install fonts-dejavu-core")
        }
        advice += video.advice
        for name in Switches.disabling(environment("ROSTRUM_DISABLE") ?? "").unknown {
            advice.append("ROSTRUM_DISABLE names \"\(name)\", which is no switch")
        }
        if let path = environment("ROSTRUM_SOCKET") { checkServer(path) }
    }

    private mutating func checkServer(_ path: String) {
        let hello = Hello(
            clientName: "rostrum doctor", width: 1, height: 1, scale: 1, isFlipped: true, background: .clear)
        do {
            try ClientConnection(path: path, hello: hello).close()
        } catch {
            problems.append("ROSTRUM_SOCKET: \(error)")
        }
    }

    /// Pictures are drawn, and right.
    var isWell: Bool { problems.isEmpty && rendersRight }

    static func rounded(_ ratio: Double) -> String { String((ratio * 10).rounded() / 10) }
}
