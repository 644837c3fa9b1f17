import CoreAnimation
import LayerWire

/// Why a display can't be made, or can't show a frame.
public enum DisplayError: Error, Sendable, CustomStringConvertible {
    /// The display's size or scale is no size, or too large for the driver.
    case badSize(String)
    /// A manual clock only goes on.
    case timeWentBack(from: CFTimeInterval, to: CFTimeInterval)
    /// `snapshot` between `CATransaction.begin()` and `commit()`: half of a change would show.
    case openTransaction
    /// What layers were asked to do and could not, and what the server refused, since the last call. The frame after
    /// this is complete again.
    case faults([LayerFault])
    /// No server at the socket, or it ended the session.
    case server(String)
    /// The server did not answer in time.
    case timeout(String)
    /// The machine lacks something: a driver, memory, descriptors. The text says what to install.
    case environment(String)
    /// A limit of the server, named in the text.
    case limit(String)

    public var description: String {
        switch self {
        case .badSize(let text), .server(let text), .timeout(let text), .environment(let text), .limit(let text): text
        case .timeWentBack(let from, let to):
            "time went back from \(from) s to \(to) s; a manual clock only goes on. Load the scene again for an earlier time"
        case .openTransaction:
            "a snapshot inside CATransaction.begin() … commit(); commit first"
        case .faults(let faults):
            faults.count == 1
                ? "\(faults[0])" : "\(faults.count) faults: " + faults.map(\.description).joined(separator: "; ")
        }
    }
}
