import StrataCore
import Synchronization

/// The layout `.files`: one file an entry, all in one folder.
///
/// Reads open one file, whose header names its key, its expiry and its length, with checksums over all of it. Writes go
/// to a temporary file that then takes the place of the old one in one step. Neither needs an index; the first call
/// that does reads the heads of all files once and keeps keys, sizes and deadlines in memory from then on.
final class FileStore<Key: StorageKey>: DiskEngine {
  let config: DiskConfig
  /// What is known of the entries; `nil` until somebody needs it.
  let index = Locked<DiskIndex<Key>?>(nil)
  /// Whether all entries are in the index. Held while it is built, so that it is built once.
  let isIndexed = Locked(false)
  /// Held while a file appears under its name or disappears, and the index changes with it.
  ///
  /// One lock for all keys costs nothing: the system, too, changes a folder for one caller at a time. It guards the
  /// damage that was met meanwhile, until that can be reported outside the lock.
  let commit = Locked<[StorageError]>([])

  private let folder: EntryFolder
  private let isOpen = Atomic(false)

  init(_ config: DiskConfig, in folder: EntryFolder) {
    self.config = config
    self.folder = folder
  }

  var path: String { folder.path }
  var clock: StorageClock { config.clock }

  /// The limit to the size of all files; `nil` for none.
  var limit: Int? { config.limit }

  func open() throws { _ = try opened() }

  /// The folder, which the first call makes.
  ///
  /// Two first calls at the same time both do it; that does no harm.
  func opened() throws -> EntryFolder {
    if !isOpen.load(ordering: .acquiring) {
      try folder.make()
      try folder.refuseLog()
      if config.durability == .power { try folder.syncParents() }
      try folder.removeLeftovers()
      folder.limitDamaged(config)
      isOpen.store(true, ordering: .releasing)
    }
    return folder
  }
}
