import BenchHarness
import Foundation

/// Measures Strata's clients of servers, and its SQLite, beside others in Swift, in turns, and prints the report as
/// JSON.
@main
enum Peers {
  static let tasks = [1, 16, 64]
  static let keys = (0..<10_000).map { "key:\($0)" }
  static let value = Data((0..<100).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  static func main() async throws {
    let ports = CommandLine.arguments.dropFirst().dropLast().compactMap(UInt16.init)
    guard ports.count == 2, let folder = CommandLine.arguments.last else {
      FileHandle.standardError.write(
        Data("usage: strata-peers <port of Redis> <port of PostgreSQL> <folder for databases>\n".utf8))
      exit(64)
    }
    var table = Table(["peer", "operation", "tasks", "Strata/s", "peer/s", "ratio"])
    try await RedisPeer.measure(port: ports[0], into: &table)
    try await PostgresPeer.measure(port: ports[1], into: &table)
    try await SQLitePeer.measure(folder: URL(filePath: folder), into: &table)
    var report = Report("Peers")
    let day = Date.now.formatted(.iso8601.year().month().day())
    report.add(
      "Clients in Swift",
      """
      Measured on \(day), on one machine with the servers. Each task waits for its answer before it asks again; five rounds of \
      each client in turns, and the median of the ratios. valkey-swift has a pool of up to 20 connections, Strata one for \
      Redis. Both clients of PostgreSQL have up to 8 connections and prepare their statements. GRDB is called with `await`, \
      and its pool reads in up to five threads.
      """, table: table)
    print(try report.json)
  }

  /// A client's operation on a drawn key.
  typealias Operation = @Sendable (_ draw: Int) async throws -> Void

  /// Runs both clients in turns, and adds a row for each number of tasks.
  static func compare(
    _ peer: String, _ operation: String, into table: inout Table, ours: @escaping Operation,
    theirs: @escaping Operation
  ) async throws {
    for tasks in tasks {
      Progress.say("\(peer): \(operation) by \(tasks) tasks")
      let operations = 5_000 * min(tasks, 8)
      var rounds: [(ours: Double, theirs: Double)] = []
      for _ in 0..<6 {
        let theirs = try await Traffic.run(
          tasks: tasks, operations: operations, keys: keys.count, on: nil, theirs)
        let ours = try await Traffic.run(
          tasks: tasks, operations: operations, keys: keys.count, on: nil, ours)
        rounds.append((ours.rate, theirs.rate))
      }
      // The first round fills pools and caches.
      rounds.removeFirst()
      table.add([
        .text(peer), .text(operation), .count(tasks), .measure(rounds.map(\.ours).median),
        .measure(rounds.map(\.theirs).median), .ratio(rounds.map { $0.ours / $0.theirs }.median),
      ])
    }
  }

  /// The value was not found, or is another one.
  struct WrongAnswer: Error {}
}
