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

/// A value on its way to the log.
struct NewEntry: Sendable {
  let key: [UInt8]
  let value: Data
  let expiry: Expiry

  /// The bytes it takes in the log if its value stands there too.
  var packedLength: Int { Record.length(Record.headerSize + key.count + value.count) }
  /// The bytes it takes if its value is a file of its own.
  var lengthWithFile: Int {
    Record.length(Record.headerSize + key.count + 16) + EntryHeader.size + key.count + value.count
  }
}

extension LogOptions {
  /// Throws if entries could not be stored together even if nothing else were.
  func refuse(_ entries: [NewEntry]) throws(StorageError) {
    guard let limit else { return }
    let areFiles = areFiles(entries)
    let size = entries.indices.reduce(SegmentHeader.size) { sum, i in
      sum + (!areFiles.isEmpty && areFiles[i] ? entries[i].lengthWithFile : entries[i].packedLength)
    }
    if size > limit {
      throw .tooLarge.with(
        "it would take \(size) bytes of the disk, and all together may take \(limit)", place: folder.path)
    }
  }
}

/// A value's file on its way to its place. Unless it gets there, it disappears.
final class StagedFile: Sendable {
  let value: ValueFile
  private let entry: NewEntry
  private let folder: EntryFolder
  private let options: LogOptions
  private let written: WrittenFile?

  /// - Parameter isLate: Whether it is written only when it is moved, and no descriptor kept until then.
  init(
    _ entry: NewEntry, in folder: EntryFolder, _ options: LogOptions, isLate: Bool = false
  ) throws(SystemError) {
    value = ValueFile(
      number: .random(in: .min ... .max), size: EntryHeader.size + entry.key.count + entry.value.count)
    self.entry = entry
    self.folder = folder
    self.options = options
    written = isLate ? nil : try WrittenFile(entry, in: folder, options)
  }

  func move(to values: EntryFolder) throws(SystemError) {
    let file = if let written { written } else { try WrittenFile(entry, in: folder, options) }
    do throws(SystemError) {
      try file.temporary.move(to: values.path(of: value.name))
    } catch let error where error.code == ENOENT {
      try values.make()
      try file.temporary.move(to: values.path(of: value.name))
    }
  }
}

/// A value's file, written but not yet in its place.
private final class WrittenFile: Sendable {
  let temporary: TemporaryFile

  init(_ entry: NewEntry, in folder: EntryFolder, _ options: LogOptions) throws(SystemError) {
    let head = entry.value.withUnsafeBytes {
      EntryHeader.head(key: entry.key, value: $0, expiry: entry.expiry)
    }
    temporary = try TemporaryFile(in: folder.path)
    try options.protection.protect(temporary.path)
    try temporary.write(head, entry.value)
    if options.durability == .power { try temporary.sync() }
  }
}

extension LogSession {
  /// Stores entries, all of them or none, if a condition holds; returns whether it does. `staged` are the files of
  /// those that have one; empty if none has.
  func store(_ entries: [NewEntry], _ staged: [StagedFile?], if condition: (() throws -> Bool)? = nil) throws
    -> Bool
  {
    if options.limit != nil { try takeOverAll() }
    let end = try change { writer -> LogPosition? in
      if let condition, try !condition() { return nil }
      try store(entries, staged, &writer)
      try tidyUp(&writer)
      return control.tail
    }
    if let end, options.durability == .power { try sync(upTo: end) }
    return end != nil
  }

  /// Stores entries. For use inside `change`.
  func store(_ entries: [NewEntry], _ staged: [StagedFile?], _ writer: inout LogWriter) throws {
    let records = entries.indices.map { i in
      (staged.isEmpty ? nil : staged[i]).map {
        .file($0.value, key: entries[i].key, expiry: entries[i].expiry)
      }
        ?? NewRecord.value(entries[i].value, key: entries[i].key, expiry: entries[i].expiry)
    }
    try store(records, staged.compactMap { $0 }, &writer)
  }

  /// Stores records, and the files that some of them name.
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
      // Only those that were moved are there to be deleted.
      for file in files { delete(file.value, "that was not stored", &writer) }
      throw error
    }
  }

  /// Removes what is stored under keys, if anything is.
  func removeEntries(_ keys: [[UInt8]]) throws {
    try refresh()
    let isAbsent = options.old.isEmpty && keys.allSatisfy { index.find(fingerprint($0)) == nil }
    if isAbsent {
      // A store that goes by another control file may have it.
      if try !control.isInPlace() { throw StaleSession() }
      return
    }
    let end = try removing {
      try change { writer in
        try remove(keys, &writer)
        try tidyUp(&writer)
        return control.tail
      }
    }
    if options.durability == .power { try sync(upTo: end) }
  }

  /// Removes what is stored under keys. For use inside `change`.
  func remove(_ keys: [[UInt8]], _ writer: inout LogWriter) throws {
    // First: an old file must not come into force again.
    if !options.old.isEmpty { for key in keys { try options.old.remove(key) } }
    // A key that comes twice has one value, whose bytes are subtracted once.
    let distinct = keys.count == 1 ? keys : Array(Set(keys))
    let records = distinct.filter { index.find(fingerprint($0)) != nil }.map(NewRecord.removal)
    if records.isEmpty { return }
    try makeRoom(for: records, files: 0, &writer)
    try replace(records, fileBytes: 0, &writer)
  }

  /// Appends records and deletes the files of those that they replace. If it throws, nothing has been changed.
  ///
  /// - Parameter keepsFiles: Whether the records name the files that those do which they replace.
  func replace(
    _ records: [NewRecord], fileBytes: Int, keepsFiles: Bool = false, _ writer: inout LogWriter
  ) throws {
    let old = control.fileBytes > 0 && !keepsFiles ? try files(of: records, &writer) : []
    try append(records, files: fileBytes - old.reduce(0) { $0 + $1.size }, &writer)
    delete(old, &writer)
    for record in records where !options.old.isEmpty { deleteOld(record.key) }
  }

  /// The files of what is stored under the keys of some records.
  private func files(of records: [NewRecord], _ writer: inout LogWriter) throws -> [ValueFile] {
    var files: [ValueFile] = []
    for new in records {
      guard let location = index.find(fingerprint(new.key))?.location, location.isFile,
        control.span.contains(location)
      else { continue }
      if let file = try valueFile(at: location) { files.append(file) } else { writer.isUnfinished = true }
    }
    return files
  }

  /// Deletes files that no record names any more: not before that is on stable storage, if it must be.
  func delete(_ files: [ValueFile], _ writer: inout LogWriter) {
    if files.isEmpty { return }
    if control.keepsStable {
      // Whoever waits for what was written asks for the same again, and hears of the failure.
      do { try sync(upTo: control.tail) } catch { return writer.isUnfinished = true }
    }
    for file in files { delete(file, "that was replaced", &writer) }
  }

  /// What the log says counts already, so that a failure here is none of the write: the next change tries again.
  private func delete(_ file: ValueFile, _ which: String, _ writer: inout LogWriter) {
    do throws(SystemError) {
      try folder.values.remove(file.name)
    } catch {
      writer.isUnfinished = true
      note(
        .backendFailed.with(
          "cannot delete a value \(which): \(error.reason); the next write tries again", place: error.path,
          cause: error))
    }
  }

  /// The same for an old file, which nobody asks as long as the log knows the key.
  private func deleteOld(_ key: [UInt8]) {
    do throws(SystemError) {
      try options.old.remove(key)
    } catch {
      note(
        .backendFailed.with(
          "cannot delete a file whose entry was taken over: \(error.reason)", place: error.path, cause: error)
      )
    }
  }

  func fingerprint(_ key: [UInt8]) -> Fingerprint { key.withUnsafeBytes { secret.fingerprint(of: $0) } }

  /// After a write: what goes wrong here concerns no entry, and is only reported.
  func tidyUp(_ writer: inout LogWriter) throws {
    do {
      try tidy(&writer)
      try reclaim(&writer)
    } catch is StaleSession {
      // The write was made before the folder or its control file was taken away. The next one notices.
    } catch let error as SystemError {
      if !mayBeInPlace { return }
      note(
        .backendFailed.with(
          "cannot give back space: \(error.reason); it is tried again later", place: error.path, cause: error)
      )
      // The write counts already. If this fails too, the next change does it.
      do { try finishChange() } catch { writer.isUnfinished = true }
    }
  }

  /// Whether the folder is where it was, or that cannot be found out.
  private var mayBeInPlace: Bool {
    do { return try control.isInPlace() } catch { return true }
  }
}
