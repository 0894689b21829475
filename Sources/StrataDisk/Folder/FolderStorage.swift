#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A folder of plain files, which other programs may read and write too: a key is a file's name, and its value the
/// file's bytes.
///
/// ```swift
/// let notes = FolderStorage(url: URL(filePath: "/home/ada/notes"), creatingDirectories: false)
/// try notes.setObject(Data("Buy milk".utf8), forKey: "milk.txt")
/// let texts = notes.mapString()
/// ```
///
/// If no other program uses the files, `DiskStorage` is the better store. It takes any key, keeps an expiry, detects
/// damage, has a limit, and is several times as fast.
///
/// **Keys** are file names: not empty, at most 255 bytes, without a slash or a zero byte, and neither `.` nor `..`. Any
/// other key throws `.invalidConfiguration`, so no key leads out of the folder. Names are equal if their bytes are.
/// `mapKeys(to:mapTo:mapFrom:)` converts other keys.
///
/// **Subfolders and symlinks** are not listed and not touched: an operation on the name of one throws `.backendFailed`.
///
/// **Expiry** is not supported: the programs that share a file use its times for themselves. A write with an expiry
/// other than `.never` throws `.invalidConfiguration`. To let values expire put a `MemoryStorage` in front, or use
/// `DiskStorage`.
///
/// **Writes** replace a file atomically: a reader, also in another program, sees the old bytes or the new ones. A new
/// file is accessible to its owner alone; a replacement keeps the permissions of the old file. A file that another
/// program writes in place may be read half written.
///
/// **`fileURL(forKey:)`** returns a hard link to the file, with the same name, in a hidden folder `.strata-….tmp`
/// beside it. So the bytes stay in place until the result is released, although a new value or a removal takes effect
/// at once. Where no link can be made, as in a folder that may only be read, it is a copy among the system's temporary
/// files. The shared file itself is at `url.appending(path: key)`.
///
/// **Order**: writes, removals and updates of one key run one after the other within one store. Other writers of the
/// file are not waited for.
public final class FolderStorage: SyncStorageAware {
  /// The name of a file.
  public typealias Key = String
  /// The bytes of a file.
  public typealias Value = Data

  /// The folder.
  public let url: URL
  let folder: EntryFolder
  let files: PlainFiles
  let order = KeyOrder<String>()
  /// The expiry of values that are stored without one.
  public var traits: StoreTraits {
    var traits = StoreTraits(ownExpiry: .never)
    traits.keepsParts = true
    return traits
  }

  /// The threads on which streams wait for the disk. They are started when they are needed.
  let pool = BlockingPool()
  /// Whether temporary files of killed processes have been deleted.
  private let isClean = Locked(false)

  /// Creates a store over a folder. Nothing happens on disk until it is used.
  ///
  /// - Parameters:
  ///   - url: a folder of this machine. A URL that is not a file URL is a programming error.
  ///   - creatingDirectories: whether a write creates the folder, and the folders above it, if it is missing. If not,
  ///     every operation throws `.backendFailed` while there is no folder.
  ///   - durability: the failures that a write survives once it has returned.
  public init(url: URL, creatingDirectories: Bool = true, durability: DiskDurability = .process) {
    precondition(url.isFileURL, "\(url.absoluteString) is not a file URL")
    self.url = url
    // Absolute, so that a change of the working directory does not move the store.
    let path = url.absoluteURL.path(percentEncoded: false)
    folder = EntryFolder(path: path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
    files = PlainFiles(createsFolders: creatingDirectories, durability: durability)
  }

  /// Deletes the temporary files that no process is writing any more, once.
  func removeLeftoversOnce() throws {
    try isClean.withLock { isClean in
      if !isClean { try removeLeftovers() }
      isClean = true
    }
  }

  /// Deletes the temporary files, and the folders of kept files, of processes that have ended.
  func removeLeftovers() throws {
    try folder.removeLeftovers()
    for name in try folder.names(where: EntryName.isTemporary) {
      try KeptFile.removeLeftover(folder.path(of: name))
    }
  }

  /// Returns the path of a key's file; throws if the key is not a valid name.
  func path(of name: String) throws(StorageError) -> String {
    let reason: String? =
      if name.isEmpty { "it is empty" } else if name == "." || name == ".." {
        "it is the name of a folder, `.` or `..`"
      } else if name.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) {
        "it contains a slash or a NUL byte"
      } else if name.utf8.count > 255 { "it is longer than 255 bytes" } else if EntryName.isTemporary(name) {
        "it is a name that Strata uses for temporary files"
      } else { nil }
    if let reason {
      throw .invalidConfiguration.with("the key cannot name a file: \(reason)", key: name, place: folder.path)
    }
    return folder.path(of: name)
  }
}
