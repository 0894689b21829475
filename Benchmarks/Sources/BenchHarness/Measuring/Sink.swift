import Synchronization

/// Consumes unused results, so that the optimizer cannot remove the work that produces them.
public enum Sink {
  private static let sum = Atomic(0)

  /// Consumes a checksum.
  @inline(never)
  public static func absorb(_ checksum: Int) { sum.wrappingAdd(checksum, ordering: .relaxed) }
}
