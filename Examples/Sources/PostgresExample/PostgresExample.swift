import Foundation
import Strata
import StrataPostgres

/// The seats of a cinema, sold by two ticket offices. Both keep the plan of the hall in memory, in front of one
/// PostgreSQL table.
///
///     PostgresExample                              starts a local server
///     PostgresExample postgres://user@host/db      uses an existing server
@main
struct PostgresExample {
  struct Plan: Codable, Sendable {
    var free: [Int]
    var sold: [Int: String] = [:]
  }

  /// One of the offices, with its own client, like a separate process.
  struct Office: Sendable {
    let name: String
    let table: PostgresStorage<String>
    /// The chain from which the office reads: memory in front of the table.
    let plans: AsyncStorage<String, Plan>

    init(_ name: String, _ config: PostgresConfig) throws {
      self.name = name
      table = try PostgresStorage(client: PostgresClient(config: config), table: "strata example: plans")
      plans = AsyncStorage(
        front: MemoryStorage<String, TypeWrapper>(), back: table, transformer: .codable(Plan.self))
    }

    /// Sells any free seat, and returns its number; `nil` if none is left.
    func sell() async throws -> Int? {
      var seat: Int?
      // The update is atomic for all offices: no other change can come in between.
      try await table.update(forKey: "tonight") { bytes in
        var plan = try JSONDecoder().decode(Plan.self, from: bytes)
        seat = plan.free.popLast()
        if let seat { plan.sold[seat] = name }
        bytes = try JSONEncoder().encode(plan)
      }
      return seat
    }
  }

  static func main() async throws {
    if let url = CommandLine.arguments.dropFirst().first {
      return try await sell(PostgresConfig(url: url))
    }
    guard let server = try await LocalServer() else {
      return print(
        "There is no PostgreSQL server here. Install it (apt install postgresql), or name one by its URL.")
    }
    defer { server.end() }
    try await sell(server.config)
  }

  static func sell(_ config: PostgresConfig) async throws {
    let (north, south) = (try Office("north", config), try Office("south", config))
    try await north.plans.setObject(Plan(free: Array(1...40)), forKey: "tonight", expiry: .seconds(3600))
    print("40 seats, on sale at two offices with memory in front of \(config)")

    try await withThrowingTaskGroup(of: Void.self) { group in
      for office in [north, south] {
        for _ in 0..<4 { group.addTask { while try await office.sell() != nil {} } }
      }
      try await group.waitForAll()
    }
    // The memory of both offices has received the invalidations of the sales.
    for office in [north, south] {
      var plan = try await office.plans.object(forKey: "tonight")
      while !plan.free.isEmpty { plan = try await office.plans.object(forKey: "tonight") }
      let own = plan.sold.values.count { $0 == office.name }
      print("  \(office.name) sees \(plan.sold.count) seats sold, each once, and has sold \(own) itself")
    }
    try await north.plans.removeAll()
  }
}
