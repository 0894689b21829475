#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

extension LogSession {
  /// Reads and imports an old entry. For a key that is not in the log.
  func oldEntry(_ key: [UInt8]) throws -> Entry<Data>? {
    if options.old.isEmpty { return nil }
    do {
      guard let found = try options.old.find(key) else { return nil }
      return try takeOver(key, found)
    } catch is EntryFlaw {
      return try change { _ -> Entry<Data>? in
        if index.find(fingerprint(key)) != nil { return nil }
        do {
          return try options.old.find(key)?.entry
        } catch let flaw as EntryFlaw {
          throw setAsideOld(EntryName.of(key), flaw)
        }
      }
    }
  }

  private func takeOver(_ key: [UInt8], _ found: OldEntries.Found) throws -> Entry<Data> {
    let entry = NewRecord(.value, key, found.entry.object, found.entry.expiry)
    // An entry that cannot be written, or is too large for the limit, can still be read.
    if control.isReadOnly { return found.entry }
    do { try options.refuse([entry]) } catch { return found.entry }
    return try change { writer in
      // Another process may have imported, replaced or removed it meanwhile.
      guard index.find(fingerprint(key)) == nil, try options.old.find(key) != nil else {
        return Entry(object: found.entry.object, expiry: found.entry.expiry)
      }
      var path: String?
      if options.isFile(entry), let size = found.size {
        let file = ValueFile(number: .random(in: .min ... .max), size: size)
        path = try adopt(found.path, .file(file, key: key, expiry: found.entry.expiry), file, &writer)
      } else {
        let staged = options.isFile(entry) ? try StagedFile(entry, options) : nil
        try store([entry], [staged], &writer)
        path = staged.map { folder.values.path(of: $0.value.name) }
      }
      return Entry(object: found.entry.object, expiry: found.entry.expiry, filePath: path)
    }
  }

  /// Turns an old file into the file of a value, without reading or writing it; returns its new path.
  @discardableResult
  func adopt(
    _ path: String, _ record: NewRecord, _ file: ValueFile, _ writer: inout LogWriter
  ) throws -> String {
    try makeRoom(for: [record], files: file.size, &writer)
    try holdPlace()
    try folder.values.make()
    let place = folder.values.path(of: file.name)
    try EntryFolder.link(path, place)
    do {
      try options.protection.protect(place)
      // Deletes the old entry, with the first name of the file.
      try replace([record], fileBytes: file.size, &writer)
    } catch {
      writer.isUnfinished = true
      throw error
    }
    return place
  }

  /// Imports all entries whose keys are known from their files or file names, from the oldest to the newest.
  func takeOverAll() throws {
    guard options.old.areListed, !hasTakenOver.load(ordering: .acquiring), !control.isReadOnly else { return }
    for name in try options.old.names() {
      do {
        guard let key = try EntryFile(folder.path(of: name))?.key else { continue }
        guard EntryName.of(key) == name else { throw EntryFlaw.damaged("its name does not match its key") }
        try takeOver(key)
      } catch let flaw as EntryFlaw {
        note(setAsideOld(name, flaw))
      } catch let error as StorageError where error == .malformedFileAttributes {
        note(error)
      }
    }
    for key in options.old.namedKeys { try takeOver(key) }
    hasTakenOver.store(true, ordering: .releasing)
  }

  /// Imports the old entry of a key, or deletes its file if the log has the key.
  private func takeOver(_ key: [UInt8]) throws {
    if index.find(fingerprint(key)) == nil {
      if try !adoptParts(key) { _ = try oldEntry(key) }
    } else {
      try change { _ in try options.old.remove(key) }
    }
  }

  private func setAsideOld(_ name: String, _ flaw: EntryFlaw) -> StorageError {
    if case .newer(let version) = flaw { return .newer(version, place: folder.path(of: name)) }
    return folder.setAside(name, "the file is not a valid entry: \(flaw.reason)")
  }
}
