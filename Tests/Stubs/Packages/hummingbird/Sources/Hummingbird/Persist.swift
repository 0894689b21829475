// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import ServiceLifecycle

public protocol PersistDriver: Service {
  func shutdown() async throws
  func create<Object: Codable & Sendable>(key: String, value: Object, expires: Duration?) async throws
  func set<Object: Codable & Sendable>(key: String, value: Object, expires: Duration?) async throws
  func get<Object: Codable & Sendable>(key: String, as: Object.Type) async throws -> Object?
  func getWithTTL<Object: Codable & Sendable>(
    key: String, as: Object.Type
  ) async throws -> (object: Object, ttl: Duration?)?
  func remove(key: String) async throws
}

extension PersistDriver {
  public func shutdown() async throws {}
  public func create(key: String, value: some Codable & Sendable) async throws {
    try await create(key: key, value: value, expires: nil)
  }
  public func set(key: String, value: some Codable & Sendable) async throws {
    try await set(key: key, value: value, expires: nil)
  }
}

public struct PersistError: Error, Equatable {
  private let code: String

  public static let duplicate = PersistError(code: "duplicate")
  public static let invalidConversion = PersistError(code: "invalidConversion")
}
