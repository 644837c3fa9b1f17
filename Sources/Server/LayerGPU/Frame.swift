import LayerModel
import LayerRender

/// The targets of one frame's slots.
///
/// A slot takes its target when a pass first draws it, keeps it for later passes that draw on with `load: .keep`, and
/// gives it back after the last pass that draws or reads it.
struct Frame {
    let plan: FramePlan
    let root: RootTarget
    private var targets: [Target?]
    /// Slots in the order of the last pass that draws or reads them, each with that pass's index.
    private var ends: [(pass: Int, slot: Int)]
    private var nextEnd = 0
    /// Slots that hold something: the display's own, and what passes have drawn.
    private var isDrawn: [Bool]

    init(plan: FramePlan, root: RootTarget) {
        self.plan = plan
        self.root = root
        targets = [Target?](repeating: nil, count: plan.slots.count)
        targets[0] = root.target
        var lastUse = [Int](repeating: -1, count: plan.slots.count)
        isDrawn = [Bool](repeating: false, count: plan.slots.count)
        isDrawn[0] = true
        for (index, pass) in plan.passes.enumerated() {
            lastUse[pass.slot] = index
            for batch in pass.batches { batch.forEachSlotRead { lastUse[$0] = index } }
        }
        ends = plan.slots.indices.dropFirst().filter { plan.slots[$0].sprite == nil }.map { (lastUse[$0], $0) }
        ends.sort { $0.pass < $1.pass }
    }

    /// The target to draw a slot into.
    mutating func target(of slot: Int, from pool: TargetPool) throws(GPUError) -> Target {
        if let target = targets[slot] { return target }
        let target: Target
        if let sprite = plan.slots[slot].sprite {
            target = try root.sprites.target(sprite, of: plan.slots[slot].size, from: pool)
        } else {
            target = try pool.take(plan.slots[slot].size)
        }
        targets[slot] = target
        return target
    }

    /// Notes that a pass draws a slot.
    ///
    /// - Returns: Whether it is the slot's first.
    mutating func startsSlot(_ slot: Int) -> Bool {
        defer { isDrawn[slot] = true }
        return !isDrawn[slot]
    }

    /// The target to read a slot from.
    func drawnTarget(of slot: Int) -> Target {
        if let target = targets[slot] { return target }
        if let sprite = plan.slots[slot].sprite, let target = root.sprites[sprite] { return target }
        preconditionFailure("slot \(slot) is read before a pass draws it")
    }

    /// Gives back what no later pass needs.
    mutating func finish(_ pass: Int, _ pool: TargetPool) {
        while nextEnd < ends.count, ends[nextEnd].pass <= pass {
            let slot = ends[nextEnd].slot
            if let target = targets[slot] { pool.giveBack(target) }
            targets[slot] = nil
            nextEnd += 1
        }
    }

    mutating func giveBackTargets(to pool: TargetPool) {
        for slot in targets.indices.dropFirst() where plan.slots[slot].sprite == nil {
            if let target = targets[slot] { pool.giveBack(target) }
            targets[slot] = nil
        }
    }
}

extension DrawBatch {
    /// Every slot whose pixels the batch reads: its texture, its mask, its backdrop.
    func forEachSlotRead(_ body: (Int) -> Void) {
        if case .slot(let slot)? = texture { body(slot) }
        if let mask { body(mask.slot) }
        if let composite { body(composite.backdrop.slot) }
    }

    /// Every image that the batch reads.
    func forEachImageRead(_ body: (ImageKey) -> Void) {
        if case .image(let key)? = texture { body(key) }
        switch effect?.kind {
        case .variableTaps(_, _, _, let mask, _)?, .variableDisc(_, let mask, _)?: body(mask)
        default: break
        }
    }
}
