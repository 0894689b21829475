// How the room is shared between window and main queue: by what one more place would bring here and cost there.
extension EvictionPolicy {
  /// Neither side is starved altogether: what stays there is how the policy learns that it should have more.
  private static var shares: ClosedRange<Double> { 0.01...0.99 }

  /// An entry came back that had left the window unused: a window as long as that would have made it a hit.
  ///
  /// So many places would have brought one hit, and one place brings that part of it. That extrapolates: a window of
  /// half the cache or more, given for a hit here and there, costs the main queue more than it brings. So beyond half
  /// of the cache only hits at one distance, as those of a loop are, count in full, and others a quarter.
  mutating func growWindow(forHitAt insertionsAgo: UInt32) {
    let distance = Double(insertionsAgo)
    let isUsual = abs(distance - usualReturn) < usualReturn / 8
    usualReturn += (distance - usualReturn) / 16
    guard insertionsAgo <= count else { return }
    let trust = isUsual || insertionsAgo <= count / 2 ? 1 : 0.25
    share(by: trust / max(distance, 1))
  }

  /// An entry in the main queue was used, for the first time in its round there, after a gap that the window would not
  /// have bridged.
  ///
  /// All places of the main queue together brought one hit, and one place brings that part of it.
  @usableFromInline
  @inline(never)
  mutating func shrinkWindow() { share(by: -1 / Double(main.count)) }

  private mutating func share(by change: Double) {
    windowShare = min(max(windowShare * (1 + change), Self.shares.lowerBound), Self.shares.upperBound)
  }
}
