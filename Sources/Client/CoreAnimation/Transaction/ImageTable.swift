// Which images a session shares. An image travels once, whatever layers show it; it is released when its object is gone,
// so a flip book that goes back and forth sends each picture once. Objects are looked at only while no layer shows them:
// a layer keeps its image alive.

import LayerModel
import Quartz2D

struct ImageTable {
    private struct Entry {
        weak var image: CGImage?
        var object: ObjectIdentifier
        /// Layers on the server that show it, and filters there that read it.
        var uses: Int
        var isIdle: Bool
    }

    /// Idle images that are looked at in one commit.
    private static let idleWindow = 256

    private var entries: [ImageID: Entry] = [:]
    private var idByObject: [ObjectIdentifier: ImageID] = [:]
    private var idle: [ImageID] = []
    private var cursor = 0
    private var lastID: UInt32 = 0

    var count: Int { entries.count }

    /// Counts one more layer that shows `image`, or filter that reads it. The content is given when the session doesn't have the image yet; nil
    /// when the session has used up its ids.
    mutating func use(_ image: CGImage) -> (id: ImageID, definition: ImageContent?)? {
        let object = ObjectIdentifier(image)
        // The address alone could be that of an image that has gone.
        if let id = idByObject[object], entries[id]?.image === image {
            entries[id]!.uses += 1
            return (id, nil)
        }
        guard lastID < UInt32.max else { return nil }
        lastID += 1
        let id = ImageID(lastID)
        entries[id] = Entry(image: image, object: object, uses: 1, isIdle: false)
        idByObject[object] = id
        return (id, image.content)
    }

    /// Counts one layer less.
    mutating func endUse(_ id: ImageID) {
        guard var entry = entries[id] else { return }
        entry.uses -= 1
        if entry.uses <= 0, !entry.isIdle {
            entry.isIdle = true
            idle.append(id)
        }
        entries[id] = entry
    }

    /// Forgets images that no layer shows and whose object is gone.
    ///
    /// - Returns: Their ids, in order.
    /// - Complexity: O(1): at most 256 idle images are looked at, a different part of them each time.
    mutating func takeReleased() -> [ImageID] {
        var released: [ImageID] = []
        var looks = min(idle.count, ImageTable.idleWindow)
        while looks > 0, !idle.isEmpty {
            looks -= 1
            if cursor >= idle.count { cursor = 0 }
            let id = idle[cursor]
            guard var entry = entries[id] else {
                removeIdle()
                continue
            }
            if entry.uses > 0 {
                entry.isIdle = false
                entries[id] = entry
                removeIdle()
            } else if entry.image == nil {
                entries[id] = nil
                if idByObject[entry.object] == id { idByObject[entry.object] = nil }
                released.append(id)
                removeIdle()
            } else {
                cursor += 1
            }
        }
        return released.sorted()
    }

    private mutating func removeIdle() {
        idle.swapAt(cursor, idle.count - 1)
        idle.removeLast()
    }
}
