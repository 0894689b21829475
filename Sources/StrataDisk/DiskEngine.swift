#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The implementation of one kind of layout for a `DiskStorage`. A key is bytes here, those of its text.
///
/// Throws `StorageError` and `SystemError`, which `DiskStorage` explains. Expiries passed to it are dates or
/// `.never`.
protocol DiskEngine: AnyObject, Sendable {
  /// Opens the files ahead of the first operation, as far as possible.
  func open() throws
  /// Returns the entry of a key. A read that must be done at once throws `WouldWait` if it would wait for the disk.
  func read(_ key: [UInt8], _ how: How) throws -> Entry<Data>?
  /// Returns for each key its entry, or `nil`.
  func read(_ keys: [[UInt8]]) throws -> [Entry<Data>?]
  /// Stores an entry if a condition holds. Returns whether it was stored.
  func store(_ entry: NewEntry, if condition: WriteCondition?) throws -> Bool
  /// Stores an entry if the key's entry still has a version. Returns whether it was stored, and the version of the
  /// stored entry, if that is known.
  func replace(_ seen: EntryVersion, with entry: NewEntry) throws -> (isStored: Bool, version: EntryVersion?)
  /// Stores an entry if that requires no waiting. Returns whether it was stored; if not, nothing has been changed.
  func storeAtOnce(_ entry: NewEntry) -> Bool
  /// Stores the entries of a batch, at least one, whose keys are distinct.
  func store(_ entries: [NewEntry]) throws
  /// Changes the expiry of an entry that has not expired. Returns whether there is one.
  func touch(_ key: [UInt8], _ expiry: Expiry) throws -> Bool
  /// Returns an entry and its version, which differs from the versions of later entries under the key.
  func versionedEntry(_ key: [UInt8]) throws -> VersionedEntry?
  func remove(_ keys: [[UInt8]]) throws
  func removeAll() throws
  func removeExpired() throws
  /// Returns the texts of all keys whose entries have not expired.
  func texts() throws -> [String]
  /// Returns at most `limit` texts after a cursor, and the cursor after them; `nil` after the last one.
  func texts(after cursor: KeyCursor?, limit: Int) throws -> (texts: [String], next: KeyCursor?)
  func totalSize() throws -> Int
  /// Checks all files, and repairs them if requested.
  func check(repairing: Bool) throws -> [DiskFinding]
  /// Reclaims the space of removed and replaced entries.
  func compact() throws
  /// Returns the value of a key, to be read a part at a time.
  func stored(_ key: [UInt8]) throws -> StoredValue?
  /// Throws `.tooLarge` if a value of this length, written as a stream, would exceed the limit.
  func refuse(length: Int, of key: [UInt8]) throws
  /// Creates the file of a value that is being written as a stream.
  func makePartFile() throws -> NewPartFile
  /// Puts a value in force that has been written as a stream, if it is to replace an old one or there is none. Returns
  /// whether it did.
  func store(
    _ file: NewPartFile, _ table: PartTable, _ key: [UInt8], _ expiry: Expiry, ifAbsent: Bool
  ) throws -> Bool
  /// Moves the entry to which a damaged file belongs to `Damaged`, unless it has been replaced. Returns the error to
  /// throw.
  func setAside(_ key: [UInt8], _ file: PartFile, _ flaw: EntryFlaw) throws -> StorageError
  /// Deletes the value's file with this number if the key's entry does not name it any more.
  func reclaim(_ key: [UInt8], _ number: UInt64) throws
  /// The last known size, for when `totalSize()` throws.
  var knownSize: Int { get }
}

/// The state of a key that a write requires.
enum WriteCondition {
  /// The key has no value, or an expired one.
  case absent
  /// The entry still has a version.
  case unchanged(EntryVersion)

  /// Throws if this thread writes under a lease that has ended. For use while no other process can change the folder,
  /// so that the next owner of the lease writes later.
  static func checkLease() throws { try StorageLease.inForce?.check() }
}

/// An entry with its version, which differs from the versions of later entries under its key.
struct VersionedEntry: Sendable {
  let entry: Entry<Data>
  let version: EntryVersion
}

extension DiskEngine {
  /// Stores an entry if the key's entry still has a version. To find out the new version would take a look at the file.
  func replace(_ seen: EntryVersion, with entry: NewEntry) throws -> (isStored: Bool, version: EntryVersion?)
  {
    (try store(entry, if: .unchanged(seen)), nil)
  }

  /// Does nothing: with one file per entry, removed entries take no space.
  func compact() throws {}

  /// Returns `false`: opening a file may block.
  func storeAtOnce(_ entry: NewEntry) -> Bool { false }
}
