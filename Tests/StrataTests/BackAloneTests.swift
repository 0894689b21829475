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

  @Test("the same holds for an asynchronous store")
  func server() async throws {
    let server = SlowStorage(DictionaryStorage<String, Data>())
    let users = AsyncStorage(back: server, transformer: .codable(User.self))
    try await users.setObject(User(name: "Ada"), forKey: "ada")
    #expect(users.peek(forKey: "ada") == nil)
    #expect(try await users.object(forKey: "ada").name == "Ada")
  }
}
