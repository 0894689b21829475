import Foundation
import Strata
import TestSupport
import Testing

private struct City: Codable, Equatable, Sendable {
  let name: String
  let foundationYear: Int
}

/// The examples of the guide to composing stores, as readers write them.
struct CompositionReadmeTests {
  private let kharkiv = City(name: "Kharkiv", foundationYear: 1654)

  private func disk(_ name: String = "cities") throws -> DiskStorage<String> {
    try DiskStorage(config: DiskConfig(name: name, directory: TemporaryFolder().url))
  }

  @Test func cachedStorage() async throws {
    let diskStorage = try disk().transform(to: City.self)
    let cachedStorage = MemoryStorage<String, City>()
      .combined(with: diskStorage)
    try await cachedStorage.set(kharkiv, forKey: "kharkiv")
    let city = try await cachedStorage.retrieve(forKey: "kharkiv")
    #expect(city == kharkiv)
    #expect(try await diskStorage.retrieve(forKey: "kharkiv") == kharkiv)
  }

  @Test func backedReadOnly() async throws {
    let immutable = try disk().transform(to: City.self)
    try await immutable.set(kharkiv, forKey: "kharkiv")
    let storage = MemoryStorage<String, City>()
      .backed(by: immutable)
    try await storage.set(City(name: "Kharkiv", foundationYear: 0), forKey: "kharkiv")
    #expect(try await immutable.retrieve(forKey: "kharkiv") == kharkiv)
  }

  @Test func updates() async throws {
    let serialUserStorage = try disk("users").transform(to: User.self).serial()
    try await serialUserStorage.set(User(name: "Ada"), forKey: "123")
    try await serialUserStorage.update(forKey: "123") { user in
      user.visits = 1
    }
    #expect(try await serialUserStorage.retrieve(forKey: "123") == User(name: "Ada", visits: 1))
  }

  @Test func recovering() async {
    let memoryStorage = MemoryStorage<String, Int>()
    let defaulting = memoryStorage.defaulting(to: 0)
    let protected = memoryStorage.recover { error in
      switch error {
      case StorageError.notFound:
        return 15
      default:
        return -1
      }
    }
    #expect(await defaulting.retrieve(forKey: "none") == 0)
    #expect(await protected.retrieve(forKey: "none") == 15)
  }

  @Test func updateWithDefault() async throws {
    let storage = MemoryStorage<String, [Int]>()
    for _ in 0..<2 {
      try await storage
        .defaulting(to: [])
        .serial()
        .update(forKey: "first") {
          $0.append(10)
        }
    }
    #expect(try await storage.retrieve(forKey: "first") == [10, 10])
  }

  @Test func zipping() async throws {
    let strings = MemoryStorage<String, String>()
    let numbers = MemoryStorage<String, Int>()
    let zipped = zip(strings, numbers)
    try await zipped.set(("hello", 3), forKey: "item")
    let value = try await zipped.retrieve(forKey: "item")
    #expect(value == ("hello", 3))
    #expect(Array(zip([1], ["a"])).first?.1 == "a", "sequences still zip")
  }

  @Test("a store's own `update` can still be called, with and without await")
  func realUpdates() async throws {
    let memory = MemoryStorage<String, Int>(dictionary: ["a": 0])
    let storage = Storage(
      TypeWrapperStorage(
        MemoryStorage<String, TypeWrapper>(), transformer: Transformer<Int>.codable(Int.self)))
    try await storage.async.set(0, forKey: "a")
    let (ordered, serial) = (SyncStorage(memory), memory.serial())
    try memory.update(forKey: "a") { $0 += 1 }
    try ordered.update(forKey: "a") { $0 += 1 }
    try await serial.update(forKey: "a") { $0 += 1 }
    try await storage.update(forKey: "a") { $0 += 1 }
    try await storage.async.update(forKey: "a") { $0 += 1 }
    try await increment(serial)
    try blocking {
      try memory.update(forKey: "a") { $0 += 1 }
      try ordered.update(forKey: "a") { $0 += 1 }
      try serial.update(forKey: "a") { $0 += 1 }
      try storage.update(forKey: "a") { $0 += 1 }
    }
    #expect(try blocking { try memory.object(forKey: "a") } == 7)
    #expect(try blocking { try storage.object(forKey: "a") } == 3)
  }

  private func increment(_ storage: some UpdateableStorage<String, Int>) async throws {
    try await storage.update(forKey: "a") { $0 += 1 }
  }
}
