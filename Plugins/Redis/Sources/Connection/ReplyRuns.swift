/// For each outstanding reply, in order, whether its texts are needed. Equal neighbours form one run.
///
/// A list with an element for each reply would be as long as the pipeline, and would be copied for each read of the
/// socket.
struct ReplyRuns: Sendable {
  private struct Run {
    var dropsTexts = false
    var count = 0
  }

  /// The first run, which is usually the only one, so that copies allocate nothing.
  private var first = Run()
  private var later: [Run] = []

  /// Whether the texts of the next reply are not needed; `false` for an unexpected reply.
  var next: Bool { first.dropsTexts && first.count > 0 }

  /// Adds replies at the end.
  mutating func append(_ count: Int, dropsTexts: Bool) {
    if later.isEmpty, first.count == 0 || first.dropsTexts == dropsTexts {
      first = Run(dropsTexts: dropsTexts, count: first.count + count)
    } else if let last = later.indices.last, later[last].dropsTexts == dropsTexts {
      later[last].count += count
    } else {
      later.append(Run(dropsTexts: dropsTexts, count: count))
    }
  }

  /// Removes replies at the front, or all replies if there are fewer than `count`.
  mutating func removeFirst(_ count: Int) {
    if count < first.count {
      first.count -= count
      return
    }
    var rest = count - first.count
    var gone = 0
    while gone < later.count, rest >= later[gone].count {
      rest -= later[gone].count
      gone += 1
    }
    guard gone < later.count else {
      first.count = 0
      if !later.isEmpty { later.removeAll(keepingCapacity: later.count <= 64) }
      return
    }
    first = later[gone]
    first.count -= rest
    later.removeFirst(gone + 1)
  }
}
