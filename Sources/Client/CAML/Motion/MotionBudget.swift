/// How much may be read through references: `object="#id"` lets a short file mean a long one, and a group hold itself.
final class MotionBudget {
    /// Animations and values of one file, counted as often as they are meant.
    private var left = 2_000_000
    private var isReported = false

    /// - Returns: False where there is no room; `report` is called the first time.
    func take(_ count: Int, report: () -> Void) -> Bool {
        if left >= count {
            left -= count
            return true
        }
        left = 0
        if !isReported { report() }
        isReported = true
        return false
    }
}
