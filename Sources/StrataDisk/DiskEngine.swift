#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataEngines

/// The implementation of one kind of layout for a `DiskStorage`.
///
/// Throws `StorageError` and `SystemError`, which `DiskStorage` explains. Expiries passed to it are dates or `.never`.
protocol DiskEngine<Key>: AnyObject, Sendable {
  associatedtype Key: StorageKey

  /// Opens the files ahead of the first operation, as far as possible.
  func open() throws
  func entryIfPresent(forKey key: Key) throws -> Entry<Data>?
  func expiryIfPresent(forKey key: Key) throws -> Expiry?
  /// Returns the entry of a key if it is available without waiting for the disk.
  func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Data>>
  func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry>
  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>]
  func setObject(_ object: Data, forKey key: Key, expiry: Expiry) throws
  /// Stores bytes if that requires no waiting. Returns whether they were stored; if not, nothing has been changed.
  func setObjectAtOnce(_ object: Data, forKey key: Key, expiry: Expiry) -> Bool
  func setObjects(_ objects: [Key: Data], expiry: Expiry) throws
  /// Stores entries whose expiries are dates or `.never`.
  func setEntries(_ entries: [Key: Entry<Data>]) throws
  /// Stores bytes if the key is absent or its entry has expired. Returns whether they were stored.
  func setObjectIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry) throws -> Bool
  /// Changes the expiry of an entry that has not expired. Returns whether there is one.
  func touch(forKey key: Key, expiry: Expiry) throws -> Bool
  /// Returns an entry and its version, which differs from the versions of later entries under the key.
  func versionedEntry(forKey key: Key) throws -> VersionedEntry?
  /// Stores bytes if the entry still has a version. Returns whether they were stored.
  func setObject(_ object: Data, forKey key: Key, expiry: Expiry, ifUnchanged version: EntryVersion) throws
    -> Bool
  func removeObject(forKey key: Key) throws
  func removeObjects(forKeys keys: [Key]) throws
  func removeAll() throws
  func removeExpiredObjects() throws
  func keys() throws -> [Key]
  func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key>
  func totalSize() throws -> Int
  /// Checks all files, and repairs them if requested.
  func check(repairing: Bool) throws -> [DiskFinding]
  /// Reclaims the space of removed and replaced entries.
  func compact() throws
  /// The last known size, for when `totalSize()` throws.
  var knownSize: Int { get }
}

/// An entry with its version, which differs from the versions of later entries under its key.
struct VersionedEntry: Sendable {
  let entry: Entry<Data>
  let version: EntryVersion
}

/// The location of a record, or the identity of an entry's file. Successive entries of a key never have the same
/// version.
struct EntryVersion: Equatable, Sendable {
  let bits: [UInt64]
}

extension DiskEngine {
  /// Does nothing: with one file per entry, removed entries take no space.
  func compact() throws {}

  // By default nothing is known: opening a file may block, so engines with a file per entry cannot answer without
  // waiting.

  func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Data>> { .unknown }
  func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { .unknown }
  func setObjectAtOnce(_ object: Data, forKey key: Key, expiry: Expiry) -> Bool { false }
}
