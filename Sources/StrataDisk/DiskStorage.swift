#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
import StrataLeases

/// A store of bytes on disk, in one folder.
///
/// ```swift
/// let disk = try DiskStorage<String>(config: DiskConfig(name: "Images", maxSize: 100_000_000))
/// try disk.setObject(png, forKey: "logo", expiry: .seconds(3600))
/// ```
///
/// **Keys** may be any text, of any length.
///
/// **Layout**: `DiskConfig.layout`. By default small values are packed into a log, and large values are files of their
/// own; with `.files` every entry is a file. The following holds for all layouts.
///
/// **Reads** verify every entry: checksums cover key, length, expiry and value. A damaged entry is never returned. It
/// is moved or copied to the folder `Damaged`, whose oldest files are deleted beyond 64 MiB. The read throws
/// `.malformedFileAttributes`, once; from then on the key is absent. An entry written by a newer version of Strata
/// stays in place, and reading it throws `.newerFormat`. Any other failure to read a file throws `.backendFailed`, with
/// the system's reason.
///
/// **Writes** are atomic. A reader sees the old value or the new one; a write that fails leaves the old one. The
/// entries of one `setObjects` take effect together, except with `.files`. A write that has returned survives the death
/// of the process, even by `kill -9`. With `DiskConfig.durability` set to `.power` it also survives a loss of power.
///
/// **The limit**, `maxSize`, holds after every write, in bytes that the files take. To make room, the store evicts
/// expired entries and those not read since they were written, the oldest first; entries that were read get a second
/// chance. Only reads by the same process count. A file that is being written is not counted until it is complete, and
/// a file that a `StoredFile` keeps is not counted once its entry is gone. `Damaged`, and the page that processes
/// share, are never counted.
///
/// **Streams**: `write(forKey:from:)` and `read(forKey:range:)` store and read values of any size, a part at a time.
/// From 64 kB on, or with `.packed` from 1 MiB on, such a value is a file that contains nothing else: see
/// `fileURL(forKey:)`. Each part of 1 MiB has a checksum. Older versions of Strata cannot open a folder with such
/// values.
///
/// **Memory**: 27 to 34 bytes per entry, whatever its key. With `.files` there is no index until `keys()`, `totalSize`,
/// `removeExpiredObjects()` or a limit needs one, which then holds the keys.
///
/// **Threads**: every function may be called on any thread, and blocks it while waiting for the disk. Reads run in
/// parallel with each other and with writes.
///
/// **Sharing**: several stores and processes of one machine may have a folder open at a time. The next read in any of
/// them sees a write or removal, and the limit applies to all together. Memory in front of a store does not notice
/// changes by others: see `Storage.init(diskConfig:memoryConfig:transformer:)`. A process that dies blocks no other.
/// With `.files`, however, each store limits, lists and expires only the entries in its own index. Files with names
/// that neither Strata nor `DiskConfig.predecessor` uses are ignored and never touched.
///
/// **Conditions**: `update`, `setIfAbsent` and `touch` are atomic for all threads, stores and processes.
public final class DiskStorage<Key: StorageKey>: SyncStorageAware {
  /// A disk store holds bytes; the combinators above it convert them to other types.
  public typealias Value = Data

  let config: DiskConfig
  /// The expiry of values that are stored without one.
  public var traits: StoreTraits {
    var traits = StoreTraits(ownExpiry: config.expiry, reporter: reporter)
    traits.keepsParts = true
    return traits
  }
  private let reporter = TierReporter<Key>("disk", timing: .samples)
  /// The path of the folder that holds the entries, or the store's name if the configuration gives no valid folder.
  public let path: String
  /// The implementation of the layout; `nil` if the configuration is invalid.
  let engine: (any DiskEngine)?
  /// The threads on which streams wait for the disk. They are started when they are needed.
  let pool = BlockingPool()
  private let fileLeases: FileLeases<Key>
  private let refusal: StorageError?

  /// Opens a store, and creates its folder if necessary. Deletes unfinished files of processes that were killed.
  ///
  /// Throws `.invalidConfiguration` if the name cannot name a folder, or the folder has the other kind of layout.
  /// Throws `.backendFailed` if the folder cannot be created or read, for example because a file has its path.
  public convenience init(config: DiskConfig) throws {
    self.init(lazily: config, in: .cachesDirectory)
    try explaining("open the store") { try $0.open() }
  }

  private init(lazily config: DiskConfig, in place: FileManager.SearchPathDirectory) {
    var config = config
    config.report(to: reporter)
    self.config = config
    do throws(StorageError) {
      let folder = try config.folder(in: place)
      path = folder.path
      fileLeases = FileLeases { folder.path + "/.strata-leases" }
      engine =
        config.layout == .files
        ? FileStore(config, in: folder) { Self.key($0) != nil } : LogFolder(config, in: folder)
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

  /// The configuration's clock.
  public var clock: StorageClock { config.clock }

  /// Runs `body` with the engine, and turns system errors into `StorageError`s that say which operation failed.
  ///
  /// Inlined, so that a call that succeeds pays nothing for the error's text.
  @inline(__always)
  func explaining<R>(
    _ aim: @autoclosure () -> String, _ body: (any DiskEngine) throws -> R
  ) throws(StorageError) -> R {
    do {
      guard let engine else { throw refusal ?? .invalidConfiguration }
      return try body(engine)
    } catch {
      throw explained(error, aim(), nil)
    }
  }

  /// Runs `body` with the engine and the bytes of a key, and turns system errors into `StorageError`s that name the
  /// key.
  @inline(__always)
  func explaining<R>(
    _ aim: @autoclosure () -> String, _ key: Key, _ body: (any DiskEngine, [UInt8]) throws -> R
  ) throws(StorageError) -> R {
    do {
      guard let engine else { throw refusal ?? .invalidConfiguration }
      return try body(engine, key.storageKey.canonicalUTF8)
    } catch {
      throw explained(error, aim(), key)
    }
  }

  @inline(never)
  private func explained(_ error: any Error, _ aim: String, _ key: (any Sendable)?) -> StorageError {
    switch error {
    case let error as StorageError: error.key == nil && key != nil ? error.with(key: key) : error
    case let error as SystemError: error.explained(aim, key: key)
    default: .backendFailed.with("cannot \(aim)", key: key, place: path, cause: error)
    }
  }
}

extension DiskStorage where Key == String {
  /// Returns a store in one of the user's folders, with no expiry and no limit.
  ///
  /// ```swift
  /// let notes = try DiskStorage.folder("notes", in: .documentDirectory).mapString()
  /// ```
  ///
  /// Nothing happens on disk until it is used: the first operation creates the folder, and throws if that fails.
  ///
  /// AsyncStorages has a function of this name. Entries that it wrote to the folder are imported, unless `predecessor`
  /// is `nil`.
  public static func folder(
    _ name: String, in place: FileManager.SearchPathDirectory,
    predecessor: DiskPredecessor? = .asyncStorages
  ) -> DiskStorage<String> {
    DiskStorage(lazily: DiskConfig(name: name, predecessor: predecessor), in: place)
  }

  /// Returns the store itself, whose keys are strings already. For programs that were written for AsyncStorages.
  public func usingStringKeys() -> DiskStorage<String> { self }
}
