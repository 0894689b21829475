public import StrataCore
public import Synchronization

/// Operations in a chain that never blocks: they run where the caller is.
extension AsyncStorage {
  @usableFromInline typealias Operated = TypeWrapperStorage<ObservedStorage<Key>, Value>

  /// Runs an operation on one key in place, in a chain that never blocks, if no other operation has the key's turn.
  /// Returns `nil` if it has to wait.
  @inlinable
  func inPlace<R>(_ key: Key, _ operation: (borrowing Operated) throws -> R) throws -> R? {
    guard isBrief, let ordered else { return nil }
    return try ordered.ifFree(key, operation) ?? inPlaceSoon(key, operation, ordered)
  }

  /// Tries again for about a microsecond: the operation that has the turn takes less, and suspending takes more.
  @inlinable
  @inline(never)
  func inPlaceSoon<R>(
    _ key: Key, _ operation: (borrowing Operated) throws -> R, _ ordered: SyncStorage<Operated>
  ) throws -> R? {
    for round in 3..<11 {
      // Loads that nothing else does, so that the lock of the key's turn is left to the thread that has it.
      for _ in 0..<(1 << round) { _ = lastSize.load(ordering: .relaxed) }
      if let result = try ordered.ifFree(key, operation) { return result }
    }
    return nil
  }
}
