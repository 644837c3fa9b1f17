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
    /// For each slot, the index of the last pass that draws or reads it.
    private var lastUse: [Int]
    /// Slots that hold something: the display's own, and what passes have drawn.
    private var isDrawn: [Bool]

    init(plan: FramePlan, root: RootTarget) {
        self.plan = plan
        self.root = root
        targets = [Target?](repeating: nil, count: plan.slots.count)
        targets[0] = root.target
        lastUse = [Int](repeating: -1, count: plan.slots.count)
        isDrawn = [Bool](repeating: false, count: plan.slots.count)
        isDrawn[0] = true
        for (index, pass) in plan.passes.enumerated() {
            lastUse[pass.slot] = index
            for batch in pass.batches { batch.forEachSlotRead { lastUse[$0] = index } }
        }
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
        for slot in targets.indices.dropFirst() where lastUse[slot] == pass && plan.slots[slot].sprite == nil {
            if let target = targets[slot] { pool.giveBack(target) }
            targets[slot] = nil
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
        if case .variableTaps(_, _, _, let mask, _)? = effect?.kind { body(mask) }
    }
}
