import Foundation
import Strata
import StrataRedis

/// Prices of a café, read thousands of times a second by the tills, and changed now and then by the office. The two
/// processes each have memory in front of one Redis server, or of a cluster.
///
///     RedisExample                       starts a local server
///     RedisExample cluster               starts a cluster of six, and kills one of its primaries
///     RedisExample redis.internal:6379   uses an existing server
@main
struct RedisExample {
  struct Price: Codable, Sendable, Equatable {
    var cents: Int
    /// The time of the office's write, in seconds since 1970.
    var changed: Double
  }

  static let goods = ["espresso", "cappuccino", "croissant", "water"]

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "office" { return try await office(addresses(arguments.dropFirst())) }

    guard arguments.isEmpty || arguments == ["cluster"] else {
      return try await till(addresses(arguments[...]), servers: nil)
    }
    guard let servers = try await LocalServers(isCluster: !arguments.isEmpty) else {
      return print(
        "There is no redis-server here. Install it (apt install redis-server), or name one: host:port")
    }
    defer { servers.end() }
    try await till(servers.addresses, servers: servers)
  }

  /// Returns the chain of every process: memory in front of the shared servers.
  static func prices(_ addresses: [RedisAddress]) throws -> AsyncStorage<String, Price> {
    AsyncStorage(
      front: MemoryStorage<String, TypeWrapper>(config: MemoryConfig(countLimit: 10_000)),
      back: try RedisStorage<String>(
        config: RedisConfig(addresses: addresses, timeout: .seconds(10)), namespace: "strata-example:prices",
        expiry: .seconds(600)),
      transformer: .codable(Price.self))
  }

  /// A till: reads in a loop, and prints changes.
  static func till(_ addresses: [RedisAddress], servers: LocalServers?) async throws {
    let prices = try prices(addresses)
    let start = Price(cents: 250, changed: 0)
    try await prices.setObjects(Dictionary(uniqueKeysWithValues: goods.map { ($0, start) }), expiry: nil)
    print("The till reads from memory, in front of \(servers?.description ?? "\(addresses[0])")\n")

    let office = try Process.run(URL(filePath: program), arguments: ["office"] + addresses.map(\.description))
    try await watch(prices, changes: goods.count, since: start)
    office.waitUntilExit()

    if let fallen = servers?.killPrimary() {
      print("\n  The primary at port \(fallen) is killed, and the office changes all prices again\n")
      let known = try await prices.entries(forKeys: goods).mapValues(\.object)
      let office = try Process.run(
        URL(filePath: program), arguments: ["office"] + addresses.map(\.description))
      try await watch(prices, changes: goods.count, since: nil, known)
      office.waitUntilExit()
    }
    try await prices.removeAll()
  }

  /// Reads all prices repeatedly, until the given number have changed.
  static func watch(
    _ prices: AsyncStorage<String, Price>, changes: Int, since start: Price?, _ last: [String: Price] = [:]
  ) async throws {
    var last = start.map { start in Dictionary(uniqueKeysWithValues: goods.map { ($0, start) }) } ?? last
    var seen = 0
    var reads = 0
    while seen < changes {
      for name in goods {
        reads += 1
        let price = try await prices.object(forKey: name)
        guard price != last[name] else { continue }
        last[name] = price
        seen += 1
        let delay = (Date().timeIntervalSince1970 - price.changed) * 1000
        print(
          "  \(column(name, 12))\(column("\(price.cents) cents", 11))seen \(milliseconds(delay)) ms after it was written, "
            + "after \(reads) reads")
        reads = 0
      }
      await Task.yield()
    }
  }

  /// The office: changes each price once.
  static func office(_ addresses: [RedisAddress]) async throws {
    let prices = try prices(addresses)
    for name in goods {
      try await Task.sleep(for: .milliseconds(200))
      var price = try await prices.object(forKey: name)
      price.cents += 10
      price.changed = Date().timeIntervalSince1970
      try await prices.setObject(price, forKey: name)
    }
  }

  // MARK: Words

  static func addresses(_ words: ArraySlice<String>) -> [RedisAddress] {
    words.compactMap { word in
      let parts = word.split(separator: ":")
      return parts.count == 2 ? UInt16(parts[1]).map { RedisAddress(host: String(parts[0]), port: $0) } : nil
    }
  }

  /// The path of this program, so that it can start itself.
  static var program: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }

  static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  static func milliseconds(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}
