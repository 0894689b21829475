import Foundation
import Strata
import StrataRedis
import TestSupport
import Testing

/// Typed values on one server, changed by two processes.
@Suite(.endsInTime) struct RedisRivalUpdateTests {
  enum Chain: String, CaseIterable, Sendable { case alone, memory, memoryWithoutTracking }

  @Test(arguments: Chain.allCases, RivalUpdate.allCases)
  func everyChangeIsInTheSum(_ chain: Chain, _ change: RivalUpdate) async throws {
    // The second process ends before it needs a server of its own.
    let server = SecondProcess.arguments == nil ? try await RedisServer() : nil
    defer { withExtendedLifetime(server) {} }
    try await change.run(chain.rawValue) {
      ["\(try #require(server).port)"]
    } open: { words in
      let redis = try RedisStorage<String>(
        config: RedisConfig(
          addresses: [RedisAddress(host: "127.0.0.1", port: try #require(UInt16(words[0])))],
          timeout: .seconds(60), tracking: chain == .memoryWithoutTracking ? .off : .reads),
        namespace: "rivals")
      let numbers =
        chain == .alone
        ? AsyncStorage(back: redis, transformer: .codable(Int.self))
        : AsyncStorage(front: MemoryStorage(), back: redis, transformer: .codable(Int.self))
      return RivalUpdate.Views(numbers: numbers, tallies: numbers.transform(to: Tally.self))
    }
  }
}
