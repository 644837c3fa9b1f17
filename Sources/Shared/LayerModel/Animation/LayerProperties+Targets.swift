// Values by what an animation names.

extension LayerProperties {
    /// Nil where there is no such filter, or the input has no value yet that could be added to.
    package func value(of target: AnimationTarget) -> PropertyValue? {
        switch target {
        case .property(let property): return self[property]
        case .component(let property, let component): return self[property][component]
        case .filter(let property, let name, let input):
            let list = property == .backgroundFilters ? backgroundFilters : filters
            guard let index = list.index(ofFilterNamed: name) else { return nil }
            return list[index].value(of: input)
        case .cell(let name, let number):
            return emitter.cells.cell(named: name[...]).map { .number($0[number]) }
        }
    }

    /// A value of another kind, or with a number that is not finite, changes nothing.
    package mutating func set(_ target: AnimationTarget, to value: PropertyValue) {
        switch target {
        case .property(let property): try? set(property, to: value)
        case .component(let property, let component):
            guard let whole = self[property].replacing(component, with: value) else { return }
            try? set(property, to: whole)
        case .filter(let property, let name, let input):
            var list = property == .backgroundFilters ? backgroundFilters : filters
            guard value.isFinite, let index = list.index(ofFilterNamed: name),
                let input = list[index].inputValue(of: value, for: input).map({ (input, $0) })
            else { return }
            list[index].inputs[input.0] = input.1
            if property == .backgroundFilters { backgroundFilters = list } else { filters = list }
        case .cell(let name, let number):
            guard case .number(let value) = value, value.isFinite else { return }
            var cells = emitter.cells
            if cells.change(named: name[...], { $0[number] = value }) { emitter.cells = cells }
        }
    }

    /// Contents between two images: `a` at 0, `b` at 1.
    mutating func fadeContents(_ a: ImageID, _ b: ImageID, _ u: Double) {
        contents = u > 0 ? b : a
        contentsFade = a != b && u > 0 && u < 1 ? ContentsFade(from: a, progress: u) : nil
    }
}

/// Contents that are on their way from another image.
package struct ContentsFade: Hashable, Sendable {
    /// What `contents` replaces; none is nothing.
    package var from: ImageID
    /// Above 0, below 1: how much of `contents` there is.
    package var progress: Double

    package init(from: ImageID, progress: Double) {
        self.from = from
        self.progress = progress
    }
}

extension [LayerFilter] {
    /// By its name, else by its type.
    package func index(ofFilterNamed name: String) -> Int? {
        firstIndex { $0.name == name } ?? firstIndex { $0.kind.typeName == name }
    }
}

extension LayerFilter {
    /// An input as a value that animations work on.
    func value(of input: Input) -> PropertyValue? {
        switch input {
        case .inputRadius, .inputAmount, .inputAngle, .inputBias, .inputScale: .number(number(input))
        case .inputColor: .color(color(input))
        case .inputColorMatrix: .numbers(colorMatrix)
        case .inputNormalizeEdges, .inputHardEdges: .bool(flag(input))
        case .inputOffset: .point(offset)
        case .inputMaskImage: nil
        }
    }

    /// Nil for a value that the input doesn't take.
    func inputValue(of value: PropertyValue, for input: Input) -> Value? {
        switch (input, value) {
        case (.inputColor, .color(let color)): .color(color ?? .clear)
        case (.inputColorMatrix, .numbers(let numbers)) where numbers.count == 20: .numbers(numbers)
        case (.inputNormalizeEdges, .bool(let flag)), (.inputHardEdges, .bool(let flag)): .flag(flag)
        case (.inputOffset, .point(let point)): .point(point)
        case (.inputRadius, .number(let n)), (.inputAmount, .number(let n)), (.inputAngle, .number(let n)),
            (.inputBias, .number(let n)), (.inputScale, .number(let n)):
            .number(n)
        default: nil
        }
    }
}
