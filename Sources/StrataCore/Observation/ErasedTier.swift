/// The tiers of a chain without their type. Their operations are closures that are compiled for it.
///
/// Through `any`, a hit takes five times as long and a write ten times.
@usableFromInline
package struct ErasedTier<Key: Hashable & Sendable>: SyncStorageAware {
  @usableFromInline package typealias Value = TypeWrapper
  @usableFromInline typealias Update =
    @Sendable (Key, (inout TypeWrapper) throws -> Void) throws -> TypeWrapper

  @usableFromInline package let look: @Sendable (Key) -> Hit?
  @usableFromInline let readOne: @Sendable (Key, How) throws -> Entry<TypeWrapper>?
  @usableFromInline let readMany: @Sendable ([Key], How) throws -> [Key: Entry<TypeWrapper>]
  @usableFromInline let changeOne: @Sendable (Key, StoreChange<TypeWrapper>, How) throws -> Bool
  /// Updates a value atomically for all writers of the tier; `nil` if the tier cannot, or is a memory, whose only
  /// writer is the chain.
  @usableFromInline let updateOne:
    (@Sendable (Key, (inout TypeWrapper) throws -> Void) throws -> TypeWrapper)?
  @usableFromInline let changeMany: @Sendable (StoreBatch<Key, TypeWrapper>, How) throws -> Void
  @usableFromInline let listPage: @Sendable (KeyCursor?, Int) throws -> KeyPage<Key>
  @usableFromInline let clearExtent: @Sendable (StoreExtent) throws -> Void
  @usableFromInline let open: @Sendable (Key, Range<Int>?, How) async throws -> StoredBytes?
  @usableFromInline let begin: @Sendable (Key, Expiry?, How) async throws -> any StagedBytes
  @usableFromInline package let base: any SyncStorageAware<Key, TypeWrapper>
  @usableFromInline package let tiers: [StorageTier]

  /// Erases a tier, whose operations are reported.
  @inlinable
  package init<Tier: SyncStorageAware<Key, TypeWrapper>>(_ tier: Tier) {
    let reported = ReportedTier(tier)
    self.init(reported, base: tier, tiers: reported.tiers)
  }

  /// Erases a tier that updates values. Its own closure is compiled for its type, which the other initialiser could not
  /// know to have the function.
  @inlinable
  package init<Tier: SyncStorageAware<Key, TypeWrapper> & SyncUpdateableStorage>(_ tier: Tier) {
    let reported = ReportedTier(tier)
    self.init(reported, base: tier, tiers: reported.tiers) { try reported.update(forKey: $0, $1) }
  }

  /// Erases two tiers that only one chain uses, and of which the back updates values.
  @inlinable
  package init<Front: SyncStorageAware, Back: SyncStorageAware & SyncUpdateableStorage>(
    ofOneChain tiers: HybridStorage<Front, Back>
  ) where Front.Key == Key {
    self.init(tiers, base: tiers, tiers: tiers.tiersOfChain, adding: .inTurn) {
      try tiers.updateInTurn(forKey: $0, $1)
    }
  }

  /// Erases two tiers that only one chain uses. The chain calls them in the key's turn, so they take no turn of their
  /// own order.
  @inlinable
  package init<Front: SyncStorageAware, Back: SyncStorageAware>(
    ofOneChain tiers: HybridStorage<Front, Back>
  ) where Front.Key == Key {
    self.init(tiers, base: tiers, tiers: tiers.tiersOfChain, adding: .inTurn)
  }

  /// - Parameters:
  ///   - how: Added to how each operation is done.
  ///   - update: Updates a value of the tier; `nil` to find out whether it can.
  @inlinable
  init<Tier: SyncStorageAware<Key, TypeWrapper>>(
    _ tier: Tier, base: any SyncStorageAware<Key, TypeWrapper>, tiers: [StorageTier], adding how: How = [],
    _ update: Update? = nil
  ) {
    look = { tier.peek(forKey: $0).map(Hit.init) }
    readOne = { try tier.read($0, $1.union(how)) }
    readMany = { try tier.read($0, $1.union(how)) }
    changeOne = { try tier.change($0, $1, $2.union(how)) }
    updateOne = tier.traits.isMemory ? nil : update ?? Self.update(of: tier, how)
    changeMany = { try tier.change($0, $1.union(how)) }
    listPage = { try tier.list(after: $0, limit: $1) }
    clearExtent = { try tier.clear($0) }
    open = { try await tier.stream($0, $1, $2.union(how)) }
    begin = { try await tier.stage($0, $1, $2.union(how)) }
    self.base = base
    self.tiers = tiers
  }

  @usableFromInline
  static func update(of tier: some SyncStorageAware<Key, TypeWrapper>, _ how: How) -> Update? {
    if how.contains(.inTurn), let tier = tier as? any InTurnUpdating<Key, TypeWrapper> {
      return { try tier.updateInTurn(forKey: $0, $1) }
    }
    guard let tier = tier as? any SyncUpdateableStorage<Key, TypeWrapper> else { return nil }
    return { try tier.update(forKey: $0, $1) }
  }

  @usableFromInline
  package var traits: StoreTraits { StoreTraits(showing: base) }
  @usableFromInline
  package var wrappedStorages: [any StorageDesign] { [base] }
  @usableFromInline
  package var clock: StorageClock { base.clock }
  @usableFromInline
  package var mayBlock: Bool { base.mayBlock }
  @usableFromInline
  package var coordinator: StorageCoordinator<Key>? { base.coordinator }
  @usableFromInline
  package var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }

  @inlinable
  package func peek(forKey key: Key) -> Entry<TypeWrapper>? {
    look(key).map { Entry(object: $0.wrapper, expiry: $0.expiry) }
  }

  @inlinable
  package func read(_ key: Key, _ how: How) throws -> Entry<TypeWrapper>? { try readOne(key, how) }

  @inlinable
  package func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<TypeWrapper>] {
    try readMany(keys, how)
  }

  @inlinable
  package func change(_ key: Key, _ change: StoreChange<TypeWrapper>, _ how: How) throws -> Bool {
    try changeOne(key, change, how)
  }

  @inlinable
  package func change(_ batch: StoreBatch<Key, TypeWrapper>, _ how: How) throws {
    try changeMany(batch, how)
  }

  @inlinable
  package func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try listPage(cursor, limit)
  }

  @inlinable
  package func clear(_ extent: StoreExtent) throws { try clearExtent(extent) }

  @usableFromInline
  package func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await open(key, range, how)
  }

  @usableFromInline
  package func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await begin(key, expiry, how)
  }
}

/// A cached entry that is small enough to be returned in registers, unlike an `Entry`.
@usableFromInline
package struct Hit: Sendable {
  @usableFromInline package let wrapper: TypeWrapper
  @usableFromInline package let expiry: Expiry

  @inlinable
  package init(_ entry: Entry<TypeWrapper>) {
    wrapper = entry.object
    expiry = entry.expiry
  }
}
