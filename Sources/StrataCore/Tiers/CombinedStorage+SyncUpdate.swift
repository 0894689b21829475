// Generated from CombinedStorage+AsyncUpdate.swift by `make twins`.
extension CombinedStorage: SyncUpdateableStorage
where Front: SyncStorageAware, Back: SyncStorageAware & SyncUpdateableStorage {
  /// Updates a value as the back does, atomically for all of its writers, and then stores it in front.
  @usableFromInline
  package func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try update(forKey: key, isCurrent: { _, _ in false }, modify)
  }

  /// - Parameter isCurrent: whether the front's value, the first one, is certainly the back's, the second one. The
  ///   closure then gets the front's, and if it throws, the front keeps it.
  @usableFromInline
  package func update(
    forKey key: Key, isCurrent: (Value, Value) -> Bool, _ modify: (inout Value) throws -> Void
  ) throws -> Value {
    try updateInTurn(key, isCurrent, modify)
  }

  @usableFromInline
  func updateInTurn(
    _ key: Key, _ isCurrent: (Value, Value) -> Bool, _ modify: (inout Value) throws -> Void
  ) throws -> Value {
    try order.withTurn(of: key, []) {
      fills.overtake(key)
      var isFrontCurrent = false
      do {
        let stored = try back.update(forKey: key) { value in
          isFrontCurrent = false
          if let inFront = front.peek(forKey: key)?.value, isCurrent(inFront, value) {
            isFrontCurrent = true
            value = inFront
          }
          try modify(&value)
        }
        let wasCurrent = isFrontCurrent
        isFrontCurrent = false
        try finishing { try putInFront(stored, forKey: key, inPlaceOfCurrent: wasCurrent) }
        return stored
      } catch {
        // The closure has been given, or the back has shown, something that the front may not have.
        throw isFrontCurrent ? error : afterDropping([key], error)
      }
    }
  }

  /// Stores what the back has stored by an update. It expires as in the back, or as the value that it replaces, if that
  /// is earlier. A value that was current has the back's expiry already. If the back cannot tell the expiry, the front
  /// drops the key: the update has taken effect.
  private func putInFront(
    _ stored: Value, forKey key: Key, inPlaceOfCurrent wasCurrent: Bool
  ) throws {
    // Only entries that were read from a back that reports changes are covered by its invalidations.
    if coherence != nil { return _ = try front.base.change(key, .remove, []) }
    let inFront = try kept(front.read(key, .expiryOnly)?.expiry)
    if wasCurrent, let inFront { return _ = try front.change(key, .replace(stored, inFront), []) }
    guard let inBack = expiryInBack(of: key) else {
      return _ = try front.base.change(key, .remove, [])
    }
    var expiry = lifetime(inBack)
    if let inFront, inFront != .never { expiry = expiry.map { .earlier($0, inFront) } ?? inFront }
    _ = try front.change(key, .replace(stored, expiry), [])
  }

  private func expiryInBack(of key: Key) -> Expiry? {
    do { return try kept(back.read(key, .expiryOnly)?.expiry) } catch { return nil }
  }
}
