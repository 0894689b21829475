#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

// sync: extension EncryptedStorage: SyncStorageAware, SyncWrapperTaking where Base: SyncStorageAware {
extension EncryptedStorage: WrapperTaking {
  /// Returns the decrypted entry. A value that uses an older key is stored again with the newest key.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Data>? {
    var refused: Data?
    while let sealed = try await base.entryIfPresent(forKey: key) {
      guard let entry = try open(sealed, forKey: key, unless: &refused) else { continue }
      if isStale(sealed) { await renew(sealed, entry.object, forKey: key) }
      return entry
    }
    return nil
  }

  /// Encrypts and stores a value.
  @inlinable
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) async throws {
    try await rewriting.writing(.key(key)) {
      try await sealing { try await base.setObject(seal(object, forKey: key), forKey: key, expiry: expiry) }
    }
  }

  /// Encrypts a changed value and stores it with `replaceObject` of the inner store.
  public func replaceObject(_ object: Data, forKey key: Key, expiry: Expiry?) async throws {
    try await rewriting.writing(.key(key)) {
      try await sealing {
        try await base.replaceObject(seal(object, forKey: key), forKey: key, expiry: expiry)
      }
    }
  }

  /// Removes the value of a key.
  @inlinable
  public func removeObject(forKey key: Key) async throws {
    try await rewriting.writing(.key(key)) { try await base.removeObject(forKey: key) }
  }

  /// Removes all values.
  public func removeAll() async throws {
    try await rewriting.writing(.everything) { try await base.removeAll() }
  }

  /// Removes all expired values.
  public func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }

  /// Returns all keys; keys are not encrypted.
  public func keys() async throws -> [Key] { try await base.keys() }

  /// Returns at most `limit` keys of the inner store after a cursor.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.keyPage(after: cursor, limit: limit)
  }

  /// Returns the expiry of a value; expiries are not encrypted.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await base.expiryIfPresent(forKey: key)
  }

  /// Removes the in-memory copy of a value.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await base.removeInMemoryObject(forKey: key)
  }

  /// Reads and decrypts several entries in one batch. Values that use older keys are stored again, one at a time.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Data>] {
    let sealed = try await base.entries(forKeys: keys)
    var entries: [Key: Entry<Data>] = [:]
    for (key, sealed) in sealed {
      var refused: Data?
      if let entry = try open(sealed, forKey: key, unless: &refused) {
        entries[key] = entry
      } else {
        entries[key] = try await entryIfPresent(forKey: key)
      }
    }
    for (key, sealed) in sealed where isStale(sealed) {
      if let entry = entries[key] { await renew(sealed, entry.object, forKey: key) }
    }
    return entries
  }

  /// Encrypts several values and stores them in one batch.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) async throws {
    try await rewriting.writing(TurnScope(objects.keys)) {
      try await sealing { try await base.setObjects(seal(objects), expiry: expiry) }
    }
  }

  /// Encrypts several values and stores them in one batch, each with its own expiry.
  public func setEntries(_ entries: [Key: Entry<Data>]) async throws {
    try await rewriting.writing(TurnScope(entries.keys)) {
      try await sealing { try await base.setEntries(seal(entries)) }
    }
  }

  /// Removes several values in one batch.
  public func removeObjects(forKeys keys: [Key]) async throws {
    try await rewriting.writing(TurnScope(keys)) { try await base.removeObjects(forKeys: keys) }
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
      _ = try await rewriting.replace(sealed, with: seal(plain, forKey: key), forKey: key, in: base)
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
