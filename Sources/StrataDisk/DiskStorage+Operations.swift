#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension DiskStorage {
  /// Reads what is stored, or `nil`; it may have expired. `filePath` is the path of its file, if it has one of its own.
  ///
  /// A packed value costs one read of the system; a file is opened, read into memory once, and closed. Throws
  /// `.malformedFileAttributes` if the entry is damaged, once, and `.newerFormat` or `.backendFailed` if it cannot be
  /// read.
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    try explaining("read the entry", key) { try $0.entryIfPresent(forKey: key) }
  }

  /// What `entryIfPresent` would return, if that can be said without waiting for the disk; it counts as a use of the
  /// entry too.
  ///
  /// On Linux, that is so if nothing is stored under the key, or a packed value of at most 64 kB that the system has in
  /// memory. It cannot be said while another thread or process writes, of what is damaged, with `.files`, and on file
  /// systems that do not tell what they have in memory.
  public func entryAtHand(forKey key: Key) -> AtHand<Entry<Data>> {
    engine?.entryAtHand(forKey: key) ?? .unknown
  }

  /// What `expiryIfPresent` would return, if that can be said without waiting for the disk, under the same conditions.
  public func expiryAtHand(forKey key: Key) -> AtHand<Expiry> {
    engine?.expiryAtHand(forKey: key) ?? .unknown
  }

  /// Reads many entries; those under which nothing is stored are missing from the answer.
  ///
  /// Of what others store together, it sees all or nothing, except with `.files`.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>] {
    try explaining("read the entries") { try $0.entries(forKeys: keys) }
  }

  /// The expiry of what is stored, or `nil`.
  ///
  /// Of a value that is a file of its own only the head is read and checked. With `.files`, it does not count as a use
  /// of the entry.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try explaining("read the entry", key) { try $0.expiryIfPresent(forKey: key) }
  }

  /// Stores bytes in place of what was there. Without an expiry that of the configuration applies.
  ///
  /// If it throws, what was stored before is still there, except that with `.power` it is open which of the two a loss
  /// of power would leave when the disk fails to make the new one stable. Throws `.tooLarge` if the entry alone would
  /// take more than `maxSize`, and `.backendFailed` if the system refuses, because the disk is full, say.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {
    let expiry = (expiry ?? config.expiry).resolved(by: clock)
    try refuseInsideUpdate(of: key)
    try explaining("store the entry", key) { try $0.setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores bytes as `setObject` does, if that needs neither the disk nor a lock that others hold. Returns whether they
  /// are stored; if not, nothing has been changed.
  ///
  /// That is an append of at most 16 kB to memory of the system, which writes it to the disk later. It is left to
  /// `setObject`, on a thread that may block, while another thread or process writes, with `.power` and with `.files`,
  /// when it replaces a file, when space has to be given back, and for a while after an append that took longer than a
  /// millisecond.
  public func setObjectAtOnce(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try refuseInsideUpdate(of: key)
    let expiry = (expiry ?? config.expiry).resolved(by: clock)
    return engine?.setObjectAtOnce(object, forKey: key, expiry: expiry) ?? false
  }

  /// Stores many entries, with one write for all that are packed; all of them or none, except with `.files`.
  ///
  /// Of a batch of more than 64 MB, values of 4 kB and more become files. Throws `.tooLarge` if the rest is still more
  /// than 127 MB: then store it in several batches.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) throws {
    let expiry = (expiry ?? config.expiry).resolved(by: clock)
    for key in objects.keys { try refuseInsideUpdate(of: key) }
    try explaining("store the entries") { try $0.setObjects(objects, expiry: expiry) }
  }

  /// Removes what is stored under a key, if anything is, also if it is damaged.
  public func removeObject(forKey key: Key) throws {
    try refuseInsideUpdate(of: key)
    try explaining("remove the entry", key) { try $0.removeObject(forKey: key) }
  }

  /// Removes what is stored under many keys; all of it or nothing, except with `.files`.
  ///
  /// Throws `.tooLarge` if the keys alone, with 36 bytes for each, take more than 127 MB.
  public func removeObjects(forKeys keys: [Key]) throws {
    for key in keys { try refuseInsideUpdate(of: key) }
    try explaining("remove the entries") { try $0.removeObjects(forKeys: keys) }
  }

  /// Removes all entries and deletes their files, also damaged ones and those of stores with another type of key in the
  /// same folder. Files with names that Strata did not give stay, and so does what is in `Damaged`.
  ///
  /// Writes wait until it is done. If it throws, all entries are still there, or none is and some of their files could
  /// not be deleted, which the next write does. With `.files`, some entries are gone and the others are still there.
  public func removeAll() throws {
    try explaining("remove all entries") { try $0.removeAll() }
  }

  /// Removes what has expired. It looks through the index, in memory, and then costs what it removes.
  public func removeExpiredObjects() throws {
    try explaining("remove what has expired") { try $0.removeExpiredObjects() }
  }

  /// The keys of all that is stored and has not expired, in no order. Keys of another type are left out.
  ///
  /// Packed keys are not kept in memory: it reads the whole log, from front to back. With `.files`, the first call
  /// reads the heads of all files.
  public func keys() throws -> [Key] {
    try explaining("list the entries") { try $0.keys() }
  }

  /// The bytes of all files that hold entries, as `maxSize` counts them, also of entries that have expired or been
  /// replaced and whose place has not been given back yet.
  ///
  /// If they cannot be read, this is the size of what is known, and `onDamage` is told why; use `keys()` where the
  /// error should be thrown.
  public var totalSize: Int {
    do throws(StorageError) {
      return try explaining("measure the entries") { try $0.totalSize() }
    } catch {
      config.report(error)
      return engine?.knownSize ?? 0
    }
  }
}
