// Generated from EncryptedStorage+Async.swift by `make twins`.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension EncryptedStorage: SyncStorageAware, SyncWrapperTaking
where Base: SyncStorageAware {
  /// Returns the decrypted entry. A value that uses an older key is stored again with the newest key, which a read at
  /// once cannot do. Expiries are not encrypted.
  @inlinable
  public func read(_ key: Key, _ how: How) throws -> Entry<Data>? {
    if how.contains(.quietly) { return nil }
    let how = how.subtracting(.inTurn)
    if how.contains(.expiryOnly) {
      return try base.read(key, how).map { Entry(expiry: $0.expiry) }
    }
    var refused: Data?
    while let sealed = try base.read(key, how) {
      if how.contains(.atOnce), isStale(sealed) { throw WouldWait() }
      guard let entry = try open(sealed, forKey: key, unless: &refused) else { continue }
      if isStale(sealed) { renew(sealed, entry.object, forKey: key) }
      return entry
    }
    return nil
  }

  /// Reads and decrypts several entries in one batch. Values that use older keys are stored again, one at a time.
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Data>] {
    var entries: [Key: Entry<Data>] = [:]
    if !how.isSubset(of: .inTurn) {
      for key in keys { entries[key] = try read(key, how) }
      return entries
    }
    let sealed = try base.read(keys, [])
    for (key, sealed) in sealed {
      var refused: Data?
      if let entry = try open(sealed, forKey: key, unless: &refused) {
        entries[key] = entry
      } else {
        entries[key] = try read(key, [])
      }
    }
    for (key, sealed) in sealed where isStale(sealed) {
      if let entry = entries[key] { renew(sealed, entry.object, forKey: key) }
    }
    return entries
  }

  /// Changes a key as the inner store does, with the value encrypted.
  @inlinable
  public func change(_ key: Key, _ change: StoreChange<Data>, _ how: How) throws -> Bool {
    if how.contains(.atOnce), mayBlock { throw WouldWait() }
    if case .forget = change.kind { return try base.change(key, change, []) }
    return try rewriting.writing(.key(key)) {
      try sealing { try base.change(key, change.map { try seal($0, forKey: key) }, []) }
    }
  }

  /// Changes many keys in one batch, with the values encrypted.
  public func change(_ batch: StoreBatch<Key, Data>, _ how: How) throws {
    if how.contains(.atOnce), mayBlock { throw WouldWait() }
    try rewriting.writing(TurnScope(batch.keys)) {
      try sealing { try base.change(batch.map { try seal($1, forKey: $0) }, []) }
    }
  }

  /// Returns at most `limit` keys of the inner store after a cursor; keys are not encrypted.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try base.list(after: cursor, limit: limit)
  }

  /// Removes all entries, or those that have expired.
  public func clear(_ extent: StoreExtent) throws {
    if extent == .expired { return try base.clear(extent) }
    try rewriting.writing(.everything) { try base.clear(extent) }
  }

  /// Encrypts several values, one at a time, and stores them in one batch.
  @usableFromInline
  package func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) throws {
    try rewriting.writing(TurnScope(objects.keys)) {
      try sealing { try base.setObjects(seal(objects), expiry: expiry) }
    }
  }

  /// Stores a value again with the newest key. A failure is reported, but is not thrown to the reader.
  @usableFromInline
  func renew(_ sealed: Entry<Data>, _ plain: Data, forKey key: Key) {
    do {
      _ = try rewriting.replace(
        sealed, with: coder(key).encodeWhole(plain, as: sealed.object), forKey: key, in: base)
    } catch is CancellationError {
      // The task was cancelled; the next read tries again.
    } catch {
      rewriting.report(error, key)
    }
  }
}

extension EncryptedStorage: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  /// Reads a value, modifies it and stores it with the newest key, as an atomic operation of the inner store. Returns
  /// the stored value.
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
