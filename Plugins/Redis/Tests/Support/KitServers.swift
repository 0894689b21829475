import Foundation
import StrataRedis

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The servers of a check of the kit: started in the process of the tests, and found again in the processes that the kit starts.
struct KitServers: Sendable {
  let addresses: [RedisAddress]
  /// Keeps them running; a second process keeps nothing.
  private let owner: (any Sendable)?

  /// - Parameter name: that of the check, if others run at the same time.
  init<Servers: Sendable>(_ name: String, ports: (Servers) -> [Int], start: () async throws -> Servers)
    async throws
  {
    let isSecond = ProcessInfo.processInfo.environment["STRATA_TESTKIT_ERRAND"] != nil
    let process = isSecond ? getppid() : getpid()
    let note = FileManager.default.temporaryDirectory.appending(path: "strata-redis-\(process)-\(name)")
    let known: [Int]
    if isSecond {
      known = try JSONDecoder().decode([Int].self, from: Data(contentsOf: note))
      owner = nil
    } else {
      let servers = try await start()
      known = ports(servers)
      try JSONEncoder().encode(known).write(to: note)
      owner = Owner(servers, note)
    }
    addresses = known.map { RedisAddress(host: "127.0.0.1", port: UInt16($0)) }
  }

  /// Takes the note away with the servers.
  private final class Owner<Servers: Sendable>: Sendable {
    private let servers: Servers
    private let note: URL

    init(_ servers: Servers, _ note: URL) {
      self.servers = servers
      self.note = note
    }

    deinit {
      do { try FileManager.default.removeItem(at: note) } catch { print("left behind: \(error)") }
    }
  }
}
