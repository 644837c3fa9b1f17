import Glibc

/// Which device a user asks for: the value of `--device` and of `ROSTRUM_DEVICE`.
package enum DeviceChoice: Equatable, Sendable {
    /// A GPU where there is one, otherwise the processor.
    case automatic
    /// EGL's device platform. nil: every device, GPUs first.
    case device(index: Int?)
    /// GBM on a render node. nil: every node.
    case gbm(path: String?)
    /// Mesa's platform without any device.
    case surfaceless

    /// Reads `auto`, `device`, `device:N`, `gbm`, `gbm:PATH` or `surfaceless`.
    ///
    /// - Throws: `GPUError.badDeviceChoice`.
    package init(_ text: String) throws(GPUError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let argument = parts.count > 1 ? String(parts[1]) : nil
        switch (parts.first.map(String.init) ?? "", argument) {
        case ("auto", nil): self = .automatic
        case ("device", nil): self = .device(index: nil)
        case ("device", .some(let number)):
            guard let index = Int(number), index >= 0 else { throw .badDeviceChoice(text) }
            self = .device(index: index)
        case ("gbm", nil): self = .gbm(path: nil)
        case ("gbm", .some(let path)) where !path.isEmpty: self = .gbm(path: path)
        case ("surfaceless", nil): self = .surfaceless
        default: throw .badDeviceChoice(text)
        }
    }

    /// The choice in `ROSTRUM_DEVICE`; `automatic` where that is unset or empty.
    ///
    /// - Throws: `GPUError.badDeviceChoice`.
    package static func fromEnvironment() throws(GPUError) -> DeviceChoice {
        guard let text = getenv("ROSTRUM_DEVICE").map({ String(cString: $0) }), !text.isEmpty else { return .automatic }
        return try DeviceChoice(text)
    }
}

/// One way to a context.
package enum DeviceCandidate: Hashable, Sendable, CustomStringConvertible {
    /// A position in EGL's list of devices.
    case device(index: Int)
    /// A render node's path.
    case gbm(path: String)
    case surfaceless

    /// As `--device` spells it.
    package var description: String {
        switch self {
        case .device(let index): "device:\(index)"
        case .gbm(let path): "gbm:\(path)"
        case .surfaceless: "surfaceless"
        }
    }
}
