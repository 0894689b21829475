import CRocksDB
import Foundation
import StrataCore
import Testing

@testable import StrataRocksDB

struct RocksDBErrorTests {
  let folder = TestFolder()

  @Test(arguments: [
    ("IO error: No space left on device: While appending to file: /x: No space left on device", 5, "IOError"),
    ("Corruption: block checksum mismatch", 2, "Corruption"), ("Invalid argument: ", 4, "InvalidArgument"),
    ("Operation failed. Try again.: x", 13, "TryAgain"), ("Not implemented: x", 3, "NotSupported"),
    ("something new: x", -1, "Unknown"), ("", -1, "Unknown"),
  ])
  func aTextIsTakenApart(_ text: String, _ code: Int32, _ name: String) {
    let error = RocksDBError(status: text)
    #expect(error.code == code)
    #expect(error.name == name)
    #expect(text.hasSuffix(error.message))
    #expect(error.message.isEmpty || error.message.first != " ")
    #expect(error.description == "\(name) (\(code)): \(error.message)")
  }

  @Test(arguments: [("", "f"), ("p\0", "f"), ("p", ""), ("p", "f\0g")])
  func aNameThatCannotBeIsRefused(_ path: String, _ family: String) {
    let path = path.isEmpty ? "" : folder.url.path + "/" + path
    #expect(
      failure { try RocksDBStorage<String>(config: RocksDBConfig(path: path, family: family)) }
        == .invalidConfiguration)
  }

  @Test(arguments: ["db", "db/below"])
  func aFileWhereTheFolderShouldBeIsNamed(_ place: String) throws {
    try text("a file").write(to: folder.url.appending(path: "db"))
    let path = folder.url.appending(path: place).path
    let error = failure { try RocksDBStorage<String>(config: RocksDBConfig(path: path)) }
    #expect(error == .backendFailed)
    #expect(error?.place == path)
    #expect(try Data(contentsOf: folder.url.appending(path: "db")) == text("a file"))
  }

  @Test func openingADatabaseOfAnotherProcessThrows() throws {
    let plain = try PlainDatabase(folder.path)
    let error = failure { try folder.open() }
    #expect(error == .backendFailed)
    #expect(error?.place == folder.path)
    #expect(error?.message.contains("only one can write") == true)
    #expect((error?.cause as? RocksDBError)?.name == "IOError")
    withExtendedLifetime(plain) {}
  }

  @Test func aFailedOpeningLeavesNothingOpen() throws {
    do {
      let plain = try PlainDatabase(folder.path)
      #expect(failure { try folder.open() } == .backendFailed)
      withExtendedLifetime(plain) {}
    }
    #expect(failure { try folder.open { $0.family = "" } } == .invalidConfiguration)
    let store = try folder.open()
    try store.setObject(text("v"), forKey: "k", expiry: nil)
    #expect(try store.keys() == ["k"])
  }

  @Test func damagedTablesThrow() throws {
    do {
      let store = try folder.open { $0.compression = .none }
      for i in 0..<200 { try store.setObject(bytes(1000, seed: UInt64(i)), forKey: "\(i)", expiry: nil) }
      try store.setObject(text("v"), forKey: "\u{FFFF}", expiry: nil)
      try store.engine.family.flush()
    }
    let table = try #require(try folder.tables().first { try Data(contentsOf: $0).count > 150_000 })
    var content = try Data(contentsOf: table)
    for place in stride(from: 2000, to: 150_000, by: 3000) { content[place] ^= 1 }
    try content.write(to: table)

    let store = try folder.open()
    #expect(failure { try store.entryIfPresent(forKey: "100") } == .malformedFileAttributes)
    let error = failure { try store.keys() }
    #expect(error == .malformedFileAttributes)
    #expect(error?.place == folder.path)
    #expect((error?.cause as? RocksDBError)?.code == 2)
    #expect(failure { try store.expiryIfPresent(forKey: "100") } == .malformedFileAttributes)
    #expect(failure { try store.entries(forKeys: ["100", "absent"]) } == .malformedFileAttributes)
    #expect(try store.object(forKey: "\u{FFFF}") == text("v"))
  }

  @Test(arguments: ["MANIFEST", "CURRENT", "sst"])
  func aDatabaseThatLostItsFilesIsNotOpenedEmpty(_ kind: String) throws {
    try folder.open().setObject(text("v"), forKey: "k", expiry: nil)
    _ = try folder.open().keys()
    for name in try folder.names() where name.contains(kind) {
      try Data("no such thing".utf8).write(to: URL(filePath: folder.path).appending(path: name))
    }
    let error = failure { try folder.open().object(forKey: "k") }
    #expect(error == .malformedFileAttributes || error == .backendFailed)
    #expect(error?.place == folder.path)
    #expect(error?.cause is RocksDBError)
  }

  @Test func aCompressionThatIsMissingIsNamed() {
    let missing = RocksDBError(
      status: "Invalid argument: Compression type ZSTD is not linked with the binary.")
    let error = missing.explained(at: "/x")
    #expect(error == .invalidConfiguration)
    #expect(error.message.contains("ZSTD"))
  }

  /// Fails if RocksDB changes the text of this error, here for a compression that no Linux build has.
  @Test func theMessageOfAMissingCompressionIsKnown() throws {
    let error = #expect(throws: RocksDBError.self) {
      try PlainDatabase(folder.path) {
        rocksdb_options_set_compression($0, Int32(rocksdb_xpress_compression))
      }
    }
    #expect(error.map { $0.explained(at: "") } == .invalidConfiguration)
  }
}
