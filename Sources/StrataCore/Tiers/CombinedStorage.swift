/// Two tiers, a fast front and a durable back. It implements `HybridStorage` and `combined(with:)`.
///
/// Operations that change a key, or miss it in the front, are ordered per key. A slow read therefore never replaces a
/// newer write or a removal with an old value. Concurrent misses on one key share a single read of the back.
@usableFromInline
package struct CombinedStorage<Front: StorageAware, Back: StorageAware>: StorageAware
where Front.Key == Back.Key, Front.Value == Back.Value {
  @usableFromInline package typealias Key = Front.Key
  @usableFromInline package typealias Value = Front.Value

  @usableFromInline let front: ReportedTier<Front>
  @usableFromInline let back: ReportedTier<Back>
  @usableFromInline package let storageName: String
  @usableFromInline let order: KeyOrder<Key>
  let ownCoordinator = StorageCoordinator<Key>()
  /// The values that are being copied to the front while they are read.
  @usableFromInline let fills = StreamFills<Key>()
  /// The coherence of the front with a back that reports changes; `nil` for any other back.
  @usableFromInline let coherence: Coherence<Key>?
  /// The flag of `coherence`, which keeps it alive. Unmanaged: a hit would write its reference count, in one cache line
  /// for all threads.
  @usableFromInline let suspectFlag: Unmanaged<SuspectFlag>?
  /// Whether `peek` finds every entry of the front.
  @usableFromInline let peeksAll: Bool
  /// The latest expiry of a value that is copied from the back to the front.
  @usableFromInline let frontExpiry: Expiry

  @usableFromInline
  package init(front: Front, back: Back, storageName: String = "combined") {
    self.front = ReportedTier(front)
    self.back = ReportedTier(back)
    self.storageName = storageName
    order = KeyOrder(over: [front, back])
    let cannotFollow = !front.traits.canRemove
    coherence =
      cannotFollow ? nil : back.invalidationSource.map { Coherence(CoherentFront(front), hearing: $0) }
    suspectFlag = coherence.map { .passUnretained($0.suspectFlag) }
    let inFront = front.traits
    peeksAll = inFront.isMemory
    frontExpiry = (peeksAll ? inFront.ownExpiry : nil) ?? .never
  }

  @usableFromInline
  package var wrappedStorages: [any StorageDesign] { [shown(front.base), shown(back.base)] }
  @usableFromInline
  package var traits: StoreTraits {
    var traits = StoreTraits()
    traits.tiers = front.tiers + back.tiers
    return traits
  }
  @inlinable
  package var clock: StorageClock { front.clock }
  /// Always `true`: a call may wait for its key's turn while a suspended task has it.
  @usableFromInline
  package var mayBlock: Bool { true }
  /// The coordinator of the back, since the back is authoritative. Without one, the front's coordinator, or else a
  /// separate one.
  @usableFromInline
  package var coordinator: StorageCoordinator<Key>? {
    back.coordinator ?? front.coordinator ?? ownCoordinator
  }

  /// The invalidation source of the back. Combinators above this one receive an invalidation after this one.
  @usableFromInline
  package var invalidationSource: InvalidationSource<Key>? { back.invalidationSource }

  /// Returns the front's cached entry, unless it is suspect.
  @inlinable
  package func peek(forKey key: Key) -> Entry<Value>? { isSuspect(key) ? nil : front.peek(forKey: key) }

  /// Returns the result of `body` for the entry that `peek` would return, without copying it.
  @inlinable
  @inline(__always)
  package func _withCachedObject<R: Sendable>(forKey key: Key, _ body: (UnsafePointer<Value>, Expiry) -> R?)
    -> R?
  {
    isSuspect(key) ? nil : front._withCachedObject(forKey: key, body)
  }

  /// Returns whether the front's entry of a key is suspect: it must not be served.
  @inlinable
  func isSuspect(_ key: Key) -> Bool {
    guard let suspectFlag, suspectFlag._withUnsafeGuaranteedRef({ $0.isSet }) else { return false }
    return isReallySuspect(key)
  }

  /// Whether the back is only read: the front is authoritative.
  @usableFromInline var isBackUnwritten: Bool { back.traits.isUnwritten }

  @usableFromInline
  func isReallySuspect(_ key: Key) -> Bool { coherence?.isSuspect(key) ?? false }

  /// Returns the front's cached entries of many keys that may be served.
  func peek(forKeys keys: [Key]) -> [Key: Entry<Value>] {
    keys.reduce(into: [:]) { found, key in
      guard let entry = peek(forKey: key), entry.isLive(by: clock) else { return }
      front.noteHit(key)
      found[key] = entry
    }
  }

  /// Returns the expiry in the front of a value with this expiry in the back. Returns `nil` if the front's default
  /// applies.
  @inlinable
  func lifetime(_ inBack: Expiry) -> Expiry? {
    if inBack == .never { return nil }
    return frontExpiry == .never ? inBack : .earlier(inBack, frontExpiry.resolved(by: clock))
  }

  /// Returns the error to throw if a tier has failed and then the front has failed to drop the key.
  func doubleFault(_ error: any Error, _ second: any Error, forKey key: (any Sendable)? = nil) -> StorageError
  {
    StorageError.backendFailed.with(
      "a tier failed, and the front could not drop its entry, which may be outdated: \(second)",
      key: key,
      cause: error
    ).leavingOutdatedEntry()
  }
}

extension CombinedStorage: ConditionalStorage where Back: ConditionalStorage {}

extension CombinedStorage: SyncConditionalStorage
where Front: SyncStorageAware, Back: SyncConditionalStorage {}

extension CombinedStorage where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Reads at once, in the key's turn. The front, a memory, is read only after the back's lookup: if that has to wait,
  /// the front must not count a miss.
  @inlinable
  func peekThenAskBack(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if let entry = front.peek(forKey: key), entry.isLive(by: clock) {
      front.noteHit(key)
      return entry
    }
    let inBack = try back.read(key, how)
    let inFront = try front.read(key, [])
    if inFront.isLive(by: clock) { return inFront }
    guard let inBack else { return inFront }
    if inBack.isLive(by: clock) { copy(inBack, forKey: key) }
    return inBack
  }
}
