#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension EncryptedStorage: SyncStorageAware, SyncWrapperTaking where Base: SyncStorageAware {
  /// Reads and decrypts. A value under an old key is stored again under the newest.
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    var refused: Data?
    while let sealed = try base.entryIfPresent(forKey: key) {
      guard let entry = try open(sealed, forKey: key, unless: &refused) else { continue }
      if isStale(sealed) { renew(sealed, entry.object, forKey: key) }
      return entry
    }
    return nil
  }

  /// What is at hand below, decrypted. What has to be stored again, or cannot be decrypted, only a read tells.
  public func entryAtHand(forKey key: Key) -> AtHand<Entry<Data>> {
    AtHand {
      try base.entryAtHand(forKey: key).get().map { sealed in
        if isStale(sealed) { throw WouldWait() }
        return try open(sealed, forKey: key)
      }
    }
  }

  /// Encrypts and stores.
  @inlinable
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {
    try rewriting.writing(.key(key)) {
      try sealing { try base.setObject(seal(object, forKey: key), forKey: key, expiry: expiry) }
    }
  }

  /// Encrypts a changed value and stores it as the store below does.
  public func replaceObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {
    try rewriting.writing(.key(key)) {
      try sealing { try base.replaceObject(seal(object, forKey: key), forKey: key, expiry: expiry) }
    }
  }

  /// Removes what is stored under a key.
  @inlinable
  public func removeObject(forKey key: Key) throws {
    try rewriting.writing(.key(key)) { try base.removeObject(forKey: key) }
  }

  /// Removes everything.
  public func removeAll() throws { try rewriting.writing(.everything) { try base.removeAll() } }

  /// Removes what has expired.
  public func removeExpiredObjects() throws { try base.removeExpiredObjects() }

  /// The keys of all that is stored; they are not encrypted.
  public func keys() throws -> [Key] { try base.keys() }

  /// The expiry of what is stored, which is not encrypted.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? { try base.expiryIfPresent(forKey: key) }

  /// The expiry of what is at hand below.
  public func expiryAtHand(forKey key: Key) -> AtHand<Expiry> { base.expiryAtHand(forKey: key) }

  /// Forgets what memory holds of a key.
  public func removeInMemoryObject(forKey key: Key) throws { try base.removeInMemoryObject(forKey: key) }

  /// Reads many in one batch and decrypts them. Values under old keys are stored again, one after the other.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>] {
    let sealed = try base.entries(forKeys: keys)
    var entries: [Key: Entry<Data>] = [:]
    for (key, sealed) in sealed {
      var refused: Data?
      entries[key] = try open(sealed, forKey: key, unless: &refused) ?? entryIfPresent(forKey: key)
    }
    for (key, sealed) in sealed where isStale(sealed) {
      if let entry = entries[key] { renew(sealed, entry.object, forKey: key) }
    }
    return entries
  }

  /// Encrypts many and stores them in one batch.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) throws {
    try rewriting.writing(TurnScope(objects.keys)) {
      try sealing { try base.setObjects(seal(objects), expiry: expiry) }
    }
  }

  /// Encrypts many, one after the other, and stores them in one batch.
  package func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) throws {
    try rewriting.writing(TurnScope(objects.keys)) {
      try sealing { try base.setObjects(seal(objects), expiry: expiry) }
    }
  }

  /// Removes many in one batch.
  public func removeObjects(forKeys keys: [Key]) throws {
    try rewriting.writing(TurnScope(keys)) { try base.removeObjects(forKeys: keys) }
  }

  /// Stores what was read under the newest key. That it cannot be stored is no failure of the read.
  @usableFromInline
  func renew(_ sealed: Entry<Data>, _ plain: Data, forKey key: Key) {
    do {
      _ = try rewriting.replace(sealed, with: seal(plain, forKey: key), forKey: key, in: base)
    } catch {
      rewriting.report(error, key)
    }
  }
}

extension EncryptedStorage: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  /// Reads a value, changes it and stores it under the newest key, as the atomic operation of the store below, and
  /// returns what it stored.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) throws -> Data {
    var update = ResealingUpdate(self, key)
    while true {
      do {
        try base.update(forKey: key) { try update.apply(&$0, modify) }
        return update.plain
      } catch let error as EncryptorError {
        guard update.isWorthAnotherAttempt else { throw error }
      }
    }
  }
}
