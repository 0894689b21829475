#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import StrataCore

extension DiskStorage where Key == URL {
  /// A store of this machine's plain files, by URL, shared by the whole process.
  public static var shared: FileStorage { SharedFiles.storage }

  /// Returns another store of this machine's plain files, by URL, with its own per-key ordering.
  public static func detached(creatingDirectories: Bool = true) -> FileStorage {
    FileStorage(creatingDirectories: creatingDirectories)
  }
}

private enum SharedFiles { static let storage = FileStorage() }

extension FolderStorage {
  /// Returns a store of the plain files in one of the user's folders, by name.
  public static func folder(
    _ name: String, in place: FileManager.SearchPathDirectory, creatingDirectories: Bool = true
  ) throws -> FolderStorage {
    guard let parent = FileManager.default.urls(for: place, in: .userDomainMask).first else {
      throw StorageError.invalidConfiguration.with(
        "the system has no such folder for this user: pass the URL of a folder")
    }
    let url = parent.appending(path: name, directoryHint: .isDirectory)
    return FolderStorage(url: url, creatingDirectories: creatingDirectories)
  }
}
