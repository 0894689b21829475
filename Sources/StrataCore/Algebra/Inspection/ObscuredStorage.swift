extension ReadableStorage {
  /// This store with nothing to be seen below it.
  ///
  /// Neither `storageHierarchy()` nor `reach` looks past the result: it answers to its name and hides the rest.
  public func obscureWrappedStorages() -> some ReadableStorage<Key, Value> { ReadOnlyObscured(base: self) }
}

extension WritableStorage {
  /// This store with nothing to be seen below it.
  public func obscureWrappedStorages() -> some WritableStorage<Key, Value> { WriteOnlyObscured(base: self) }
}

extension ReadableStorage where Self: WritableStorage {
  /// This store with nothing to be seen below it.
  public func obscureWrappedStorages() -> some ReadWriteStorage<Key, Value> {
    ObscuredStorage(base: self)
  }
}

extension StorageAware {
  /// This store with nothing to be seen below it.
  public func obscureWrappedStorages() -> some StorageAware<Key, Value> { ObscuredStorage(base: self) }
}

extension SyncStorageAware {
  /// This store with nothing to be seen below it.
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
  func retrieve(forKey key: Key) async throws -> Value { try await base.retrieve(forKey: key) }
  func set(_ value: Value, forKey key: Key) async throws { try await base.set(value, forKey: key) }
}
