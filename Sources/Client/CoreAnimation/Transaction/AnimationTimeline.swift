// When the running animations of a display begin and end.
//
// A heap of what happens next, in the display's time: of every animation that has a delegate or an end, its begin and then its
// end. What repeats for ever, or stands still because a layer above it does, is not in it; so going from one event to the
// next costs the logarithm of what ends, however much runs. Where the timing of a layer changes, or a layer moves to another
// one's time, the heap is made again: that is rare, and costs what runs once.
//
// In a layer whose time runs backwards an animation begins when time comes into its active time from beyond its end, and it
// ends when time comes back to its begin. So there each begin counts, with a delegate or without.

import LayerModel

struct AnimationTimeline {
    private struct Entry {
        var time: Double
        var animation: LayerAnimation
        var schedule: UInt32
        var event: Event

        /// Order of time, then that in which they were added.
        func comes(before other: Entry) -> Bool {
            time != other.time ? time < other.time : animation.number < other.animation.number
        }
    }

    enum Event { case begin, end }

    /// Everything committed that has not ended, in no order.
    private(set) var running: [LayerAnimation] = []
    private var heap: [Entry] = []

    /// Takes on an animation that was just committed.
    mutating func start(_ animation: LayerAnimation, now: Double) {
        guard animation.listIndex == nil, !animation.isDone else { return }
        animation.listIndex = running.count
        running.append(animation)
        schedule(animation, now: now)
    }

    mutating func stop(_ animation: LayerAnimation) {
        guard let index = animation.listIndex else { return }
        animation.listIndex = nil
        animation.schedule &+= 1
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

    /// Takes the next event, which is due.
    mutating func takeNext() -> (animation: LayerAnimation, event: Event)? {
        guard nextTime() != nil, let first = heap.first else { return nil }
        pop()
        return (first.animation, first.event)
    }

    /// Plans the next event of an animation.
    mutating func schedule(_ animation: LayerAnimation, now: Double) {
        animation.schedule &+= 1
        guard let layer = animation.layer else { return }
        let timing = animation.timing
        let event: Event
        let time: Double?
        switch animation.state {
        case .waiting where animation.animation.delegate != nil || layer.mayRunBack:
            event = .begin
            time = layer.displayTime(from: now, reaching: [timing.beginTime]) { timing.phase(at: $0.time) != .before }
        case .waiting, .started:
            event = .end
            let mayRunBack = animation.state == .started && timing.speed != 0
            time = layer.displayTime(from: now, reaching: [timing.beginTime, timing.endTime]) { local in
                timing.phase(at: local.time) == .after || mayRunBack && local.rate < 0 && local.time <= timing.beginTime
            }
        case .ended, .removed: return
        }
        guard let time, time.isFinite else { return }
        push(Entry(time: max(time, now), animation: animation, schedule: animation.schedule, event: event))
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
