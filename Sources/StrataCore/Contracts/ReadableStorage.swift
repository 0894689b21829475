/// A store that values can be read from.
public protocol ReadableStorage<Key, Value>: StorageDesign {
  /// What a value is found by.
  associatedtype Key: Sendable
  /// What is stored.
  associatedtype Value: Sendable
  /// Reads a value; throws `StorageError.notFound` where there is none.
  func retrieve(forKey key: Key) async throws -> Value
}

/// A store that values can be written to.
public protocol WritableStorage<Key, Value>: StorageDesign {
  /// What a value is found by.
  associatedtype Key: Sendable
  /// What is stored.
  associatedtype Value: Sendable
  /// Stores a value in place of what was there.
  func set(_ value: Value, forKey key: Key) async throws
}

/// A store that changes a value in place: nobody else writes the key between its reading and its writing.
public protocol UpdateableStorage<Key, Value>: ReadWriteStorage {
  /// Reads a value, changes it and stores it, as one operation, and returns what it stored.
  ///
  /// Throws `StorageError.notFound` where there is no value. If `modify` throws, nothing is changed.
  @discardableResult
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value
}

/// A store that changes a value in place without suspending.
public protocol SyncUpdateableStorage<Key, Value>: UpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation, and returns what it stored.
  ///
  /// Throws `StorageError.notFound` where there is no value. If `modify` throws, nothing is changed.
  @discardableResult
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value
}
