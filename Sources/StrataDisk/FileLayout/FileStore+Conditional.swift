#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Conditional writes. The folder is locked, for other processes too, from the check to the write.
extension FileStore {
  func store(_ entry: NewEntry, if condition: WriteCondition?) throws -> Bool {
    try store(entry) {
      let holds =
        switch condition {
        case nil: true
        case .absent: try self.found(entry.key)?.entry.expiry.isExpired(by: self.clock) ?? true
        case .unchanged(let version): try self.found(entry.key)?.version == version
        }
      if holds { try WriteCondition.checkLease() }
      return holds
    }
  }

  func touch(_ key: [UInt8], _ expiry: Expiry) throws -> Bool {
    if let isTouched = try touchParts(key, expiry) { return isTouched }
    while true {
      guard let seen = try versionedEntry(key), seen.entry.isLive(by: clock) else { return false }
      let entry = NewEntry(key: key, value: seen.entry.object, expiry: expiry)
      if try store(entry, if: .unchanged(seen.version)) { return true }
    }
  }

  func versionedEntry(_ key: [UInt8]) throws -> VersionedEntry? {
    // This read moves a damaged file to `Damaged`, and throws.
    guard try read(key, []) != nil else { return nil }
    return try found(key)
  }

  /// Returns the entry of a key with its version; `nil` if there is none, or it is damaged.
  private func found(_ key: [UInt8]) throws -> VersionedEntry? {
    let path = try opened().path(of: EntryName.of(key))
    do {
      guard let file = try EntryFile(path), file.key == key else {
        return nil
      }
      let entry = Entry(object: try file.value(), expiry: file.header.expiry, filePath: file.path)
      return VersionedEntry(entry: entry, version: try file.version())
    } catch let flaw as EntryFlaw {
      try flaw.refuseNewer(path)
      return nil
    }
  }
}

extension EntryFlaw {
  /// Throws `.newerFormat` for an entry of a newer version of Strata, which is neither absent nor damaged.
  func refuseNewer(_ place: String) throws {
    if case .newer(let version) = self { throw StorageError.newer(version, place: place) }
  }
}
