/// A store that only reads and writes, as a tier of `CombinedStorage`.
///
/// It knows no expiry: what would expire is not stored, so that it never outlives its time here. It cannot remove
/// either; whoever uses this link offers no removal.
package struct PlainTier<Base: ReadableStorage & WritableStorage>: StorageAware, TransparentStorage,
  UnremovingTier
where Base.Key: Hashable {
  package typealias Key = Base.Key
  package typealias Value = Base.Value

  let base: Base
  package var clock = StorageClock.system

  package var visible: any StorageDesign { base }
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

/// A tier that cannot remove what it holds: in front of a store that announces changes it could not follow them.
protocol UnremovingTier {}
