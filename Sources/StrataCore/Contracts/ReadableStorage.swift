/// A store whose values can be read.
///
/// ```swift
/// struct Greetings: ReadableStorage {
///   func retrieve(forKey name: String) async throws -> String { "Hello, \(name)!" }
/// }
/// let cached = MemoryStorage<String, String>().backed(by: Greetings())
/// ```
public protocol ReadableStorage<Key, Value>: StorageDesign {
  /// The type of the keys.
  associatedtype Key: Sendable
  /// The type of the values.
  associatedtype Value: Sendable
  /// Returns a value. Throws `StorageError.notFound` if there is none.
  func retrieve(forKey key: Key) async throws -> Value

  /// Returns the entry if it is available without waiting, decoding or I/O. By default returns `nil`: nothing is in
  /// memory.
  ///
  /// `nil` does not mean that nothing is stored. The returned entry may have expired.
  func peek(forKey key: Key) -> Entry<Value>?
  /// Returns the result of `body` for the entry that `peek` would return, without copying the entry. By default calls
  /// `peek`. Combinators call it where a hit must be fast; programs call `peek`.
  ///
  /// `body` gets a pointer to the stored value, which is valid until `body` returns. It may run while the store is
  /// locked: it must be short, and must not use a store. If it returns `nil`, the read does not count as a use of the
  /// entry.
  func _withCachedObject<R: Sendable>(forKey key: Key, _ body: (UnsafePointer<Value>, Expiry) -> R?) -> R?
}

extension ReadableStorage {
  /// Returns `nil`.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? { nil }

  /// Calls `body` with the result of `peek`.
  @inlinable
  public func _withCachedObject<R: Sendable>(forKey key: Key, _ body: (UnsafePointer<Value>, Expiry) -> R?)
    -> R?
  {
    guard let entry = peek(forKey: key) else { return nil }
    return withUnsafePointer(to: entry.object) { body($0, entry.expiry) }
  }
}

/// A store that accepts values.
///
/// ```swift
/// struct Log: WritableStorage {
///   func set(_ value: String, forKey key: String) async throws { print(key, value) }
/// }
/// let names = texts.pushing(to: Log())   // Each write is logged, too.
/// ```
public protocol WritableStorage<Key, Value>: StorageDesign {
  /// The type of the keys.
  associatedtype Key: Sendable
  /// The type of the values.
  associatedtype Value: Sendable
  /// Stores a value, replacing any value of the key.
  func set(_ value: Value, forKey key: Key) async throws
}

/// A store that can update a value atomically: no other write of the key happens between the read and the write.
///
/// ```swift
/// let user = try await storage.update(forKey: "ada") { $0.visits += 1 }
/// ```
public protocol UpdateableStorage<Key, Value>: ReadWriteStorage {
  /// Reads, changes and stores a value as one atomic operation. Returns the stored value.
  ///
  /// Throws `StorageError.notFound` if there is no value. If `modify` throws, nothing changes.
  @discardableResult
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value
}

/// An `UpdateableStorage` that can be used without `await`.
///
/// ```swift
/// let user = try users.update(forKey: "ada") { $0.visits += 1 }
/// ```
public protocol SyncUpdateableStorage<Key, Value>: UpdateableStorage {
  /// Reads, changes and stores a value as one atomic operation. Returns the stored value.
  ///
  /// Throws `StorageError.notFound` if there is no value. If `modify` throws, nothing changes.
  @discardableResult
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value
}
