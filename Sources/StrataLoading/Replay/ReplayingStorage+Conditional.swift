public import StrataCore

extension ReplayingStorage: ConditionalStorage {
  /// Stores a value if the key has none, or only an expired one, now or when the store is available again. Returns
  /// whether it was stored or is pending.
  ///
  /// Atomic like the inner store's `setIfAbsent` while no write is pending. While any is, a key without a pending write
  /// counts as absent. Such a value is stored later only if the store has none by then: another machine's value stays.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    let expiry = expiry?.resolved(by: clock)
    var isStored = true
    try await make(.key(key)) {
      isStored = try await base.change(key, .setIfAbsent(object, expiry), [])
    } orAdd: { queue in
      if isLive(queue.entry(of: key)) {
        isStored = false
        return ([], true)
      }
      let write = Queue.Write.set(object, expiry, ifAbsent: queue.isUnknown(key))
      return queue.add(write, forKey: key) ? ([key], true) : ([], false)
    }
    return isStored
  }

  /// Changes the expiry of a pending or stored value. Returns `false` if the value is absent or has expired. Throws if
  /// the value is not pending and the store is down.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    let expiry = expiry.resolved(by: clock)
    return try await order.withTurn(.key(key)) {
      let isTouched = queue.withLock { queue -> Bool? in
        guard let pending = queue.entry(of: key) else { return nil }
        guard let pending, isLive(pending) else { return false }
        return queue.add(.set(pending.object, expiry, ifAbsent: queue.isUnknown(key)), forKey: key)
      }
      if let isTouched { return isTouched }
      return try await base.change(key, .touch(expiry), [])
    }
  }

  private func isLive(_ pending: Entry<Value>??) -> Bool {
    guard let pending, let entry = pending else { return false }
    return !entry.expiry.isExpired(by: clock)
  }
}
