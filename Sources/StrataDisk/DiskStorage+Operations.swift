#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension DiskStorage {
  /// Returns the stored entry, expired or not, or `nil`. `filePath` is the path of the value's file, if the value is a
  /// file of its own.
  ///
  /// A packed value costs one read system call; a file is opened, read into memory once, and closed. If only the expiry
  /// is wanted, only the head of a file is read and checked, and with `.files` the read does not count as a use of the
  /// entry. Throws `.malformedFileAttributes` if the entry is damaged, once; later reads return `nil`. Throws
  /// `.newerFormat` or `.backendFailed` if the entry cannot be read.
  ///
  /// At once, on Linux, absent keys are known, and packed values of at most 64 kB in the page cache. Such a hit counts
  /// as a use of the entry. The read throws `WouldWait` while another thread or process writes, for damaged entries,
  /// and with `.files`. It also does on file systems that do not report which bytes are in the page cache.
  public func read(_ key: Key, _ how: How) throws -> Entry<Data>? {
    if how.contains(.quietly) { return nil }
    if how.contains(.atOnce) {
      guard let engine else { throw WouldWait() }
      return try engine.read(key.storageKey.canonicalUTF8, how)
    }
    return try explaining("read the entry", key) { try $0.read($1, how) }
  }

  /// Returns the entries of many keys; absent keys are missing from the result.
  ///
  /// Batches that other threads and processes store are seen whole or not at all, except with `.files`.
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Data>] {
    if !how.allowsBatch { return try readEach(keys, how) }
    return try explaining("read the entries") { try entries(keys, $0) }
  }

  /// Changes one key, atomically for all processes, and returns whether it was changed. Without an expiry, the
  /// configuration's applies.
  ///
  /// If it throws, the previous value is still there. The exception is `.power`: if the disk fails to make the new
  /// value stable, a loss of power may leave either. Throws `.tooLarge` if the entry alone would take more than
  /// `maxSize`, and `.backendFailed` if the system fails, for example because the disk is full. To touch a value in a
  /// file of its own does not write it again, except with `.files`. A removal also removes a damaged entry.
  ///
  /// At once, `set` appends at most 16 kB to the page cache, which the system writes to the disk later. It throws
  /// `WouldWait` with `.power` and with `.files`, while another thread or process writes, if a file would be replaced
  /// or space must be reclaimed, and for a while after an append that took longer than a millisecond. So do all other
  /// changes.
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Data>, _ how: How) throws -> Bool {
    if case .forget = change.kind { return true }
    if how.contains(.atOnce) {
      guard case .set(let expiry) = change.kind else { throw WouldWait() }
      try refuseInsideUpdate(of: key)
      let entry = NewEntry(
        key: key.storageKey.canonicalUTF8, value: change.object, expiry: resolved(expiry))
      guard let engine, engine.storeAtOnce(entry) else { throw WouldWait() }
      return true
    }
    try refuseInsideUpdate(of: key)
    return try explaining(change.kind.aim, key) {
      switch change.kind {
      case .set(let expiry), .replace(let expiry), .setIfAbsent(let expiry):
        let condition: WriteCondition? = change.kind.isConditional ? .absent : nil
        return try $0.store(NewEntry(key: $1, value: change.object, expiry: resolved(expiry)), if: condition)
      case .touch(let expiry): return try $0.touch($1, resolved(expiry))
      case .remove, .forget: try $0.remove([$1])
      }
      return true
    }
  }

  /// Changes many keys, with one write for all packed values; all of them or none, except with `.files`.
  ///
  /// In a batch of more than 64 MB, values of 4 kB and more become files. Throws `.tooLarge` if the rest still exceeds
  /// 127 MB, or if the keys to remove, plus 36 bytes each, do: divide the batch.
  public func change(_ batch: StoreBatch<Key, Data>, _ how: How) throws {
    try how.refuseAtOnce()
    try refuseInsideUpdate(of: batch.keys)
    try explaining(batch.aim) {
      if case .remove(let keys) = batch {
        try $0.remove(keys.map(\.storageKey.canonicalUTF8))
      } else {
        let entries = newEntries(batch)
        if !entries.isEmpty { try $0.store(entries) }
      }
    }
  }

  /// Removes all entries and deletes their files, or removes those that have expired.
  ///
  /// `.everything` includes damaged files, and files of stores with another key type in the same folder. Files with
  /// names that Strata does not use stay, and so do the files in `Damaged`. Writes wait until it is done. If it throws,
  /// either all entries are still there, or all are removed and the next write deletes the remaining files. With
  /// `.files`, some entries may be removed and the others still there.
  ///
  /// `.expired` scans the index in memory, then costs time in proportion to the removed entries.
  public func clear(_ extent: StoreExtent) throws {
    try refuseReadOnly()
    try explaining(extent.aim) {
      if extent == .expired { try $0.removeExpired() } else { try $0.removeAll() }
    }
  }

  /// Returns the space of removed and replaced entries to the system now. Otherwise writes do so gradually.
  ///
  /// Copies all packed entries once. Other processes can read and write meanwhile. With `.files` it does nothing.
  public func compact() throws {
    try refuseReadOnly()
    try explaining("compact the store") { try $0.compact() }
  }

  /// Returns at most `limit` keys of entries that have not expired after a cursor, in no particular order. Keys of
  /// another type are left out.
  ///
  /// Packed keys are not kept in memory. A page reads the beginnings of that many records, and the whole log for none.
  /// All keys at once read the whole log, from front to back, which takes less time. With `.files`, the first call
  /// reads the heads of all files.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try explaining("list the entries") {
      if cursor == nil, limit == .max { return KeyPage(keys: Self.keys(try $0.texts()), next: nil) }
      let (texts, next) = try $0.texts(after: cursor, limit: max(1, limit))
      return KeyPage(keys: Self.keys(texts), next: next)
    }
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
