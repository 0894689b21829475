#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// All entries that Cache has written are imported.
struct CacheFolderTests {
  private struct User: Codable, Equatable { let firstName, lastName: String }

  private static let keys = CacheFolder.dataKeys

  private func open(_ folder: TestFolder) throws -> DiskStorage<String> {
    try CacheFolder.write(to: folder.store)
    let config = DiskConfig(name: "store", directory: folder.url, predecessor: .hyperosloCache)
    return try DiskStorage(config: config)
  }

  @Test func asData() throws {
    let folder = try TestFolder(.automatic)
    let disk = try open(folder)
    for key in Self.keys {
      #expect(try disk.entryIfPresent(forKey: key)?.object == text(key), "\(key)")
      #expect(try disk.expiryIfPresent(forKey: key) == .never)
    }
    #expect(try Set(disk.keys()) == Set(Self.keys))
    // The old files of imported entries are deleted, and the entries remain when the store is opened without a
    // predecessor.
    #expect(try folder.names().filter(EntryName.isMD5).count == 3)
    for key in Self.keys { #expect(try folder.open().object(forKey: key) == text(key)) }
  }

  @Test func typed() throws {
    let folder = try TestFolder(.automatic)
    let disk = try open(folder)
    let users = disk.transform(to: User.self)
    let john = User(firstName: "John", lastName: "Snow")
    #expect(try users.object(forKey: "user") == john)
    #expect(try users.expiryIfPresent(forKey: "user") == .never)
    for key in ["hour", "past"] {
      #expect(try users.objectIfPresent(forKey: key) == nil)
      #expect(try users.entryIfPresent(forKey: key)?.object == john)
      let file = try #require(
        CacheFolder.files.first { $0.name.hasPrefix(EntryName.hex(MD5.hash(Array(key.utf8))).uppercased()) })
      #expect(try users.expiryIfPresent(forKey: key) == .date(Date(timeIntervalSince1970: file.modified)))
    }
    try disk.removeObject(forKey: "user")
    #expect(try folder.names().filter(EntryName.isMD5).count == 15)
    try disk.removeAll()
    #expect(try folder.names().filter(EntryName.isMD5) == [])
  }

  @Test(arguments: [
    (#"{"object":{"a":[1,"}"]}}"#, #"{"a":[1,"}"]}"#), (#"{"object":"a\"b"}"#, #""a\"b""#),
    (#"{"object":1}"#, "1"),
    (#"{"object":1,"b":2}"#, #"{"object":1,"b":2}"#), (#"{"object":}"#, #"{"object":}"#), ("{}", "{}"),
    ("", ""),
    (#"{"object":1}}"#, #"{"object":1}}"#), (#"{"object":"#, #"{"object":"#),
  ])
  func theObjectOfAWrapper(_ stored: String, _ value: String) {
    #expect(String(decoding: CacheFile.value(Array(stored.utf8)), as: UTF8.self) == value)
  }
}
