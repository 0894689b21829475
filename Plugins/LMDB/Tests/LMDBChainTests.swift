import Foundation
import Strata
import StrataLMDB
import Testing

@Suite("LMDBStorage behind memory") struct LMDBChainTests {
  private struct User: Codable, Equatable, Sendable { let name: String }

  @Test func anotherChainReadsTheTypedValues() async throws {
    let folder = LMDBFolder()
    func chain() throws -> Storage<Int, User> {
      Storage(
        front: MemoryStorage<Int, TypeWrapper>(), back: try folder.open(Int.self),
        transformer: .codable(User.self))
    }
    let first = try chain()
    try await first.setObject(User(name: "Ada"), forKey: 1)
    // The memory uses another clock than the folder.
    try await first.async.setObject(User(name: "Grace"), forKey: 2, expiry: .seconds(1e6))
    let second = try chain()
    #expect(try await second.object(forKey: 1) == User(name: "Ada"))
    #expect(try await second.async.object(forKey: 2) == User(name: "Grace"))
    #expect(try await Set(second.allKeys()) == [1, 2])
    #expect(second.storageHierarchy().contains("LMDBStorage"))
  }
}
