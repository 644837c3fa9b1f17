/// Why a transaction can't be applied. Nothing of it was: the table is as it was before.
package struct TransactionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong. Raw values travel on the wire: never renumber, only append.
    package enum Code: UInt16, Sendable, CaseIterable {
        case duplicateLayer = 1
        case unknownLayer = 2
        case duplicateImage = 3
        case unknownImage = 4
        case cycle = 5
        case tooDeep = 6
        case tooManyLayers = 7
        case repeatedSublayer = 8
        case badValue = 9
        case badImage = 10
        case tooManyBytes = 11
        case imageTooLarge = 12
        case duplicateAnimation = 13
        case tooManyAnimations = 14
    }

    package var code: Code
    /// Which change of the transaction, from 0.
    package var opIndex: Int
    package var layer: LayerID?
    package var message: String

    package init(_ code: Code, opIndex: Int, layer: LayerID? = nil, _ message: String) {
        self.code = code
        self.opIndex = opIndex
        self.layer = layer
        self.message = message
    }

    package var description: String {
        "op \(opIndex)" + (layer.map { ", \($0)" } ?? "") + ": \(message)"
    }
}
