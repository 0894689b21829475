/// A store whose every read has an answer: what fails or finds nothing is made good by `recover(with:)`.
///
/// ```swift
/// let city = await cities.recover { _ in .unknown }.retrieve(forKey: "kharkiv")
/// ```
public protocol NonFallibleStorage<Key, Value>: ReadableStorage {
  /// Reads a value.
  func retrieve(forKey key: Key) async -> Value
}

/// A keyed store without `await` whose every read has an answer.
public protocol SyncNonFallibleStorage<Key, Value>: NonFallibleStorage {
  /// Reads a value.
  func retrieve(forKey key: Key) -> Value
}
