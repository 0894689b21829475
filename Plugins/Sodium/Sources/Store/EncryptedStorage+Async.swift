#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

// sync: extension EncryptedStorage: SyncStorageAware, SyncWrapperTaking
// sync: where Base: SyncStorageAware {
extension EncryptedStorage: WrapperTaking {
  /// Returns the decrypted entry. A value that uses an older key is stored again with the newest key, which a read at
  /// once cannot do. Expiries are not encrypted.
  @inlinable
  public func read(_ key: Key, _ how: How) async throws -> Entry<Data>? {
    if how.contains(.quietly) { return nil }
    let how = how.subtracting(.inTurn)
    if how.contains(.expiryOnly) {
      return try await base.read(key, how).map { Entry(expiry: $0.expiry) }
    }
    var refused: Data?
    while let sealed = try await base.read(key, how) {
      if how.contains(.atOnce), isStale(sealed) { throw WouldWait() }
      guard let entry = try open(sealed, forKey: key, unless: &refused) else { continue }
      if isStale(sealed) { await renew(sealed, entry.object, forKey: key) }
      return entry
    }
    return nil
  }

  /// Reads and decrypts several entries in one batch. Values that use older keys are stored again, one at a time.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Data>] {
    var entries: [Key: Entry<Data>] = [:]
    if !how.isSubset(of: .inTurn) {
      for key in keys { entries[key] = try await read(key, how) }
      return entries
    }
    let sealed = try await base.read(keys, [])
    for (key, sealed) in sealed {
      var refused: Data?
      if let entry = try open(sealed, forKey: key, unless: &refused) {
        entries[key] = entry
      } else {
        entries[key] = try await read(key, [])
      }
    }
    for (key, sealed) in sealed where isStale(sealed) {
      if let entry = entries[key] { await renew(sealed, entry.object, forKey: key) }
    }
    return entries
  }

  /// Changes a key as the inner store does, with the value encrypted.
  @inlinable
  public func change(_ key: Key, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    // sync: if how.contains(.atOnce), mayBlock { throw WouldWait() }
    if how.contains(.atOnce) { throw WouldWait() }
    if case .forget = change.kind { return try await base.change(key, change, []) }
    return try await rewriting.writing(.key(key)) {
      try await sealing { try await base.change(key, change.map { try seal($0, forKey: key) }, []) }
    }
  }

  /// Changes many keys in one batch, with the values encrypted.
  public func change(_ batch: StoreBatch<Key, Data>, _ how: How) async throws {
    // sync: if how.contains(.atOnce), mayBlock { throw WouldWait() }
    if how.contains(.atOnce) { throw WouldWait() }
    try await rewriting.writing(TurnScope(batch.keys)) {
      try await sealing { try await base.change(batch.map { try seal($1, forKey: $0) }, []) }
    }
  }

  /// Returns at most `limit` keys of the inner store after a cursor; keys are not encrypted.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.list(after: cursor, limit: limit)
  }

  /// Removes all entries, or those that have expired.
  public func clear(_ extent: StoreExtent) async throws {
    if extent == .expired { return try await base.clear(extent) }
    try await rewriting.writing(.everything) { try await base.clear(extent) }
  }

  /// Encrypts several values, one at a time, and stores them in one batch.
  @usableFromInline
  package func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws {
    try await rewriting.writing(TurnScope(objects.keys)) {
      try await sealing { try await base.setObjects(seal(objects), expiry: expiry) }
    }
  }

  /// Stores a value again with the newest key. A failure is reported, but is not thrown to the reader.
  @usableFromInline
  func renew(_ sealed: Entry<Data>, _ plain: Data, forKey key: Key) async {
    do {
      _ = try await rewriting.replace(
        sealed, with: coder(key).encodeWhole(plain, as: sealed.object), forKey: key, in: base)
    } catch is CancellationError {
      // The task was cancelled; the next read tries again.
    } catch {
      rewriting.report(error, key)
    }
  }
}

extension EncryptedStorage: UpdateableStorage where Base: UpdateableStorage {
  /// Reads a value, modifies it and stores it with the newest key, as an atomic operation of the inner store. Returns
  /// the stored value.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) async throws -> Data {
    var update = ResealingUpdate(self, key)
    while true {
      do {
        try await base.update(forKey: key) { try update.apply(&$0, modify) }
        return update.plain
      } catch let error as EncryptorError {
        guard update.isWorthAnotherAttempt else { throw error }
      }
    }
  }
}
