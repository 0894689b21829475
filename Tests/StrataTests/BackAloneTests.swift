import Foundation
import Strata
import TestSupport
import Testing

/// A store on a single tier of bytes, without memory in front of it.
@Suite("Storage with one tier") struct BackAloneTests {
  @Test("reads and writes go to the disk, and nothing is kept in memory")
  func disk() async throws {
    let folder = TemporaryFolder()
    let disk = try DiskStorage<String>(config: DiskConfig(name: "users", directory: folder.url))
    let users = Storage(back: disk, transformer: .codable(User.self))
    try await users.setObject(User(name: "Ada"), forKey: "ada")
    #expect(users.peek(forKey: "ada") == nil)
    #expect(try await users.object(forKey: "ada").name == "Ada")
    #expect(try await users.update(forKey: "ada") { $0.visits += 1 }.visits == 1)
    let bytes = try await disk.object(forKey: "ada")
    #expect(try await users.transformData().object(forKey: "ada") == bytes)
    #expect(users.totalDiskStorageSize ?? 0 > 0)
    try await users.removeInMemoryObject(forKey: "ada")
    #expect(try await users.keys() == ["ada"])
    #expect(try await users.object(forKey: "ada").visits == 1)
  }

  @Test("observers get the objects of a batch, which is encoded once, with and without observers")
  func observedBatches() async throws {
    let encodings = Shared(0)
    let counting = Transformer<Int>(
      toData: { number in
        encodings.change { $0 += 1 }
        return Data("\(number)".utf8)
      },
      fromData: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 })
    let storage = Storage(back: DictionaryStorage<String, Data>(), transformer: counting)
    let heard = Shared<[Int]>([])
    let observer = Heard()
    let token = storage.addObserver(observer, forKey: "a") { _, _, change in
      if case .edit(_, let after) = change { heard.change { $0.append(after) } }
    }
    try blocking { try storage.setObjects(["a": 1, "b": 2], expiry: nil) }
    try await storage.async.setObjects(["a": 3, "b": 4], expiry: nil)
    await until { heard.value == [1, 3] }
    #expect(encodings.value == 4)
    token.cancel()
    try blocking { try storage.setObjects(["a": 5, "b": 6], expiry: nil) }
    try await storage.async.setObjects(["c": 7], expiry: nil)
    #expect(heard.value == [1, 3])
    #expect(encodings.value == 7)
    withExtendedLifetime(observer) {}
    #expect(
      try await storage.entries(forKeys: ["a", "b", "c"]).mapValues(\.object) == ["a": 5, "b": 6, "c": 7])
  }

  @Test("the same holds for an asynchronous store")
  func server() async throws {
    let server = SlowStorage(DictionaryStorage<String, Data>())
    let users = AsyncStorage(back: server, transformer: .codable(User.self))
    try await users.setObject(User(name: "Ada"), forKey: "ada")
    #expect(users.peek(forKey: "ada") == nil)
    #expect(try await users.object(forKey: "ada").name == "Ada")
  }
}

private final class Heard: Sendable {}
