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

/// Files of Cache whose keys nobody asks for: they count, expire and are evicted all the same.
struct UnreadCacheFilesTests {
  private let folder: TestFolder
  private let time = ManualClock(Date(timeIntervalSince1970: 1_795_312_000))

  init() throws {
    folder = try TestFolder(.automatic)
    try CacheFolder.write(to: folder.store)
  }

  private func open(maxSize: UInt = 0) throws -> DiskStorage<String> {
    let config = DiskConfig(
      name: "store", maxSize: maxSize, directory: folder.url, predecessor: .hyperosloCache, clock: time.clock,
      onDamage: { [folder] in folder.damage.add($0) })
    return try DiskStorage(config: config)
  }

  private func left() throws -> [String] { try folder.names().filter(EntryName.isMD5) }

  private func bytes(of names: [String]) -> Int {
    CacheFolder.files.filter { names.contains($0.name) }.reduce(0) { $0 + $1.contents.utf8.count }
  }

  /// Gives all files longer contents, and keeps their times.
  private func enlarge(to size: Int) throws {
    for (i, file) in CacheFolder.files.enumerated() {
      try write(StrataDiskTests.bytes(size, seed: i), to: file.name, modified: file.modified)
    }
  }

  private func write(_ bytes: Data, to name: String, modified: Double) throws {
    let url = folder.store.appending(path: name)
    try bytes.write(to: url)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: modified)], ofItemAtPath: url.path)
  }

  @Test func aSweepDeletesExpiredFiles() throws {
    let disk = try open()
    #expect(try left().count == 18)
    // `past` has expired, and `hour` expires in 36 minutes.
    try disk.removeExpiredObjects()
    #expect(try left().count == 17)
    time.advance(by: 2158)
    try disk.removeExpiredObjects()
    #expect(try left().count == 17)
    time.advance(by: 1)
    try disk.removeExpiredObjects()
    #expect(try left().count == 16)
    time.advance(by: 1e10)
    try disk.removeExpiredObjects()
    #expect(try left().count == 16)
    #expect(try disk.object(forKey: "raw") == text("raw"))
    #expect(folder.damage.all == [])
  }

  @Test func theTotalSizeIncludesThem() throws {
    let disk = try open()
    #expect(try disk.totalSize == bytes(of: left()) + folder.logBytes())
    #expect(disk.totalSize > 200)
    for key in CacheFolder.dataKeys.prefix(5) {
      _ = try disk.object(forKey: key)
      #expect(try disk.totalSize == bytes(of: left()) + folder.logBytes())
    }
    try disk.removeObject(forKey: CacheFolder.dataKeys[6])
    #expect(try left().count == 12)
    #expect(try disk.totalSize == bytes(of: left()) + folder.logBytes())
    try disk.removeAll()
    #expect(disk.totalSize == 0)
  }

  /// The files that expire first are evicted first, and all of them before entries of the log.
  @Test func theLimitIncludesThem() throws {
    let size = 10_000
    try enlarge(to: size)
    let limit = 400_000
    let disk = try open(maxSize: UInt(limit))
    #expect(disk.totalSize == 18 * size)
    let expiring = CacheFolder.files.filter { $0.modified < 2e9 }.map(\.name)
    var counts: [Int] = []
    for key in 0..<100 {
      try disk.setObject(StrataDiskTests.bytes(3000, seed: key), forKey: "\(key)", expiry: nil)
      #expect(disk.totalSize <= limit)
      counts.append(try left().count)
      if counts.last == 16 { #expect(try Set(left()).isDisjoint(with: expiring)) }
      if counts.last != 0 { #expect(try disk.keys().count == key + 1) }
    }
    #expect(counts.first == 18)
    #expect(Set(counts).count > 10)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 >= $1 })
  }

  /// An entry that is imported at the limit is not evicted by its own import.
  @Test func importingAtTheLimit() throws {
    try enlarge(to: 3000)
    let name = CacheFile.names(of: Array("raw".utf8))[0]
    // Evicted after all others.
    try write(StrataDiskTests.bytes(20_000, seed: 1), to: name, modified: 2_144_448_001)
    let limit = 100_000
    let disk = try open(maxSize: UInt(limit))
    for key in 0..<100 {
      if try left().count == 1 { break }
      try disk.setObject(StrataDiskTests.bytes(1000, seed: key), forKey: "\(key)", expiry: nil)
    }
    #expect(try left() == [name])
    #expect(try disk.entryIfPresent(forKey: "raw")?.object == StrataDiskTests.bytes(20_000, seed: 1))
    #expect(try disk.entryIfPresent(forKey: "raw")?.object == StrataDiskTests.bytes(20_000, seed: 1))
    #expect(try left() == [])
    #expect(disk.totalSize <= limit)
  }
}
