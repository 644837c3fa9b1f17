import CLinux
import Foundation

/// An anonymous file that this process can find again among its descriptors, whatever other tests open meanwhile.
struct NamedFile {
    let name: String
    let descriptor: Int32

    init(bytes: Int = 0, sealed: Bool = false) {
        name = "test-\(UUID())"
        descriptor = clinux_memfd(name)
        ftruncate(descriptor, off_t(bytes))
        if sealed { _ = clinux_seal(descriptor, false) }
    }

    func close() { Foundation.close(descriptor) }

    /// Descriptors of this process that are open on it.
    var openCount: Int {
        let folder = "/proc/self/fd"
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.count { entry in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(entry)"))?.contains(name) ?? false
        }
    }
}
