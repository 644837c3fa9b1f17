// Which of the words that exist did somebody mean? The one with the fewest letters inserted, removed, replaced or swapped
// (restricted Damerau-Levenshtein), as long as that is at most a third of its length.

/// How many letters must be inserted, removed, replaced or swapped with their neighbor to get from one word to the other.
/// - Complexity: O(product of the lengths); words over 64 letters count as unlike anything.
package func spellingDistance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first.utf8), Array(second.utf8))
    guard a.count <= 64, b.count <= 64 else { return max(a.count, b.count) }
    var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { rows[i][0] = i }
    for j in 0...b.count { rows[0][j] = j }
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    for i in 1...a.count {
        for j in 1...b.count {
            let replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
            rows[i][j] = min(replaced, rows[i - 1][j] + 1, rows[i][j - 1] + 1)
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
            }
        }
    }
    return rows[a.count][b.count]
}

/// The candidate that a misspelled word is nearest to; nil when none is near.
package func nearestSpelling(to word: String, among candidates: [String]) -> String? {
    // One whose length differs by more than the letters that may is not near.
    let likely = candidates.filter { abs($0.utf8.count - word.utf8.count) <= max(1, $0.utf8.count / 3) }
    let near = likely.map { ($0, spellingDistance(word, $0)) }.min { $0.1 < $1.1 }
    if let near, near.1 <= max(1, near.0.utf8.count / 3) { return near.0 }
    // Somebody wrote only the beginning.
    let longer = candidates.filter { !word.isEmpty && $0.hasPrefix(word) }
    return longer.count == 1 ? longer[0] : nil
}
