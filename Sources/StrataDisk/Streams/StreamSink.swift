#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The store and the key of a value that is being written as a stream.
protocol StreamSink: Sendable {
  /// The size in bytes from which the value is written to a file at once.
  var threshold: Int { get }
  /// Runs `body`, and turns system errors into `StorageError`s that name the key.
  func explaining<R>(_ body: () throws -> R) throws -> R
  /// Throws `.tooLarge` if a value of this length would exceed the store's limit.
  func refuse(length: Int) throws
  /// Creates the temporary file.
  func makeFile() throws -> NewPartFile
  /// Puts a value in force that is in a file, if it is to replace an old one or there is none. Returns whether it did.
  func store(_ file: NewPartFile, length: Int, ifAbsent: Bool) throws -> Bool
  /// Stores a value that is in memory.
  func store(_ value: Data, ifAbsent: Bool) throws -> Bool
}

/// The place of a value in a disk store.
struct DiskSink<Key: StorageKey>: StreamSink {
  let storage: DiskStorage<Key>
  let key: Key
  /// The expiry of the value; it counts from the commit.
  let expiry: Expiry?

  var threshold: Int { storage.config.layout.streamThreshold }

  func explaining<R>(_ body: () throws -> R) throws -> R {
    try storage.explaining("store the entry", key) { _, _ in try body() }
  }

  func refuse(length: Int) throws {
    try storage.explaining("store the entry", key) { try $0.refuse(length: length, of: $1) }
  }

  func makeFile() throws -> NewPartFile {
    try storage.explaining("store the entry", key) { engine, _ in try engine.makePartFile() }
  }

  func store(_ file: NewPartFile, length: Int, ifAbsent: Bool) throws -> Bool {
    let table = try file.finish(length: length)
    return try storage.explaining("store the entry", key) {
      try $0.store(file, table, $1, storage.resolved(expiry), ifAbsent: ifAbsent)
    }
  }

  func store(_ value: Data, ifAbsent: Bool) throws -> Bool {
    try storage.explaining("store the entry", key) {
      try $0.store(
        NewEntry(key: $1, value: value, expiry: storage.resolved(expiry)), if: ifAbsent ? .absent : nil)
    }
  }
}

/// The place of a value in a folder of plain files.
struct FolderSink: StreamSink {
  let storage: FolderStorage
  let key: String
  let path: String

  var threshold: Int { 1 << 16 }

  func explaining<R>(_ body: () throws -> R) throws -> R {
    try explainingFiles("write the file", key: key, body)
  }

  /// Does nothing: a folder has no limit.
  func refuse(length: Int) throws {}

  func makeFile() throws -> NewPartFile {
    try storage.removeLeftoversOnce()
    return try storage.files.makePartFile(for: path, in: storage.folder)
  }

  func store(_ file: NewPartFile, length: Int, ifAbsent: Bool) throws -> Bool {
    try file.finish()
    return try storage.change(key, at: path, .put(file), ifAbsent: ifAbsent)
  }

  func store(_ value: Data, ifAbsent: Bool) throws -> Bool {
    try storage.change(key, at: path, .write(value), ifAbsent: ifAbsent)
  }
}
