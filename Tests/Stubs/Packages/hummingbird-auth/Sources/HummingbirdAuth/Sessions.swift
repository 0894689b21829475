// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import HTTPTypes
public import Hummingbird
import Synchronization

/// The data of a session, and whether they, or their lifetime, have changed.
@dynamicMemberLookup
public struct SessionData<Session: Sendable & Codable>: Sendable {
  var object: Session { didSet { isEdited = true } }
  public var expiresIn: Duration? { didSet { (isEdited, isProlonged) = (true, true) } }
  var isEdited = false
  var isProlonged = false

  public subscript<T>(dynamicMember path: WritableKeyPath<Session, T>) -> T {
    get { object[keyPath: path] }
    set { object[keyPath: path] = newValue }
  }
}

public final class SessionContext<Session: Sendable & Codable>: Sendable {
  private let state = Mutex<SessionData<Session>?>(nil)

  public init() {}

  public var session: Session? { data?.object }
  public func setSession(_ session: Session, expiresIn: Duration? = nil) {
    data = SessionData(object: session, expiresIn: expiresIn, isEdited: true, isProlonged: expiresIn != nil)
  }
  public func clearSession() { data = nil }
  public func withLockedSession<Value: Sendable>(_ change: (inout SessionData<Session>?) -> Value) -> Value {
    state.withLock { data in
      var copy = data
      let value = change(&copy)
      data = copy
      return value
    }
  }

  var data: SessionData<Session>? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

public protocol SessionRequestContext<Session>: RequestContext {
  associatedtype Session: Sendable & Codable
  var sessions: SessionContext<Session> { get }
}

public struct BasicSessionRequestContext<Session: Sendable & Codable, Identity: Sendable>:
  SessionRequestContext
{
  public var coreContext: CoreRequestContextStorage
  public let sessions = SessionContext<Session>()

  public init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}

public struct Cookie: Sendable, CustomStringConvertible {
  public let name: String
  public let value: String

  public var description: String { "\(name)=\(value); Path=/" }
}

public struct SessionStorage<Session: Codable & Sendable>: Sendable {
  let persist: any PersistDriver
  var prefix = "hbs."

  public init(_ storage: any PersistDriver) { persist = storage }

  public func save(session: Session, expiresIn: Duration) async throws -> Cookie {
    let id = String(UInt64.random(in: .min ... .max), radix: 16)
    try await persist.set(key: prefix + id, value: session, expires: expiresIn)
    return Cookie(name: "SESSION_ID", value: id)
  }

  func id(of request: Request) -> String? {
    for part in (request.headers[.cookie] ?? "").split(separator: ";") where part.hasPrefix("SESSION_ID=") {
      return String(part.dropFirst("SESSION_ID=".count))
    }
    return nil
  }
}

public struct SessionMiddlewareConfiguration: Sendable {
  public var keyPrefix: String

  public init(keyPrefix: String = "hbs.") { self.keyPrefix = keyPrefix }
}

public struct SessionMiddleware<Context: SessionRequestContext>: RouterMiddleware {
  private var sessions: SessionStorage<Context.Session>

  public init(storage: any PersistDriver) { self.init(storage: storage, configuration: .init()) }
  public init(storage: any PersistDriver, configuration: SessionMiddlewareConfiguration) {
    sessions = SessionStorage(storage)
    sessions.prefix = configuration.keyPrefix
  }

  public func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let id = sessions.id(of: request)
    var isKnown = false
    if let id {
      do {
        if let (object, ttl) = try await sessions.persist.getWithTTL(
          key: sessions.prefix + id, as: Context.Session.self)
        {
          context.sessions.data = SessionData(object: object, expiresIn: ttl)
          isKnown = true
        }
      } catch let error as PersistError where error == .invalidConversion { isKnown = true }
    }
    var response = try await next(request, context)
    if let data = context.sessions.data {
      if data.isEdited, let id {
        try await sessions.persist.set(
          key: sessions.prefix + id, value: data.object, expires: data.isProlonged ? data.expiresIn : nil)
        if data.isProlonged { add(Cookie(name: "SESSION_ID", value: id), to: &response) }
      } else if data.isEdited {
        let expires = data.expiresIn ?? .seconds(43_200)
        add(try await sessions.save(session: data.object, expiresIn: expires), to: &response)
      }
    } else if let id, isKnown {
      try await sessions.persist.remove(key: sessions.prefix + id)
      add(Cookie(name: "SESSION_ID", value: id), to: &response)
    }
    return response
  }

  private func add(_ cookie: Cookie, to response: inout Response) {
    response.headers[values: .setCookie].append(cookie.description)
  }
}
