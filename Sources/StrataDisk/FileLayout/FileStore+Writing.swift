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

/// An entry that is about to be written to its file.
struct NewFile {
  let entry: NewEntry
  let name: String
  let head: [UInt8]
  /// The bytes of the file that contains only the value, if it was written as a stream.
  let partsLength: Int

  var size: Int { head.count + entry.value.count + partsLength }

  init(_ entry: NewEntry, partsLength: Int? = nil) {
    self.entry = entry
    self.partsLength = partsLength ?? 0
    name = EntryName.of(entry.key)
    head = entry.value.withUnsafeBytes {
      EntryHeader.head(key: entry.key, value: $0, expiry: entry.expiry, namesParts: partsLength != nil)
    }
  }

  init(_ table: PartTable, _ key: [UInt8], _ expiry: Expiry) {
    self.init(NewEntry(key: key, value: Data(table.bytes), expiry: expiry), partsLength: table.length)
  }
}

extension FileStore {
  /// Stores an entry if a condition holds while nothing else changes the folder; returns whether it did.
  ///
  /// If it throws, the previous value is still there. Throws `.tooLarge` if the file alone would be larger than
  /// `maxSize`, and `.backendFailed` if the system fails, for example because the disk is full.
  func store(_ entry: NewEntry, when condition: () throws -> Bool) throws -> Bool {
    let folder = try opened()
    let new = NewFile(entry)
    if let limit, new.size > limit {
      throw StorageError.tooLarge.with(
        "the file would be \(new.size) bytes long, and maxSize is \(limit)", place: path)
    }
    do {
      return try store(new, in: folder, when: condition)
    } catch let error as SystemError where error.code == ENOENT {
      // The folder was deleted.
      try ensureFolder(folder)
      return try store(new, in: folder, when: condition)
    }
  }

  func store(_ entries: [NewEntry]) throws { for entry in entries { _ = try store(entry, if: nil) } }

  /// Writes the file of an entry, and puts it in place if a condition holds; returns whether it does.
  ///
  /// - Parameter prepare: Called while nothing else changes the folder, before the entry takes effect. Returns what to
  ///   call if it does not.
  func store(
    _ new: NewFile, in folder: EntryFolder, when condition: () throws -> Bool,
    prepare: (() throws -> () throws -> Void)? = nil
  ) throws -> Bool {
    if try !condition() { return false }
    if limit != nil { try buildIndex(of: folder) }
    let file = try written(new, in: folder)
    let isStored = try change { damage in
      if try !condition() { return false }
      try makeRoom(for: new, in: folder, &damage)
      let undo = try prepare?()
      do { try place(file, as: new, in: folder, &damage) } catch {
        try undo?()
        throw error
      }
      index.withLock { $0?.store(new.entry.key, size: new.size, expiry: new.entry.expiry) }
      return true
    }
    if isStored, config.durability == .power { try folder.sync() }
    return isStored
  }

  /// Writes the file of an entry under a temporary name.
  func written(_ new: NewFile, in folder: EntryFolder) throws(SystemError) -> TemporaryFile {
    try .written(
      new.head, new.entry.value, in: folder, FileProtection(config.protectionType), config.durability)
  }

  private func makeRoom(
    for new: NewFile, in folder: EntryFolder, _ damage: inout [StorageError]
  ) throws {
    guard let limit else { return }
    let now = clock.now
    while let victim = index.withLock({ index in
      index?.victim(toFit: new.size, under: new.entry.key, limit: limit, at: now)
    }) {
      let hasExpired = index.withLock { $0?.expired(at: now) == victim }
      if hasExpired, try hasReplaced(victim, expiredAt: now, folder, &damage) { continue }
      try discard(EntryName.of(victim), victim, folder, &damage)
      config.reclaimed(evictions: 1)
    }
  }

  private func place(
    _ file: borrowing TemporaryFile, as new: NewFile, in folder: EntryFolder,
    _ damage: inout [StorageError]
  ) throws {
    let path = folder.path(of: new.name)
    let parts = oldParts(new.name, folder)
    do throws(SystemError) {
      try file.move(to: path)
    } catch let error where error.code == EISDIR {
      try discard(new.name, new.entry.key, folder, &damage)
      try file.move(to: path)
    }
    if let parts { removeOldParts(parts, folder, &damage) }
  }
}
