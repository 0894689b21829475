// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol Cache {
  func get<T>(_ key: String, as type: T.Type) -> EventLoopFuture<T?> where T: Decodable
  func set<T>(_ key: String, to value: T?) -> EventLoopFuture<Void> where T: Encodable
  func set<T>(_ key: String, to value: T?, expiresIn expirationTime: CacheExpirationTime?) -> EventLoopFuture<
    Void
  >
  where T: Encodable
  func `for`(_ request: Request) -> Self
}

extension Cache {
  public func get<T: Decodable & Sendable>(_ key: String, as type: T.Type) async throws -> T? {
    try await get(key, as: type).get()
  }
  public func get<T: Decodable & Sendable>(_ key: String) async throws -> T? {
    try await get(key, as: T.self).get()
  }
  public func set<T: Encodable & Sendable>(_ key: String, to value: T?) async throws {
    try await set(key, to: value).get()
  }
  public func set<T: Encodable & Sendable>(
    _ key: String, to value: T?, expiresIn expirationTime: CacheExpirationTime?
  ) async throws { try await set(key, to: value, expiresIn: expirationTime).get() }
  public func delete(_ key: String) async throws { try await set(key, to: String?.none).get() }
}

public enum CacheExpirationTime: Sendable {
  case seconds(Int), hours(Int)

  public var seconds: Int {
    switch self {
    case .seconds(let count): count
    case .hours(let count): count * 3600
    }
  }
}
