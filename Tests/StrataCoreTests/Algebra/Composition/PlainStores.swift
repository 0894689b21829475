import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport

/// A store of two functions, as a user writes it: no removal, no expiry, and keys of any kind.
struct PlainStore<Key: Sendable, Value: Sendable>: ReadableStorage, WritableStorage {
  let base: DictionaryStorage<String, Value>
  let name: @Sendable (Key) -> String

  func retrieve(forKey key: Key) async throws -> Value { try await base.object(forKey: name(key)) }
  func set(_ value: Value, forKey key: Key) async throws {
    try await base.setObject(value, forKey: name(key))
  }
}

extension PlainStore where Key == String {
  init(_ base: DictionaryStorage<String, Value>) { self.init(base: base) { $0 } }
}

/// A key that is not `Equatable`.
struct OpaqueKey: Sendable { let name: String }

extension PlainStore where Key == OpaqueKey {
  init(opaque base: DictionaryStorage<String, Value>) { self.init(base: base) { $0.name } }
}

/// A store that can only be read.
struct ReadHalf<Base: ReadableStorage>: ReadableStorage {
  let base: Base
  func retrieve(forKey key: Base.Key) async throws -> Base.Value { try await base.retrieve(forKey: key) }
}

/// A store that can only be written.
struct WriteHalf<Base: WritableStorage>: WritableStorage {
  let base: Base
  func set(_ value: Base.Value, forKey key: Base.Key) async throws { try await base.set(value, forKey: key) }
}

/// Yields to other tasks until a condition holds.
func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

/// Returns a synchronous combinator that is used through its sync or its async functions only.
func seen<Key, Value>(
  _ link: some SyncStorageAware<Key, Value>, through half: Half
) -> any StorageAware<Key, Value> {
  half == .sync ? SyncFace(base: link) : link
}
