import CLinux
import Foundation

/// An anonymous file that this process can find again among its descriptors, whatever other tests open meanwhile.
package struct NamedFile {
    package let name: String
    package let descriptor: Int32

    package init(bytes: Int = 0, sealed: Bool = false) {
        name = "test-\(UUID())"
        descriptor = clinux_memfd(name)
        ftruncate(descriptor, off_t(bytes))
        if sealed { _ = clinux_seal(descriptor, false) }
    }

    package func close() { Foundation.close(descriptor) }

    /// Descriptors of this process that are open on it.
    package var openCount: Int {
        let folder = "/proc/self/fd"
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.count { entry in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(entry)"))?.contains(name) ?? false
        }
    }
}
