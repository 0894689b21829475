// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import HTTPTypes
import Logging
import ServiceLifecycle

public protocol RequestContextSource {
  var logger: Logger { get }
}

public struct ApplicationRequestContextSource: RequestContextSource {
  public let logger: Logger
}

public struct CoreRequestContextStorage: Sendable {
  public var logger: Logger
  public var parameters = Parameters()

  public init(source: some RequestContextSource) { logger = source.logger }
}

public protocol RequestContext: Sendable {
  associatedtype Source: RequestContextSource = ApplicationRequestContextSource

  var coreContext: CoreRequestContextStorage { get set }
  init(source: Source)
}

extension RequestContext {
  public var logger: Logger { coreContext.logger }
  public var parameters: Parameters { coreContext.parameters }
}

public struct BasicRequestContext: RequestContext {
  public var coreContext: CoreRequestContextStorage

  public init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}

public protocol MiddlewareProtocol<Input, Output, Context>: Sendable {
  associatedtype Input
  associatedtype Output
  associatedtype Context

  func handle(
    _ input: Input, context: Context, next: (Input, Context) async throws -> Output
  ) async throws -> Output
}

public protocol RouterMiddleware<Context>: MiddlewareProtocol where Input == Request, Output == Response {}

public struct RouterOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let autoGenerateHeadEndpoints = RouterOptions(rawValue: 1)
}

public struct RouterPath: ExpressibleByStringLiteral, Sendable {
  let parts: [Substring]

  public init(stringLiteral text: String) { parts = text.split(separator: "/") }

  /// Returns the values of the parts that begin with a colon, or `nil` for a path of another shape.
  func parameters(of path: String) -> Parameters? {
    let given = path.split(separator: "/")
    guard given.count == parts.count else { return nil }
    var found = Parameters()
    for (part, value) in zip(parts, given) {
      if part.hasPrefix(":") {
        found.values[String(part.dropFirst())] = String(value)
      } else if part != value {
        return nil
      }
    }
    return found
  }
}

public final class Router<Context: RequestContext> {
  typealias Handler = @Sendable (Request, Context) async throws -> Response

  private var middleware: [any MiddlewareProtocol<Request, Response, Context>] = []
  private var routes: [(method: HTTPRequest.Method, path: RouterPath, handler: Handler)] = []
  private let options: RouterOptions

  public init(context: Context.Type, options: RouterOptions = []) { self.options = options }

  /// Adds a middleware to the routes that are added later.
  @discardableResult
  public func add(middleware: any MiddlewareProtocol<Request, Response, Context>) -> Self {
    self.middleware.append(middleware)
    return self
  }

  @discardableResult
  public func on(
    _ path: RouterPath, method: HTTPRequest.Method,
    use handler: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
  ) -> Self {
    let innermost: Handler = { request, context in
      try await handler(request, context).response(from: request, context: context)
    }
    let chain = middleware.reversed().reduce(innermost) { next, middleware in
      { request, context in try await middleware.handle(request, context: context, next: next) }
    }
    routes.append((method, path, chain))
    if method == .get, options.contains(.autoGenerateHeadEndpoints) {
      routes.append(
        (
          .head, path,
          { request, context in
            let response = try await chain(request, context)
            return Response(status: response.status, headers: response.headers)
          }
        ))
    }
    return self
  }

  @discardableResult
  public func get(
    _ path: RouterPath,
    use handler: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
  ) -> Self { on(path, method: .get, use: handler) }

  @discardableResult
  public func put(
    _ path: RouterPath,
    use handler: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
  ) -> Self { on(path, method: .put, use: handler) }

  @discardableResult
  public func post(
    _ path: RouterPath,
    use handler: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
  ) -> Self { on(path, method: .post, use: handler) }

  @discardableResult
  public func delete(
    _ path: RouterPath,
    use handler: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
  ) -> Self { on(path, method: .delete, use: handler) }

  public func buildResponder() -> RouterResponder<Context> { RouterResponder(routes: routes) }
}

public struct RouterResponder<Context: RequestContext>: Sendable {
  let routes: [(method: HTTPRequest.Method, path: RouterPath, handler: Router<Context>.Handler)]

  public func respond(to request: Request, context: Context) async throws -> Response {
    for route in routes where route.method == request.method {
      guard let parameters = route.path.parameters(of: request.uri.path) else { continue }
      var context = context
      context.coreContext.parameters = parameters
      return try await route.handler(request, context)
    }
    throw HTTPError(.notFound)
  }
}

/// An application without a server: only its services run.
public struct Application<Context: RequestContext>: Service {
  private let services: [any Service]

  public init(router: Router<Context>, services: [any Service] = []) { self.services = services }

  public func run() async throws { for service in services { try await service.run() } }
  public func runService() async throws { try await run() }
}
