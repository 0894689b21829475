#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import StrataCore

/// The configuration of a disk store: its folder, layout, limit, expiry and durability.
///
/// ```swift
/// let config = DiskConfig(name: "thumbnails", expiry: .seconds(7 * 86_400), maxSize: 100_000_000)
/// let thumbnails = try DiskStorage<String>(config: config)
/// ```
public struct DiskConfig: Sendable {
  /// The name of the store's folder. With slashes, a path of nested folders: `"users/ann"`. No component may be `.`,
  /// `..` or empty.
  public var name: String
  /// The expiry of entries that are stored without one.
  public var expiry: Expiry
  /// The limit on the bytes of all files that hold entries, including headers and dead records; 0 for none.
  ///
  /// With `.files` it counts the entries' files. Otherwise it counts the log, including replaced and removed entries,
  /// and the files of large values. At the limit, live entries take at least nine tenths of it, or 89 % of a limit
  /// below 5 MB, whether they are written once or replaced at random.
  ///
  /// The limit holds after each write. While a large value replaces another one, both files exist for a moment.
  public var maxSize: UInt
  /// The folder that contains the store's folder; `nil` for the user's caches folder.
  public var directory: URL?
  /// The layout of entries in files.
  public var layout: DiskLayout
  /// The failures that a write survives once it has returned.
  public var durability: DiskDurability
  /// Another library whose entries are imported if the store's folder has any; `nil` for none. The other layouts always
  /// import entries of the layout `.files`. The layout `.files` itself imports nothing, and rejects a predecessor.
  public var predecessor: DiskPredecessor?
  /// The clock by which entries expire.
  public var clock: StorageClock
  /// Called with damage and other errors that no caller can get as a thrown error.
  ///
  /// A read of a key throws its own error. This closure gets the errors of operations that scan the folder, such as
  /// `keys()`. It is called on the thread of the operation, outside all locks. `nil` writes a line to standard error.
  public var onDamage: (@Sendable (StorageError) -> Void)?

  /// The protection of files while the device is locked; `nil` for the system's default. Linux and macOS have no such
  /// protection, and ignore this.
  ///
  /// In all layouts it applies to every file with keys or values, from the file's creation. Existing files keep their
  /// protection. While the system blocks reading a file, reads of its entries throw `.backendFailed`, and nothing is
  /// treated as damage. A program that works while the device is locked needs `.completeUntilFirstUserAuthentication`.
  public var protectionType: FileProtectionType?

  /// What the store reports of its own work.
  var reporting: DiskReporting?

  /// Whether the store only reads. It then needs no permission to write and changes no file: damaged entries, and
  /// unfinished files of dead processes, stay where they are. Writes throw `.readOnly`; opening throws if there is no
  /// folder.
  public var isReadOnly = false

  /// Creates a configuration. Nothing is created or checked on disk until the store is opened.
  public init(
    name: String, expiry: Expiry = .never, maxSize: UInt = 0, directory: URL? = nil,
    layout: DiskLayout = .automatic, durability: DiskDurability = .process,
    predecessor: DiskPredecessor? = nil, clock: StorageClock = .system,
    onDamage: (@Sendable (StorageError) -> Void)? = nil, protectionType: FileProtectionType? = nil
  ) {
    self.name = name
    self.expiry = expiry
    self.maxSize = maxSize
    self.directory = directory
    self.layout = layout
    self.durability = durability
    self.predecessor = predecessor
    self.clock = clock
    self.onDamage = onDamage
    self.protectionType = protectionType
  }
}

extension DiskConfig {
  /// Returns the store's folder, in one of the user's folders if the configuration names no directory.
  func folder(in place: FileManager.SearchPathDirectory) throws(StorageError) -> EntryFolder {
    let components = name.split(separator: "/", omittingEmptySubsequences: false)
    if components.contains(where: { ["", ".", ".."].contains($0) }) || name.utf8.contains(0) {
      throw .invalidConfiguration.with(
        "\(String(reflecting: name)) cannot name a store's folder: each component must be a folder's name"
      )
    }
    if layout == .files, predecessor != nil {
      throw .invalidConfiguration.with(
        "the layout .files cannot import entries: omit the predecessor, or choose another layout")
    }
    guard let directory = directory ?? FileManager.default.urls(for: place, in: .userDomainMask).first else {
      throw .invalidConfiguration.with("the system has no such folder for this user: set `directory`")
    }
    guard directory.isFileURL else {
      throw .invalidConfiguration.with(
        "`directory` is not a file URL: pass the URL of a folder", place: directory.absoluteString)
    }
    // Absolute, so that a change of the working directory does not move the store.
    let parent = directory.absoluteURL.path(percentEncoded: false)
    return EntryFolder(
      path: parent.hasSuffix("/") ? parent + name : "\(parent)/\(name)", isReadOnly: isReadOnly)
  }

  /// `maxSize`; `nil` for none.
  var limit: Int? { maxSize == 0 ? nil : Int(clamping: maxSize) }

  /// Makes the store report damage and reclaimed entries, besides telling `onDamage`.
  mutating func report(to reporter: TierReporter<some Sendable>) {
    reporting = DiskReporting(
      damage: { [weak reporter] in reporter?.report(.damage($0), nil) },
      reclaimed: { [weak reporter] in reporter?.report($0, nil, count: $1) })
  }

  func reclaimed(evictions: Int = 0, expiries: Int = 0) {
    if evictions > 0 { reporting?.reclaimed(.eviction, evictions) }
    if expiries > 0 { reporting?.reclaimed(.expiry, expiries) }
  }

  func report(_ error: StorageError) {
    reporting?.damage(error)
    if let onDamage { return onDamage(error) }
    let line = Array("Strata: \(error)\n".utf8)
    write(STDERR_FILENO, line, line.count)
  }
}

/// Told of damage, and of entries that the store itself removes.
struct DiskReporting: Sendable {
  let damage: @Sendable (StorageError) -> Void
  let reclaimed: @Sendable (TierEffect, Int) -> Void
}
