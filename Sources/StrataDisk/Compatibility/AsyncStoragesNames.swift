// Names of AsyncStorages, for programs that come from there. Each says what it is called here.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Plain files by URL.
@available(*, deprecated, renamed: "FileStorage")
public typealias RawDiskStorage = FileStorage

/// Plain files of a folder, by name.
@available(*, deprecated, renamed: "FolderStorage")
public typealias DiskFolderStorage = FolderStorage

extension FolderStorage {
  /// The folder.
  @available(*, deprecated, renamed: "url")
  public var folderURL: URL { url }

  /// The URL of a key's file.
  @available(*, deprecated, message: "a key is the name of its file: `url.appending(path: key)`")
  public func fileURL(forFilename name: String) -> URL { url.appending(path: name) }
}
