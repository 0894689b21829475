#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Conditional writes. A condition is checked once before anything is prepared, and again while nothing else changes
/// the log.
extension LogSession {
  /// Returns whether a condition on a key holds now. Its old entry is imported first, so that the log alone decides.
  func wouldHold(_ condition: WriteCondition, for key: [UInt8]) throws -> Bool {
    try takeOver(key)
    return try holds(condition, for: key)
  }

  /// Returns whether a condition on a key holds, according to the log alone.
  func holds(_ condition: WriteCondition, for key: [UInt8]) throws -> Bool {
    switch condition {
    case .absent: try isAbsent(key)
    case .unchanged(let version): self.version(of: key) == version
    }
  }

  /// Imports the old entry of a key, if there is one.
  private func takeOver(_ key: [UInt8]) throws {
    try refresh()
    if options.old.isEmpty || index.find(fingerprint(key)) != nil { return }
    if try !adoptParts(key) { _ = try oldEntry(key) }
  }

  /// Returns whether the key is absent or its entry has expired.
  private func isAbsent(_ key: [UInt8]) throws -> Bool {
    try currentRecord(key).map { $0.record.expiry.isExpired(by: options.clock) } ?? true
  }

  /// Returns the location of the key's record as a version. In the log that replaces this one, its number is another.
  func version(of key: [UInt8]) -> EntryVersion? {
    guard var location = index.find(fingerprint(key))?.location, control.span.contains(location) else {
      return nil
    }
    location.isMarked = false
    return EntryVersion(bits: [location.bits, UInt64(control.span.segment(of: location)), number])
  }

  /// Reads an entry with its version. The version is taken first: if the entry changes before it is read, the version
  /// is already outdated, and a conditional write fails.
  func versionedEntry(_ key: [UInt8]) throws -> VersionedEntry? {
    try takeOver(key)
    let version = version(of: key)
    return try entry(key).map { VersionedEntry(entry: $0, version: version ?? EntryVersion(bits: [])) }
  }

  /// Changes the expiry of an entry that has not expired; returns whether there is one.
  ///
  /// Only the record is rewritten: a value in a file of its own stays where it is.
  func touch(_ key: [UInt8], _ expiry: Expiry) throws -> Bool {
    try takeOver(key)
    return try commit { writer in
      // Marks the entry as used, so that it is moved and not evicted while room is made for its new record.
      _ = index.use(fingerprint(key))
      guard let found = try live(key) else { return false }
      try makeRoom(for: [found.with(expiry)], files: 0, keepsFiles: true, &writer)
      guard let found = try live(key) else { return false }
      try replace([found.with(expiry)], fileBytes: 0, keepsFiles: true, &writer)
      return true
    }
  }

  private func live(_ key: [UInt8]) throws -> NewRecord? {
    guard let found = try currentRecord(key), !found.record.expiry.isExpired(by: options.clock) else {
      return nil
    }
    return found
  }

  /// Returns the live record of a key with its value; `nil` if there is none, or it is damaged. Reading the key reports
  /// damage.
  private func currentRecord(_ key: [UInt8]) throws -> NewRecord? {
    guard let location = index.find(fingerprint(key))?.location, control.span.contains(location) else {
      return nil
    }
    do {
      guard let segment = try segments.segment(control.span.segment(of: location)) else { return nil }
      return try withRecord(at: location, in: segment) { record, bytes in
        isSame(key, bytes.part(record.keyRange))
          ? NewRecord(record.kind, key, Data(bytes.part(record.valueRange)), record.expiry) : nil
      }
    } catch is EntryFlaw {
      return nil
    }
  }
}

extension NewRecord {
  /// Returns the same record with another expiry.
  fileprivate func with(_ expiry: Expiry) -> NewRecord { NewRecord(record.kind, key, value, expiry) }
}
