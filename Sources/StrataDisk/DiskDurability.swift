/// What a write that has returned survives.
public enum DiskDurability: Sendable, Hashable {
  /// The death of the process, also by `kill -9`. The system writes to the disk when it sees fit; until then, usually
  /// for some seconds, a loss of power undoes writes, the last ones first.
  case process
  /// A loss of power too: a write returns when it is on stable storage. Threads that write at the same time share one
  /// wait.
  case power
}
