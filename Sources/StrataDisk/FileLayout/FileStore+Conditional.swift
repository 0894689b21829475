#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataEngines

/// Conditional writes. The folder is locked, for other processes too, from the check to the write.
extension FileStore {
  func setObjectIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry) throws -> Bool {
    try store(object, key, expiry) { [clock] in
      try self.stored(key)?.entry.expiry.isExpired(by: clock) ?? true
    }
  }

  func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    while true {
      guard let seen = try versionedEntry(forKey: key), !seen.entry.expiry.isExpired(by: clock) else {
        return false
      }
      if try setObject(seen.entry.object, forKey: key, expiry: expiry, ifUnchanged: seen.version) {
        return true
      }
    }
  }

  func versionedEntry(forKey key: Key) throws -> VersionedEntry? {
    // This read moves a damaged file to `Damaged`, and throws.
    guard try entryIfPresent(forKey: key) != nil else { return nil }
    return try stored(key)
  }

  func setObject(_ object: Data, forKey key: Key, expiry: Expiry, ifUnchanged version: EntryVersion) throws
    -> Bool
  {
    try store(object, key, expiry) { try self.stored(key)?.version == version }
  }

  /// Returns the entry of a key with its version; `nil` if there is no readable entry.
  private func stored(_ key: Key) throws -> VersionedEntry? {
    let bytes = key.storageKey.canonicalUTF8
    do {
      guard let file = try EntryFile(opened().path(of: EntryName.of(bytes))), file.key == bytes else {
        return nil
      }
      let entry = Entry(object: try file.value(), expiry: file.header.expiry, filePath: file.path)
      return VersionedEntry(entry: entry, version: try file.version())
    } catch is EntryFlaw {
      return nil
    }
  }
}
