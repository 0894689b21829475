/// Why an entry left a memory storage.
public enum MemoryRemovalReason: String, Sendable, CaseIterable {
  /// Its time was over.
  case expired
  /// There were too many entries.
  case countLimit
  /// The entries cost too much together; or this one alone, which then was never kept.
  case costLimit
  /// Another value was stored under its key.
  case replaced
  /// It was removed by its key, or with all others.
  case removed
  /// Memory was short.
  case memoryPressure
}

/// An entry that has left a memory storage, as its listener is told.
public struct MemoryRemoval<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The key of the entry.
  public let key: Key
  /// Its value, for the last time.
  public let value: Value
  /// Why it left.
  public let reason: MemoryRemovalReason

  @inlinable
  init(key: Key, value: Value, reason: MemoryRemovalReason) {
    self.key = key
    self.value = value
    self.reason = reason
  }
}

/// The entries that leave during one operation. They end outside all locks, for their deinit and the listener are a
/// user's code.
///
/// Nearly always there is at most one, so one is kept without an array.
@usableFromInline
struct Leaving<Key: Hashable & Sendable, Value: Sendable> {
  @usableFromInline typealias Removal = MemoryRemoval<Key, Value>

  @usableFromInline var first: Removal?
  @usableFromInline var others: [Removal] = []

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ node: MemoryNode<Key, Value>, _ reason: MemoryRemovalReason) {
    append(Removal(key: node.key, value: node.value, reason: reason))
  }

  @inlinable
  mutating func append(_ removal: Removal) {
    if first == nil { first = removal } else { others.append(removal) }
  }

  /// Tells the listener of all.
  @inlinable
  consuming func end(_ listener: (@Sendable (Removal) -> Void)?) {
    guard let listener, let first else { return }
    listener(first)
    for removal in others { listener(removal) }
  }
}
