import LayerRender
import RenderServer
import Synchronization

/// Remembers the last frame that this process's server drew, with its layers: the plan of a picture that came over the wire.
final class FrameWitness: Sendable {
    private let last = Mutex<(frame: RenderedFrame, store: LayerStore)?>(nil)

    /// What `RenderConfiguration.observeFrame` calls.
    func see(_ frame: RenderedFrame, _ store: LayerStore) {
        last.withLock { last in
            // A picture that was taken again is drawn only once.
            if !frame.isUnchanged || last == nil { last = (frame, store) }
        }
    }

    var plan: FramePlan? { last.withLock { $0?.frame.plan } }

    /// What the frame cost and why.
    var account: FrameAccount? { last.withLock { $0.map { $0.frame.account($0.store) } } }
}
