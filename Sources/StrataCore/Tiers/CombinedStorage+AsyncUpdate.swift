// sync: extension CombinedStorage: SyncUpdateableStorage
// sync: where Front: SyncStorageAware, Back: SyncStorageAware & SyncUpdateableStorage {
extension CombinedStorage: UpdateableStorage where Back: UpdateableStorage {
  /// Updates a value as the back does, atomically for all of its writers, and then stores it in front.
  @usableFromInline  // sync: @inlinable
  package func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await update(forKey: key, agreement: { _, _ in .unknown }, modify)
  }

  /// - Parameter agreement: what is known of the front's value, the first one, and the back's, the second one. If they
  ///   are the same, the closure gets the front's, and if it throws, the front keeps it.
  @usableFromInline  // sync: @inlinable
  package func update(
    forKey key: Key, agreement: (Value, Value) -> TierAgreement, _ modify: (inout Value) throws -> Void
  ) async throws -> Value {
    // sync: try order.withTurn(of: key, []) { try updateInTurn(key, agreement, modify) }
    try await updateForCaller(key, agreement, modify)
  }

  /// Updates a value for a caller that has the key's turn.
  @usableFromInline  // sync: @inlinable
  package func updateInTurn(
    _ key: Key, _ agreement: (Value, Value) -> TierAgreement, _ modify: (inout Value) throws -> Void
  ) async throws -> Value {
    fills.overtake(key)
    var seen = TierAgreement.unknown
    var keepsFront = false
    do {
      let stored = try await back.update(forKey: key) { value in
        (seen, keepsFront) = (.unknown, false)
        if let inFront = front.peek(forKey: key)?.value {
          seen = agreement(inFront, value)
          if seen != .unknown { value = inFront }
        }
        do { try modify(&value) } catch {
          keepsFront = seen != .unknown
          throw error
        }
      }
      let replaced = seen
      do {
        try await finishing { try await putInFront(stored, forKey: key, replacing: replaced) }
      } catch StorageError.tooLarge {
        // It is too large for the front alone: the back has stored it.
        try await front.base.change(key, .remove, [])
      }
      return stored
    } catch {
      // Only a closure that threw on the value of both tiers has changed nothing for sure: a back that throws may have
      // made the change, and the closure may have been given something that the front does not have.
      throw keepsFront ? error : await afterDropping([key], error)
    }
  }

  /// Stores what the back has stored by an update. It expires as in the back, or as the value that it replaces, if that
  /// is earlier. If the back cannot tell the expiry, the front drops the key: the update has taken effect.
  @usableFromInline  // sync: @inlinable
  func putInFront(
    _ stored: Value, forKey key: Key, replacing replaced: TierAgreement
  ) async throws {
    // Only entries that were read from a back that reports changes are covered by its invalidations.
    if coherence != nil { return _ = try await front.base.change(key, .remove, []) }
    let inFront = try await kept(front.read(key, .expiryOnly)?.expiry)
    if replaced == .ofEntries, let inFront {
      return _ = try await front.change(key, .replace(stored, inFront), [])
    }
    guard let inBack = await expiryInBack(of: key) else {
      return _ = try await front.base.change(key, .remove, [])
    }
    // A value that never expires in the back expires as the one that it replaces in front, not by the default there.
    var expiry = lifetime(inBack)
    if let inFront { expiry = expiry.map { .earlier($0, inFront) } ?? inFront }
    _ = try await front.change(key, .replace(stored, expiry), [])
  }

  @usableFromInline  // sync: @inlinable
  func expiryInBack(of key: Key) async -> Expiry? {
    do { return try await kept(back.read(key, .expiryOnly)?.expiry) } catch { return nil }
  }
}
