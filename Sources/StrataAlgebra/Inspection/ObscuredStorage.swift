public import StrataCore

extension ReadableStorage {
  /// Returns this store with its inner stores hidden.
  ///
  /// ```swift
  /// let service = users.async.obscureWrappedStorages()   // Callers cannot reach the disk below.
  /// ```
  ///
  /// `storageHierarchy()` and `reach` see only the result, under the name of this store.
  public func obscureWrappedStorages() -> some ReadableStorage<Key, Value> { ReadOnlyObscured(base: self) }
}

extension WritableStorage {
  /// Returns this store with its inner stores hidden.
  public func obscureWrappedStorages() -> some WritableStorage<Key, Value> { WriteOnlyObscured(base: self) }
}

extension ReadableStorage where Self: WritableStorage {
  /// Returns this store with its inner stores hidden.
  public func obscureWrappedStorages() -> some ReadWriteStorage<Key, Value> {
    ObscuredStorage(base: self)
  }
}

extension StorageAware {
  /// Returns this store with its inner stores hidden.
  public func obscureWrappedStorages() -> some StorageAware<Key, Value> { ObscuredStorage(base: self) }
}

extension SyncStorageAware {
  /// Returns this store with its inner stores hidden.
  public func obscureWrappedStorages() -> some SyncStorageAware<Key, Value> { ObscuredStorage(base: self) }
}

private struct ReadOnlyObscured<Base: ReadableStorage>: ReadableStorage {
  let base: Base
  var storageName: String { base.storageName }
  var isConfidential: Bool { base.isConfidential }
  func retrieve(forKey key: Base.Key) async throws -> Base.Value { try await base.retrieve(forKey: key) }
}

private struct WriteOnlyObscured<Base: WritableStorage>: WritableStorage {
  let base: Base
  var storageName: String { base.storageName }
  var isConfidential: Bool { base.isConfidential }
  func set(_ value: Base.Value, forKey key: Base.Key) async throws { try await base.set(value, forKey: key) }
}

struct ObscuredStorage<Base: ReadableStorage & WritableStorage>: ReadWriteStorage {
  typealias Key = Base.Key
  typealias Value = Base.Value

  let base: Base
  var storageName: String { base.storageName }
  var isConfidential: Bool { base.isConfidential }
  var traits: StoreTraits {
    var traits = StoreTraits(suspends: maySuspend(base))
    traits.keepsParts = base.keepsParts
    return traits
  }
  func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key) }
  func retrieve(forKey key: Key) async throws -> Value { try await base.retrieve(forKey: key) }
  func set(_ value: Value, forKey key: Key) async throws { try await base.set(value, forKey: key) }
}

extension ObscuredStorage: StorageAware, StorageLink where Base: StorageAware {}

extension ObscuredStorage: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {}

extension ObscuredStorage: ConditionalStorage where Base: ConditionalStorage {}

extension ObscuredStorage: SyncConditionalStorage where Base: SyncConditionalStorage {}

extension ObscuredStorage: CountingStorage where Base: CountingStorage {}

extension ObscuredStorage: UpdateableStorage where Base: UpdateableStorage {
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await base.update(forKey: key, modify)
  }
}

extension ObscuredStorage: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try base.update(forKey: key, modify)
  }
}
