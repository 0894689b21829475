#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import StrataCore

extension DiskStorage where Key == URL {
  /// The plain files of this machine, by URL: one store for all who ask.
  public static var shared: FileStorage { SharedFiles.storage }

  /// The plain files of this machine, by URL, with an order of its own.
  public static func detached(creatingDirectories: Bool = true) -> FileStorage {
    FileStorage(creatingDirectories: creatingDirectories)
  }
}

private enum SharedFiles { static let storage = FileStorage() }

extension FolderStorage {
  /// The plain files of a folder in one of the user's folders, by name.
  public static func folder(
    _ name: String, in place: FileManager.SearchPathDirectory, creatingDirectories: Bool = true
  ) throws -> FolderStorage {
    guard let parent = FileManager.default.urls(for: place, in: .userDomainMask).first else {
      throw StorageError.invalidConfiguration.with(
        "this system has no such folder for its users; give the URL of one")
    }
    let url = parent.appending(path: name, directoryHint: .isDirectory)
    return FolderStorage(url: url, creatingDirectories: creatingDirectories)
  }
}
