#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Writes that depend on what is stored. A condition is looked at once before anything is prepared, and again while
/// nobody changes the log.
extension LogSession {
  /// Whether a condition holds at this moment. What lies beside the log of the keys is taken over first, so that the
  /// log alone says it.
  func holds(_ condition: (LogSession) throws -> Bool, for entries: [NewEntry]) throws -> Bool {
    for entry in entries { try takeOver(entry.key) }
    return try condition(self)
  }

  /// Makes the old entry of a key, if there is one, the log's.
  private func takeOver(_ key: [UInt8]) throws {
    try refresh()
    if !options.old.isEmpty, index.find(fingerprint(key)) == nil { _ = try oldEntry(key) }
  }

  /// Whether nothing is stored under a key that has not expired.
  func isAbsent(_ key: [UInt8]) throws -> Bool {
    try currentRecord(key).map { $0.record.expiry.isExpired(by: options.clock) } ?? true
  }

  /// Where the record of a key is.
  func version(of key: [UInt8]) -> EntryVersion? {
    guard var location = index.find(fingerprint(key))?.location, control.span.contains(location) else {
      return nil
    }
    location.isMarked = false
    return EntryVersion(bits: [location.bits, UInt64(control.span.segment(of: location))])
  }

  /// Reads an entry. The version is taken first: if the entry is changed before it is read, it is of none that stays.
  func versionedEntry(_ key: [UInt8]) throws -> VersionedEntry? {
    try takeOver(key)
    let version = version(of: key)
    return try entry(key).map { VersionedEntry(entry: $0, version: version ?? EntryVersion(bits: [])) }
  }

  /// Changes the expiry of what is stored under a key and has not expired; returns whether there is something.
  ///
  /// Only the record is written anew: a value in a file of its own stays where it is.
  func touch(_ key: [UInt8], _ expiry: Expiry) throws -> Bool {
    try takeOver(key)
    let end = try change { writer -> LogPosition? in
      // What has just been used is moved and not given up, while room is made for its new record.
      _ = index.use(fingerprint(key))
      guard let found = try live(key) else { return nil }
      try makeRoom(for: [found.with(expiry, key)], files: 0, &writer)
      guard let found = try live(key) else { return nil }
      try replace([found.with(expiry, key)], fileBytes: 0, keepsFiles: true, &writer)
      try tidyUp(&writer)
      return control.tail
    }
    if let end, options.durability == .power { try sync(upTo: end) }
    return end != nil
  }

  private func live(_ key: [UInt8]) throws -> StoredRecord? {
    guard let found = try currentRecord(key), !found.record.expiry.isExpired(by: options.clock) else {
      return nil
    }
    return found
  }

  /// The record that counts for a key, with its value, as it stands in the log; `nil` if there is none, or it is
  /// damaged: whoever reads it is told.
  private func currentRecord(_ key: [UInt8]) throws -> StoredRecord? {
    guard let location = index.find(fingerprint(key))?.location, control.span.contains(location) else {
      return nil
    }
    do {
      guard let segment = try segments.segment(control.span.segment(of: location)) else { return nil }
      return try withRecord(at: location, in: segment) { record, bytes in
        isSame(key, bytes.part(record.keyRange))
          ? StoredRecord(record: record, value: Array(bytes.part(record.valueRange))) : nil
      }
    } catch is EntryFlaw {
      return nil
    }
  }
}

/// A record of the log with its value.
private struct StoredRecord {
  let record: Record
  let value: [UInt8]

  /// The same with another expiry.
  func with(_ expiry: Expiry, _ key: [UInt8]) -> NewRecord {
    let new = Record(kind: record.kind, keyLength: key.count, valueLength: value.count, expiry: expiry)
    return NewRecord(record: new, key: key, value: .bytes(value))
  }
}
