import Foundation
import NIOCore
import NIOHTTP1
import StrataCore
import Vapor

@testable import StrataVapor

/// Runs a test with an application whose cache and sessions are in an empty store.
func withApplication(_ store: TestStore, _ body: (Application) async throws -> Void) async throws {
  let app = try await Application.make(.testing)
  func use(_ store: some StorageAware<String, Data>) {
    app.caches.use(.strata(store))
    app.sessions.use(.strata(store))
  }
  do {
    use(try store.open())
    try await body(app)
  } catch {
    try await app.asyncShutdown()
    throw error
  }
  try await app.asyncShutdown()
}

struct Answer: Sendable {
  let status: HTTPResponseStatus
  let text: String
  /// The identifier of the session in the answer's cookie.
  let cookie: String?
}

extension Application {
  /// Sends a request through the middleware to a route, without a server.
  func send(_ path: String, cookie: String? = nil) async throws -> Answer {
    let request = Request(
      application: self, method: .GET, url: URI(path: path), on: eventLoopGroup.next())
    if let cookie { request.headers.replaceOrAdd(name: "Cookie", value: "vapor-session=\(cookie)") }
    let response = try await responder.respond(to: request).get()
    return Answer(
      status: response.status, text: response.body.string ?? "",
      cookie: response.cookies["vapor-session"]?.string)
  }
}
