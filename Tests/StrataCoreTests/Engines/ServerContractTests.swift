import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import StrataTestKit
import TestSupport
import Testing

@Suite("ServerStorage keeps the contract", .endsInTime) struct ServerContractTests {
  /// Servers with different capabilities. A real server is tested in the memcached example.
  enum Setup: String, CaseIterable {
    case plain
    /// The key limit is so small that nearly all keys are hashed. Names are listed in pages.
    case shortKeys

    func server() -> MemoryServer {
      self == .plain ? MemoryServer() : MemoryServer(longestName: 100, hasPages: true)
    }
  }

  /// The server of each place. Several stores of a check share it.
  private static let servers = Locked<[String: MemoryServer]>([:])
  private static let except = Set<Contract>.ofPersistence.subtracting([.severalHandles]).union([
    .atomicBatches, .sortedKeys,
  ])

  @Test(arguments: Contract.brief(), Setup.allCases)
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
