#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension StorageAware where Value == Data {
  /// Writes a stored value to a plain file, which other programs can open: its bytes and nothing else, under a name
  /// with any extension.
  ///
  /// The file that an entry's `filePath` names is the store's own: `DiskStorage` puts a header in front of the value
  /// and gives the file no extension, so a player, say, cannot read it. The copy replaces a file that is there in one
  /// step, and does not change with the store. Throws `.notFound` if nothing is stored, and an error that names the
  /// file if it cannot be written.
  ///
  /// ```swift
  /// try await films.exportObject(forKey: "intro", to: URL(filePath: "/tmp/intro.mp4"))
  /// ```
  public func exportObject(forKey key: Key, to url: URL) async throws {
    try await FileStorage().set(object(forKey: key), forKey: url)
  }
}
