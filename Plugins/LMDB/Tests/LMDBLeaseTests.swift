import Foundation
import Strata
import StrataCore
import StrataLMDB
import TestSupport
import Testing

@Suite("Leases among processes over LMDB", .timeLimit(.minutes(5)), .endsInTime)
struct LMDBLeaseTests {
  let folder = TemporaryFolder()

  func store(_ database: String = "entries") throws -> LMDBStorage<String> {
    try Self.store(folder.url.path, database)
  }

  static func store(_ path: String, _ database: String = "entries") throws -> LMDBStorage<String> {
    try LMDBStorage<String>(config: LMDBConfig(path: path + "/entries", database: database))
  }

  @Test(
    "one load; a killed holder is followed, a stopped one refused (cases 48, 49)",
    arguments: LeaseTrial.Part.allCases)
  func processes(_ part: LeaseTrial.Part) async throws {
    try await LeaseTrial { words, lease, load in
      let cache = Storage(back: try Self.store(words[0]), transformer: .data)
        .loading(LoadPolicy(lease: .shared(for: lease)), value: { _ in try await load() })
      return { try await cache.object(forKey: "key") }
    }.run(part, [folder.url.path])
  }

  @Test("a write under a lease that has ended is refused, by itself and in a batch; others are not")
  func refused() async throws { try await expectRefusalsWithoutLease(try store()) }

  @Test("two stores of one folder exclude each other, two databases in it do not")
  func scopes() async throws {
    let (one, other) = (try store("one"), try store("other"))
    let again = try store("one")
    let lease = try #require(try await one.leases?.acquire("a", for: .seconds(100)))
    #expect(try await again.leases?.acquire("a", for: .seconds(100)) == nil)
    #expect(try await other.leases?.acquire("a", for: .seconds(100)) != nil)
    try await one.leases?.release(lease, of: "a")
    #expect(try await again.leases?.acquire("a", for: .seconds(100)) != nil)
  }
}
