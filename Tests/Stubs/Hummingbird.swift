// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The signatures of Hummingbird 2 that the recipes call, so that their code type-checks without the package.

public protocol ResponseGenerator {}
public protocol ResponseEncodable: Encodable, ResponseGenerator {}
public typealias ResponseCodable = Decodable & ResponseEncodable

public enum HTTPResponse {
  public struct Status: Sendable, ResponseGenerator {
    public static var noContent: Status { fatalError() }
    public static var notFound: Status { fatalError() }
    public static var tooManyRequests: Status { fatalError() }
  }
}

public struct HTTPError: Error {
  public init(_ status: HTTPResponse.Status) { fatalError() }
}

public struct Request: Sendable {
  public func decode<Value: Decodable>(as type: Value.Type, context: some RequestContext) async throws
    -> Value
  {
    fatalError()
  }
}

public struct Parameters: Sendable {
  public func require(_ name: String) throws -> String { fatalError() }
}

public protocol RequestContext: Sendable {
  var parameters: Parameters { get }
}

public struct BasicRequestContext: RequestContext {
  public var parameters: Parameters { fatalError() }
}

public struct RouterPath: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {}
}

public final class Router<Context: RequestContext> {
  public init(context: Context.Type = BasicRequestContext.self) {}

  @discardableResult
  public func get(
    _ path: RouterPath = "",
    use handler: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
  ) -> Self { self }

  @discardableResult
  public func put(
    _ path: RouterPath = "",
    use handler: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
  ) -> Self { self }
}
