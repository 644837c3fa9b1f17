import LayerModel

extension LayerStore {
    /// The number of the transaction being applied, if nothing in it is refused.
    private var stamp: UInt64 { commits + 1 }

    mutating func noteCreation(of index: Int32) {
        if motions.count < records.count {
            motions.append(contentsOf: repeatElement(LayerMotion(), count: records.count - motions.count))
        }
        journal.motions.append((index, motions[Int(index)]))
        motions[Int(index)] = LayerMotion()
        changes.noteAll()
        revisions += 1
        motions[Int(index)].noteChange(stamp, carried: 0, revision: revisions)
        motions[Int(index)].noteOwnChange(stamp, carried: 0)
    }

    /// A layer shows something else or something in another place; so does all that is above it.
    mutating func note(_ kind: MotionKind, of index: Int32) {
        if kind != .none { changes.note(index) }
        switch kind {
        case .none: return
        case .change: return noteOwnChange(of: index)
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

    /// What a layer draws itself changes, and with it the pictures of all above.
    mutating func noteOwnChange(of index: Int32) {
        if motions[Int(index)].own.changed != stamp {
            let carried = carried(index)
            journal.motions.append((index, motions[Int(index)]))
            motions[Int(index)].noteOwnChange(stamp, carried: carried)
        }
        noteChange(of: index)
    }

    /// The last but one commit that moved a layer or one above it.
    private func carried(_ index: Int32) -> UInt64 {
        var carried: UInt64 = 0
        var above = index
        // Between two ops a tree may be a ring.
        var steps = 0
        while above >= 0, steps <= limits.depth {
            carried = max(carried, motions[Int(above)].moved.before)
            if motions[Int(above)].whole.changed == stamp { return max(carried, motions[Int(above)].whole.carried) }
            above = records[Int(above)].parent
            steps += 1
        }
        return carried
    }

    /// A layer's picture changes, and with it those of all above.
    mutating func noteChange(of index: Int32) {
        // What this transaction noted already is noted further up, too.
        guard motions[Int(index)].whole.changed != stamp else { return }
        revisions += 1
        let carried = carried(index)
        var above = index
        var steps = 0
        while above >= 0, steps <= limits.depth, motions[Int(above)].whole.changed != stamp {
            journal.motions.append((above, motions[Int(above)]))
            motions[Int(above)].noteChange(stamp, carried: carried, revision: revisions)
            above = records[Int(above)].parent
            steps += 1
        }
    }

    /// A time shows other values of a layer, or the layer's last animation is over.
    /// - Parameter hasOwnPicture: Only where it is shown changes, not what.
    mutating func noteShown(of index: Int32, hasOwnPicture: Bool = false) {
        changes.note(index)
        var above = hasOwnPicture ? records[Int(index)].parent : index
        // All of one time has one number.
        while above >= 0, motions[Int(above)].revision != revisions {
            motions[Int(above)].noteShown(revisions)
            above = records[Int(above)].parent
        }
    }
}

extension LayerProperty {
    /// Says where a layer's picture is shown, and not what it is.
    var isOfPlaceAlone: Bool {
        switch self {
        case .position, .anchorPoint, .opacity, .hidden, .transform, .zPosition, .anchorPointZ: true
        default: false
        }
    }
}

extension LayerProperties {
    /// The same picture, if perhaps elsewhere.
    func differsInPlaceAlone(from other: LayerProperties) -> Bool {
        var moved = other
        moved.position = position
        moved.anchorPoint = anchorPoint
        moved.opacity = opacity
        moved.isHidden = isHidden
        if rare != nil || other.rare != nil {
            moved.transform = transform
            moved.zPosition = zPosition
            moved.anchorPointZ = anchorPointZ
        }
        return moved == self
    }
}
