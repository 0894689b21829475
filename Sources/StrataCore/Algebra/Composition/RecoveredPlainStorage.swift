/// A store with recovery from failed reads.
package struct RecoveredPlainStorage<Base: ReadableStorage, R: Recovery>: ReadableStorage
where R.Key == Base.Key, R.Value == Base.Value {
  package typealias Key = Base.Key
  package typealias Value = Base.Value

  let base: Base
  let recovery: R
  package var storageName = "recover"

  package var wrappedStorages: [any StorageDesign] { [base] }

  package func retrieve(forKey key: Key) async throws -> Value {
    do { return try await base.retrieve(forKey: key) } catch {
      try recovery.throwBeforeChange(error)
      return try await recovery.value(after: error, forKey: key)
    }
  }
}

extension RecoveredPlainStorage: NonFallibleStorage where R.Failure == Never {
  package func retrieve(forKey key: Key) async -> Value {
    do { return try await base.retrieve(forKey: key) } catch {
      return await recovery.value(after: error, forKey: key)
    }
  }
}

extension RecoveredPlainStorage: WritableStorage, ReadWriteStorage where Base: WritableStorage {
  package func set(_ value: Value, forKey key: Key) async throws { try await base.set(value, forKey: key) }
}
