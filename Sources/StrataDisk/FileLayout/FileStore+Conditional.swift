#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Conditional writes. The folder is locked, for other processes too, from the check to the write.
extension FileStore {
  func store(_ object: Data, _ key: Key, _ expiry: Expiry, if condition: WriteCondition?) throws -> Bool {
    try store(object, key, expiry) {
      switch condition {
      case nil:
        try WriteCondition.checkLease()
        return true
      case .absent: return try self.stored(key)?.entry.expiry.isExpired(by: self.clock) ?? true
      case .unchanged(let version): return try self.stored(key)?.version == version
      }
    }
  }

  func touch(_ key: Key, _ expiry: Expiry) throws -> Bool {
    if let isTouched = try touchParts(key, expiry) { return isTouched }
    while true {
      guard let seen = try versionedEntry(key), !seen.entry.expiry.isExpired(by: clock) else { return false }
      if try store(seen.entry.object, key, expiry, if: .unchanged(seen.version)) { return true }
    }
  }

  func versionedEntry(_ key: Key) throws -> VersionedEntry? {
    // This read moves a damaged file to `Damaged`, and throws.
    guard try read(key, []) != nil else { return nil }
    return try stored(key)
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
