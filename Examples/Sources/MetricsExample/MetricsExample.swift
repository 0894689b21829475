import Foundation
import Strata
import StrataRedis
import Synchronization

/// What a chain says about itself while it works: statistics of each tier, and a page for Prometheus.
///
/// With the arguments `port file seconds` it uses the Redis server at that port in place of a disk, and writes the page
/// to the file every half second: `Documentation/Dashboards/record` makes the picture of the dashboard so.
@main
struct MetricsExample {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let policy = LoadPolicy(
      freshFor: .seconds(4), staleFor: .seconds(60), refreshAhead: .at(0.8),
      retryAfter: .fixed(.milliseconds(500)))
    let memory = MemoryStorage<Int, TypeWrapper>(
      config: MemoryConfig(countLimit: 400, totalCostLimit: 1_000_000))
    let source = Source()
    if arguments.count == 4, let port = UInt16(arguments[1]), let seconds = Double(arguments[3]) {
      let redis = try RedisStorage<Int>(
        config: RedisConfig(
          addresses: [RedisAddress(host: "127.0.0.1", port: port)], timeout: .milliseconds(250)),
        namespace: "profiles")
      let chain = AsyncStorage(front: memory, back: redis, transformer: .codable(Profile.self))
      let profiles = chain.loading(policy) { .value(try await source.profile($0.key)) }
      try await record(profiles, source, to: URL(filePath: arguments[2]), for: .seconds(seconds))
    } else {
      let folder = FileManager.default.temporaryDirectory.appending(path: "strata-\(UUID().uuidString)")
      defer {
        do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path)") }
      }
      let disk = try DiskStorage<Int>(config: DiskConfig(name: "profiles", directory: folder))
      let chain = AsyncStorage(front: memory, back: disk, transformer: .codable(Profile.self))
      let profiles = chain.loading(policy) { .value(try await source.profile($0.key)) }
      for _ in 0..<3 { try await use(profiles, calls: 1000) }
      print("\(StorageStatistics(of: profiles))\n\nFor Prometheus:\n\n\(page(of: profiles))", terminator: "")
    }
  }

  /// The figures of a chain and of its loads as one OpenMetrics text.
  static func page(of profiles: LoadingStorage<Int, Profile>) -> String {
    StorageStatistics(of: profiles).openMetrics(store: "profiles", isEnded: false)
      + profiles.statistics.openMetrics(store: "profiles")
  }

  /// Reads, and now and then writes, some of 2000 profiles: small numbers often.
  static func use(_ profiles: LoadingStorage<Int, Profile>, calls: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<(calls / 8) {
            let key = Int(2000 * pow(Double.random(in: 0..<1), 4))
            switch Int.random(in: 0..<100) {
            case 0: try await profiles.removeObject(forKey: key)
            case 1...4: try await profiles.setObject(Profile(name: "\(key)"), forKey: key)
            default: _ = try await profiles.object(forKey: key)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Works for some seconds, with more and less calls, a source that is down for a while, and a page every half second.
  static func record(
    _ profiles: LoadingStorage<Int, Profile>, _ source: Source, to file: URL, for time: Duration
  ) async throws {
    let start = ContinuousClock.now
    while start.duration(to: .now) < time {
      let part = start.duration(to: .now) / time
      source.isDown = (0.3..<0.45).contains(part)
      let calls = Int(400 + 200 * sin(part * 25))
      do { try await use(profiles, calls: calls) } catch { print("a call failed: \(error)") }
      try page(of: profiles).write(to: file, atomically: true, encoding: .utf8)
      try await Task.sleep(for: .milliseconds(500))
    }
  }
}

struct Profile: Codable, Sendable {
  var name: String
}

/// A database that takes some milliseconds, and can be down.
final class Source: Sendable {
  struct Down: Error {}

  private let down = Mutex(false)
  var isDown: Bool {
    get { down.withLock { $0 } }
    set { down.withLock { $0 = newValue } }
  }

  func profile(_ key: Int) async throws -> Profile {
    if isDown { throw Down() }
    try await Task.sleep(for: .milliseconds(Int.random(in: 2...12)))
    return Profile(name: "profile \(key)")
  }
}
