// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import NIOHTTP1
import Synchronization

public struct SessionID: Sendable, Hashable {
  public let string: String

  public init(string: String) { self.string = string }
}

public struct SessionData: Sendable, Codable, Equatable {
  private var values: [String: String] = [:]

  public init() {}

  public subscript(key: String) -> String? {
    get { values[key] }
    set { values[key] = newValue }
  }
}

public final class Session: Sendable {
  private struct State {
    var data: SessionData
    var isValid = true
  }

  let id: SessionID?
  private let state: Mutex<State>

  init(id: SessionID?, data: SessionData) {
    self.id = id
    state = Mutex(State(data: data))
  }

  public var data: SessionData {
    get { state.withLock { $0.data } }
    set { state.withLock { $0.data = newValue } }
  }
  public func destroy() { state.withLock { $0.isValid = false } }
  var isValid: Bool { state.withLock { $0.isValid } }
}

public protocol SessionDriver: Sendable {
  func createSession(_ data: SessionData, for request: Request) -> EventLoopFuture<SessionID>
  func readSession(_ sessionID: SessionID, for request: Request) -> EventLoopFuture<SessionData?>
  func updateSession(_ sessionID: SessionID, to data: SessionData, for request: Request) -> EventLoopFuture<
    SessionID
  >
  func deleteSession(_ sessionID: SessionID, for request: Request) -> EventLoopFuture<Void>
}

public protocol AsyncSessionDriver: SessionDriver {
  func createSession(_ data: SessionData, for request: Request) async throws -> SessionID
  func readSession(_ sessionID: SessionID, for request: Request) async throws -> SessionData?
  func updateSession(_ sessionID: SessionID, to data: SessionData, for request: Request) async throws
    -> SessionID
  func deleteSession(_ sessionID: SessionID, for request: Request) async throws
}

extension AsyncSessionDriver {
  public func createSession(_ data: SessionData, for request: Request) -> EventLoopFuture<SessionID> {
    request.eventLoop.makeFutureWithTask { try await self.createSession(data, for: request) }
  }
  public func readSession(_ sessionID: SessionID, for request: Request) -> EventLoopFuture<SessionData?> {
    request.eventLoop.makeFutureWithTask { try await self.readSession(sessionID, for: request) }
  }
  public func updateSession(
    _ sessionID: SessionID, to data: SessionData, for request: Request
  ) -> EventLoopFuture<SessionID> {
    request.eventLoop.makeFutureWithTask { try await self.updateSession(sessionID, to: data, for: request) }
  }
  public func deleteSession(_ sessionID: SessionID, for request: Request) -> EventLoopFuture<Void> {
    request.eventLoop.makeFutureWithTask { try await self.deleteSession(sessionID, for: request) }
  }
}

/// Finds the session of a request by its cookie, and stores or removes it after the response.
public struct SessionsMiddleware: AsyncMiddleware {
  let session: any SessionDriver

  public func respond(
    to request: Request, next: @Sendable @escaping (Request) async throws -> Response
  ) async throws -> Response {
    let prefix = "vapor-session="
    let sent = request.headers.first(name: "Cookie").flatMap { text in
      text.hasPrefix(prefix) ? SessionID(string: String(text.dropFirst(prefix.count))) : nil
    }
    if let sent {
      let data = try await session.readSession(sent, for: request).get()
      let found = Session(id: data == nil ? nil : sent, data: data ?? SessionData())
      request.current.withLock { $0 = found }
    }
    let response = try await next(request)
    if let current = request.current.withLock({ $0 }), current.isValid {
      let id =
        if let known = current.id {
          try await session.updateSession(known, to: current.data, for: request).get()
        } else { try await session.createSession(current.data, for: request).get() }
      response.cookies["vapor-session"] = HTTPCookies.Value(string: id.string)
    } else if let sent {
      try await session.deleteSession(sent, for: request).get()
      response.cookies["vapor-session"] = HTTPCookies.Value(string: "")
    }
    return response
  }
}
