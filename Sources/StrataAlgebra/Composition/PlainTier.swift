import StrataCore

/// A store that can only be read, or read and written, as a tier of `CombinedStorage`.
///
/// It has no expiry, so a value with an expiry is not stored: it would outlive its expiry here. It has no removal
/// either, so the combinators that use it offer none.
struct PlainTier<Base: ReadableStorage>: SimpleStorage
where Base.Key: Hashable {
  let base: Base
  var clock = StorageClock.system
  /// Stores a value; for a store that is only read, does nothing.
  private let write: @Sendable (Base.Value, Base.Key) async throws -> Void

  init(reading base: Base) {
    self.base = base
    write = { _, _ in }
  }

  init(_ base: Base, clock: StorageClock = .system) where Base: WritableStorage {
    self.base = base
    self.clock = clock
    write = { try await base.set($0, forKey: $1) }
  }

  var traits: StoreTraits {
    var traits = StoreTraits(showing: base)
    traits.canRemove = false
    return traits
  }
  var wrappedStorages: [any StorageDesign] { [base] }

  func entryIfPresent(forKey key: Base.Key) async throws -> Entry<Base.Value>? {
    try await base.valueIfPresent(forKey: key).map { Entry(object: $0) }
  }

  func setObject(_ object: Base.Value, forKey key: Base.Key, expiry: Expiry?) async throws {
    if (expiry ?? .never) == .never { try await write(object, key) }
  }

  func removeObject(forKey key: Base.Key) async throws {}
  func removeAll() async throws {}
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [Base.Key] { [] }
}
