import Foundation
import StrataCore
import StrataRedis

func text(_ string: String) -> Data { Data(string.utf8) }

/// The error that a body throws, if it is one of a store's.
func failure<R>(_ body: () async throws -> R) async -> StorageError? {
  do { _ = try await body() } catch { return error as? StorageError }
  return nil
}

extension RedisServer {
  var address: RedisAddress { RedisAddress(host: "127.0.0.1", port: UInt16(port)) }
}

extension Proxy {
  var address: RedisAddress { RedisAddress(host: "127.0.0.1", port: UInt16(port)) }
}

extension RedisServers {
  /// A configuration that knows two of the nodes.
  func config(timeout: Duration = .seconds(10), readsFromReplicas: Bool = false) -> RedisConfig {
    RedisConfig(
      addresses: [nodes[0].address, nodes[4].address], timeout: timeout, readsFromReplicas: readsFromReplicas)
  }
}

/// 2 000 values of 2 kB that do not compress.
func muchToLoad() -> [String: Data] {
  var generator = SystemRandomNumberGenerator()
  func value() -> Data {
    (0..<256).reduce(into: Data()) { data, _ in
      withUnsafeBytes(of: generator.next() as UInt64) { data.append(contentsOf: $0) }
    }
  }
  return Dictionary(uniqueKeysWithValues: (0..<2000).map { ("\($0)", value()) })
}
