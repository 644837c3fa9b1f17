/// Makes a transform of numbers. Source: semantic reference, §5.2.
package enum ValueFunction: UInt8, Sendable, CaseIterable {
    case rotateX = 1
    case rotateY = 2
    case rotateZ = 3
    case scale = 4
    case scaleX = 5
    case scaleY = 6
    case scaleZ = 7
    case translate = 8
    case translateX = 9
    case translateY = 10
    case translateZ = 11

    /// Core Animation's name.
    package var name: String { "\(self)" }

    /// What stands for a missing value: nothing turned, scaled or moved.
    package var neutral: PropertyValue {
        switch self {
        case .scale: .numbers([1, 1, 1])
        case .translate: .numbers([0, 0, 0])
        case .scaleX, .scaleY, .scaleZ: .number(1)
        default: .number(0)
        }
    }

    /// Nil for a value of another kind than `neutral`'s, or with another count.
    package func transform(of value: PropertyValue) -> Transform? {
        switch (self, value) {
        case (.rotateX, .number(let n)): .rotation(n, 1, 0, 0)
        case (.rotateY, .number(let n)): .rotation(n, 0, 1, 0)
        case (.rotateZ, .number(let n)): .rotation(n, 0, 0, 1)
        case (.scaleX, .number(let n)): .scale(n, 1, 1)
        case (.scaleY, .number(let n)): .scale(1, n, 1)
        case (.scaleZ, .number(let n)): .scale(1, 1, n)
        case (.translateX, .number(let n)): .translation(n, 0, 0)
        case (.translateY, .number(let n)): .translation(0, n, 0)
        case (.translateZ, .number(let n)): .translation(0, 0, n)
        case (.scale, .numbers(let n)) where n.count == 3: .scale(n[0], n[1], n[2])
        case (.translate, .numbers(let n)) where n.count == 3: .translation(n[0], n[1], n[2])
        default: nil
        }
    }
}
