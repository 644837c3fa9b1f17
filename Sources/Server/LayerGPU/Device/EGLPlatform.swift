// EGL's three ways to a display without a window system, tried in one order: GPUs by EGL's device list, GPUs by their
// render nodes (GBM), the processor by EGL's device list, Mesa's surfaceless platform. GPUs come first because a machine
// that has one is meant to use it; the device list comes before GBM because vendors other than Mesa have only that.
//
// Displays are opened once per process and never terminated: EGL counts no users of a display, so ending ours could end
// one that other code of the process (or another context of ours) draws with.

import CGraphics
import CLinux
import Glibc
import Synchronization

/// What EGL offers on this machine.
struct EGLPlatform {
    let table: GraphicsTable

    /// A display that is initialized, with what was asked of it then.
    struct Display: @unchecked Sendable {
        var handle: EGLDisplay
        var extensions: Set<Substring>
    }

    private static let displays = Mutex<[DeviceCandidate: Display]>([:])

    // MARK: Candidates

    /// The candidates for a choice, best first, and why whole platforms are out.
    func candidates(for choice: DeviceChoice) -> (candidates: [DeviceCandidate], refusals: [DeviceRefusal]) {
        var refusals: [DeviceRefusal] = []
        switch choice {
        case .surfaceless:
            return ([.surfaceless], [])
        case .device(let index?):
            return ([.device(index: index)], [])
        case .gbm(let path?):
            return ([.gbm(path: path)], [])
        case .device(nil):
            let found = listedDevices(&refusals)
            return (found.hardware + found.software, refusals)
        case .gbm(nil):
            return (renderNodes(&refusals), refusals)
        case .automatic:
            let found = listedDevices(&refusals)
            let nodes = renderNodes(&refusals)
            return (found.hardware + nodes + found.software + [.surfaceless], refusals)
        }
    }

    private func listedDevices(
        _ refusals: inout [DeviceRefusal]
    ) -> (hardware: [DeviceCandidate], software: [DeviceCandidate]) {
        let devices: [EGLDeviceEXT]
        do {
            devices = try queryDevices()
        } catch {
            refusals.append(DeviceRefusal(device: "device", reason: error.description))
            return ([], [])
        }
        var found: (hardware: [DeviceCandidate], software: [DeviceCandidate]) = ([], [])
        for (index, device) in devices.enumerated() {
            let extensions = text(table.eglQueryDeviceStringEXT?(device, EGL_EXTENSIONS))
            if words(extensions).contains("EGL_MESA_device_software") {
                found.software.append(.device(index: index))
            } else {
                found.hardware.append(.device(index: index))
            }
        }
        if devices.isEmpty {
            refusals.append(DeviceRefusal(device: "device", reason: "EGL lists no device"))
        }
        return found
    }

    private func queryDevices() throws(Refusal) -> [EGLDeviceEXT] {
        let client = clientExtensions
        guard client.contains("EGL_EXT_device_enumeration") || client.contains("EGL_EXT_device_base"),
            let query = table.eglQueryDevicesEXT
        else { throw Refusal("EGL can't list devices (no EGL_EXT_device_enumeration)") }
        var count: EGLint = 0
        guard query(0, nil, &count) == EGL_TRUE else { throw eglRefusal("eglQueryDevicesEXT") }
        guard count > 0 else { return [] }
        var devices = [EGLDeviceEXT?](repeating: nil, count: Int(count))
        guard query(count, &devices, &count) == EGL_TRUE else { throw eglRefusal("eglQueryDevicesEXT") }
        return devices.prefix(Int(count)).compactMap { $0 }
    }

    private func renderNodes(_ refusals: inout [DeviceRefusal]) -> [DeviceCandidate] {
        guard table.gbm_create_device != nil else {
            refusals.append(DeviceRefusal(device: "gbm", reason: "libgbm.so.1 is not installed (package libgbm1)"))
            return []
        }
        // The kernel numbers render nodes 128…191.
        let paths: [String] = (128..<192).map { "/dev/dri/renderD\($0)" }
        let nodes = paths.filter { access($0, F_OK) == 0 }
        if nodes.isEmpty {
            refusals.append(DeviceRefusal(device: "gbm", reason: "there is no /dev/dri/renderD*"))
        }
        return nodes.map { DeviceCandidate.gbm(path: $0) }
    }

    // MARK: Displays

    /// The display of a candidate, initialized; the same one at every call.
    func display(for candidate: DeviceCandidate) throws(Refusal) -> Display {
        if let known = Self.displays.withLock({ $0[candidate] }) { return known }
        let handle: EGLDisplay
        switch candidate {
        case .device(let index):
            let devices = try queryDevices()
            guard index < devices.count else {
                throw Refusal("EGL lists \(devices.count) device\(devices.count == 1 ? "" : "s"), numbered from 0")
            }
            handle = try platformDisplay(
                EGL_PLATFORM_DEVICE_EXT, devices[index], extensions: ["EGL_EXT_platform_device"])
            try initialize(handle)
        case .gbm(let path):
            handle = try gbmDisplay(path)
        case .surfaceless:
            handle = try platformDisplay(
                EGL_PLATFORM_SURFACELESS_MESA, nil, extensions: ["EGL_MESA_platform_surfaceless"])
            try initialize(handle)
        }
        let extensions = words(text(table.eglQueryString(handle, EGL_EXTENSIONS)))
        let display = Display(handle: handle, extensions: extensions)
        Self.displays.withLock { $0[candidate] = display }
        return display
    }

    private func gbmDisplay(_ path: String) throws(Refusal) -> EGLDisplay {
        guard let create = table.gbm_create_device, let destroy = table.gbm_device_destroy else {
            throw Refusal("libgbm.so.1 is not installed (package libgbm1)")
        }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            let hint = errno == EACCES ? "; add the user to the group that owns it (usually render)" : ""
            throw Refusal("can't open \(path): \(reason)\(hint)")
        }
        guard let gbm = create(descriptor) else {
            close(descriptor)
            throw Refusal("GBM has no driver for \(path)")
        }
        do {
            let handle = try platformDisplay(
                EGL_PLATFORM_GBM_KHR, UnsafeMutableRawPointer(gbm),
                extensions: ["EGL_KHR_platform_gbm", "EGL_MESA_platform_gbm"])
            try initialize(handle)
            return handle
        } catch {
            destroy(gbm)
            close(descriptor)
            throw error
        }
    }

    private func platformDisplay(
        _ platform: Int32, _ native: UnsafeMutableRawPointer?, extensions: [Substring]
    ) throws(Refusal) -> EGLDisplay {
        let client = clientExtensions
        guard extensions.contains(where: client.contains), let get = table.eglGetPlatformDisplayEXT else {
            throw Refusal("EGL has no \(extensions[0])")
        }
        guard let handle = get(EGLenum(platform), native, nil) else { throw eglRefusal("eglGetPlatformDisplayEXT") }
        return handle
    }

    private func initialize(_ handle: EGLDisplay) throws(Refusal) {
        guard table.eglInitialize(handle, nil, nil) == EGL_TRUE else { throw eglRefusal("eglInitialize") }
    }

    private var clientExtensions: Set<Substring> {
        words(text(table.eglQueryString(nil, EGL_EXTENSIONS)))
    }

    func eglRefusal(_ call: String) -> Refusal {
        Refusal(GPUError.egl(call: call, code: table.eglGetError()).description)
    }
}

/// Why a candidate is not taken.
struct Refusal: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Empty where the driver answers nothing.
func text(_ characters: UnsafePointer<CChar>?) -> String {
    guard let characters else { return "" }
    return String(cString: characters)
}

func words(_ text: String) -> Set<Substring> {
    Set(text.split(separator: " "))
}
