// Paths and filters as bytes. Source: docs/wire-protocol.md, "Values".

import LayerModel

extension ByteWriter {
    /// Verbs, then points.
    mutating func write(_ path: VectorPath) {
        write(UInt32(path.verbs.count))
        for verb in path.verbs { write(verb.rawValue) }
        for point in path.points {
            write(point.x)
            write(point.y)
        }
    }

    /// Inputs go by number, so that equal filters are equal bytes.
    mutating func write(_ filter: LayerFilter) {
        write(filter.kind.rawValue)
        write(filter.name)
        write(filter.isEnabled)
        let inputs = filter.inputs.sorted { $0.key.rawValue < $1.key.rawValue }
        write(UInt8(clamping: inputs.count))
        for (input, value) in inputs {
            write(input.rawValue)
            write(value)
        }
    }

    private mutating func write(_ value: LayerFilter.Value) {
        switch value {
        case .number(let number):
            write(FilterValueKind.number.rawValue)
            write(number)
        case .flag(let flag):
            write(FilterValueKind.flag.rawValue)
            write(flag)
        case .color(let color):
            write(FilterValueKind.color.rawValue)
            write(color)
        case .numbers(let numbers):
            write(FilterValueKind.numbers.rawValue)
            let count = min(numbers.count, WireLimits.filterNumbers)
            write(UInt16(count))
            for number in numbers.prefix(count) { write(number) }
        case .point(let point):
            write(FilterValueKind.point.rawValue)
            write(point.x)
            write(point.y)
        case .image(let image):
            write(FilterValueKind.image.rawValue)
            write(image.rawValue)
        }
    }
}

/// Never renumber, only append.
private enum FilterValueKind: UInt8 {
    case number = 1
    case flag = 2
    case color = 3
    case numbers = 4
    case point = 5
    case image = 6
}

extension ByteReader {
    mutating func readPath() throws(ProtocolError) -> VectorPath {
        let start = offset
        let count = try readCount(ofAtLeast: 1)
        guard count <= WireLimits.pathVerbs else {
            throw ProtocolError(
                .limit, offset: start, "a path of \(count) verbs; the limit is \(WireLimits.pathVerbs)")
        }
        var verbs: [VectorPath.Verb] = []
        verbs.reserveCapacity(count)
        var pointCount = 0
        for _ in 0..<count {
            let code = try read(UInt8.self)
            guard let verb = VectorPath.Verb(rawValue: code) else {
                throw ProtocolError(.badValue, offset: offset - 1, "there is no path verb \(code)")
            }
            verbs.append(verb)
            pointCount += verb.pointCount
        }
        var points: [Point] = []
        points.reserveCapacity(pointCount)
        for _ in 0..<pointCount { points.append(Point(try readDouble(), try readDouble())) }
        guard let path = VectorPath(verbs: verbs, points: points) else {
            throw ProtocolError(.badValue, offset: start, "a path starts with a move")
        }
        return path
    }

    mutating func readFilters() throws(ProtocolError) -> [LayerFilter] {
        let start = offset
        let count = Int(try read(UInt16.self))
        guard count <= WireLimits.filters else {
            throw ProtocolError(.limit, offset: start, "\(count) filters; the limit is \(WireLimits.filters)")
        }
        var filters: [LayerFilter] = []
        for _ in 0..<count { filters.append(try readFilter()) }
        return filters
    }

    private mutating func readFilter() throws(ProtocolError) -> LayerFilter {
        let code = try read(UInt8.self)
        guard let kind = LayerFilter.Kind(rawValue: code) else {
            throw ProtocolError(.badValue, offset: offset - 1, "there is no filter \(code)")
        }
        var filter = LayerFilter(kind, name: try readName(), isEnabled: try readBool())
        for _ in 0..<(try read(UInt8.self)) {
            let number = try read(UInt8.self)
            guard let input = LayerFilter.Input(rawValue: number) else {
                throw ProtocolError(.badValue, offset: offset - 1, "there is no filter input \(number)")
            }
            filter.inputs[input] = try readFilterValue()
        }
        return filter
    }

    private mutating func readFilterValue() throws(ProtocolError) -> LayerFilter.Value {
        let code = try read(UInt8.self)
        switch FilterValueKind(rawValue: code) {
        case .number: return .number(try readDouble())
        case .flag: return .flag(try readBool())
        case .color: return .color(try readColor())
        case .numbers:
            let start = offset
            let count = Int(try read(UInt16.self))
            guard count <= WireLimits.filterNumbers else {
                throw ProtocolError(
                    .limit, offset: start,
                    "\(count) numbers in a filter input; the limit is \(WireLimits.filterNumbers)")
            }
            var numbers: [Double] = []
            for _ in 0..<count { numbers.append(try readDouble()) }
            return .numbers(numbers)
        case .point: return .point(Point(try readDouble(), try readDouble()))
        case .image: return .image(ImageID(try read(UInt32.self)))
        case nil: throw ProtocolError(.badValue, offset: offset - 1, "there is no kind of filter input \(code)")
        }
    }
}
