// Key paths go into lists that an app fills: filters by their names, emitter cells by theirs. What such a path names may not be
// there; the animation then shows nothing, and whoever described it should hear of it.

extension LayerFilter.Kind {
    /// What makes a difference to a filter of this kind.
    package var inputs: [LayerFilter.Input] {
        switch self {
        case .gaussianBlur: [.inputRadius, .inputNormalizeEdges, .inputHardEdges]
        case .variableBlur: [.inputRadius, .inputNormalizeEdges, .inputHardEdges, .inputMaskImage]
        case .colorMatrix: [.inputColorMatrix]
        case .colorSaturate, .colorBrightness, .colorContrast, .alphaThreshold: [.inputAmount]
        case .colorHueRotate: [.inputAngle]
        case .colorInvert, .luminanceToAlpha: []
        case .colorMonochrome: [.inputColor, .inputAmount, .inputBias]
        case .colorAdd, .colorSubtract, .multiplyColor: [.inputColor]
        case .pixellate: [.inputScale]
        case .dropShadow: [.inputRadius, .inputColor, .inputOffset]
        }
    }
}

extension AnimationTarget {
    /// True for what lies in a filter or an emitter cell.
    package var isNamedPart: Bool {
        switch self {
        case .filter, .cell: true
        case .property, .component: false
        }
    }

    /// What a layer with these filters and cells lacks of what is named, for a message; nil where it has it.
    package func lack(
        filters: [LayerFilter], backgroundFilters: [LayerFilter], cells: [EmitterCell]
    ) -> String? {
        switch self {
        case .property, .component: return nil
        case .filter(let property, let name, let input):
            let list = property == .backgroundFilters ? backgroundFilters : filters
            guard !list.isEmpty else { return "the layer has no \(property.key)" }
            guard let index = list.index(ofFilterNamed: name) else {
                let names = list.map { $0.name ?? $0.kind.typeName }
                return "the layer's \(property.key) have no \"\(name.prefix(60))\"\(Self.those(names))"
            }
            let kind = list[index].kind
            guard !kind.inputs.contains(input) else { return nil }
            return "a \(kind.typeName) has no \(input)\(Self.those(kind.inputs.map { "\($0)" }))"
        case .cell(let name, _):
            guard cells.cell(named: name[...]) == nil else { return nil }
            return "the layer has no emitter cell \"\(name.prefix(60))\"\(Self.those(cells.compactMap(\.name)))"
        }
    }

    private static func those(_ names: [String]) -> String {
        guard !names.isEmpty else { return "" }
        let shown = names.prefix(8).map { String($0.prefix(60)) }.joined(separator: ", ")
        return "; there \(names.count == 1 ? "is" : "are") \(shown)\(names.count > 8 ? ", …" : "")"
    }
}
