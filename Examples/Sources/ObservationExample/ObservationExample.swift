import Foundation
import StrataObservation
import StrataRedis

/// The departures board of a station. Another process, the office, changes delays, adds a train and removes one; the
/// board redraws itself when what it has read changes, as a view does.
@main
@MainActor
struct ObservationExample {
  struct Departure: Codable, Sendable, Equatable {
    var time: String
    var to: String
    var delay = 0
  }

  static func main() async throws {
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "office" {
      return try await office(UInt16(CommandLine.arguments[2]) ?? 0)
    }
    guard let server = try await LocalServer() else {
      return print("There is no redis-server here. Install it (apt install redis-server).")
    }
    defer { server.end() }
    let trains = try departures(server.port)
    try await trains.setObjects([
      "IC 1": Departure(time: "09:10", to: "Lviv"), "R 17": Departure(time: "09:25", to: "Poltava"),
    ])
    let board = Board(trains)
    print("The board reads memory in front of a server at port \(server.port)\n")

    let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    let office = try Process.run(URL(filePath: program), arguments: ["office", "\(server.port)"])
    await board.show(until: "Closed")
    office.waitUntilExit()
    print("\nDrawn \(board.count) times: changes that come together are drawn once")
  }

  /// The chain of every process: memory in front of the shared server, which tells of every change.
  static func departures(_ port: UInt16) throws -> AsyncStorage<String, Departure> {
    AsyncStorage(
      front: MemoryStorage<String, TypeWrapper>(),
      back: try RedisStorage<String>(
        config: RedisConfig(
          addresses: [RedisAddress(host: "127.0.0.1", port: port)], timeout: .seconds(10),
          tracking: .broadcast),
        namespace: "strata-example:board"),
      transformer: .codable(Departure.self))
  }

  /// The office: a process of its own, which knows nothing of the board.
  static func office(_ port: UInt16) async throws {
    let trains = try departures(port)
    for minutes in [5, 10, 20] {
      try await Task.sleep(for: .milliseconds(200))
      try await trains.update(forKey: "IC 1") { $0.delay = minutes }
    }
    try await Task.sleep(for: .milliseconds(200))
    // A batch, as an import makes it.
    try await trains.setObjects([
      "IC 3": Departure(time: "09:40", to: "Odesa"),
      "R 18": Departure(time: "09:55", to: "Poltava", delay: 3),
    ])
    try await Task.sleep(for: .milliseconds(200))
    try await trains.removeObject(forKey: "R 17")
    try await Task.sleep(for: .milliseconds(200))
    try await trains.setObject(Departure(time: "–", to: "Closed"), forKey: "IC 1")
  }
}
