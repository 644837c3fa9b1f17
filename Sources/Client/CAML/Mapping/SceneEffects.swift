// Filters as scene files name them, one table for CAML and JSON.

import CoreAnimation
import LayerModel
import Quartz2D

/// What the value of a filter's input looks like in a file.
package enum FilterInputKind {
    case number
    case flag
    case color
    /// 20 numbers, four rows of five.
    case matrix
    case size
    /// The name of an image file.
    case image

    package init(_ input: LayerFilter.Input) {
        switch input {
        case .inputRadius, .inputAmount, .inputAngle, .inputBias, .inputScale: self = .number
        case .inputNormalizeEdges, .inputHardEdges: self = .flag
        case .inputColor: self = .color
        case .inputColorMatrix: self = .matrix
        case .inputOffset: self = .size
        case .inputMaskImage: self = .image
        }
    }
}

package enum FilterVocabulary {
    /// Inputs and attributes of filters that make no difference here.
    package static let unaffecting: Set<String> = ["id", "cachesInputImage", "inputQuality", "inputDither"]

    package static let types = LayerFilter.Kind.allCases.map(\.typeName)
    package static let inputs = LayerFilter.Input.allCases.map { "\($0)" } + ["name", "enabled"]
    package static let compositingTypes = CompositingMode.allCases.map(\.filterName)

    package static func isKnown(_ type: String) -> Bool { LayerFilter.Kind(typeName: type) != nil }

    /// Why an input makes no difference to a filter of a type, for a message; nil where it does, and for a type that is not known.
    package static func lack(of input: LayerFilter.Input, in type: String) -> String? {
        let inputs: [LayerFilter.Input]
        if let kind = LayerFilter.Kind(typeName: type) {
            inputs = kind.inputs
        } else if CompositingMode(filterName: type) != nil {
            inputs = []
        } else {
            return nil
        }
        guard !inputs.contains(input) else { return nil }
        let names = inputs.isEmpty ? "no inputs" : "only " + inputs.map { "\($0)" }.joined(separator: ", ")
        return "makes no difference to a \(type.prefix(60)), which has \(names)"
    }
}

extension CAFilter {
    /// Sets an input from a file's value; the images are set by the reader.
    package func set(_ input: LayerFilter.Input, _ value: LayerFilter.Value) {
        let object: Any? =
            switch value {
            case .number(let number): number
            case .flag(let flag): flag
            case .color(let color): CGColor(color)
            case .numbers(let numbers): numbers
            case .point(let point): CGSize(width: point.x, height: point.y)
            case .image: nil
            }
        if let object { setValue(object, forKey: "\(input)") }
    }
}
