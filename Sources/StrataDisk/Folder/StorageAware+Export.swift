#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension StorageAware where Value == Data {
  /// Writes a stored value to a plain file, which other programs can open. The file contains only the value's bytes,
  /// and may have any extension.
  ///
  /// The file at an entry's `filePath` is internal: `DiskStorage` puts a header in front of most values and gives the
  /// file no extension, so a media player, for example, cannot read it. The copy atomically replaces an existing file,
  /// and does not change with the store. Throws `.notFound` if nothing is stored, and an error that names the file if
  /// it cannot be written.
  ///
  /// ```swift
  /// try await films.exportObject(forKey: "intro", to: URL(filePath: "/tmp/intro.mp4"))
  /// ```
  public func exportObject(forKey key: Key, to url: URL) async throws {
    try await FileStorage().set(object(forKey: key), forKey: url)
  }
}
