import LayerModel

extension LayerStore {
    /// The number of the transaction being applied, if nothing in it is refused.
    private var stamp: UInt64 { generation + 1 }

    mutating func noteCreation(of index: Int32) {
        if motions.count < records.count {
            motions.append(contentsOf: repeatElement(LayerMotion(), count: records.count - motions.count))
        }
        journal.motions.append((index, motions[Int(index)]))
        motions[Int(index)] = LayerMotion()
        motions[Int(index)].noteChange(stamp, carried: 0)
    }

    /// A layer shows something else or something in another place; so does all that is above it.
    mutating func note(_ kind: MotionKind, of index: Int32) {
        switch kind {
        case .none: return
        case .change: return noteChange(of: index)
        case .move, .jump, .scroll: break
        }
        journal.motions.append((index, motions[Int(index)]))
        switch kind {
        case .move: motions[Int(index)].noteMove(stamp)
        case .jump: motions[Int(index)].noteJump(stamp)
        default:
            motions[Int(index)].noteScroll(stamp)
            return noteChange(of: index)
        }
        if records[Int(index)].parent >= 0 { noteChange(of: records[Int(index)].parent) }
    }

    /// A layer's picture changes, and with it those of all above.
    mutating func noteChange(of index: Int32) {
        // What this transaction noted already is noted further up, too.
        guard motions[Int(index)].changed != stamp else { return }
        var carried: UInt64 = 0
        var above = index
        // Between two ops a tree may be a ring.
        var steps = 0
        while above >= 0, steps <= limits.depth {
            carried = max(carried, motions[Int(above)].moved.before)
            if motions[Int(above)].changed == stamp {
                carried = max(carried, motions[Int(above)].carried)
                break
            }
            above = records[Int(above)].parent
            steps += 1
        }
        above = index
        steps = 0
        while above >= 0, steps <= limits.depth, motions[Int(above)].changed != stamp {
            journal.motions.append((above, motions[Int(above)]))
            motions[Int(above)].noteChange(stamp, carried: carried)
            above = records[Int(above)].parent
            steps += 1
        }
    }
}
