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

extension LogSession {
  /// Returns the entry of a key, or `nil`. Counts as a use of the entry.
  func entry(_ key: [UInt8]) throws -> Entry<Data>? {
    try orOld(key, { $0 }) { try reading(key) { try anyEntry(key, at: $0, in: $1) } }
  }

  /// Returns the result of `body`, which looks in the log, or else of an old entry.
  func orOld<R>(
    _ key: [UInt8], _ ofOld: (Entry<Data>) -> R, _ body: () throws -> R?
  ) throws -> R? {
    if let found = try body() { return found }
    if options.old.isEmpty { return nil }
    if try adoptParts(key) { return try body() }
    // Another process may have imported the entry between the two lookups: then it is in the log by now.
    return try oldEntry(key).map(ofOld) ?? body()
  }

  /// Returns the entries of many keys from one snapshot.
  func entries(_ keys: [[UInt8]]) throws -> [Entry<Data>?] {
    var rounds = 0
    while true {
      try refresh()
      let tail = control.tail
      let entries = try keys.map(entry)
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
      guard case .success(let entry) = try attempt(location, { try anyEntry(key, at: $0, in: $1) }) else {
        return nil
      }
      entries.append(entry)
    }
    return entries
  }

  /// Returns the expiry of the entry of a key, or `nil`.
  func expiry(_ key: [UInt8]) throws -> Expiry? {
    try orOld(key, \.expiry) {
      try reading(key) { location, segment in
        guard location.isFile else { return try packedExpiry(of: key, at: location, in: segment) }
        return try withFile(of: key, at: location, in: segment, { $1.expiry }, parts: { $1.expiry })
      }
    }
  }

  /// Finds the record of a key and passes it to `body`; `nil` if there is none. After a flaw it catches up and tries
  /// again. If the flaw stays, the entry is removed and an error is thrown.
  func reading<R: Sendable>(
    _ key: [UInt8], _ body: (Location, Segment) throws -> R?
  ) throws -> R? {
    let print = key.withUnsafeBytes { secret.fingerprint(of: $0) }
    try refresh()
    var location = index.use(print)
    while let current = location {
      let result = try attempt(current, body)
      if case .success(let value) = result { return value }
      try refresh()
      location = index.find(print)?.location
      guard location?.isSame(current) == true else { continue }
      // An entry in a segment that has been emptied was evicted.
      guard control.span.contains(current), case .failure(let flaw) = result else { return nil }
      return try giveUp(key, print, flaw, body)
    }
    return nil
  }

  private func attempt<R>(_ location: Location, _ body: (Location, Segment) throws -> R?) throws -> Result<
    R?, EntryFlaw
  > {
    do {
      let span = control.span
      guard span.contains(location) else { return .failure(.damaged("its segment is gone")) }
      guard let segment = try segments.segment(span.segment(of: location)) else {
        return .failure(.damaged("its segment is missing"))
      }
      return .success(try body(location, segment))
    } catch let flaw as EntryFlaw {
      return .failure(flaw)
    }
  }

  /// Moves or copies an unreadable entry to `Damaged`, unless it can be read now that nothing else writes.
  private func giveUp<R: Sendable>(
    _ key: [UInt8], _ print: Fingerprint, _ flaw: EntryFlaw, _ body: (Location, Segment) throws -> R?
  ) throws -> R? {
    let place = folder.path(
      of: EntryName.segment(control.span.segment(of: index.find(print)?.location ?? .none)))
    do {
      return try change { writer in
        // In another store's folder, every file would look damaged.
        try holdPlace()
        guard let location = index.find(print)?.location, control.span.contains(location) else { return nil }
        guard case .failure(let flaw) = try attempt(location, body) else {
          return try attempt(location, body).get()
        }
        throw try setAside(key, location, flaw, &writer)
      }
    } catch let error as SystemError {
      throw folder.unmoved("the entry is damaged: \(flaw.reason)", place, error)
    }
  }

  func anyEntry(_ key: [UInt8], at location: Location, in segment: Segment) throws -> Entry<Data>? {
    location.isFile || location.length > 4096
      ? try largeEntry(key, at: location, in: segment) : try smallEntry(key, at: location, in: segment)
  }

  /// Returns the expiry in a record. One checksum covers the record, so all of it is read.
  func packedExpiry(
    of key: [UInt8], at location: Location, in segment: Segment, cached: Bool = false
  ) throws -> Expiry? {
    try withRecord(at: location, in: segment, cached: cached) { record, bytes in
      isSame(key, bytes.part(record.keyRange)) ? record.expiry : nil
    }
  }

  func smallEntry(
    _ key: [UInt8], at location: Location, in segment: Segment, cached: Bool = false
  ) throws -> Entry<Data>? {
    try withRecord(at: location, in: segment, cached: cached) { record, bytes in
      guard isSame(key, bytes.part(record.keyRange)) else { return nil }
      return Entry(object: Data(bytes.part(record.valueRange)), expiry: record.expiry)
    }
  }

  private func largeEntry(_ key: [UInt8], at location: Location, in segment: Segment) throws -> Entry<Data>? {
    if location.isFile {
      return try withFile(of: key, at: location, in: segment) { file, record in
        Entry(object: try file.value(), expiry: record.expiry, filePath: file.path)
      } parts: { file, record in
        Entry(object: try file.data(), expiry: record.expiry, filePath: file.path)
      }
    }
    let headLength = Record.headerSize + key.count
    guard location.length >= headLength, let memory = malloc(max(1, location.length - headLength)) else {
      return try smallEntry(key, at: location, in: segment)
    }
    let rest = UnsafeMutableRawBufferPointer(start: memory, count: location.length - headLength)
    do {
      // The value is read directly into its final memory.
      let record = try withUnsafeTemporaryAllocation(byteCount: headLength, alignment: 8) { head in
        let count = try segment.read(into: head, rest, at: location.offset)
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
    // The record is damaged, or another key's: `smallEntry` finds out which.
    return try smallEntry(key, at: location, in: segment)
  }

  /// Reads a record, checks it, and passes it to `body` with its bytes. `cached`: only if it is in the page cache.
  func withRecord<R>(
    at location: Location, in segment: Segment, cached: Bool = false,
    _ body: (Record, UnsafeRawBufferPointer) throws -> R
  ) throws -> R {
    try withUnsafeTemporaryAllocation(byteCount: location.length, alignment: 8) { buffer in
      let count =
        try cached
        ? segment.readCached(into: buffer, at: location.offset)
        : segment.read(into: buffer, at: location.offset)
      let bytes = UnsafeRawBufferPointer(buffer).part(0..<count)
      guard let record = Record(bytes, seed: segment.seed(at: location.offset)),
        record.length == location.length,
        record.kind.namesFile == location.isFile, record.kind.namesFile || record.kind == .value
      else { throw EntryFlaw.damaged("the checksum of its record does not match") }
      return try body(record, bytes)
    }
  }

  /// Opens the file that a record names, and passes it to `body`, or to `parts` if the file contains only the value.
  /// Returns `nil` if the record belongs to another key.
  func withFile<R>(
    of key: [UInt8], at location: Location, in segment: Segment,
    _ body: (borrowing EntryFile, Record) throws -> R, parts: (PartFile, Record) throws -> R
  ) throws -> R? {
    try withRecord(at: location, in: segment) { record, bytes in
      guard isSame(key, bytes.part(record.keyRange)) else { return nil }
      guard let value = ValueFile(of: record, bytes) else {
        throw EntryFlaw.damaged("its record names no file")
      }
      if record.kind == .parts, let table = PartTable(bytes.part(record.valueRange)) {
        return try parts(PartFile(folder.values.path(of: value.name), table), record)
      }
      guard let file = try EntryFile(folder.values.path(of: value.name)) else {
        throw EntryFlaw.damaged("its file is missing")
      }
      guard file.key == key else { throw EntryFlaw.damaged("its file holds the entry of another key") }
      return try body(file, record)
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
