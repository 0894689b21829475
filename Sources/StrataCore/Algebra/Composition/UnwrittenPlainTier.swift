/// A store that is only read, as the back of another. Writes do nothing.
///
/// It lists no keys, and its entries never expire.
package struct UnwrittenPlainTier<Base: ReadableStorage>: ReadWriteStorage
{
  package typealias Key = Base.Key
  package typealias Value = Base.Value

  let base: Base

  package var traits: StoreTraits {
    var traits = StoreTraits(showing: base)
    traits.isUnwritten = true
    return traits
  }
  package var wrappedStorages: [any StorageDesign] { [base] }

  package func retrieve(forKey key: Key) async throws -> Value { try await base.retrieve(forKey: key) }
  package func set(_ value: Value, forKey key: Key) async throws {}
}

extension UnwrittenPlainTier: StorageAware, SimpleStorage where Base.Key: Hashable {
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await base.valueIfPresent(forKey: key).map { Entry(object: $0) }
  }

  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {}
  package func removeObject(forKey key: Key) async throws {}
  package func removeAll() async throws {}
  package func removeExpiredObjects() async throws {}
  package func keys() async throws -> [Key] { [] }
}
