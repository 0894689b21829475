#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// What keeps the entries of a `DiskStorage`: one for each way to lay them out.
///
/// It throws `StorageError` and `SystemError`, which `DiskStorage` explains. An expiry that it is given is a date or
/// `.never`.
protocol DiskEngine<Key>: AnyObject, Sendable {
  associatedtype Key: StorageKey

  /// Makes ready what can be made ready before the first operation.
  func open() throws
  func entryIfPresent(forKey key: Key) throws -> Entry<Data>?
  func expiryIfPresent(forKey key: Key) throws -> Expiry?
  /// What can be said of a key without waiting for the disk.
  func entryAtHand(forKey key: Key) -> AtHand<Entry<Data>>
  func expiryAtHand(forKey key: Key) -> AtHand<Expiry>
  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>]
  func setObject(_ object: Data, forKey key: Key, expiry: Expiry) throws
  /// Stores bytes if nothing has to be waited for. Returns whether they were stored; if not, nothing has been changed.
  func setObjectAtOnce(_ object: Data, forKey key: Key, expiry: Expiry) -> Bool
  func setObjects(_ objects: [Key: Data], expiry: Expiry) throws
  /// Stores bytes if nothing is stored under the key that has not expired. Returns whether they were stored.
  func setObjectIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry) throws -> Bool
  /// Changes the expiry of what is stored and has not expired. Returns whether there is something.
  func touch(forKey key: Key, expiry: Expiry) throws -> Bool
  /// Reads an entry, and what tells it from those that are stored later.
  func versionedEntry(forKey key: Key) throws -> VersionedEntry?
  /// Stores bytes if the entry is still of a version. Returns whether they were stored.
  func setObject(_ object: Data, forKey key: Key, expiry: Expiry, ifUnchanged version: EntryVersion) throws
    -> Bool
  func removeObject(forKey key: Key) throws
  func removeObjects(forKeys keys: [Key]) throws
  func removeAll() throws
  func removeExpiredObjects() throws
  func keys() throws -> [Key]
  func totalSize() throws -> Int
  /// Looks at all files, and puts them right if that is wanted.
  func check(repairing: Bool) throws -> [DiskFinding]
  /// The size as far as it is known, where it cannot be found out.
  var knownSize: Int { get }
}

/// An entry with what tells it from those that are stored later under its key.
struct VersionedEntry: Sendable {
  let entry: Entry<Data>
  let version: EntryVersion
}

/// Where a record is, or which file is an entry's: of no two entries of a key that follow each other is it the same.
struct EntryVersion: Equatable, Sendable {
  let bits: [UInt64]
}

extension DiskEngine {
  // To open a file may be to wait for the disk, so that nothing can be said of what is a file.

  func entryAtHand(forKey key: Key) -> AtHand<Entry<Data>> { .unknown }
  func expiryAtHand(forKey key: Key) -> AtHand<Expiry> { .unknown }
  func setObjectAtOnce(_ object: Data, forKey key: Key, expiry: Expiry) -> Bool { false }
}
