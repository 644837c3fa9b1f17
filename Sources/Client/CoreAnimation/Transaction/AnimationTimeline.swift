// When the running animations of a display begin and end.
//
// A heap of what happens next, in the display's time: of every animation that has a delegate or an end, its begin and then its
// end. What repeats for ever, or stands still because a layer above it does, is not in it; so going from one event to the
// next costs the logarithm of what ends, however much runs. Where the timing of a layer changes, or a layer moves to another
// one's time, the heap is made again: that is rare, and costs what runs once.

import LayerModel

struct AnimationTimeline {
    private struct Entry {
        var time: Double
        var animation: LayerAnimation
        var schedule: UInt32

        /// Order of time, then that in which they were added.
        func comes(before other: Entry) -> Bool {
            time != other.time ? time < other.time : animation.number < other.animation.number
        }
    }

    /// Everything committed that has not ended, in no order.
    private(set) var running: [LayerAnimation] = []
    private var heap: [Entry] = []
    /// Running animations of keys that are no properties.
    private(set) var customCount = 0

    /// Takes on an animation that was just committed.
    mutating func start(_ animation: LayerAnimation, now: Double) {
        guard animation.listIndex == nil, !animation.isDone else { return }
        animation.listIndex = running.count
        running.append(animation)
        if !animation.custom.isEmpty { customCount += 1 }
        schedule(animation, now: now)
    }

    mutating func stop(_ animation: LayerAnimation) {
        guard let index = animation.listIndex else { return }
        animation.listIndex = nil
        animation.schedule &+= 1
        if !animation.custom.isEmpty { customCount -= 1 }
        let last = running.removeLast()
        if index < running.count {
            running[index] = last
            last.listIndex = index
        }
    }

    /// Works out every time again.
    mutating func reschedule(now: Double) {
        heap.removeAll(keepingCapacity: true)
        for animation in running { schedule(animation, now: now) }
    }

    /// The time of the next event; may lie before now, where it is due.
    mutating func nextTime() -> Double? {
        while let top = heap.first {
            if top.animation.listIndex != nil, top.schedule == top.animation.schedule { return top.time }
            pop()
        }
        return nil
    }

    /// Takes the next event, which is due: the animation begins or, where it has begun, ends.
    mutating func takeNext(now: Double) -> LayerAnimation? {
        guard nextTime() != nil, let animation = heap.first?.animation else { return nil }
        pop()
        return animation
    }

    /// Plans the next event of an animation.
    mutating func schedule(_ animation: LayerAnimation, now: Double) {
        animation.schedule &+= 1
        guard let layer = animation.layer else { return }
        let timing = animation.timing
        let time: Double?
        switch animation.state {
        case .waiting where animation.animation.delegate != nil:
            time = layer.displayTime(from: now, reaching: timing.beginTime) { timing.phase(at: $0) != .before }
        case .waiting, .started:
            time = layer.displayTime(from: now, reaching: timing.endTime) { timing.phase(at: $0) == .after }
        case .ended, .removed: time = nil
        }
        guard let time, time.isFinite else { return }
        push(Entry(time: max(time, now), animation: animation, schedule: animation.schedule))
    }

    // MARK: Heap

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].comes(before: heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var first = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].comes(before: heap[first]) { first = child }
            }
            guard first != parent else { return }
            heap.swapAt(first, parent)
            parent = first
        }
    }
}

extension CALayer {
    /// The display's time at which this layer's time has come to `local`; nil where it never does as things are.
    ///
    /// - Parameters:
    ///   - now: The display's clock; what has been reached already is now.
    ///   - isReached: Tells for a time of the layer. The answer decides where rounding leaves a doubt.
    final func displayTime(from now: Double, reaching local: Double, _ isReached: (Double) -> Bool) -> Double? {
        if isReached(localTime(ofDisplay: now)) { return now }
        guard local.isFinite else { return nil }
        var time = local
        var layer: CALayer? = self
        while let current = layer {
            let timing = current.properties.timing
            if !timing.isIdentity {
                // A time before a layer's begin is 0, and one that stands still or runs back comes to nothing new.
                guard timing.speed > 0 else { return nil }
                time = max(timing.parentTime(ofLocal: time), timing.beginTime)
            }
            layer = current.parent
        }
        guard time.isFinite else { return nil }
        var step = max(time, now).ulp
        for _ in 0..<16 {
            if isReached(localTime(ofDisplay: time)) { return time }
            time += step
            step *= 2
        }
        return nil
    }
}
