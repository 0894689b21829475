// The division of the room between window and main queue, by the gain of one more place on either side.
extension EvictionPolicy {
  /// The bounds of the window's share. Hits on each side are how the policy learns to enlarge it, so neither side is
  /// empty.
  private static var shares: ClosedRange<Double> { 0.01...0.99 }

  /// Enlarges the window after an entry came back that had left it unused. A window of `insertionsAgo` places would
  /// have made that a hit.
  ///
  /// That many places would have brought one hit, so one place brings that fraction of it. This extrapolates: to give
  /// the window half the cache or more for a few scattered hits costs the main queue more than it brings. So beyond
  /// half of the cache, hits count a quarter, but in full if they all come at one distance, as in a loop.
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
