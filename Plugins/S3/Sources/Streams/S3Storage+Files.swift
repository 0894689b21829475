#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension S3Storage {
  /// Stores the contents of a file of any size, as `importFile` does.
  ///
  /// ```swift
  /// try await objects.importObject(from: URL(filePath: "/var/tmp/film.mp4"), forKey: "film")
  /// ```
  public func importObject(from file: URL, forKey key: Key, expiry: Expiry? = nil) async throws {
    try await explaining("import the file", key) {
      try await importFile(file, forKey: key, expiry: expiry)
    }
  }

  /// Writes a value of any size to a file, as `exportFile` does. If the value changes meanwhile, the download starts
  /// again.
  public func exportObject(forKey key: Key, to file: URL) async throws {
    try await explaining("export the entry", key) {
      _ = try await repeating {
        do {
          try await exportFile(forKey: key, to: file)
          return true
        } catch let error as StorageError where error.isOfReplacement {
          return nil
        }
      }
    }
  }
}
