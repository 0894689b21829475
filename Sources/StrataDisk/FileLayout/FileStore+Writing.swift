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
struct NewFile<Key: StorageKey> {
  let key: Key
  let name: String
  let head: [UInt8]
  let value: Data
  let expiry: Expiry
  /// The bytes of the file that contains only the value, if it was written as a stream.
  let partsLength: Int

  var size: Int { head.count + value.count + partsLength }

  init(_ value: Data, _ key: Key, _ expiry: Expiry, partsLength: Int? = nil) {
    let bytes = key.storageKey.canonicalUTF8
    self.key = key
    self.value = value
    self.expiry = expiry
    self.partsLength = partsLength ?? 0
    name = EntryName.of(bytes)
    head = value.withUnsafeBytes {
      EntryHeader.head(key: bytes, value: $0, expiry: expiry, namesParts: partsLength != nil)
    }
  }

  init(_ table: PartTable, _ key: Key, _ expiry: Expiry) {
    self.init(Data(table.bytes), key, expiry, partsLength: table.length)
  }
}

extension FileStore {
  /// Stores bytes if a condition holds while nothing else changes the folder; returns whether it did.
  ///
  /// If it throws, the previous value is still there. Throws `.tooLarge` if the file alone would be larger than
  /// `maxSize`, and `.backendFailed` if the system fails, for example because the disk is full.
  func store(_ object: Data, _ key: Key, _ expiry: Expiry, when condition: () throws -> Bool) throws -> Bool {
    let folder = try opened()
    let entry = NewFile(object, key, expiry)
    if let limit, entry.size > limit {
      throw StorageError.tooLarge.with(
        "the file would be \(entry.size) bytes long, and maxSize is \(limit)", key: key,
        place: path)
    }
    do {
      return try store(entry, in: folder, when: condition)
    } catch let error as SystemError where error.code == ENOENT {
      // The folder was deleted.
      try ensureFolder(folder)
      return try store(entry, in: folder, when: condition)
    }
  }

  func store(_ batch: StoreBatch<Key, Data>) throws {
    try batch.forEachObject(own: config.expiry, by: clock) { key, object, expiry in
      _ = try store(object, key, expiry, if: nil)
    }
  }

  /// Writes the file of an entry, and puts it in place if a condition holds; returns whether it does.
  ///
  /// - Parameter prepare: Called while nothing else changes the folder, before the entry takes effect. Returns what to
  ///   call if it does not.
  func store(
    _ entry: NewFile<Key>, in folder: EntryFolder, when condition: () throws -> Bool,
    prepare: (() throws -> () throws -> Void)? = nil
  ) throws -> Bool {
    if try !condition() { return false }
    if limit != nil { try buildIndex(of: folder) }
    let file = try written(entry, in: folder)
    let isStored = try change { damage in
      if try !condition() { return false }
      try makeRoom(for: entry, in: folder, &damage)
      let undo = try prepare?()
      do { try place(file, as: entry, in: folder, &damage) } catch {
        try undo?()
        throw error
      }
      index.withLock { $0?.store(entry.key, size: entry.size, expiry: entry.expiry) }
      return true
    }
    if isStored, config.durability == .power { try folder.sync() }
    return isStored
  }

  /// Writes the file of an entry under a temporary name.
  func written(_ entry: NewFile<Key>, in folder: EntryFolder) throws(SystemError) -> TemporaryFile {
    try .written(
      entry.head, entry.value, in: folder, FileProtection(config.protectionType), config.durability)
  }

  private func makeRoom(
    for entry: NewFile<Key>, in folder: EntryFolder, _ damage: inout [StorageError]
  ) throws {
    guard let limit else { return }
    let now = clock.now
    while let victim = index.withLock({ index in
      index?.victim(toFit: entry.size, under: entry.key, limit: limit, at: now)
    }) {
      try discard(EntryName.of(victim.storageKey.canonicalUTF8), victim, folder, &damage)
      config.reclaimed(evictions: 1)
    }
  }

  private func place(
    _ file: borrowing TemporaryFile, as entry: NewFile<Key>, in folder: EntryFolder,
    _ damage: inout [StorageError]
  ) throws {
    let path = folder.path(of: entry.name)
    let parts = oldParts(entry.name, folder)
    do throws(SystemError) {
      try file.move(to: path)
    } catch let error where error.code == EISDIR {
      try discard(entry.name, entry.key, folder, &damage)
      try file.move(to: path)
    }
    if let parts { removeOldParts(parts, folder, &damage) }
  }
}
