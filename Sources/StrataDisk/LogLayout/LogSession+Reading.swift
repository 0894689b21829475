#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// What a read wants of an entry.
enum Wanted {
  /// The expiry alone.
  case expiry
  /// The entry with its value in memory.
  case value
  /// The entry; a value that was written as a stream is left in its file.
  case stored
}

extension LogSession {
  /// Returns the entry of a key, or `nil`. Counts as a use of the entry.
  func entry(_ key: [UInt8], _ wanted: Wanted = .value) throws -> Entry<Data>? {
    guard case .whole(let entry) = try stored(key, wanted) else { return nil }
    return entry
  }

  /// Returns what is wanted of the entry of a key, or `nil`: `.parts` only for `.stored`. Counts as a use of the entry.
  func stored(_ key: [UInt8], _ wanted: Wanted) throws -> StoredValue? {
    if let found = try reading(key, wanted) { return found }
    if options.old.isEmpty { return nil }
    if try adoptParts(key) { return try reading(key, wanted) }
    // Another process may have imported the entry between the two lookups: then it is in the log by now.
    return try oldEntry(key).map(StoredValue.whole) ?? reading(key, wanted)
  }

  /// Returns the entries of many keys from one snapshot.
  func entries(_ keys: [[UInt8]]) throws -> [Entry<Data>?] {
    var rounds = 0
    while true {
      try refresh()
      let tail = control.tail
      let entries = try keys.map { try entry($0) }
      // Records written meanwhile may have belonged to one batch.
      if control.tail == tail { return entries }
      rounds += 1
      // Constant writers must not keep a reader from ending.
      let isCalm = rounds > 3 && !control.isReadOnly
      if let entries = try isCalm ? change({ _ in try momentary(keys) }) : momentary(keys) { return entries }
    }
  }

  /// Returns the entries of one snapshot while other processes write; `nil` if an entry is moved meanwhile.
  private func momentary(_ keys: [[UInt8]]) throws -> [Entry<Data>?]? {
    let (locations, span) = view.withLock { view in
      (keys.map { index.find(fingerprint($0))?.location }, view.span)
    }
    var entries: [Entry<Data>?] = []
    for (key, location) in zip(keys, locations) {
      // The index still has entries that were evicted with their segment.
      guard let location, span.contains(location) else {
        entries.append(options.old.isEmpty ? nil : try options.old.find(key)?.entry)
        continue
      }
      switch try attempt(key, at: location, .value) {
      case .success(.whole(let entry)): entries.append(entry)
      case .success: entries.append(nil)
      case .failure: return nil
      }
    }
    return entries
  }

  /// Reads the entry of a key in the log; `nil` if there is none. After a flaw it catches up and tries again. If the
  /// flaw stays, the entry is removed and an error is thrown.
  private func reading(_ key: [UInt8], _ wanted: Wanted) throws -> StoredValue? {
    let print = fingerprint(key)
    try refresh()
    var location = index.use(print)
    while let current = location {
      let result = try attempt(key, at: current, wanted)
      if case .success(let value) = result { return value }
      try refresh()
      location = index.find(print)?.location
      guard location?.isSame(current) == true else { continue }
      // An entry in a segment that has been emptied was evicted.
      guard control.span.contains(current), case .failure(let flaw) = result else { return nil }
      return try giveUp(key, print, flaw, wanted)
    }
    return nil
  }

  private func attempt(
    _ key: [UInt8], at location: Location, _ wanted: Wanted
  ) throws -> Result<StoredValue?, EntryFlaw> {
    do {
      let span = control.span
      guard span.contains(location) else { return .failure(.damaged("its segment is gone")) }
      guard let segment = try segments.segment(span.segment(of: location)) else {
        return .failure(.damaged("its segment is missing"))
      }
      if location.isFile { return .success(try valueInFile(of: key, at: location, in: segment, wanted)) }
      let entry =
        try wanted == .expiry || location.length <= 4096
        ? packedEntry(key, at: location, in: segment, wanted)
        : longEntry(key, at: location, in: segment)
      return .success(entry.map(StoredValue.whole))
    } catch let flaw as EntryFlaw {
      return .failure(flaw)
    }
  }

  /// Moves or copies an unreadable entry to `Damaged`, unless it can be read now that nothing else writes.
  private func giveUp(
    _ key: [UInt8], _ print: Fingerprint, _ flaw: EntryFlaw, _ wanted: Wanted
  ) throws -> StoredValue? {
    let place = folder.path(
      of: EntryName.segment(control.span.segment(of: index.find(print)?.location ?? .none)))
    do {
      return try change { writer in
        // In another store's folder, every file would look damaged.
        try holdPlace()
        guard let location = index.find(print)?.location, control.span.contains(location) else { return nil }
        switch try attempt(key, at: location, wanted) {
        case .success(let found): return found
        case .failure(let flaw): throw try setAside(key, location, flaw, &writer)
        }
      }
    } catch let error as SystemError {
      throw folder.unmoved("the entry is damaged: \(flaw.reason)", place, error)
    }
  }

  /// Returns the entry in a record. One checksum covers the record, so all of it is read for the expiry too.
  func packedEntry(
    _ key: [UInt8], at location: Location, in segment: Segment, _ wanted: Wanted, cached: Bool = false
  ) throws -> Entry<Data>? {
    try withRecord(at: location, in: segment, cached: cached) { record, bytes in
      guard isSame(key, bytes.part(record.keyRange)) else { return nil }
      if wanted == .expiry { return Entry(expiry: record.expiry) }
      return Entry(object: Data(bytes.part(record.valueRange)), expiry: record.expiry)
    }
  }

  private func longEntry(_ key: [UInt8], at location: Location, in segment: Segment) throws -> Entry<Data>? {
    let headLength = Record.headerSize + key.count
    guard location.length >= headLength, let memory = malloc(max(1, location.length - headLength)) else {
      return try packedEntry(key, at: location, in: segment, .value)
    }
    let rest = UnsafeMutableRawBufferPointer(start: memory, count: location.length - headLength)
    do {
      // The value is read directly into its final memory.
      let record = try withUnsafeTemporaryAllocation(byteCount: headLength, alignment: 8) { head in
        let count = try segment.file.read(into: head, rest, at: location.offset)
        let fields = UnsafeRawBufferPointer(head)
        guard count == location.length, let record = Record(fields: fields), record.kind == .value,
          record.length == count, record.keyLength == key.count,
          isSame(key, fields.part(record.keyRange)),
          record.isSound(
            head: fields, value: UnsafeRawBufferPointer(rest).part(0..<record.valueLength),
            seed: segment.seed(at: location.offset))
        else { return nil as Record? }
        return record
      }
      if let record {
        return Entry(
          object: Data(bytesNoCopy: memory, count: record.valueLength, deallocator: .free),
          expiry: record.expiry)
      }
    } catch {
      free(memory)
      throw error
    }
    free(memory)
    // The record is damaged, or another key's: `packedEntry` finds out which.
    return try packedEntry(key, at: location, in: segment, .value)
  }

  /// Reads a record, checks it, and passes it to `body` with its bytes. `cached`: only if it is in the page cache.
  func withRecord<R>(
    at location: Location, in segment: Segment, cached: Bool = false,
    _ body: (Record, UnsafeRawBufferPointer) throws -> R
  ) throws -> R {
    try withBuffer(location.length) { buffer in
      let record = try record(at: location, in: segment, cached: cached, into: buffer)
      return try body(record, UnsafeRawBufferPointer(buffer))
    }
  }

  /// Reads a record into a buffer of its length, and checks it.
  private func record(
    at location: Location, in segment: Segment, cached: Bool, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Record {
    let count =
      try cached
      ? segment.file.readCached(into: buffer, at: location.offset)
      : segment.file.read(into: buffer, at: location.offset)
    let bytes = UnsafeRawBufferPointer(buffer).part(0..<count)
    guard let record = Record(bytes, seed: segment.seed(at: location.offset)),
      record.length == location.length,
      record.kind.namesFile == location.isFile, record.kind.namesFile || record.kind == .value
    else { throw EntryFlaw.damaged("the checksum of its record does not match") }
    return record
  }

  /// Returns what is wanted of an entry whose value is in a file of its own; `nil` if the record belongs to another
  /// key.
  private func valueInFile(
    of key: [UInt8], at location: Location, in segment: Segment, _ wanted: Wanted
  ) throws -> StoredValue? {
    try withRecord(at: location, in: segment) { record, bytes in
      guard isSame(key, bytes.part(record.keyRange)) else { return nil }
      guard let value = ValueFile(of: record, bytes) else {
        throw EntryFlaw.damaged("its record names no file")
      }
      if record.kind == .parts, let table = PartTable(bytes.part(record.valueRange)) {
        let file = try PartFile(folder.values.path(of: value.name), table)
        return switch wanted {
        case .expiry: .whole(Entry(expiry: record.expiry))
        case .value: .whole(Entry(object: try file.data(), expiry: record.expiry, filePath: file.path))
        case .stored: .parts(file, record.expiry)
        }
      }
      guard let file = try EntryFile(folder.values.path(of: value.name)) else {
        throw EntryFlaw.damaged("its file is missing")
      }
      guard file.key == key else { throw EntryFlaw.damaged("its file holds the entry of another key") }
      if wanted == .expiry { return .whole(Entry(expiry: record.expiry)) }
      return .whole(Entry(object: try file.value(), expiry: record.expiry, filePath: file.path))
    }
  }
}

/// Returns whether the bytes are the key.
@inline(__always)
func isSame(_ key: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
  key.count == bytes.count
    && key.withUnsafeBytes { key in
      guard let left = key.baseAddress, let right = bytes.baseAddress else { return true }
      return memcmp(left, right, key.count) == 0
    }
}
