// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation
@_exported import protocol NIOCore.EventLoop
@_exported import class NIOCore.EventLoopFuture
@_exported import protocol NIOCore.EventLoopGroup
import class NIOCore.QueueEventLoop
@_exported import enum NIOHTTP1.HTTPMethod
@_exported import enum NIOHTTP1.HTTPResponseStatus
import Synchronization

public struct Environment: Sendable {
  public static let testing = Environment()

  public static func detect() throws -> Environment { Environment() }
}

/// An application without a server, to which requests are sent through `responder`.
public final class Application: Sendable {
  struct State {
    var routes: [Route] = []
    var middleware: [any AsyncMiddleware] = []
    var makeCache: (@Sendable (Application) -> any Cache)?
    var makeDriver: (@Sendable (Application) -> any SessionDriver)?
  }

  let state = Mutex(State())
  public let eventLoopGroup: any EventLoopGroup = QueueEventLoop()

  public static func make(_ environment: Environment = .testing) async throws -> Application { Application() }
  public func asyncShutdown() async throws {}
  public func execute() async throws {}

  public var caches: Caches { Caches(application: self) }
  public var cache: any Cache {
    guard let make = state.withLock({ $0.makeCache }) else { fatalError("no cache") }
    return make(self)
  }
  public var sessions: Sessions { Sessions(application: self) }
  public var middleware: Middlewares { Middlewares(application: self) }
  public var responder: AsyncResponder { AsyncResponder(application: self) }

  public struct Caches: Sendable {
    let application: Application

    public struct Provider: Sendable {
      let run: @Sendable (Application) -> Void
      public init(_ run: @Sendable @escaping (Application) -> Void) { self.run = run }
    }

    public func use(_ provider: Provider) { provider.run(application) }
    public func use(_ make: @Sendable @escaping (Application) -> any Cache) {
      application.state.withLock { $0.makeCache = make }
    }
  }

  public struct Sessions: Sendable {
    let application: Application

    public struct Provider: Sendable {
      let run: @Sendable (Application) -> Void
      public init(_ run: @Sendable @escaping (Application) -> Void) { self.run = run }
    }

    public func use(_ provider: Provider) { provider.run(application) }
    public func use(_ make: @Sendable @escaping (Application) -> any SessionDriver) {
      application.state.withLock { $0.makeDriver = make }
    }
    public var middleware: SessionsMiddleware {
      guard let make = application.state.withLock({ $0.makeDriver }) else { fatalError("no sessions") }
      return SessionsMiddleware(session: make(application))
    }
  }

  public struct Middlewares: Sendable {
    let application: Application

    public func use(_ middleware: any AsyncMiddleware) {
      application.state.withLock { $0.middleware.append(middleware) }
    }
  }
}

// MARK: Routes

struct Route: Sendable {
  let method: HTTPMethod
  let path: [String]
  let handler: @Sendable (Request) async throws -> Response

  /// Returns the values of the parts that begin with a colon, or `nil` for a path of another shape.
  func parameters(of given: [Substring]) -> [String: String]? {
    guard given.count == path.count else { return nil }
    var found: [String: String] = [:]
    for (part, value) in zip(path, given) {
      if part.hasPrefix(":") {
        found[String(part.dropFirst())] = String(value)
      } else if part != value {
        return nil
      }
    }
    return found
  }
}

extension Application {
  public func get(
    _ path: String..., use handler: @Sendable @escaping (Request) async throws -> some AsyncResponseEncodable
  ) {
    let route = Route(method: .GET, path: path) { try await handler($0).response() }
    state.withLock { $0.routes.append(route) }
  }

  public func get<T: AsyncResponseEncodable & Sendable>(
    _ path: String..., use handler: @Sendable @escaping (Request) throws -> EventLoopFuture<T>
  ) {
    let route = Route(method: .GET, path: path) { try await handler($0).get().response() }
    state.withLock { $0.routes.append(route) }
  }

  public func post(
    _ path: String..., use handler: @Sendable @escaping (Request) async throws -> some AsyncResponseEncodable
  ) {
    let route = Route(method: .POST, path: path) { try await handler($0).response() }
    state.withLock { $0.routes.append(route) }
  }
}

public struct AsyncResponder: Sendable {
  let application: Application

  public func respond(to request: Request) -> EventLoopFuture<Response> {
    request.eventLoop.makeFutureWithTask { try await self.response(to: request) }
  }

  private func response(to request: Request) async throws -> Response {
    let (routes, middleware) = application.state.withLock { ($0.routes, $0.middleware) }
    let path = request.url.path.split(separator: "/")
    let innermost: @Sendable (Request) async throws -> Response = { request in
      for route in routes where route.method == request.method {
        guard let parameters = route.parameters(of: path) else { continue }
        request.parameters.values.withLock { $0 = parameters }
        do { return try await route.handler(request) } catch let error as Abort {
          return Response(status: error.status)
        }
      }
      return Response(status: .notFound)
    }
    let chain = middleware.reversed().reduce(innermost) { next, middleware in
      { request in try await middleware.respond(to: request, next: next) }
    }
    return try await chain(request)
  }
}

public protocol AsyncMiddleware: Sendable {
  func respond(
    to request: Request, next: @Sendable @escaping (Request) async throws -> Response
  ) async throws -> Response
}
