/// The rules of two tiers, a fast one in front of a lasting one; `HybridStorage` and `combined(with:)` keep them by
/// this link.
///
/// Operations that change a key, or miss it in front, take their turns: a slow read never puts an old value over a
/// newer write or a removal, and of many that miss a key at the same time one asks the back for all.
@usableFromInline
package struct CombinedStorage<Front: StorageAware, Back: StorageAware>: StorageAware
where Front.Key == Back.Key, Front.Value == Back.Value {
  @usableFromInline package typealias Key = Front.Key
  @usableFromInline package typealias Value = Front.Value

  @usableFromInline let front: Front
  @usableFromInline let back: Back
  @usableFromInline package let storageName: String
  @usableFromInline let order: KeyOrder<Key>
  let ownHub = StorageHub<Key>()
  /// What keeps the front true to a back that others change too, if the back announces it.
  @usableFromInline let coherence: Coherence<Key>?
  @usableFromInline let doubt: Doubt?
  /// Whether a `peek` of the front tells all that it holds.
  @usableFromInline let peeksAll: Bool
  /// How long the front holds a value at most that comes from the back.
  @usableFromInline let frontExpiry: Expiry

  @usableFromInline
  package init(front: Front, back: Back, storageName: String = "combined") {
    self.front = front
    self.back = back
    self.storageName = storageName
    order = KeyOrder(tasksMayWait: mayWait(front) || mayWait(back))
    let cannotFollow = front is any UnremovingTier
    coherence = cannotFollow ? nil : back.announcer.map { Coherence(CoherentFront(front), hearing: $0) }
    doubt = coherence?.doubt
    let memory = front as? any MemoryTier
    peeksAll = memory != nil
    frontExpiry = memory?.ownExpiry ?? .never
  }

  @usableFromInline
  package var wrappedStorages: [any StorageDesign] { [shown(front), shown(back)] }
  @inlinable
  package var clock: StorageClock { front.clock }
  /// Always: a call may have to wait for its turn, which a task has that is suspended.
  @usableFromInline
  package var mayBlock: Bool { true }
  /// That of the back, since it decides what is stored.
  @usableFromInline
  package var hub: StorageHub<Key>? { back.hub ?? front.hub ?? ownHub }

  /// That of the back. What stands above hears of a change after this link.
  @usableFromInline
  package var announcer: StorageAnnouncer<Key>? { back.announcer }

  /// What the front has at hand and may be served.
  @inlinable
  package func peek(forKey key: Key) -> Entry<Value>? { isInDoubt(key) ? nil : front.peek(forKey: key) }

  /// Whether what the front holds of a key may not be served.
  @inlinable
  func isInDoubt(_ key: Key) -> Bool {
    guard let doubt, doubt.exists else { return false }
    return isReallyInDoubt(key)
  }

  @usableFromInline
  func isReallyInDoubt(_ key: Key) -> Bool { coherence?.isInDoubt(key) ?? false }

  @inlinable
  func isLive(_ entry: Entry<Value>?) -> Bool { entry.map { !$0.expiry.isExpired(by: clock) } ?? false }

  /// What of many keys the front holds and may be served.
  func peek(forKeys keys: [Key]) -> [Key: Entry<Value>] {
    keys.reduce(into: [:]) { found, key in
      if let entry = peek(forKey: key), isLive(entry) { found[key] = entry }
    }
  }

  /// The expiry to put a value in front with that ends so in the back: without one, the front's own applies.
  @inlinable
  func lifetime(_ inBack: Expiry) -> Expiry? {
    if inBack == .never { return nil }
    return frontExpiry == .never ? inBack : .earlier(inBack, frontExpiry.resolved(by: clock))
  }

  /// The expiry of what is replaced, if it has not expired.
  @inlinable
  func kept(_ expiry: Expiry?) -> Expiry? { expiry.flatMap { $0.isExpired(by: clock) ? nil : $0 } }

  /// The error to throw when a tier failed and then the front did not even drop the key.
  func doubleFault(_ error: any Error, _ second: any Error, forKey key: (any Sendable)? = nil) -> StorageError
  {
    StorageError.backendFailed.with(
      "a tier failed, and the front tier may still hold an old value since it failed too: \(second)",
      key: key,
      cause: error)
  }
}
