#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension LogOptions {
  /// Throws if the entries together exceed the limit, even in an empty store.
  func refuse(_ entries: [NewRecord]) throws(StorageError) {
    guard let limit else { return }
    let areFiles = areFiles(entries)
    let size = entries.indices.reduce(SegmentHeader.size) { sum, i in
      sum + (!areFiles.isEmpty && areFiles[i] ? entries[i].lengthWithFile : entries[i].length)
    }
    if size > limit {
      throw .tooLarge.with(
        "the entry would take \(size) bytes on disk, and maxSize is \(limit)", place: folder.path)
    }
  }
}

/// A value's file before it is moved to `Values`. It is deleted unless it is moved.
final class StagedFile: Sendable {
  let value: ValueFile
  private let entry: NewRecord
  private let options: LogOptions
  private let written: TemporaryFile?

  /// - Parameter isLate: Whether the file is written only when it is moved, so that it keeps no descriptor open until
  ///   then.
  init(_ entry: NewRecord, _ options: LogOptions, isLate: Bool = false) throws(SystemError) {
    value = ValueFile(
      number: .random(in: .min ... .max), size: EntryHeader.size + entry.key.count + entry.value.count)
    self.entry = entry
    self.options = options
    if isLate { written = nil } else { written = try Self.write(entry, options) }
  }

  func move(to values: EntryFolder) throws(SystemError) {
    let path = values.path(of: value.name)
    switch written {
    case .some(let file): try file.move(to: path, in: values)
    case nil: try Self.write(entry, options).move(to: path, in: values)
    }
  }

  private static func write(_ entry: NewRecord, _ options: LogOptions) throws(SystemError) -> TemporaryFile {
    let head = entry.value.withUnsafeBytes {
      EntryHeader.head(key: entry.key, value: $0, expiry: entry.record.expiry)
    }
    return try .written(head, entry.value, in: options.folder, options.protection, options.durability)
  }
}

extension LogSession {
  /// Stores entries, all of them or none, if a condition holds; returns whether it does. `staged` are the files of
  /// entries that have one; empty if none has. Calls `stored` before anything else changes the log.
  func store(
    _ entries: [NewRecord], _ staged: [StagedFile?], if condition: WriteCondition?, _ stored: () -> Void
  ) throws -> Bool {
    if options.limit != nil { try takeOverAll() }
    return try commit { writer in
      if let condition, try !holds(condition, for: entries[0].key) { return false }
      try WriteCondition.checkLease()
      try store(entries, staged, &writer)
      stored()
      return true
    }
  }

  /// Stores entries. For use inside `change`.
  func store(_ entries: [NewRecord], _ staged: [StagedFile?], _ writer: inout LogWriter) throws {
    var records = entries
    for (i, file) in staged.enumerated() {
      if let file { records[i] = .file(file.value, key: entries[i].key, expiry: entries[i].record.expiry) }
    }
    try store(records, staged.compactMap { $0 }, &writer)
  }

  /// Stores records, and the files that they name.
  private func store(_ records: [NewRecord], _ files: [StagedFile], _ writer: inout LogWriter) throws {
    let fileBytes = files.reduce(0) { $0 + $1.value.size }
    try makeRoom(for: records, files: fileBytes, &writer)
    if !files.isEmpty { try holdPlace() }
    do {
      for file in files { try file.move(to: folder.values) }
      if !files.isEmpty, options.durability == .power {
        try folder.values.sync()
        try folder.sync()
      }
      try replace(records, fileBytes: fileBytes, &writer)
    } catch {
      // Files that were not moved do not exist there, and deleting them is no error.
      for file in files { delete(file.value, "that was not stored", &writer) }
      throw error
    }
  }

  /// Removes the entries of keys, if there are any.
  func removeEntries(_ keys: [[UInt8]]) throws {
    try refresh()
    let isAbsent = options.old.isEmpty && keys.allSatisfy { index.find(fingerprint($0)) == nil }
    if isAbsent {
      // A store that uses another control file may have an entry.
      try control.expectPlace()
      return
    }
    try removing { try remove(keys, &$0) }
    if options.durability == .power { try sync(upTo: control.tail) }
  }

  /// Removes the entries of keys. For use inside `change`.
  func remove(_ keys: [[UInt8]], _ writer: inout LogWriter) throws {
    // First, so that an old file does not become the key's entry again.
    if !options.old.isEmpty { for key in keys { try options.old.remove(key) } }
    // The bytes of a repeated key's value are subtracted only once.
    let distinct = keys.count == 1 ? keys : Array(Set(keys))
    let records = distinct.filter { index.find(fingerprint($0)) != nil }.map(NewRecord.removal)
    if records.isEmpty { return }
    try makeRoom(for: records, files: 0, &writer)
    try replace(records, fileBytes: 0, &writer)
  }

  /// Appends records and deletes the files of the records that they replace. If it throws, nothing has changed.
  ///
  /// - Parameter keepsFiles: Whether the new records name the same files as the records that they replace.
  func replace(
    _ records: [NewRecord], fileBytes: Int, keepsFiles: Bool = false, _ writer: inout LogWriter
  ) throws {
    let old = control.fileBytes > 0 && !keepsFiles ? try files(of: records, &writer) : []
    try append(records, files: fileBytes - old.reduce(0) { $0 + $1.size }, &writer)
    delete(old, &writer)
    for record in records where !options.old.isEmpty { deleteOld(record.key) }
  }

  /// Returns the files of the entries that records replace.
  private func files(of records: [NewRecord], _ writer: inout LogWriter) throws -> [ValueFile] {
    try locationsOfFiles(records).compactMap { location in
      let file = try valueFile(at: location)
      if file == nil { writer.isUnfinished = true }
      return file
    }
  }

  /// Returns the bytes of the files of the entries that records replace.
  func fileBytes(of records: [NewRecord]) throws -> Int {
    try locationsOfFiles(records).reduce(0) { try $0 + (valueFile(at: $1)?.size ?? 0) }
  }

  /// Returns the locations of the entries that records replace, if their values are files.
  private func locationsOfFiles(_ records: [NewRecord]) -> [Location] {
    records.compactMap { new in
      guard let location = index.find(fingerprint(new.key))?.location, location.isFile,
        control.span.contains(location)
      else { return nil }
      return location
    }
  }

  /// Deletes files that no record names any more; if necessary, first makes the log stable.
  func delete(_ files: [ValueFile], _ writer: inout LogWriter) {
    if files.isEmpty { return }
    if control.keepsStable {
      // A thread that waits for the write syncs the same bytes, and gets the error.
      do { try sync(upTo: control.tail) } catch { return writer.isUnfinished = true }
    }
    for file in files { delete(file, "that was replaced", &writer) }
  }

  private func delete(_ file: ValueFile, _ which: String, _ writer: inout LogWriter) {
    removeValue(file.name, "delete a value \(which)", &writer)
  }

  /// Deletes an old file. It is ignored as long as the log has the key, so a failure is only reported.
  private func deleteOld(_ key: [UInt8]) {
    do throws(SystemError) {
      try options.old.remove(key)
    } catch {
      note(error.explained("delete a file whose entry was imported"))
    }
  }

  func fingerprint(_ key: [UInt8]) -> Fingerprint { key.withUnsafeBytes { secret.fingerprint(of: $0) } }

  /// Compacts after a write. Errors concern no entry, so they are only reported.
  func tidyUp(_ writer: inout LogWriter) throws {
    do {
      try tidy(&writer)
      try reclaim(&writer)
    } catch is StaleSession {
      // The write was made before the folder or its control file was deleted or moved. The next write detects that.
    } catch let error as SystemError {
      if !mayBeInPlace { return }
      note(error.explained("reclaim space", next: "a later write tries again"))
      // The write has already taken effect. If this fails too, the next change repeats it.
      do { try finishChange() } catch { writer.isUnfinished = true }
    }
  }

  /// `false` only if the folder is known to have been moved or deleted.
  private var mayBeInPlace: Bool {
    do { return try control.isInPlace() } catch { return true }
  }
}
