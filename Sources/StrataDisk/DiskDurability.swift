/// The failures that a write survives once it has returned.
///
/// ```swift
/// let orders = try DiskStorage<UUID>(config: DiskConfig(name: "orders", durability: .power))
/// ```
public enum DiskDurability: Sendable, Hashable {
  /// The death of the process, even by `kill -9`. The system writes to the disk later, usually within seconds; until
  /// then a loss of power undoes writes, the latest first.
  case process
  /// A loss of power too: a write returns when its data is on stable storage. Threads that write at the same time share
  /// one wait.
  case power
}
