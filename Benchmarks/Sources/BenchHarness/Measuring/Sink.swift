import Synchronization

/// Where results go that nobody needs, so that the optimizer cannot leave out the work behind them.
public enum Sink {
  private static let sum = Atomic(0)

  /// Takes in a checksum.
  @inline(never)
  public static func absorb(_ checksum: Int) { sum.wrappingAdd(checksum, ordering: .relaxed) }
}
