/// The reason why an entry was removed from a memory storage.
///
/// ```swift
/// let evicted = memory.statistics.removals[.countLimit, default: 0]
/// ```
public enum MemoryRemovalReason: String, Sendable, CaseIterable {
  /// The entry expired.
  case expired
  /// There were too many entries.
  case countLimit
  /// The total cost exceeded the limit. An entry whose own cost exceeds it is never stored.
  case costLimit
  /// Another value was stored under the key.
  case replaced
  /// The entry was removed by key, or with all others.
  case removed
  /// The system was short of memory.
  case memoryPressure
}

/// An entry that was removed from a memory storage, as passed to `onRemoval`.
///
/// ```swift
/// let users = MemoryStorage<String, User>(
///   config: MemoryConfig(countLimit: 100),
///   onRemoval: { removal in print("\(removal.key) left: \(removal.reason)") })
/// ```
public struct MemoryRemoval<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The key of the entry.
  public let key: Key
  /// The value of the entry.
  public let value: Value
  /// The reason of the removal.
  public let reason: MemoryRemovalReason

  @inlinable
  init(key: Key, value: Value, reason: MemoryRemovalReason) {
    self.key = key
    self.value = value
    self.reason = reason
  }
}

/// The entries that one operation removes. They are released outside all locks, since their deinit and `onRemoval` are
/// user code.
///
/// Nearly always there is at most one, so the first is stored without an array.
@usableFromInline
struct Leaving<Key: Hashable & Sendable, Value: Sendable> {
  @usableFromInline typealias Removal = MemoryRemoval<Key, Value>

  @usableFromInline var first: Removal?
  @usableFromInline var others: [Removal] = []

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ removal: consuming Removal) {
    if first == nil { first = removal } else { others.append(removal) }
  }

  /// Calls the listener for each entry, and reports those that no caller has removed.
  @inlinable
  @inline(__always)
  consuming func end(_ listener: (@Sendable (Removal) -> Void)?, _ reporter: TierReporter<Key>) {
    if listener != nil || reporter.isOn { tellAll(listener, reporter) }
  }

  // Not part of `end`, which would copy the first entry even if nobody listens.
  @inlinable
  @inline(never)
  func tellAll(_ listener: (@Sendable (Removal) -> Void)?, _ reporter: TierReporter<Key>) {
    func tell(_ removal: Removal) {
      listener?(removal)
      if reporter.isOn, let effect = removal.reason.effect { reporter.send(effect, removal.key) }
    }
    if let first { tell(first) }
    for removal in others { tell(removal) }
  }
}
