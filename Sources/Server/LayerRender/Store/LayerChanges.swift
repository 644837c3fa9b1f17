// Which layers show something else since the last plan: where they are few, the planner exchanges their drawings and leaves
// the others (Plan/FramePlanner+Patch.swift). The list may hold more than what changed, never less.

/// What changed in a store.
package struct LayerChanges: Sendable {
    /// The generation that the list begins after.
    private(set) var since: UInt64 = 0
    /// Indices of the records of layers whose own values changed, each once.
    private(set) var records: [Int32] = []
    /// Layers came, went or were put elsewhere, or too many changed.
    private(set) var isWhole = true

    /// More are not told apart.
    private static let limit = 256

    mutating func note(_ record: Int32) {
        if isWhole || records.last == record || records.contains(record) { return }
        if records.count == Self.limit { noteAll() } else { records.append(record) }
    }

    mutating func noteAll() {
        isWhole = true
        records.removeAll(keepingCapacity: true)
    }

    mutating func begin(after generation: UInt64) {
        since = generation
        records.removeAll(keepingCapacity: true)
        isWhole = false
    }

    /// What changed after a generation; nil where that is not known.
    func since(_ generation: UInt64) -> [Int32]? { isWhole || generation < since ? nil : records }
}

extension LayerStore {
    /// What is shown now has been planned: what changes from here on is what the next plan has to know.
    package mutating func beginChanges() { changes.begin(after: generation) }
}
