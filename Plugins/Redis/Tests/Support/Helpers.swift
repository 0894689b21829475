import Foundation
import StrataCore
import StrataRedis
import TestSupport

func text(_ string: String) -> Data { Data(string.utf8) }

/// Returns the `StorageError` that `body` throws, or `nil`.
func failure<R>(_ body: () async throws -> R) async -> StorageError? {
  do { _ = try await body() } catch { return error as? StorageError }
  return nil
}

extension RedisServer {
  var address: RedisAddress { RedisAddress(host: "127.0.0.1", port: UInt16(port)) }
}

extension Proxy {
  var address: RedisAddress { RedisAddress(host: "127.0.0.1", port: UInt16(port)) }

  convenience init(to server: RedisServer) { self.init(to: server.port) }

  /// Directs new connections to another server.
  func turn(to server: RedisServer) { turn(to: server.port) }
}

extension RedisServers {
  /// A configuration with the addresses of two nodes.
  func config(timeout: Duration = .seconds(10), readsFromReplicas: Bool = false) -> RedisConfig {
    RedisConfig(
      addresses: [nodes[0].address, nodes[4].address], timeout: timeout, readsFromReplicas: readsFromReplicas)
  }
}

/// Returns 2 000 incompressible values of 2 kB, each another part of the same random bytes.
func muchToLoad() -> [String: Data] {
  var generator = SystemRandomNumberGenerator()
  var bytes = Data()
  for _ in 0..<512 { withUnsafeBytes(of: generator.next() as UInt64) { bytes.append(contentsOf: $0) } }
  return Dictionary(uniqueKeysWithValues: (0..<2000).map { ("\($0)", bytes.dropFirst($0).prefix(2048)) })
}

/// Returns a value of this size: 251 bytes, repeated. That is not a power of two, so lost or moved pieces are detected.
func large(_ size: Int) -> Data {
  let block = Data((0..<251).map { UInt8($0) })
  var value = Data(capacity: size + block.count)
  while value.count < size { value.append(block) }
  return value.prefix(size)
}
