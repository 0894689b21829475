#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataEngines

extension DiskStorage {
  /// Returns the stored entry, expired or not, or `nil`. `filePath` is the path of the value's file, if the value is a
  /// file of its own.
  ///
  /// A packed value costs one read system call; a file is opened, read into memory once, and closed. Throws
  /// `.malformedFileAttributes` if the entry is damaged, once; later reads return `nil`. Throws `.newerFormat` or
  /// `.backendFailed` if the entry cannot be read.
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    try explaining("read the entry", key) { try $0.entryIfPresent(forKey: key) }
  }

  /// Returns the result of `entryIfPresent` if it is available without waiting for the disk. A hit counts as a use of
  /// the entry.
  ///
  /// On Linux it is available for absent keys, and for packed values of at most 64 kB in the page cache. It is unknown
  /// while another thread or process writes, for damaged entries, and with `.files`. It is also unknown on file systems
  /// that do not report which bytes are in the page cache.
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Data>> {
    engine?.cachedEntry(forKey: key) ?? .unknown
  }

  /// Returns the result of `expiryIfPresent` if it is available without waiting for the disk, under the same
  /// conditions.
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    engine?.cachedExpiry(forKey: key) ?? .unknown
  }

  /// Returns the entries of many keys; absent keys are missing from the result.
  ///
  /// Batches that other threads and processes store are seen whole or not at all, except with `.files`.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>] {
    try explaining("read the entries") { try $0.entries(forKeys: keys) }
  }

  /// Returns the expiry of the stored entry, or `nil`.
  ///
  /// If the value is a file of its own, only the file's head is read and checked. With `.files`, the call does not
  /// count as a use of the entry.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try explaining("read the entry", key) { try $0.expiryIfPresent(forKey: key) }
  }

  /// Stores bytes, replacing any previous value. Without an expiry, the configuration's applies.
  ///
  /// If it throws, the previous value is still there. The exception is `.power`: if the disk fails to make the new
  /// value stable, a loss of power may leave either. Throws `.tooLarge` if the entry alone would take more than
  /// `maxSize`, and `.backendFailed` if the system fails, for example because the disk is full.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {
    let expiry = (expiry ?? config.expiry).resolved(by: clock)
    try refuseInsideUpdate(of: key)
    try explaining("store the entry", key) { try $0.setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores bytes as `setObject` does, if that requires no waiting for the disk or for a lock. Returns whether they
  /// were stored; if not, nothing has been changed.
  ///
  /// It appends at most 16 kB to the page cache, which the system writes to the disk later. It returns `false` with
  /// `.power` and with `.files`, while another thread or process writes, if a file would be replaced or space must be
  /// reclaimed, and for a while after an append that took longer than a millisecond.
  public func setObjectAtOnce(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try refuseInsideUpdate(of: key)
    let expiry = (expiry ?? config.expiry).resolved(by: clock)
    return engine?.setObjectAtOnce(object, forKey: key, expiry: expiry) ?? false
  }

  /// Stores many entries, with one write for all packed values; all of them or none, except with `.files`.
  ///
  /// In a batch of more than 64 MB, values of 4 kB and more become files. Throws `.tooLarge` if the rest still exceeds
  /// 127 MB: store it in several batches.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) throws {
    let expiry = (expiry ?? config.expiry).resolved(by: clock)
    try refuseInsideUpdate(of: objects.keys)
    try explaining("store the entries") { try $0.setObjects(objects, expiry: expiry) }
  }

  /// Stores many entries, each with its own expiry, as `setObjects` does.
  public func setEntries(_ entries: [Key: Entry<Data>]) throws {
    try refuseInsideUpdate(of: entries.keys)
    let entries = entries.mapValues { Entry(object: $0.object, expiry: $0.expiry.resolved(by: clock)) }
    try explaining("store the entries") { try $0.setEntries(entries) }
  }

  /// Removes the entry of a key, if there is one, even if it is damaged.
  public func removeObject(forKey key: Key) throws {
    try refuseInsideUpdate(of: key)
    try explaining("remove the entry", key) { try $0.removeObject(forKey: key) }
  }

  /// Removes the entries of many keys; all of them or none, except with `.files`.
  ///
  /// Throws `.tooLarge` if the keys alone, plus 36 bytes each, take more than 127 MB.
  public func removeObjects(forKeys keys: [Key]) throws {
    try refuseInsideUpdate(of: keys)
    try explaining("remove the entries") { try $0.removeObjects(forKeys: keys) }
  }

  /// Removes all entries and deletes their files, including damaged files, and files of stores with another key type in
  /// the same folder. Files with names that Strata does not use stay, and so do the files in `Damaged`.
  ///
  /// Writes wait until it is done. If it throws, either all entries are still there, or all are removed and the next
  /// write deletes the remaining files. With `.files`, some entries may be removed and the others still there.
  public func removeAll() throws {
    try refuseReadOnly()
    try explaining("remove all entries") { try $0.removeAll() }
  }

  /// Returns the space of removed and replaced entries to the system now. Otherwise writes do so gradually.
  ///
  /// Copies all packed entries once. Other processes can read and write meanwhile. With `.files` it does nothing.
  public func compact() throws {
    try refuseReadOnly()
    try explaining("compact the store") { try $0.compact() }
  }

  /// Removes expired entries. Scans the index in memory, then costs time in proportion to the removed entries.
  public func removeExpiredObjects() throws {
    try refuseReadOnly()
    try explaining("remove the expired entries") { try $0.removeExpiredObjects() }
  }

  /// Returns the keys of all entries that have not expired, in no particular order. Keys of another type are left out.
  ///
  /// Packed keys are not kept in memory: the call reads the whole log, from front to back. With `.files`, the first
  /// call reads the heads of all files.
  public func keys() throws -> [Key] {
    try explaining("list the entries") { try $0.keys() }
  }

  /// Returns at most `limit` keys after a cursor, in no particular order. Keys of another type are left out.
  ///
  /// Reads the beginnings of that many records, and the whole log for none: `keys()` takes less time for all keys. With
  /// `.files`, the first call reads the heads of all files.
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try explaining("list the entries") { try $0.keyPage(after: cursor, limit: limit) }
  }

  /// The bytes of all files that hold entries, as `maxSize` counts them. This includes expired and replaced entries
  /// whose space has not been reclaimed yet.
  ///
  /// If the files cannot be read, this is the last known size, and `onDamage` gets the error. `keys()` throws such an
  /// error instead.
  public var totalSize: Int {
    do throws(StorageError) {
      return try explaining("measure the entries") { try $0.totalSize() }
    } catch {
      config.report(error)
      return engine?.knownSize ?? 0
    }
  }
}
