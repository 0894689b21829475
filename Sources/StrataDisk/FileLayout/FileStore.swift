import StrataCore
import Synchronization

/// The engine of the layout `.files`: one file per entry, all in one folder.
///
/// Reads open one file, whose header has its key, expiry and length, with checksums over all of it. Writes go to a
/// temporary file that then replaces the old one atomically. Reads and writes need no index. The first operation that
/// needs it reads the heads of all files once; from then on keys, sizes and deadlines are in memory.
final class FileStore: DiskEngine {
  let config: DiskConfig
  /// The index; `nil` until an operation needs it.
  let index = Locked<DiskIndex<[UInt8]>?>(nil)
  /// Whether all entries are in the index. The lock is held while the index is built, so that it is built once.
  let isIndexed = Locked(false)
  /// Held while a file appears or disappears under its name, and the index changes with it.
  ///
  /// One lock for all keys costs nothing: the system, too, changes a folder for one caller at a time. The lock's value
  /// is the damage found meanwhile, until it can be reported outside the lock.
  let commit = Locked<[StorageError]>([])

  /// Values' files that no entry names, and that a `StoredFile` kept in place when this store tried to delete them.
  let held = Locked<[String]>([])

  /// Returns whether a text is a key of the store. Entries with other keys stay as they are.
  let isKey: @Sendable (String) -> Bool

  private let folder: EntryFolder
  private let isOpen = Atomic(false)

  init(_ config: DiskConfig, in folder: EntryFolder, isKey: @escaping @Sendable (String) -> Bool) {
    self.config = config
    self.folder = folder
    self.isKey = isKey
  }

  var path: String { folder.path }
  var clock: StorageClock { config.clock }

  /// The limit on the size of all files; `nil` for none.
  var limit: Int? { config.limit }

  func open() throws { _ = try opened() }

  /// Returns the folder, which the first call creates.
  ///
  /// Two concurrent first calls may both create it, which does no harm.
  func opened() throws -> EntryFolder {
    if !isOpen.load(ordering: .acquiring) {
      try folder.make()
      try folder.refuseLog()
      if config.durability == .power { try folder.syncParents() }
      try folder.removeLeftovers()
      // Files that no entry needs must not keep the others from being read.
      do { try folder.removeOrphans() } catch let error as SystemError {
        config.report(
          error.explained("delete values that no entry has", next: "the next opening tries again"))
      }
      folder.limitDamaged(config)
      isOpen.store(true, ordering: .releasing)
    }
    return folder
  }
}
