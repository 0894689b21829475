/// The removals of one shard, counted under its lock; the table counts values that were replaced.
@usableFromInline
struct MemoryEvents: Sendable {
  /// The number of removals for each reason, in the order of the reasons. A tuple instead of an array, so that counting
  /// allocates nothing.
  @usableFromInline var removals = (0, 0, 0, 0, 0, 0)

  @inlinable
  init() {}

  @inlinable
  mutating func count(_ reason: MemoryRemovalReason, times: Int = 1) {
    switch reason {
    case .expired: removals.0 &+= times
    case .countLimit: removals.1 &+= times
    case .costLimit: removals.2 &+= times
    case .replaced: removals.3 &+= times
    case .removed: removals.4 &+= times
    case .memoryPressure: removals.5 &+= times
    }
  }

  func times(_ reason: MemoryRemovalReason) -> Int {
    switch reason {
    case .expired: removals.0
    case .countLimit: removals.1
    case .costLimit: removals.2
    case .replaced: removals.3
    case .removed: removals.4
    case .memoryPressure: removals.5
    }
  }
}
