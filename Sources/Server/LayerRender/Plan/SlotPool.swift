import LayerModel

/// Hands out the targets of a frame: one of a size class serves again as soon as nothing reads it any more.
struct SlotPool {
    private let reuses: Bool
    private var free: [(size: PixelSize, slot: Int)] = []
    private var sizes: [Int: PixelSize] = [:]

    init(reuses: Bool = true) {
        self.reuses = reuses
    }

    mutating func take(_ size: PixelSize, _ plan: inout FramePlan) -> Int {
        let size = Self.sizeClass(size)
        if let position = free.firstIndex(where: { $0.size == size }) { return free.remove(at: position).slot }
        plan.slots.append(TargetSlot(size: size))
        sizes[plan.slots.count - 1] = size
        return plan.slots.count - 1
    }

    /// A target that keeps its pixels for later frames.
    static func keep(_ size: PixelSize, _ number: UInt64, _ plan: inout FramePlan) -> Int {
        plan.slots.append(TargetSlot(size: sizeClass(size), sprite: number))
        return plan.slots.count - 1
    }

    mutating func giveBack(_ slot: Int) {
        if reuses, let size = sizes[slot] { free.append((size, slot)) }
    }

    /// Bytes of the target that a surface takes.
    static func bytes(_ size: PixelSize) -> Int { sizeClass(size).area * 4 }

    /// Rounded up so that near sizes share targets.
    private static func sizeClass(_ size: PixelSize) -> PixelSize {
        func round(_ length: Int) -> Int {
            let step = length <= 256 ? 64 : 256
            return (length + step - 1) / step * step
        }
        return PixelSize(width: round(size.width), height: round(size.height))
    }
}
