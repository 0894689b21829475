// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct HTTPRequest: Sendable, Hashable {
  public struct Method: Sendable, Hashable {
    public let rawValue: String

    public static let get = Method(rawValue: "GET")
    public static let head = Method(rawValue: "HEAD")
    public static let post = Method(rawValue: "POST")
    public static let put = Method(rawValue: "PUT")
    public static let delete = Method(rawValue: "DELETE")
  }

  public var method: Method
  public var scheme: String?
  public var authority: String?
  public var path: String?
  public var headerFields: HTTPFields

  public init(
    method: Method, scheme: String?, authority: String?, path: String?, headerFields: HTTPFields = [:]
  ) {
    self.method = method
    self.scheme = scheme
    self.authority = authority
    self.path = path
    self.headerFields = headerFields
  }
}

public struct HTTPResponse: Sendable, Hashable {
  public struct Status: Sendable, Hashable {
    public let code: Int

    public init(code: Int, reasonPhrase: String = "") { self.code = code }

    public static let ok = Status(code: 200)
    public static let noContent = Status(code: 204)
    public static let partialContent = Status(code: 206)
    public static let notModified = Status(code: 304)
    public static let badRequest = Status(code: 400)
    public static let unauthorized = Status(code: 401)
    public static let notFound = Status(code: 404)
    public static let internalServerError = Status(code: 500)
    public static let serviceUnavailable = Status(code: 503)
    public static let gatewayTimeout = Status(code: 504)
  }

  public var status: Status
  public var headerFields: HTTPFields

  public init(status: Status, headerFields: HTTPFields = [:]) {
    self.status = status
    self.headerFields = headerFields
  }
}
