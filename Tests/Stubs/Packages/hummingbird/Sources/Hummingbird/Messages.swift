// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import struct HTTPTypes.HTTPFields
@_exported import struct HTTPTypes.HTTPRequest
@_exported import struct HTTPTypes.HTTPResponse
@_exported import struct NIOCore.ByteBuffer

public struct Request: Sendable {
  public let head: HTTPRequest
  public let body: RequestBody

  public init(head: HTTPRequest, body: RequestBody) {
    self.head = head
    self.body = body
  }

  public var method: HTTPRequest.Method { head.method }
  public var headers: HTTPFields { head.headerFields }
  public var uri: URI { URI(head.path ?? "/") }
}

public struct RequestBody: Sendable {
  private let buffer: ByteBuffer

  public init(buffer: ByteBuffer) { self.buffer = buffer }

  public func collect(upTo maxSize: Int) async throws -> ByteBuffer { buffer }
}

public struct URI: Sendable {
  public let path: String
  public let queryParameters: Parameters

  init(_ text: String) {
    let parts = text.split(separator: "?", maxSplits: 1)
    path = String(parts.first ?? "/")
    var values: [String: String] = [:]
    for part in (parts.count == 2 ? parts[1] : "").split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1)
      values[String(pair[0])] = pair.count == 2 ? String(pair[1]) : ""
    }
    queryParameters = Parameters(values: values)
  }
}

public struct Parameters: Sendable {
  var values: [String: String] = [:]

  public func require(_ name: String) throws -> String {
    guard let value = values[name] else { throw HTTPError(.badRequest) }
    return value
  }

  public func require<T: LosslessStringConvertible>(_ name: String, as type: T.Type) throws -> T {
    guard let value = T(try require(name)) else { throw HTTPError(.badRequest) }
    return value
  }
}

public struct Response: Sendable {
  public var status: HTTPResponse.Status
  public var headers: HTTPFields
  public var body: ResponseBody {
    didSet { headers[.contentLength] = body.contentLength.map(String.init) }
  }

  public init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = ResponseBody()) {
    self.status = status
    self.headers = headers
    self.body = body
    if let length = body.contentLength, !headers.contains(.contentLength) {
      self.headers[.contentLength] = String(length)
    }
  }
}

public protocol ResponseBodyWriter {
  mutating func write(_ buffer: ByteBuffer) async throws
  consuming func finish(_ trailingHeaders: HTTPFields?) async throws
}

public struct ResponseBody: Sendable {
  public let contentLength: Int?
  private let content: @Sendable (inout any ResponseBodyWriter) async throws -> Void

  public init(
    contentLength: Int? = nil,
    _ write: @Sendable @escaping (inout any ResponseBodyWriter) async throws -> Void
  ) {
    self.contentLength = contentLength
    content = write
  }

  public init() { self.init(byteBuffer: ByteBuffer()) }

  public init(byteBuffer: ByteBuffer) {
    self.init(contentLength: byteBuffer.readableBytes) { writer in
      try await writer.write(byteBuffer)
      try await writer.finish(nil)
    }
  }

  public consuming func write(_ writer: consuming any ResponseBodyWriter) async throws {
    try await content(&writer)
  }
}

public protocol ResponseGenerator {
  func response(from request: Request, context: some RequestContext) throws -> Response
}

extension Response: ResponseGenerator {
  public func response(from request: Request, context: some RequestContext) -> Response { self }
}

extension String: ResponseGenerator {
  public func response(from request: Request, context: some RequestContext) -> Response {
    Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: self)))
  }
}

extension HTTPResponse.Status: ResponseGenerator {
  public func response(from request: Request, context: some RequestContext) -> Response {
    Response(status: self)
  }
}

extension Optional: ResponseGenerator where Wrapped: ResponseGenerator {
  public func response(from request: Request, context: some RequestContext) throws -> Response {
    try map { try $0.response(from: request, context: context) } ?? Response(status: .noContent)
  }
}

public protocol HTTPResponseError: Error, ResponseGenerator {
  var status: HTTPResponse.Status { get }
}

public struct HTTPError: HTTPResponseError {
  public var status: HTTPResponse.Status

  public init(_ status: HTTPResponse.Status, message: String? = nil) { self.status = status }

  public func response(from request: Request, context: some RequestContext) -> Response {
    Response(status: status)
  }
}
