// Names of AsyncStorages, for programs that migrate from it. Each is deprecated in favour of its name in Strata.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store of plain files by URL.
@available(*, deprecated, renamed: "FileStorage")
public typealias RawDiskStorage = FileStorage

/// A store of the plain files in a folder, by name.
@available(*, deprecated, renamed: "FolderStorage")
public typealias DiskFolderStorage = FolderStorage

extension FolderStorage {
  /// The folder.
  @available(*, deprecated, renamed: "url")
  public var folderURL: URL { url }

  /// Returns the URL of a key's file.
  @available(*, deprecated, message: "a key is the name of its file: `url.appending(path: key)`")
  public func fileURL(forFilename name: String) -> URL { url.appending(path: name) }
}
