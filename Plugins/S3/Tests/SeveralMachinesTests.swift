import Foundation
import Strata
import TestSupport
import Testing

@testable import StrataS3

/// Several clients of one bucket, each with its own connections, like several machines.
@Suite(.serialized, .endsInTime) struct SeveralMachinesTests {
  @Test(arguments: S3ServerKind.installed)
  func updatesLoseNothing(_ kind: S3ServerKind) async throws {
    let server = try await S3Server.shared(kind)
    let stores = try (0..<3).map { _ in try S3Storage<String>(config: server.config(), prefix: "updates") }
    try await stores[0].setObject(Data("0".utf8), forKey: "n", expiry: .seconds(1000))
    let expiry = try await stores[0].expiryIfPresent(forKey: "n")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        group.addTask {
          for _ in 0..<8 {
            try await store.update(forKey: "n") { data in
              data = Data("\((Int(String(decoding: data, as: UTF8.self)) ?? 0) + 1)".utf8)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await stores[1].object(forKey: "n") == Data("24".utf8))
    #expect(try await stores[1].expiryIfPresent(forKey: "n") == expiry)
  }

  @Test(arguments: S3ServerKind.installed)
  func oneOfManyStores(_ kind: S3ServerKind) async throws {
    let server = try await S3Server.shared(kind)
    let stores = try (0..<4).map { _ in try S3Storage<String>(config: server.config(), prefix: "absent") }
    for old in [nil, Expiry.seconds(-1)] {
      try await stores[0].removeAll()
      if let old { try await stores[0].setObject(Data("old".utf8), forKey: "k", expiry: old) }
      let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
        for (number, store) in stores.enumerated() {
          group.addTask { try await store.setIfAbsent(Data("\(number)".utf8), forKey: "k") }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(winners == 1)
    }
    #expect(
      try await stores[0].compareAndSet(Data("new".utf8), ifEqual: Data("none".utf8), forKey: "k") == false)
    let value = try await stores[0].object(forKey: "k")
    #expect(try await stores[1].compareAndSet(Data("new".utf8), ifEqual: value, forKey: "k"))
    #expect(try await stores[2].object(forKey: "k") == Data("new".utf8))
  }

  /// A store neither reads nor removes entries of stores with other prefixes, even of prefixes that begin with its own.
  @Test(arguments: S3ServerKind.installed)
  func prefixesAreSeparate(_ kind: S3ServerKind) async throws {
    let server = try await S3Server.shared(kind)
    let client = try S3Client(config: server.config())
    let stores = try ["sep", "sep/a", "sep-b"].map { try S3Storage<String>(client: client, prefix: $0) }
    for (number, store) in stores.enumerated() {
      for key in ["a", "a/k", "\(number)"] { try await store.setObject(Data("\(number)".utf8), forKey: key) }
    }
    for (number, store) in stores.enumerated() {
      #expect(Set(try await store.keys()) == ["a", "a/k", "\(number)"])
      #expect(try await store.object(forKey: "a/k") == Data("\(number)".utf8))
    }
    try await stores[0].removeAll()
    #expect(try await stores[0].keys().isEmpty)
    #expect(try await stores[1].keys().count == 3)
    #expect(try await stores[2].keys().count == 3)
  }

  /// Pages have at most the requested number of keys, and a cursor may be used again.
  @Test(arguments: S3ServerKind.installed)
  func pagesAreListedOnce(_ kind: S3ServerKind) async throws {
    let server = try await S3Server.shared(kind)
    let store = try S3Storage<Int>(config: server.config(), prefix: "pages")
    try await store.setObjects(Dictionary(uniqueKeysWithValues: (0..<25).map { ($0, Data()) }), expiry: nil)
    try await store.setObject(Data(), forKey: 100, expiry: .seconds(-1))
    var listed: [Int] = []
    var cursor: KeyCursor?
    repeat {
      let page = try await store.keyPage(after: cursor, limit: 10)
      #expect(page.keys.count <= 10)
      #expect(try await store.keyPage(after: cursor, limit: 10).keys == page.keys)
      listed += page.keys
      cursor = page.next
    } while cursor != nil
    #expect(listed.sorted() == Array(0..<25))
    await #expect(throws: StorageError.typeNotMatch) {
      try await store.keyPage(after: KeyCursor(7), limit: 10)
    }
    // Removing the expired entries keeps the others.
    try await store.removeExpiredObjects()
    #expect(try await store.entryIfPresent(forKey: 100) == nil)
    #expect(try await store.keys().count == 25)
  }

  /// Each machine has memory and a disk in front of the bucket.
  @Test(arguments: S3ServerKind.installed)
  func isAThirdTier(_ kind: S3ServerKind) async throws {
    struct User: Codable, Equatable, Sendable { var name: String }
    let server = try await S3Server.shared(kind)
    let client = try S3Client(config: server.config())
    func machine() throws -> (
      chain: AsyncStorage<String, User>, disk: DiskStorage<String>, memory: MemoryStorage<String, TypeWrapper>
    ) {
      let memory = MemoryStorage<String, TypeWrapper>(config: MemoryConfig())
      let disk = try DiskStorage<String>(config: DiskConfig(name: "tier", directory: TemporaryFolder().url))
      let chain = AsyncStorage(
        front: HybridStorage(front: memory, back: disk),
        back: try S3Storage<String>(client: client, prefix: "tiers"), transformer: .codable(User.self).zlib())
      return (chain, disk, memory)
    }
    let (one, other) = (try machine(), try machine())
    let ada = User(name: "Ada")
    try await one.chain.setObject(ada, forKey: "ada", expiry: .seconds(1000))
    #expect(one.memory.peek(forKey: "ada") != nil)
    // The other machine reads the value from the bucket first, and from its own tiers afterwards.
    #expect(try await other.chain.object(forKey: "ada") == ada)
    #expect(try await other.disk.object(forKey: "ada").isEmpty == false)
    #expect(other.memory.peek(forKey: "ada") != nil)
    #expect(try await other.disk.expiryIfPresent(forKey: "ada") != .never)
    try await one.chain.update(forKey: "ada") { $0.name = "Ada Lovelace" }
    let third = try machine()
    #expect(try await third.chain.object(forKey: "ada").name == "Ada Lovelace")
    try await third.chain.removeObject(forKey: "ada")
    #expect(try await machine().chain.objectIfPresent(forKey: "ada") == nil)
  }
}
