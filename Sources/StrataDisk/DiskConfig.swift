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

/// Where a disk store keeps its entries, for how long, how many, and how safely.
public struct DiskConfig: Sendable {
  /// The name of the store's folder; with slashes, that of a folder in folders: `"users/ann"`. No component may be `.`,
  /// `..` or empty.
  public var name: String
  /// When entries expire that are stored without an expiry of their own.
  public var expiry: Expiry
  /// The limit to the bytes of all files that hold entries, with all that they hold beside them; 0 for none.
  ///
  /// In the layout `.files` that is the entries' files; in the others the log, with what it holds of entries that were
  /// replaced and removed, and the files of large values. Once it is reached, entries take at least nine tenths of it,
  /// also where they are replaced; of a limit of fewer than 5 MB somewhat less. Puts that replace packed entries at the
  /// limit take two to five times as long as others, since live entries are moved to give back dead bytes.
  public var maxSize: UInt
  /// The folder that holds the store's folder; `nil` for the user's caches.
  public var directory: URL?
  /// How entries are laid out in files.
  public var layout: DiskLayout
  /// What a write that has returned survives.
  public var durability: DiskDurability
  /// Another library whose entries are taken over, where they are found in the store's folder; `nil` for none. Entries
  /// of the layout `.files` are taken over by the others at any rate. That layout itself takes nothing over, and
  /// refuses a predecessor.
  public var predecessor: DiskPredecessor?
  /// The clock by which entries expire.
  public var clock: StorageClock
  /// Told of damage, and of other trouble, that was met where no caller could be told by an error.
  ///
  /// A read of a key throws what it finds. This is for what a look through the whole folder finds, for
  /// `keys()` say. It is called on the thread of the operation, outside all locks. `nil`: a line on standard
  /// error.
  public var onDamage: (@Sendable (StorageError) -> Void)?

  /// How the system protects files while the device is locked; `nil` for its default. Linux and macOS know no such
  /// protection, and there it changes nothing.
  ///
  /// It applies to every file that holds keys or values, in all layouts, from when the file is made: files that are
  /// there already keep what they have. While the system does not let a file be read, reads of its entries
  /// throw `.backendFailed`, and nothing is taken for damage. A program that works while the device is locked needs
  /// `.completeUntilFirstUserAuthentication`.
  public var protectionType: FileProtectionType?

  /// Describes a store. Nothing is made on the disk, and nothing is checked, until the store is opened.
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
  /// The store's folder, in one of the user's folders where the configuration names no directory.
  func folder(in place: FileManager.SearchPathDirectory) throws(StorageError) -> EntryFolder {
    let components = name.split(separator: "/", omittingEmptySubsequences: false)
    if components.contains(where: { ["", ".", ".."].contains($0) }) || name.utf8.contains(0) {
      throw .invalidConfiguration.with(
        "\(String(reflecting: name)) cannot name a store's folder: each component must be the name of a folder below"
      )
    }
    if layout == .files, predecessor != nil {
      throw .invalidConfiguration.with(
        "the layout .files takes over no entries: leave out the predecessor, or the layout")
    }
    guard let directory = directory ?? FileManager.default.urls(for: place, in: .userDomainMask).first else {
      throw .invalidConfiguration.with("this system has no such folder for its users; name a directory")
    }
    guard directory.isFileURL else {
      throw .invalidConfiguration.with(
        "the directory must be on this machine", place: directory.absoluteString)
    }
    // Absolute, so that a change of the working directory does not move the store.
    let parent = directory.absoluteURL.path(percentEncoded: false)
    return EntryFolder(path: parent.hasSuffix("/") ? parent + name : "\(parent)/\(name)")
  }

  /// `maxSize`; `nil` for none.
  var limit: Int? { maxSize == 0 ? nil : Int(clamping: maxSize) }

  func report(_ error: StorageError) {
    if let onDamage { return onDamage(error) }
    let line = Array("Strata: \(error)\n".utf8)
    write(STDERR_FILENO, line, line.count)
  }
}
