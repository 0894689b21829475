public import StrataCore

/// A store whose `retrieve` always returns a value and never throws. Created by `recover(with:)` and `defaulting(to:)`.
///
/// ```swift
/// let city = await cities.recover { _ in .unknown }.retrieve(forKey: "kharkiv")
/// let count = await counters.defaulting(to: 0).retrieve(forKey: "visits")
/// ```
public protocol NonFallibleStorage<Key, Value>: ReadableStorage {
  /// Returns a value.
  func retrieve(forKey key: Key) async -> Value
}

/// A keyed store whose `retrieve` always returns a value, and can be called without `await`.
///
/// ```swift
/// let counts = MemoryStorage<String, Int>().defaulting(to: 0)
/// let visits: Int = counts.retrieve(forKey: "visits")   // Neither `try` nor `await`.
/// ```
public protocol SyncNonFallibleStorage<Key, Value>: NonFallibleStorage {
  /// Returns a value.
  func retrieve(forKey key: Key) -> Value
}

extension NonFallibleStorage where Key == Void {
  /// Returns the single value of this store.
  @inlinable
  public func retrieve() async -> Value { await retrieve(forKey: ()) }
}
