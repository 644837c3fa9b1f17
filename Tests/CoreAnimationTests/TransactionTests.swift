import CoreAnimation
import LayerModel
import Testing

/// Every test is one synchronous piece: a thread's transactions are its own for that long.
@Suite("CATransaction")
struct TransactionTests {
    /// A display that notes what it is sent.
    private func display(_ journal: Journal) -> (LayerContext, CALayer) {
        let context = LayerContext()
        let root = CALayer()
        // Blocks that wait for animations have tests of their own.
        root.actions = ["opacity": NSNull(), "cornerRadius": NSNull()]
        context.rootLayer = root
        _ = context.takeTransaction(time: 0)
        journal.owned.append(context)
        context.commitHandler = { [weak journal] context in
            let transaction = context.takeTransaction(time: 1)
            journal?.note("commit \(transaction?.ops.count ?? 0)")
            for block in context.takeCompletionBlocks() { block() }
        }
        return (context, root)
    }

    @Test("The defaults: 0.25 s, actions on, no timing function, no completion block")
    func defaults() {
        CATransaction.begin()
        defer { CATransaction.commit() }
        #expect(CATransaction.animationDuration() == 0.25)
        #expect(!CATransaction.disableActions())
        #expect(CATransaction.animationTimingFunction() == nil)
        #expect(CATransaction.completionBlock() == nil)
        #expect(CATransaction.value(forKey: "undefined") == nil)
        #expect(CATransaction.value(forKey: kCATransactionAnimationDuration) as? NSNumber == 0.25)
    }

    @Test("A nested transaction inherits settings, and its own end with it")
    func nesting() {
        let function = CAMediaTimingFunction(name: .easeIn)
        CATransaction.begin()
        CATransaction.setAnimationDuration(2)
        CATransaction.setAnimationTimingFunction(function)
        CATransaction.setValue("x", forKey: "mine")
        CATransaction.begin()
        #expect(CATransaction.animationDuration() == 2)
        #expect(CATransaction.animationTimingFunction() === function)
        #expect(CATransaction.value(forKey: "mine") as? String == "x")
        CATransaction.setAnimationDuration(3)
        CATransaction.setDisableActions(true)
        CATransaction.setValue("y", forKey: "mine")
        #expect(CATransaction.animationDuration() == 3 && CATransaction.disableActions())
        CATransaction.commit()
        #expect(CATransaction.animationDuration() == 2 && !CATransaction.disableActions())
        #expect(CATransaction.value(forKey: "mine") as? String == "x")
        CATransaction.commit()
        #expect(CATransaction.animationDuration() == 0.25)
        #expect(CATransaction.value(forKey: "mine") == nil)
    }

    @Test("Settings by key are the settings; wrong types and numbers that are none are ignored")
    func byKey() {
        CATransaction.begin()
        defer { CATransaction.commit() }
        CATransaction.setValue(1, forKey: kCATransactionAnimationDuration)
        CATransaction.setValue(true, forKey: kCATransactionDisableActions)
        #expect(CATransaction.animationDuration() == 1 && CATransaction.disableActions())
        CATransaction.setValue("long", forKey: kCATransactionAnimationDuration)
        CATransaction.setAnimationDuration(.nan)
        CATransaction.setAnimationDuration(-1)
        #expect(CATransaction.animationDuration() == 1)
        CATransaction.setValue(nil, forKey: kCATransactionAnimationDuration)
        #expect(CATransaction.animationDuration() == 0.25)
    }

    @Test("A commit without a begin does nothing")
    func unmatched() {
        CATransaction.commit()
        CATransaction.commit()
        #expect(!CATransaction.isOpen)
    }

    @Test("Only the outermost commit sends, all changes of it as one")
    func outermost() {
        let journal = Journal()
        let (context, root) = display(journal)
        CATransaction.begin()
        root.opacity = 0.5
        CATransaction.begin()
        root.cornerRadius = 3
        root.opacity = 0.25
        CATransaction.flush()
        CATransaction.commit()
        #expect(journal.entries.isEmpty && context.hasPendingChanges)
        CATransaction.commit()
        #expect(journal.entries == ["commit 2"] && !context.hasPendingChanges)
    }

    @Test("A commit sends the displays it touched and no other")
    func touchedOnly() {
        let (first, second) = (Journal(), Journal())
        let (_, a) = display(first)
        let (contextB, b) = display(second)
        b.opacity = 0.5
        CATransaction.begin()
        a.opacity = 0.5
        CATransaction.commit()
        #expect(first.entries == ["commit 1"] && second.entries.isEmpty)
        CATransaction.flush()
        #expect(first.entries == ["commit 1"] && second.entries == ["commit 1"])
        #expect(!contextB.hasPendingChanges)
    }

    @Test("A change that was listed before the begin still makes its commit send")
    func touchedAgain() {
        let journal = Journal()
        let (_, root) = display(journal)
        root.opacity = 0.5
        CATransaction.begin()
        root.opacity = 0.6
        CATransaction.commit()
        #expect(journal.entries == ["commit 1"])
    }

    @Test("Completion blocks run after the commit is applied; a second one is added, nil takes none away")
    func completionBlocks() {
        let journal = Journal()
        let (_, root) = display(journal)
        CATransaction.begin()
        CATransaction.setCompletionBlock { journal.note("first") }
        CATransaction.setCompletionBlock { journal.note("second") }
        CATransaction.setCompletionBlock(nil)
        root.opacity = 0.5
        #expect(CATransaction.completionBlock() != nil)
        CATransaction.commit()
        #expect(journal.entries == ["commit 1", "first", "second"])
    }

    @Test("A nested commit does not run the outer block, nor its own before the outermost commit")
    func nestedBlocks() {
        let journal = Journal()
        let (_, root) = display(journal)
        CATransaction.begin()
        CATransaction.setCompletionBlock { journal.note("outer") }
        CATransaction.begin()
        CATransaction.setCompletionBlock { journal.note("inner") }
        root.opacity = 0.5
        CATransaction.commit()
        #expect(journal.entries.isEmpty)
        CATransaction.commit()
        #expect(journal.entries == ["commit 1", "inner", "outer"])
    }

    @Test("A block of a transaction that touched nothing runs at its commit")
    func blockWithoutChanges() {
        let journal = Journal()
        CATransaction.begin()
        CATransaction.setCompletionBlock { journal.note("ran") }
        CATransaction.commit()
        #expect(journal.entries == ["ran"])
    }

    @Test("A block of a transaction over two displays runs once both have applied it")
    func twoDisplays() {
        let journal = Journal()
        let (journalA, journalB) = (Journal(), Journal())
        let (first, a) = display(journalA)
        let (second, b) = display(journalB)
        first.commitHandler = nil
        second.commitHandler = nil
        CATransaction.begin()
        CATransaction.setCompletionBlock { journal.note("ran") }
        a.opacity = 0.5
        b.opacity = 0.5
        CATransaction.commit()
        _ = first.takeTransaction(time: 0)
        #expect(first.takeCompletionBlocks().isEmpty)
        _ = second.takeTransaction(time: 0)
        let blocks = second.takeCompletionBlocks()
        #expect(blocks.count == 1)
        blocks.forEach { $0() }
        #expect(journal.entries == ["ran"])
    }

    @Test("An implicit transaction is closed by whoever commits its display, with its settings and its block")
    func implicit() {
        let journal = Journal()
        let (context, root) = display(journal)
        context.commitHandler = nil
        CATransaction.flush()
        CATransaction.setAnimationDuration(5)
        CATransaction.setCompletionBlock { journal.note("ran") }
        root.opacity = 0.5
        #expect(CATransaction.animationDuration() == 5)
        #expect(context.takeTransaction(time: 0)?.ops.count == 1)
        #expect(CATransaction.animationDuration() == 0.25)
        let blocks = context.takeCompletionBlocks()
        #expect(blocks.count == 1)
        #expect(context.takeCompletionBlocks().isEmpty)
    }

    @Test("Changes made on another thread are committed here, and that thread starts a new transaction")
    func otherThread() {
        let journal = Journal()
        let (context, root) = display(journal)
        nonisolated(unsafe) var durations: [Double] = []
        let (go, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let thread = Thread {
            root.opacity = 0.5
            CATransaction.setAnimationDuration(9)
            CATransaction.setCompletionBlock { journal.note("block") }
            durations.append(CATransaction.animationDuration())
            done.signal()
            go.wait()
            durations.append(CATransaction.animationDuration())
            done.signal()
        }
        thread.start()
        done.wait()
        #expect(CATransaction.animationDuration() == 0.25)
        CATransaction.flush()
        go.signal()
        done.wait()
        #expect(durations == [9, 0.25])
        #expect(journal.entries == ["commit 1", "block"])
        #expect(!context.hasPendingChanges)
    }

    @Test("A flush in one task leaves alone the display that another task changed last")
    func otherTask() async {
        let journal = Journal()
        let (context, root) = display(journal)
        await Task { root.opacity = 0.5 }.value
        func flush() { CATransaction.flush() }
        flush()
        #expect(journal.entries.isEmpty && context.hasPendingChanges)
    }

    @Test("The lock is recursive and keeps commits of other threads out")
    func lock() {
        let journal = Journal()
        let (context, root) = display(journal)
        root.opacity = 0.5
        CATransaction.lock()
        CATransaction.lock()
        let done = DispatchSemaphore(value: 0)
        Thread {
            _ = context.takeTransaction(time: 0)
            journal.note("taken")
            done.signal()
        }.start()
        #expect(done.wait(timeout: .now() + 0.05) == .timedOut)
        CATransaction.unlock()
        CATransaction.unlock()
        done.wait()
        #expect(journal.entries == ["taken"])
    }

    @Test("A display that goes takes its layers' place with it; they can be shown again")
    func contextGoes() {
        let root = layer(0, 0, 1, 1)
        let child = CALayer()
        root.addSublayer(child)
        for _ in 0..<3 {
            let context = LayerContext()
            context.rootLayer = root
            #expect(context.takeTransaction(time: 0)?.ops.count == 6)
            child.opacity = child.opacity == 1 ? 0.5 : 1
            child.opacity = 1
            CATransaction.setCompletionBlock {}
        }
        child.opacity = 0.5
        #expect(root.presentation() == nil)
        CATransaction.flush()
    }
}
