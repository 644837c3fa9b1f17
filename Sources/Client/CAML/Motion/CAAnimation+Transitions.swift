import CoreAnimation
import Foundation

extension CAAnimation {
    /// Gives the animation of a key path the ends that it lacks, in groups, too.
    func fill(from: Any, to: Any, keyPath: String, depth: Int) {
        if let group = self as? CAAnimationGroup, depth < 16 {
            for member in group.animations ?? [] { member.fill(from: from, to: to, keyPath: keyPath, depth: depth + 1) }
        }
        guard let basic = self as? CABasicAnimation, basic.keyPath == keyPath, basic.byValue == nil else { return }
        if basic.fromValue == nil { basic.fromValue = from }
        if basic.toValue == nil { basic.toValue = to }
    }

    /// Begins later than its commit: in a group that begins with it.
    ///
    /// - Parameter speed: Multiplied into the whole.
    func delayed(by delay: Double, speed: Float) -> CAAnimation {
        let wait = max(delay, 0) + (beginTime.isFinite ? max(beginTime, 0) : 0)
        guard wait > 1e-9 else {
            beginTime = 0
            self.speed *= speed
            return self
        }
        let group = CAAnimationGroup()
        let length = repeatDuration > 0 ? repeatDuration : duration * Double(repeatCount > 0 ? repeatCount : 1)
        group.duration =
            wait + max(length * (autoreverses ? 2 : 1) / Double(abs(self.speed) > 0 ? abs(self.speed) : 1), 0)
        group.speed = speed
        group.fillMode = fillMode
        group.isRemovedOnCompletion = isRemovedOnCompletion
        beginTime = wait
        group.animations = [self]
        return group
    }
}
