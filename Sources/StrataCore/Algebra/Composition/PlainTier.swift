/// A store that can only be read and written, as a tier of `CombinedStorage`.
///
/// It has no expiry, so a value with an expiry is not stored: it would outlive its expiry here. It has no removal
/// either, so the combinators that use it offer none.
package struct PlainTier<Base: ReadableStorage & WritableStorage>: SimpleStorage
where Base.Key: Hashable {
  package typealias Key = Base.Key
  package typealias Value = Base.Value

  let base: Base
  package var clock = StorageClock.system

  package var traits: StoreTraits {
    var traits = StoreTraits(showing: base)
    traits.canRemove = false
    return traits
  }
  package var wrappedStorages: [any StorageDesign] { [base] }

  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await base.valueIfPresent(forKey: key).map { Entry(object: $0) }
  }

  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    if (expiry ?? .never) == .never { try await base.set(object, forKey: key) }
  }

  package func removeObject(forKey key: Key) async throws {}
  package func removeAll() async throws {}
  package func removeExpiredObjects() async throws {}
  package func keys() async throws -> [Key] { [] }
}
