// Divides the room between the window and the main queue, by the number of hits that one more place would bring on
// either side.
extension EvictionPolicy {
  /// The bounds of the window's share. Neither side is ever empty: the policy enlarges a side because of its hits.
  private static var shares: ClosedRange<Double> { 0.01...0.99 }

  /// Enlarges the window after an entry is inserted again that had left it unused. A window of `insertionsAgo` places
  /// would have kept the entry.
  ///
  /// That many places would have brought one hit, so one place brings that fraction of it. For large windows this
  /// estimate is too high: half of the cache or more for a few scattered hits would cost the main queue more hits than
  /// it brings. So beyond half of the cache, such hits count a quarter. They count in full if all have the same
  /// distance, as in a loop.
  mutating func growWindow(forHitAt insertionsAgo: UInt32) {
    let distance = Double(insertionsAgo)
    let isUsual = abs(distance - usualReturn) < usualReturn / 8
    usualReturn += (distance - usualReturn) / 16
    guard insertionsAgo <= count else { return }
    let trust = isUsual || insertionsAgo <= count / 2 ? 1 : 0.25
    share(by: trust / max(distance, 1))
  }

  /// Shrinks the window after the first use of a main queue entry in its round, if the window would not have bridged
  /// the gap before that use.
  ///
  /// All places of the main queue together brought one hit, so one place brings that fraction of it.
  @usableFromInline
  @inline(never)
  mutating func shrinkWindow() { share(by: -1 / Double(main.count)) }

  private mutating func share(by change: Double) {
    windowShare = min(max(windowShare * (1 + change), Self.shares.lowerBound), Self.shares.upperBound)
  }
}
