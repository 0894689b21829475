/// Finds the word that was probably meant instead of a mistyped one.
enum Spelling {
  /// Returns the nearest word. Returns `nil` if more than two letters are wrong, or half of them.
  static func nearest(to word: String, among words: [String]) -> String? {
    let ranked = words.map { (word: $0, distance: distance(word.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= 2 && best.distance * 2 < max(word.count, 3) ? best.word : nil
  }

  /// Returns the optimal string alignment distance of two words: the number of insertions, removals, replacements and
  /// swaps of neighbouring letters that turn one into the other.
  static func distance(_ one: String, _ other: String) -> Int {
    let (a, b) = (Array(one), Array(other))
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var older: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        var best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, older[j - 2] + 1) }
        row.append(best)
      }
      (older, last) = (last, row)
    }
    return last[b.count]
  }
}
