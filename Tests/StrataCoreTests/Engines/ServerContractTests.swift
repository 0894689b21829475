import Foundation
import StrataCore
import StrataTestKit
import TestSupport
import Testing

@Suite("ServerStorage keeps the contract", .endsInTime) struct ServerContractTests {
  /// Servers of different abilities. A real one is tested as the memcached example.
  enum Setup: String, CaseIterable {
    case plain
    /// Nearly all keys are hashed, and they are listed in pages.
    case shortKeys

    func server() -> MemoryServer {
      self == .plain ? MemoryServer() : MemoryServer(longestName: 100, hasPages: true)
    }
  }

  /// The server of each place: several stores use it at once.
  private static let servers = Locked<[String: MemoryServer]>([:])
  private static let except = Set<Contract>.ofPersistence.subtracting([.severalHandles]).union([
    .atomicBatches, .sortedKeys,
  ])

  @Test(arguments: Contract.allCases, Setup.allCases)
  func keeps(_ promise: Contract, _ setup: Setup) async throws {
    let subject = Subject("ServerStorage, \(setup)", except: Self.except) { place in
      let server = Self.servers.withLock { servers in
        let server = servers[place.path] ?? setup.server()
        servers[place.path] = server
        return server
      }
      return try RemoteStorage(server, namespace: "kit", expiry: place.expiry, clock: place.clock)
    }
    try await promise.check(subject)
  }
}
