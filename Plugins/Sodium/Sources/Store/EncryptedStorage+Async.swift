#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension EncryptedStorage: WrapperTaking {
  /// Reads and decrypts. A value under an old key is stored again under the newest.
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Data>? {
    var refused: Data?
    while let sealed = try await base.entryIfPresent(forKey: key) {
      guard let entry = try open(sealed, forKey: key, unless: &refused) else { continue }
      if isStale(sealed) { await renew(sealed, entry.object, forKey: key) }
      return entry
    }
    return nil
  }

  /// Encrypts and stores.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) async throws {
    try await rewriting.writing(.key(key)) {
      try await sealing { try await base.setObject(seal(object, forKey: key), forKey: key, expiry: expiry) }
    }
  }

  /// Encrypts a changed value and stores it as the store below does.
  public func replaceObject(_ object: Data, forKey key: Key, expiry: Expiry?) async throws {
    try await rewriting.writing(.key(key)) {
      try await sealing {
        try await base.replaceObject(seal(object, forKey: key), forKey: key, expiry: expiry)
      }
    }
  }

  /// Removes what is stored under a key.
  public func removeObject(forKey key: Key) async throws {
    try await rewriting.writing(.key(key)) { try await base.removeObject(forKey: key) }
  }

  /// Removes everything.
  public func removeAll() async throws {
    try await rewriting.writing(.everything) { try await base.removeAll() }
  }

  /// Removes what has expired.
  public func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }

  /// The keys of all that is stored; they are not encrypted.
  public func keys() async throws -> [Key] { try await base.keys() }

  /// The expiry of what is stored, which is not encrypted.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await base.expiryIfPresent(forKey: key)
  }

  /// Forgets what memory holds of a key.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await base.removeInMemoryObject(forKey: key)
  }

  /// Reads many in one batch and decrypts them. Values under old keys are stored again, one after the other.
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

  /// Encrypts many and stores them in one batch.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) async throws {
    try await rewriting.writing(TurnScope(objects.keys)) {
      try await sealing { try await base.setObjects(seal(objects), expiry: expiry) }
    }
  }

  /// Removes many in one batch.
  public func removeObjects(forKeys keys: [Key]) async throws {
    try await rewriting.writing(TurnScope(keys)) { try await base.removeObjects(forKeys: keys) }
  }

  /// Encrypts many, one after the other, and stores them in one batch.
  package func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws {
    try await rewriting.writing(TurnScope(objects.keys)) {
      try await sealing { try await base.setObjects(seal(objects), expiry: expiry) }
    }
  }

  /// Stores what was read under the newest key. That it cannot be stored is no failure of the read.
  private func renew(_ sealed: Entry<Data>, _ plain: Data, forKey key: Key) async {
    do {
      _ = try await rewriting.replace(sealed, with: seal(plain, forKey: key), forKey: key, in: base)
    } catch is CancellationError {
      // The task goes away; the next read tries again.
    } catch {
      rewriting.report(error, key)
    }
  }
}

extension EncryptedStorage: UpdateableStorage where Base: UpdateableStorage {
  /// Reads a value, changes it and stores it under the newest key, as the atomic operation of the store below, and
  /// returns what it stored.
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
