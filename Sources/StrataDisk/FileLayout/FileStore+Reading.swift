#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension FileStore {
  /// Returns the stored entry, expired or not, or `nil`. `filePath` is the path of its file.
  ///
  /// The file is opened, read into memory once, and verified. Throws `.malformedFileAttributes` if it is damaged, once,
  /// and `.newerFormat` or `.backendFailed` if it cannot be read.
  ///
  /// If only the expiry is wanted, only the head of the file is read and verified: a damaged value is found only when
  /// it is read. Such a read does not count as a use of the entry. Opening a file may block, so no read is done at
  /// once.
  func read(_ key: [UInt8], _ how: How) throws -> Entry<Data>? {
    try how.refuseAtOnce()
    return try reading(key) { file in
      if how.contains(.expiryOnly) { return Entry(expiry: file.header.expiry) }
      let entry = Entry(object: try file.value(), expiry: file.header.expiry, filePath: file.path)
      if limit != nil { markUse(of: key, file) }
      return entry
    }
  }

  func read(_ keys: [[UInt8]]) throws -> [Entry<Data>?] { try keys.map { try read($0, []) } }

  /// Opens the file of a key and passes it to `body`; `nil` if there is none.
  func reading<R: Sendable>(_ key: [UInt8], _ body: (borrowing EntryFile) throws -> R) throws -> R? {
    let folder = try opened()
    let name = EntryName.of(key)
    func read() throws -> R? {
      guard let file = try EntryFile(folder.path(of: name)) else { return nil }
      if file.key != key { throw EntryFlaw.damaged("it holds the entry of another key") }
      return try body(file)
    }
    do {
      return try read()
    } catch is EntryFlaw {
      // Read again while nothing writes: the file may have been replaced by a sound one since.
      return try change { _ in
        do { return try read() } catch let flaw as EntryFlaw { throw setAside(name, key, flaw, folder) }
      }
    }
  }

  /// Makes a key the most recently used.
  ///
  /// Without an index, the file's modification date records the use, where a later scan finds it.
  func markUse(of key: [UInt8], _ file: borrowing EntryFile) {
    let isIndexed = index.withLock { index in
      index?.touch(key)
      return index != nil
    }
    if !isIndexed { file.touch() }
  }
}
