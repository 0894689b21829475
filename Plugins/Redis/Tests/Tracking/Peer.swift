import Foundation
import Strata
import StrataRedis
import TestSupport
import Testing

/// Memory in front of a `RedisStorage` with its own client. Each peer stands for a process.
struct Peer: Sendable {
  let memory = MemoryStorage<String, TypeWrapper>()
  let redis: RedisStorage<String>
  let chain: AsyncStorage<String, Int>

  /// - Parameter heartbeat: Short only in tests of connections that die silently: on a busy machine a healthy server
  ///   may be silent for as long.
  init(
    _ addresses: RedisAddress..., tracking: RedisTracking = .reads, user: String? = nil,
    password: String? = nil, timeout: Duration = .seconds(30), heartbeat: Duration = .seconds(15)
  ) throws {
    let config = RedisConfig(
      addresses: addresses, user: user, password: password, timeout: timeout, heartbeat: heartbeat,
      tracking: tracking)
    redis = try RedisStorage<String>(config: config, namespace: "numbers")
    let hybrid = HybridStorage(front: memory, back: redis)
    chain = AsyncStorage(TypeWrapperStorage(hybrid, transformer: .codable(Int.self)))
  }

  /// Reads until memory has the value, and returns its copy; `nil` if the entry is absent.
  func warm(_ key: String) async throws -> Int? {
    var found: Int?
    try await eventually {
      let value = try await chain.objectIfPresent(forKey: key)
      found = chain.peek(forKey: key)?.object
      return value == nil || found != nil
    }
    return found
  }

  /// Waits until memory no longer serves a value.
  func forgets(_ key: String, _ value: Int) async { await until { chain.peek(forKey: key)?.object != value } }
}
