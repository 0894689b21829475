// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import NIOHTTP1
import Synchronization

public struct URI: Sendable {
  public let path: String

  public init(path: String) { self.path = path }
}

public final class Parameters: Sendable {
  let values = Mutex<[String: String]>([:])

  public func require(_ name: String) throws -> String {
    guard let value = values.withLock({ $0[name] }) else { throw Abort(.badRequest) }
    return value
  }
}

public final class Request: Sendable {
  public let application: Application
  public let method: HTTPMethod
  public let url: URI
  public let eventLoop: any EventLoop
  public let parameters = Parameters()
  private let fields = Mutex(HTTPHeaders())
  let current = Mutex<Session?>(nil)

  public init(
    application: Application, method: HTTPMethod = .GET, url: URI = URI(path: "/"),
    on eventLoop: any EventLoop
  ) {
    self.application = application
    self.method = method
    self.url = url
    self.eventLoop = eventLoop
  }

  public var headers: HTTPHeaders {
    get { fields.withLock { $0 } }
    set { fields.withLock { $0 = newValue } }
  }
  public var cache: any Cache { application.cache.for(self) }

  public var session: Session {
    current.withLock { session in
      if let session { return session }
      let new = Session(id: nil, data: SessionData())
      session = new
      return new
    }
  }
}

public struct HTTPCookies: Sendable {
  public struct Value: Sendable {
    public var string: String
  }

  private var values: [String: Value] = [:]

  public subscript(name: String) -> Value? {
    get { values[name] }
    set { values[name] = newValue }
  }
}

public final class Response: Sendable {
  public struct Body: Sendable {
    public let string: String?
  }

  public let status: HTTPResponseStatus
  public let body: Body
  private let all = Mutex(HTTPCookies())

  init(status: HTTPResponseStatus = .ok, text: String? = nil) {
    self.status = status
    body = Body(string: text)
  }

  public var cookies: HTTPCookies {
    get { all.withLock { $0 } }
    set { all.withLock { $0 = newValue } }
  }
}

public struct Abort: Error {
  public let status: HTTPResponseStatus

  public init(_ status: HTTPResponseStatus) { self.status = status }
}

public protocol AsyncResponseEncodable {
  func response() throws -> Response
}

extension String: AsyncResponseEncodable {
  public func response() -> Response { Response(text: self) }
}

extension HTTPResponseStatus: AsyncResponseEncodable {
  public func response() -> Response { Response(status: self) }
}

public protocol Content: Codable, AsyncResponseEncodable, Sendable {}

extension Content {
  public func response() throws -> Response {
    Response(text: String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
  }
}
