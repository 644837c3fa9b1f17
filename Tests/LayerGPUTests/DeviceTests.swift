import CGraphics
import Glibc
import LayerModel
import Testing

@testable import LayerGPU

extension LayerGPUTests {
    @Suite("Devices") struct Devices {}
}

extension LayerGPUTests.Devices {
    @Test(
        "A device choice is read as it is written",
        arguments: [
            ("auto", DeviceChoice.automatic), ("device", .device(index: nil)), ("device:2", .device(index: 2)),
            ("gbm", .gbm(path: nil)), ("gbm:/dev/dri/renderD129", .gbm(path: "/dev/dri/renderD129")),
            ("surfaceless", .surfaceless),
        ])
    func choice(text: String, choice: DeviceChoice) throws {
        #expect(try DeviceChoice(text) == choice)
    }

    @Test(
        "Any other device choice is refused",
        arguments: ["", "gpu", "device:", "device:-1", "device:x", "gbm:", "auto:1"])
    func badChoice(text: String) {
        #expect(throws: GPUError.badDeviceChoice(text)) { try DeviceChoice(text) }
    }

    @Test(
        "Every way to a context that this machine has gives OpenGL ES 3",
        arguments: [DeviceChoice.automatic, .surfaceless])
    func open(choice: DeviceChoice) throws {
        let device = try GraphicsDevice.open(choice, debug: true)
        #expect(device.info.version.hasPrefix("OpenGL ES 3"))
        // OpenGL ES 3.0's least maximum.
        #expect(device.info.maxTextureSize >= 2048)
        #expect(!device.info.renderer.isEmpty)
        #expect(device.debugErrorCount == 0, "\(device.debugMessages)")
    }

    @Test("A device that isn't there is refused with its name and a reason")
    func refusal() throws {
        let error = #expect(throws: GPUError.self) { try GraphicsDevice.open(.gbm(path: "/dev/dri/renderD999")) }
        guard case .noDevice(let refusals)? = error else {
            Issue.record("expected noDevice, got \(String(describing: error))")
            return
        }
        #expect(refusals.map(\.device) == ["gbm:/dev/dri/renderD999"])
        #expect(refusals[0].reason.contains("No such file"), "\(refusals[0])")

        #expect(throws: GPUError.self) { try GraphicsDevice.open(.device(index: 99)) }
    }

    @Test("A missing library is named, with the package that brings it")
    func missingLibrary() throws {
        func names(_ change: (inout GraphicsLibraryNames) -> Void) -> GraphicsLibraryNames {
            var names = graphics_default_names()
            change(&names)
            return names
        }
        try "libnothere.so.7".withCString { missing in
            let egl = #expect(throws: GPUError.self) { try GraphicsLibrary.load(names { $0.egl = missing }) }
            let text = egl?.description ?? ""
            #expect(text.contains("libnothere.so.7 is not installed") && text.contains("libegl1"), "\(text)")
            let gles = #expect(throws: GPUError.self) { try GraphicsLibrary.load(names { $0.gles = missing }) }
            #expect(gles?.description.contains("libgles2") == true, "\(String(describing: gles))")
            // GBM is only one of the ways.
            let library = try GraphicsLibrary.load(names { $0.gbm = missing })
            let error = #expect(throws: GPUError.self) { try GraphicsDevice.open(.gbm(path: nil), library: library) }
            #expect(error?.description.contains("libgbm1") == true, "\(String(describing: error))")
        }
    }

    @Test("A library without a function is named with the function")
    func missingSymbol() throws {
        var names = graphics_default_names()
        let error = "libc.so.6".withCString { other in
            names.gles = other
            return #expect(throws: GPUError.self) { try GraphicsLibrary.load(names) }
        }
        #expect(error?.description.contains("libc.so.6 has no glActiveTexture") == true, "\(String(describing: error))")
    }

    @Test("Making and dropping contexts leaks no descriptor and no thread")
    func leaks() throws {
        func count(_ path: String) -> Int {
            guard let directory = opendir(path) else { return -1 }
            defer { closedir(directory) }
            var entries = 0
            while readdir(directory) != nil { entries += 1 }
            return entries
        }
        func cycle() throws {
            let bench = try Bench()
            _ = try bench.picture([], clear: .white)
        }
        for _ in 0..<2 { try cycle() }
        let before = (descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"))
        for _ in 0..<32 { try cycle() }
        // Other tests come and go beside this one; a leak would leave 32.
        #expect(count("/proc/self/fd") < before.descriptors + 16)
        #expect(count("/proc/self/task") < before.threads + 16)
    }

    @Test("Two devices on one thread draw their own pictures")
    func twoDevices() throws {
        let (a, b) = (try Bench(8, 8), try Bench(8, 8))
        let (red, blue) = (color(1, 0, 0, 1), color(0, 0, 1, 1))
        for _ in 0..<3 {
            try a.picture([], clear: red).expect(within: 0) { _, _ in Levels(red) }
            try b.picture([], clear: blue).expect(within: 0) { _, _ in Levels(blue) }
            try a.picture().expect(within: 0) { _, _ in Levels(red) }
        }
    }

    @Test("An out-of-memory and a lost context become errors, with the pass's name")
    func faults() throws {
        var library = try GraphicsLibrary.system()
        library.table.glGetError = { Faults.next() }
        let device = try GraphicsDevice.open(.fromEnvironment(), library: library)
        let executor = try PassExecutor(device)
        let root = try executor.makeRootTarget(size: PixelSize(width: 8, height: 8))
        var plan = Bench.emptyPlan(root)
        plan.passes[0].label = "the pass"
        Faults.code = GLenum(GL_OUT_OF_MEMORY)
        #expect(throws: GPUError.outOfMemory(during: "pass \"the pass\"")) { try executor.execute(plan, into: root) }
        Faults.code = GLenum(GL_CONTEXT_LOST_KHR)
        let lost = #expect(throws: GPUError.self) { try executor.execute(plan, into: root) }
        guard case .contextLost? = lost else {
            Issue.record("expected contextLost, got \(String(describing: lost))")
            return
        }
        _ = try executor.execute(plan, into: root)
    }
}

/// What the faulty driver answers next, once. Used by one test on one thread.
private enum Faults {
    nonisolated(unsafe) static var code = GLenum(GL_NO_ERROR)

    static func next() -> GLenum {
        defer { code = GLenum(GL_NO_ERROR) }
        return code
    }
}
