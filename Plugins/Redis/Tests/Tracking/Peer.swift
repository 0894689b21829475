import Foundation
import Strata
import StrataRedis
import TestSupport
import Testing

/// Memory in front of a store on a server, as one of several processes has it.
struct Peer: Sendable {
  let memory = MemoryStorage<String, TypeWrapper>()
  let redis: RedisStorage<String>
  let chain: AsyncStorage<String, Int>

  init(
    _ addresses: RedisAddress..., tracking: RedisTracking = .reads, user: String? = nil,
    password: String? = nil
  ) throws {
    let config = RedisConfig(
      addresses: addresses, user: user, password: password, timeout: .seconds(10),
      heartbeat: .milliseconds(200),
      tracking: tracking)
    redis = try RedisStorage<String>(config: config, namespace: "numbers")
    let hybrid = HybridStorage(front: memory, back: redis)
    chain = AsyncStorage(TypeWrapperStorage(hybrid, transformer: .codable(Int.self)))
  }

  /// Reads until it is in memory, and returns it.
  func warm(_ key: String) async throws -> Int? {
    while true {
      let value = try await chain.objectIfPresent(forKey: key)
      if let atHand = chain.peek(forKey: key) { return atHand.object }
      if value == nil { return nil }
    }
  }

  /// Waits until memory does not serve a value any more.
  func forgets(_ key: String, _ value: Int) async { await until { chain.peek(forKey: key)?.object != value } }
}

/// Tries until it works: what fails meanwhile is a server on its way back.
func eventually<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
  while true {
    do { return try await body() } catch let error as StorageError where error == .backendFailed {
      await Task.yield()
    }
  }
}

/// Waits until something is true; what fails meanwhile is a server on its way back.
func eventually(_ condition: @Sendable () async throws -> Bool) async {
  while true {
    do { if try await condition() { return } } catch { await Task.yield() }
  }
}
