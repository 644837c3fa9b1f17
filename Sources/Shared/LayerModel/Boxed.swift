/// A value on the heap that copies share until one of them changes. For what is large and mostly not there.
package struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Storage: @unchecked Sendable {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage

    package init(_ value: Value) {
        storage = Storage(value)
    }

    package var value: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }

    package static func == (a: Boxed, b: Boxed) -> Bool {
        a.storage === b.storage || a.storage.value == b.storage.value
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(storage.value)
    }
}
