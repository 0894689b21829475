import Strata
import StrataPostgres
import TestSupport
import Testing

/// Memory in front of a table, with its own client. Stands for one of several processes.
struct Peer: Sendable {
  let memory = MemoryStorage<String, TypeWrapper>()
  let back: PostgresStorage<String>
  let chain: AsyncStorage<String, Int>

  init(_ config: PostgresConfig, table: String, announcing: PostgresAnnouncing = .statements) throws {
    back = try PostgresStorage(
      client: PostgresClient(config: config), table: table, durability: .unlogged, announcing: announcing)
    chain = AsyncStorage(
      TypeWrapperStorage(HybridStorage(front: memory, back: back), transformer: .codable(Int.self)))
  }

  /// Reads a key until its value is in memory, and returns the value.
  func warm(_ key: String) async throws -> Int? {
    var found: Int?
    try await eventually {
      let value = try await chain.objectIfPresent(forKey: key)
      found = chain.peek(forKey: key)?.object
      return value == nil || found != nil
    }
    return found
  }

  /// Waits until memory no longer holds a value.
  func forgets(_ key: String, _ value: Int) async { await until { chain.peek(forKey: key)?.object != value } }
}
