#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension FileStore {
  /// Reads what is stored, or `nil`; it may have expired. `filePath` is the path of its file.
  ///
  /// The file is opened, read into memory once, and checked. Throws `.malformedFileAttributes` if it is damaged,
  /// once, and `.newerFormat` or `.backendFailed` if it cannot be read.
  func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    try reading(key) { file in
      let entry = Entry(object: try file.value(), expiry: file.header.expiry, filePath: file.path)
      if limit != nil { markUse(of: key, file) }
      return entry
    }
  }

  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>] {
    var found: [Key: Entry<Data>] = [:]
    for key in keys { found[key] = try entryIfPresent(forKey: key) }
    return found
  }

  /// The expiry of what is stored, or `nil`.
  ///
  /// Reads and checks the head of the file, not the value: that it is damaged shows only when it is read. It does
  /// not count as a use of the entry.
  func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try reading(key) { $0.header.expiry }
  }

  /// Opens the file of a key and hands it on; `nil` if there is none.
  private func reading<R: Sendable>(_ key: Key, _ body: (borrowing EntryFile) throws -> R) throws -> R? {
    let folder = try opened()
    let bytes = key.storageKey.canonicalUTF8
    let name = EntryName.of(bytes)
    func read() throws -> R? {
      guard let file = try EntryFile(folder.path(of: name)) else { return nil }
      if file.key != bytes { throw EntryFlaw.damaged("it holds the entry of another key") }
      return try body(file)
    }
    do {
      return try read()
    } catch is EntryFlaw {
      // Once more while nobody writes: the file may have been replaced by a good one since.
      return try change { _ in
        do { return try read() } catch let flaw as EntryFlaw { throw setAside(name, key, flaw, folder) }
      }
    }
  }

  /// Makes a key the one used last.
  ///
  /// As long as there is no index, the file's date keeps that, and it is where a scan will look for it.
  private func markUse(of key: Key, _ file: borrowing EntryFile) {
    let isIndexed = index.withLock { index in
      index?.touch(key)
      return index != nil
    }
    if !isIndexed { file.touch() }
  }
}
