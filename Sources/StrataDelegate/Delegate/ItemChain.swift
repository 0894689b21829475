import StrataAlgebra

/// The single key of a store with one item.
struct SoleKey: Hashable, Sendable {}

/// A store of one item as a chain with a single key.
struct ItemChain<Item: Sendable>: SimpleStorage {
  typealias Key = SoleKey
  typealias Value = Item

  let item: any ItemStorage<Item>
  /// The same store if it can return its item's expiry.
  private let expiring: (any ExpiringItemStorage<Item>)?

  init(item: any ItemStorage<Item>) {
    self.item = item
    expiring = item as? any ExpiringItemStorage<Item>
  }

  /// Whether an item may get an expiry when it is saved.
  var itemExpires: Bool { expiring?.savesExpire ?? false }
  var clock: StorageClock { expiring?.clock ?? .system }
  var wrappedStorages: [any StorageDesign] { expiring.map { [$0.design] } ?? [] }
  /// The expiry of an item that is saved.
  var itemExpiry: Expiry { itemExpires ? earliestOwnExpiry : .never }

  func entryIfPresent(forKey key: SoleKey) async throws -> Entry<Item>? {
    if let expiring { return try await expiring.entry() }
    return try await item.get().map { Entry(object: $0) }
  }

  func expiryIfPresent(forKey key: SoleKey) async throws -> Expiry? {
    if let expiring { return try await expiring.expiryIfPresent() }
    return try await item.get().map { _ in .never }
  }

  func setObject(_ object: Item, forKey key: SoleKey, expiry: Expiry?) async throws {
    try await item.save(item: object)
  }

  func removeObject(forKey key: SoleKey) async throws { try await item.delete() }
  func removeAll() async throws { try await item.delete() }
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [SoleKey] { try await item.get() == nil ? [] : [SoleKey()] }
}

/// A store of one item that can return the item's expiry, because it uses a chain.
package protocol ExpiringItemStorage<Item>: ItemStorage {
  var clock: StorageClock { get }
  /// The chain.
  var design: any StorageDesign { get }
  /// Whether an item may get an expiry when it is saved. By default `true`.
  var savesExpire: Bool { get }
  /// Returns the item with its expiry.
  func entry() async throws -> Entry<Item>?
  /// Returns the expiry of the item, or `nil` if there is no item.
  func expiryIfPresent() async throws -> Expiry?
}

extension ExpiringItemStorage {
  package var savesExpire: Bool { true }
}

/// The cache of one item.
final class ItemCache<Item: Sendable>: SyncSimpleStorage {
  typealias Key = SoleKey
  typealias Value = Item

  private let entry = Locked<Entry<Item>?>(nil)
  let clock: StorageClock
  let mayBlock = false
  let ownExpiry: Expiry
  var traits: StoreTraits { StoreTraits(ownExpiry: ownExpiry) }

  init(clock: StorageClock, ownExpiry: Expiry = .never) {
    self.clock = clock
    self.ownExpiry = ownExpiry
  }

  func entryIfPresent(forKey key: SoleKey) -> Entry<Item>? { entry.withLock { $0 } }
  func setObject(_ object: Item, forKey key: SoleKey, expiry: Expiry?) {
    let new = Entry(object: object, expiry: (expiry ?? ownExpiry).resolved(by: clock))
    entry.withLock { $0 = new }
  }
  func removeObject(forKey key: SoleKey) { entry.withLock { $0 = nil } }
  func removeAll() { removeObject(forKey: SoleKey()) }
  func removeExpiredObjects() {
    entry.withLock { if $0?.expiry.isExpired(by: clock) == true { $0 = nil } }
  }
  func keys() -> [SoleKey] {
    entry.withLock { $0.isLive(by: clock) ? [SoleKey()] : [] }
  }
}
