import CLinux
import Glibc

/// Where an output goes. Symbolic links are followed: they stay, and what they lead to is replaced.
package enum OutputPlace: Sendable {
    /// A file is put there, or takes the place of the one that is there.
    case file(String)
    /// A pipe, a device or an open descriptor, such as `/dev/stdout`: it is written to as it is.
    case stream(String)

    package init(_ path: String) {
        var place = [CChar](repeating: 0, count: Int(PATH_MAX))
        switch clinux_output_place(path, &place, place.count) {
        case 0: self = .file(String(decoding: place.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        case 1: self = .stream(path)
        // What is wrong with it shows where the file is made.
        default: self = .file(path)
        }
    }
}
