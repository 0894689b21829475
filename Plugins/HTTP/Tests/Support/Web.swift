import Foundation
import StrataCore
import StrataDisk
import TestSupport

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a cache keeps its responses in.
enum StoreKind: CaseIterable {
  /// A store that streams in memory.
  case dictionary
  /// A store that keeps parts.
  case disk
}

/// A server, a cache in front of it, and a clock.
struct Web: Sendable {
  let server: LocalServer
  let time = ManualClock()
  let store: DictionaryStorage<String, Data>
  /// The store of the cache: `store`, unless the test has chosen another kind.
  let bytes: AnyStore
  let troubles = Shared<[StorageError]>([])
  let cache: HTTPCache<URLSessionStorage, AnyStore>

  init(
    origin: URLSessionStorage = .shared, over kind: StoreKind = .dictionary, staleIfError: Double = 0,
    staleIfUnreachable: Double? = nil,
    bodyLimit: Int? = nil, isForOneUser: Bool = false, base: (any StorageAware<String, Data>)? = nil,
    answer: @escaping @Sendable (LocalServer.Received) -> LocalServer.Answer
  ) throws {
    server = try LocalServer(answer: answer)
    store = DictionaryStorage(clock: time.clock)
    var config = HTTPCacheConfig(
      staleIfError: staleIfError, bodyLimit: bodyLimit, isForOneUser: isForOneUser, clock: time.clock,
      onTrouble: { [troubles] error in troubles.change { $0.append(error) } })
    if let staleIfUnreachable { config.staleIfUnreachable = staleIfUnreachable }
    var base = base
    if base == nil, kind == .disk {
      base = try DiskStorage<String>(
        config: DiskConfig(name: "responses", directory: TemporaryFolder().url, clock: time.clock))
    }
    bytes = AnyStore(base: base ?? store)
    cache = HTTPCache(origin: origin, store: bytes, config: config)
  }

  /// Returns the cache's response for a path.
  func get(
    _ path: String = "/", _ fields: [String: String] = [:],
    policy: URLRequest.CachePolicy = .useProtocolCachePolicy
  ) async throws -> Response {
    var request = request(try server.url(path), "GET", fields).urlRequest
    request.cachePolicy = policy
    return try await cache.retrieve(forKey: .urlRequest(request))
  }

  func send(_ method: String, _ path: String = "/") async throws -> Response {
    try await cache.retrieve(forKey: request(server.url(path), method))
  }

  func key(_ path: String = "/") throws -> String { try server.url(path).absoluteString }

  func stop() { server.stop() }
}
