/// A store that is only ever read, as the back of another: what would change it does nothing.
///
/// It has no keys to list, and as far as it knows nothing expires.
package struct UnwrittenPlainTier<Base: ReadableStorage>: ReadWriteStorage, TransparentStorage, UnwrittenBack
{
  package typealias Key = Base.Key
  package typealias Value = Base.Value

  let base: Base

  package var visible: any StorageDesign { base }
  package var wrappedStorages: [any StorageDesign] { [base] }

  package func retrieve(forKey key: Key) async throws -> Value { try await base.retrieve(forKey: key) }
  package func set(_ value: Value, forKey key: Key) async throws {}
}

extension UnwrittenPlainTier: StorageAware where Base.Key: Hashable {
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await base.valueIfPresent(forKey: key).map { Entry(object: $0) }
  }

  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {}
  package func removeObject(forKey key: Key) async throws {}
  package func removeAll() async throws {}
  package func removeExpiredObjects() async throws {}
  package func keys() async throws -> [Key] { [] }
}
