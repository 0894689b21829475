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
/// Where no other program uses the files, `DiskStorage` is the better store: it takes any key, keeps an expiry, finds
/// damage, holds to a limit, and is several times as fast.
///
/// **Keys** are names of files: not empty, at most 255 bytes, without a slash or a zero, and neither `.` nor `..`. Any
/// other throws `.invalidConfiguration`, so no key leads out of the folder. Names are the same if their bytes are.
/// Other keys are made with `mapKeys(to:mapTo:mapFrom:)`.
///
/// **What is no file**, a subfolder or a symlink, is not listed and not touched: an operation on its name throws
/// `.backendFailed`.
///
/// **Expiry** is not kept: a file's own times belong to those who share it. A write with an expiry other than `.never`
/// throws `.invalidConfiguration`. To let values expire put a `MemoryStorage` in front, or use `DiskStorage`.
///
/// **Writes** replace a file in one step: a reader, also in another program, sees the old bytes or the new ones. A new
/// file is its owner's alone; a file that is replaced hands on its permissions. What another program writes in place
/// may be read half written.
///
/// **Order**: writes, removals and updates of one key run one after the other in one store. Others that write the file
/// at the same time are not waited for.
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

  /// A store over a folder. Nothing is done on the disk until it is used.
  ///
  /// - Parameters:
  ///   - url: a folder of this machine. A URL that is none is a programming error.
  ///   - creatingDirectories: whether a write makes the folder, and those above it, if it is missing. If not, every
  ///     operation throws `.backendFailed` while there is no folder.
  ///   - durability: what a write that has returned survives.
  public init(url: URL, creatingDirectories: Bool = true, durability: DiskDurability = .process) {
    precondition(url.isFileURL, "a folder of this machine is needed, and not \(url.absoluteString)")
    self.url = url
    // Absolute, so that a change of the working directory does not move the store.
    let path = url.absoluteURL.path(percentEncoded: false)
    folder = EntryFolder(path: path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
    files = PlainFiles(createsFolders: creatingDirectories, durability: durability)
  }

  /// The path of a key's file; throws if the key is no name.
  func path(of name: String) throws(StorageError) -> String {
    let reason: String? =
      if name.isEmpty { "it is empty" } else if name == "." || name == ".." {
        "it is a folder's"
      } else if name.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) {
        "it has a slash or a zero in it"
      } else if name.utf8.count > 255 { "it is longer than 255 bytes" } else if EntryName.isTemporary(name) {
        "it is a temporary file's"
      } else { nil }
    if let reason {
      throw .invalidConfiguration.with("the key cannot name a file: \(reason)", key: name, place: folder.path)
    }
    return folder.path(of: name)
  }
}
