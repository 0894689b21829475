#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RocksDBStorage {
  /// Stores a value, replacing the old one. Without an expiry, the configuration's applies.
  ///
  /// If it throws, the old value is still there. Throws `.tooLarge` if the entry alone exceeds `maxSize` or RocksDB's
  /// limit of 4 GiB, and `.backendFailed` if RocksDB fails, for example because the disk is full.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {
    try explaining("store the entry", key) {
      let expiry = (expiry ?? config.expiry).resolved(by: clock)
      try RecordKey.withEntry(key) { bytes in
        try refuseInsideUpdate(of: key, bytes)
        try Record.checkSize(key: bytes.count, value: object.count)
        if limit == nil, try object.withUnsafeBytes({ try family.put(bytes, $0, expiry, writing) }) { return }
        try family.put(
          NewEntries(entries: [(Array(bytes), object)], expiry: expiry), limit: limit, writing)
      }
    }
  }

  /// Stores many values as one write: if it throws, none is stored.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) throws {
    try explaining("store the entries") {
      let entries = try objects.map { key, value in
        let bytes = try writable(key)
        try explaining("store the entry", key) {
          try Record.checkSize(key: bytes.count, value: value.count)
        }
        return (key: bytes, value: value)
      }
      let expiry = (expiry ?? config.expiry).resolved(by: clock)
      try family.put(NewEntries(entries: entries, expiry: expiry), limit: limit, writing)
    }
  }

  /// Removes an entry, if there is one.
  public func removeObject(forKey key: Key) throws {
    try explaining("remove the entry", key) {
      try RecordKey.withEntry(key) { bytes in
        try refuseInsideUpdate(of: key, bytes)
        if try family.remove(bytes, writing) { return }
        try family.remove([Array(bytes)], writing)
      }
    }
  }

  /// Removes the entries of many keys as one write: if it throws, none is removed.
  public func removeObjects(forKeys keys: [Key]) throws {
    try explaining("remove the entries") { try family.remove(keys.map(writable), writing) }
  }

  /// Removes all entries of the family, whatever their number and key type, and frees their space.
  ///
  /// The entries disappear within microseconds. The call returns when their tables are deleted too, which may take some
  /// tenths of a second; writers do not wait for that.
  public func removeAll() throws {
    try explaining("remove all entries") { try family.removeAll(writing) }
  }

  /// Removes expired entries. Visits only these, and the keys that expire within the hour.
  ///
  /// It blocks writers for some milliseconds at a time.
  public func removeExpiredObjects() throws {
    try explaining("remove what has expired") { try family.sweep(until: clock.now, writing) }
  }

  /// Returns the record key of a key that is about to be written. Throws inside an update of that key on this thread.
  func writable(_ key: Key) throws -> [UInt8] {
    try RecordKey.withEntry(key) { bytes in
      try refuseInsideUpdate(of: key, bytes)
      return Array(bytes)
    }
  }

  private func refuseInsideUpdate(of key: Key, _ bytes: UnsafeRawBufferPointer) throws {
    guard KeyOrder<[UInt8]>.isThreadInTurn else { return }
    do { try family.updates.refuseInsideTurn(of: Array(bytes)) } catch let error as StorageError {
      throw error.with(key: key, place: path)
    }
  }
}
