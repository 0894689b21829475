import StrataCore

/// A store with recovery from failed reads.
struct RecoveredPlainStorage<Base: ReadableStorage, R: Recovery>: ReadableStorage
where R.Key == Base.Key, R.Value == Base.Value {
  let base: Base
  let recovery: R
  var storageName = "recover"

  var wrappedStorages: [any StorageDesign] { [base] }

  func retrieve(forKey key: Base.Key) async throws -> Base.Value {
    do { return try await base.retrieve(forKey: key) } catch {
      try recovery.throwBeforeChange(error)
      return try await recovery.value(after: error, forKey: key)
    }
  }
}

extension RecoveredPlainStorage: NonFallibleStorage where R.Failure == Never {
  func retrieve(forKey key: Base.Key) async -> Base.Value {
    do { return try await base.retrieve(forKey: key) } catch {
      return await recovery.value(after: error, forKey: key)
    }
  }
}

extension RecoveredPlainStorage: WritableStorage, ReadWriteStorage where Base: WritableStorage {
  func set(_ value: Base.Value, forKey key: Base.Key) async throws { try await base.set(value, forKey: key) }
}
