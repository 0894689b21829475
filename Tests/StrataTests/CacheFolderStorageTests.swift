import Foundation
import Strata
import TestSupport
import Testing

/// A folder of a program that used Cache, opened in the same way: by a `Storage` with memory in front.
@Suite("Storage over a folder of Cache") struct CacheFolderStorageTests {
  private struct User: Codable, Equatable { let firstName, lastName: String }

  private let folder = TemporaryFolder()
  private let john = User(firstName: "John", lastName: "Snow")

  /// Opens a store with Cache's `Storage(diskConfig:memoryConfig:transformer:)`, at a time in seconds since 1970.
  private func open<T>(_ transformer: Transformer<T>, at time: Double = 1_795_320_000) throws -> Storage<
    String, T
  > {
    let clock = StorageClock { Date(timeIntervalSince1970: time) }
    return try Storage(
      diskConfig: DiskConfig(
        name: "Floppy", directory: folder.url, predecessor: .hyperosloCache, clock: clock),
      memoryConfig: MemoryConfig(expiry: .never, countLimit: 10, clock: clock), transformer: transformer)
  }

  init() throws { try CacheFolder.write(to: folder.url.appending(path: "Floppy")) }

  /// Reads from the old file, from memory, and from the log.
  private func reads<T: Equatable>(
    _ store: Storage<String, T>, _ key: String, _ value: T, _ expiry: Expiry
  ) throws {
    #expect(try store.objectExists(forKey: key))
    for _ in 0..<2 {
      let entry = try store.entry(forKey: key)
      #expect(entry.object == value && entry.expiry == expiry, "\(key)")
      #expect(try store.object(forKey: key) == value)
    }
    try store.removeInMemoryObject(forKey: key)
    #expect(try store.entry(forKey: key).object == value)
    #expect(try store.expiryIfPresent(forKey: key) == expiry)
  }

  @Test("values stored as data are read by their keys, and never expire")
  func asData() throws {
    let store = try open(TransformerFactory.forData())
    for key in CacheFolder.dataKeys { try reads(store, key, Data(key.utf8), .never) }
    #expect(try Set(store.allKeys()) == Set(CacheFolder.dataKeys))
    let again = try open(TransformerFactory.forData())
    #expect(try Set(again.allObjects()) == Set(CacheFolder.dataKeys.map { Data($0.utf8) }))
  }

  @Test("typed values are read with their expiry")
  func typed() throws {
    // Before the earliest expiry.
    let store = try open(TransformerFactory.forCodable(ofType: User.self), at: 1_795_310_000)
    for (key, seconds) in CacheFolder.userKeys {
      try reads(store, key, john, seconds.map { .date(Date(timeIntervalSince1970: $0)) } ?? .never)
    }
    #expect(try Set(store.allKeys()) == ["user", "hour", "past"])
  }

  @Test("expired values are not read as objects, even if they are imported first")
  func expired() throws {
    let store = try open(TransformerFactory.forCodable(ofType: User.self), at: 1_795_312_000)
    #expect(try store.object(forKey: "user") == john)
    #expect(try store.object(forKey: "hour") == john)
    #expect(try store.objectIfPresent(forKey: "past") == nil)
    #expect(try !store.objectExists(forKey: "past") && store.isExpiredObject(forKey: "past"))
    #expect(try store.entry(forKey: "past").object == john)
    let later = try open(TransformerFactory.forCodable(ofType: User.self))
    #expect(try later.objectIfPresent(forKey: "hour") == nil)
    try later.removeExpiredObjects()
    #expect(try later.allKeys() == ["user"])
    #expect(try later.entryIfPresent(forKey: "hour") == nil)
  }

  @Test("both kinds are read from one store through views, with and without `await`")
  func views() async throws {
    let users = try open(TransformerFactory.forCodable(ofType: User.self), at: 1_795_310_000)
    let data = users.transformData()
    for key in CacheFolder.dataKeys { #expect(try await data.async.object(forKey: key) == Data(key.utf8)) }
    for (key, _) in CacheFolder.userKeys { #expect(try await users.async.object(forKey: key) == john) }
    #expect(try await users.async.keys().count == 18)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "Floppy").path)
        .allSatisfy { $0 == "control" || $0.hasSuffix(".log") })
    // Bytes are not wrapped in a JSON object, as Cache's typed values are.
    #expect(try await JSONDecoder().decode(User.self, from: data.object(forKey: "user")) == john)
  }

  @Test("replaced or removed values do not return")
  func changed() throws {
    let store = try open(TransformerFactory.forCodable(ofType: User.self))
    let arya = User(firstName: "Arya", lastName: "Stark")
    try store.setObject(arya, forKey: "user")
    try store.removeObject(forKey: "raw")
    for store in [store, try open(TransformerFactory.forCodable(ofType: User.self))] {
      #expect(try store.object(forKey: "user") == arya)
      #expect(try store.transformData().objectIfPresent(forKey: "raw") == nil)
    }
    try store.removeAll()
    #expect(try open(TransformerFactory.forData()).objectIfPresent(forKey: "/") == nil)
  }
}
