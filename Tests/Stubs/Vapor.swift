// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The signatures of Vapor 4 that the recipes call, so that their code type-checks without the package.

public protocol AsyncResponseEncodable {}
public protocol Content: Codable, AsyncResponseEncodable {}

public enum HTTPResponseStatus: Sendable, AsyncResponseEncodable {
  case noContent, notFound
}

public struct Abort: Error {
  public init(_ status: HTTPResponseStatus) {}
}

public struct PathComponent: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {}
}

public struct Parameters: Sendable {
  public func require(_ name: String) throws -> String { fatalError() }
}

public struct ContentContainer {
  public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { fatalError() }
}

public final class Request: Sendable {
  public var parameters: Parameters { fatalError() }
  public var content: ContentContainer { fatalError() }
}

public final class SendableRoute: Sendable {}

public protocol RoutesBuilder {}

extension RoutesBuilder {
  @discardableResult
  public func get<Response: AsyncResponseEncodable>(
    _ path: PathComponent..., use closure: @Sendable @escaping (Request) async throws -> Response
  ) -> SendableRoute { fatalError() }

  @discardableResult
  public func put<Response: AsyncResponseEncodable>(
    _ path: PathComponent..., use closure: @Sendable @escaping (Request) async throws -> Response
  ) -> SendableRoute { fatalError() }
}
