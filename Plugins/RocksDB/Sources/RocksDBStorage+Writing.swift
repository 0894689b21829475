#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RocksDBStorage {
  /// Stores bytes in place of what was there. Without an expiry that of the configuration applies.
  ///
  /// If it throws, what was stored before is still there. Throws `.tooLarge` if the entry alone exceeds `maxSize`, or
  /// the 4 GiB that are RocksDB's limit, and `.backendFailed` if RocksDB refuses, because the disk is full, say.
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

  /// Stores many values as one write: all of them, or none if it throws.
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

  /// Removes what is stored under a key, if anything is.
  public func removeObject(forKey key: Key) throws {
    try explaining("remove the entry", key) {
      try RecordKey.withEntry(key) { bytes in
        try refuseInsideUpdate(of: key, bytes)
        if try family.remove(bytes, writing) { return }
        try family.remove([Array(bytes)], writing)
      }
    }
  }

  /// Removes what is stored under many keys, as one write: all of it, or nothing if it throws.
  public func removeObjects(forKeys keys: [Key]) throws {
    try explaining("remove the entries") { try family.remove(keys.map(writable), writing) }
  }

  /// Removes all entries of the family at once, whatever their type of key, however many they are, and gives back their
  /// space.
  ///
  /// That they are gone takes microseconds; the call returns when their tables are gone too, which may take some tenths
  /// of a second. Others can write meanwhile.
  public func removeAll() throws {
    try explaining("remove all entries") { try family.removeAll(writing) }
  }

  /// Removes what has expired. It costs what it removes, and a look at the keys that expire within the hour.
  ///
  /// Writers wait for it some milliseconds at a time.
  public func removeExpiredObjects() throws {
    try explaining("remove what has expired") { try family.sweep(until: clock.now, writing) }
  }

  /// The record key of a key that is about to be written. Throws inside an update of it on this thread.
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
