#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
import Synchronization

/// A store of bytes in files: one file an entry, all in one folder.
///
/// ```swift
/// let disk = try DiskStorage<String>(config: DiskConfig(name: "Images", maxSize: 100_000_000))
/// try disk.setObject(png, forKey: "logo", expiry: .seconds(3600))
/// ```
///
/// **Keys** may be any text, of any length: a file is named by the SHA-256 of its key, and holds the key itself.
///
/// **Reads** open one file, whose header names its key, its expiry and its length, with checksums over all of it. A file
/// that is not what it should be is never returned as a value: it is moved to the folder `Damaged` beside the entries,
/// and the read throws `.malformedFileAttributes`, once; from then on the key is absent. Nothing in `Damaged` is ever
/// deleted. A file written by a newer version of Strata stays where it is, and reading it throws `.newerFormat`. Anything
/// else that keeps a file from being read throws `.backendFailed`, with the system's reason.
///
/// **Writes** go to a temporary file that then takes the place of the old one in one step. A reader sees the old value or
/// the new one; a write that fails leaves the old one. What was written survives the death of the process, also by
/// `kill -9`, but not a loss of power: nothing waits for the disk.
///
/// **The limit**, `maxSize`, holds after every write. Room is made before a new file takes its place, by removing what has
/// expired, then what has not been read or written for the longest time; after a restart, the time of the last write
/// counts. A file that is being written comes on top until it is in its place; `Damaged`, and what `keys()` cannot list,
/// does not count.
///
/// **Memory**: reads and writes need no index. The first call of `keys()`, `totalSize` or `removeExpiredObjects()`, or
/// the first write under a limit, reads the heads of all files once (some microseconds each) and keeps keys, sizes and
/// deadlines in memory from then on.
///
/// **Threads**: every function may be called on any thread and waits for the disk with it. Reads run in parallel with each
/// other and with writes.
///
/// **Sharing**: give a folder to one `DiskStorage` at a time. Two over one folder, in one process or several, never read a
/// wrong value, but each limits, lists and sweeps by what it knows, which is its own writes and what was there when it
/// first looked. Files with names that Strata did not give are ignored and never touched.
public final class DiskStorage<Key: StorageKey>: SyncStorageAware {
  /// A disk store knows only bytes; types are a matter of the link above it.
  public typealias Value = Data

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

  private let location: Result<EntryFolder, StorageError>
  private let isOpen = Atomic(false)

  /// Opens a store, and makes its folder if need be.
  ///
  /// Throws `.invalidConfiguration` if the name cannot be that of a folder, and `.backendFailed` if the folder cannot be
  /// made or read, because a file is in its place, say. Clears away the temporary files of processes that were killed;
  /// for that it lists the folder, but reads no entries.
  public convenience init(config: DiskConfig) throws {
    self.init(lazily: config, in: .cachesDirectory)
    try explaining("open the store") { _ = try opened() }
  }

  private init(lazily config: DiskConfig, in place: FileManager.SearchPathDirectory) {
    self.config = config
    location = Result { () throws(StorageError) in try config.folder(in: place) }
  }

  /// The path of the folder that holds the entries; of a store that has no such folder, its name.
  public var path: String {
    switch location {
    case .success(let folder): folder.path
    case .failure: config.name
    }
  }

  /// The clock of the configuration.
  public var clock: StorageClock { config.clock }

  /// The limit to the size of all files; `nil` for none.
  var limit: Int? { config.maxSize == 0 ? nil : Int(clamping: config.maxSize) }

  /// The folder, which the first call makes.
  ///
  /// Two first calls at the same time both do it; that does no harm.
  func opened() throws -> EntryFolder {
    let folder = try location.get()
    if !isOpen.load(ordering: .acquiring) {
      try folder.make()
      try folder.removeLeftovers()
      isOpen.store(true, ordering: .releasing)
    }
    return folder
  }

  /// Turns what the system says into what a user of the store can understand.
  func explaining<R>(_ aim: String, _ key: Key? = nil, _ body: () throws -> R) throws(StorageError) -> R {
    do {
      return try body()
    } catch let error as StorageError {
      throw error
    } catch let error as SystemError {
      throw .backendFailed.with("cannot \(aim): \(error.reason)", key: key, place: error.path, cause: error)
    } catch {
      throw .backendFailed.with("cannot \(aim)", key: key, place: path, cause: error)
    }
  }
}

extension DiskStorage where Key == String {
  /// A store in one of the user's folders, with no expiry and no limit.
  ///
  /// Nothing is done until it is used: the first operation makes the folder, and throws if that fails.
  public static func folder(_ name: String, in place: FileManager.SearchPathDirectory) -> DiskStorage<String>
  {
    DiskStorage(lazily: DiskConfig(name: name), in: place)
  }

  /// The same storage: its keys are strings already. Here for those who know file names as keys from elsewhere.
  public func usingStringKeys() -> DiskStorage<String> { self }
}
