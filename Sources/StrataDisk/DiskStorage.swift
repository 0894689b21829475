#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store of bytes on the disk, all in one folder.
///
/// ```swift
/// let disk = try DiskStorage<String>(config: DiskConfig(name: "Images", maxSize: 100_000_000))
/// try disk.setObject(png, forKey: "logo", expiry: .seconds(3600))
/// ```
///
/// **Keys** may be any text, of any length.
///
/// **Layout**: `DiskConfig.layout`. By default small values are packed into a log, and large ones are files of their
/// own; with `.files` every entry is a file. What follows holds for all layouts.
///
/// **Reads** check what they read: key, length, expiry and value are covered by checksums. What is not as it was
/// written is never returned as a value: it is kept in the folder `Damaged`, of which the oldest is deleted beyond 64
/// MiB, and the read throws `.malformedFileAttributes`, once; from then on the key is absent. What a newer version of
/// Strata wrote stays where it is, and reading it throws `.newerFormat`. Anything else that keeps a file from being
/// read throws `.backendFailed`, with the system's reason.
///
/// **Writes** take effect in one step. A reader sees the old value or the new one; a write that fails leaves the old
/// one. What `setObjects` stores takes effect together, except with `.files`. A write that has returned survives the
/// death of the process, also by `kill -9`, and with `DiskConfig.durability` set to `.power` a loss of power.
///
/// **The limit**, `maxSize`, holds after every write, in bytes that the files take. Room is made by giving up what has
/// expired and what has not been read since it was written, the oldest first; what was read gets a second turn. Which
/// entries were read is known to the process that read them. A file that is being written comes on top until it is in
/// its place; `Damaged` and a page that processes share do not count.
///
/// **Memory**: 27 to 34 bytes an entry, whatever its key; with `.files` nothing, until `keys()`, `totalSize`,
/// `removeExpiredObjects()` or a limit needs an index, which then holds the keys.
///
/// **Threads**: every function may be called on any thread and waits for the disk with it. Reads run in parallel with
/// each other and with writes.
///
/// **Sharing**: a folder may be open in several stores and processes of one machine at a time. A write or removal in
/// one is seen by the next read in all, and the limit is kept by all together; a process that dies, at whatever moment,
/// blocks nobody. With `.files`, however, each limits, lists and sweeps by what it knows itself. Files with names that
/// neither Strata gave nor `DiskConfig.predecessor` are ignored and never touched.
///
/// **Conditions**: `update`, `setIfAbsent` and `touch` are one step each for all threads, stores and processes.
public final class DiskStorage<Key: StorageKey>: SyncStorageAware {
  /// A disk store knows only bytes; types are a matter of the link above it.
  public typealias Value = Data

  let config: DiskConfig
  /// The path of the folder that holds the entries; of a store that has no such folder, its name.
  public let path: String
  /// What keeps the entries, unless the configuration allows none.
  let engine: (any DiskEngine<Key>)?
  private let fileLeases: FileLeases<Key>
  private let refusal: StorageError?

  /// Opens a store, and makes its folder if need be.
  ///
  /// Throws `.invalidConfiguration` if the name cannot be that of a folder, or the folder has the other kind of layout,
  /// and `.backendFailed` if the folder cannot be made or read, because a file is in its place, say. Clears away what
  /// processes left unfinished that were killed.
  public convenience init(config: DiskConfig) throws {
    self.init(lazily: config, in: .cachesDirectory)
    try explaining("open the store") { try $0.open() }
  }

  private init(lazily config: DiskConfig, in place: FileManager.SearchPathDirectory) {
    self.config = config
    do throws(StorageError) {
      let folder = try config.folder(in: place)
      path = folder.path
      fileLeases = FileLeases { folder.path + "/.strata-leases" }
      engine = config.layout == .files ? FileStore(config, in: folder) : LogStore(config, in: folder)
      refusal = nil
    } catch {
      path = config.name
      fileLeases = FileLeases { throw error }
      engine = nil
      refusal = error
    }
  }

  /// Leases of keys among the processes that use the folder, by locks on the file `.strata-leases` in it.
  public var leases: (any StorageLeasing<Key>)? { engine == nil ? nil : fileLeases }

  /// The clock of the configuration.
  public var clock: StorageClock { config.clock }

  /// Runs `body` with what keeps the entries, and turns what the system says into what a user of the store can
  /// understand.
  ///
  /// It becomes part of each function that calls it, so that nothing is made ready for an error that does not come.
  @inline(__always)
  func explaining<R>(
    _ aim: @autoclosure () -> String, _ body: (any DiskEngine<Key>) throws -> R
  ) throws(StorageError) -> R {
    do {
      guard let engine else { throw refusal ?? .invalidConfiguration }
      return try body(engine)
    } catch {
      throw explained(error, aim(), nil)
    }
  }

  /// The same where it is a key that is asked for.
  @inline(__always)
  func explaining<R>(
    _ aim: @autoclosure () -> String, _ key: Key, _ body: (any DiskEngine<Key>) throws -> R
  ) throws(StorageError) -> R {
    do {
      guard let engine else { throw refusal ?? .invalidConfiguration }
      return try body(engine)
    } catch {
      throw explained(error, aim(), key)
    }
  }

  @inline(never)
  private func explained(_ error: any Error, _ aim: String, _ key: (any Sendable)?) -> StorageError {
    switch error {
    case let error as StorageError: error.key == nil && key != nil ? error.with(key: key) : error
    case let error as SystemError:
      .backendFailed.with("cannot \(aim): \(error.reason)", key: key, place: error.path, cause: error)
    default: .backendFailed.with("cannot \(aim)", key: key, place: path, cause: error)
    }
  }
}

extension DiskStorage where Key == String {
  /// A store in one of the user's folders, with no expiry and no limit.
  ///
  /// Nothing is done until it is used: the first operation makes the folder, and throws if that fails.
  ///
  /// AsyncStorages has a function of this name. What it has written in the folder is taken over, unless `predecessor`
  /// is `nil`.
  public static func folder(
    _ name: String, in place: FileManager.SearchPathDirectory,
    predecessor: DiskPredecessor? = .asyncStorages
  ) -> DiskStorage<String> {
    DiskStorage(lazily: DiskConfig(name: name, predecessor: predecessor), in: place)
  }

  /// The same storage: its keys are strings already. Here for those who know file names as keys from elsewhere.
  public func usingStringKeys() -> DiskStorage<String> { self }
}
