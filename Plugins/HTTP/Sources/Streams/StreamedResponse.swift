public import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The response to a request, with a body that is read a part at a time.
///
/// ```swift
/// let film = try await web.stream(.url(url))
/// guard film.httpUrlResponse.statusCode == 200 else { return }
/// for try await part in film.body { try send(part) }
/// ```
///
/// If no part of the body is read any more, release the response: the request then ends.
public struct StreamedResponse: Sendable {
  /// Status, header fields, and the final URL, which differs from the request's after a redirection.
  public let httpUrlResponse: HTTPURLResponse
  /// The body, with its content coding decoded.
  public let body: ResponseBody

  /// Creates a response, for your own origin or a test.
  public init(httpUrlResponse: HTTPURLResponse, body: ResponseBody) {
    self.httpUrlResponse = httpUrlResponse
    self.body = body
  }

  /// Creates a response whose body is in memory.
  public init(_ response: Response) {
    self.init(httpUrlResponse: response.httpUrlResponse, body: ResponseBody(StoredBytes(response.data)))
  }
}

extension StreamedResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Status, URL and size of the body. Header fields and the body are omitted, so that responses can be logged.
  public var description: String {
    let size = body.length.map(String.init) ?? "an unknown number of"
    return
      "\(httpUrlResponse.statusCode) from \(httpUrlResponse.url?.withoutSecrets ?? "(no URL)"), \(size) bytes"
  }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// A mirror without children: `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A storage of responses whose bodies can be read a part at a time.
///
/// ```swift
/// func size(_ url: URL, in web: some ResponseStreaming) async throws -> Int {
///   try await web.stream(.url(url)).body.reduce(0) { $0 + $1.count }
/// }
/// ```
public protocol ResponseStreaming: ReadableStorage where Key == Request, Value == Response {
  /// Sends the request, and returns the response as soon as its header fields have arrived.
  func stream(_ request: Request) async throws -> StreamedResponse
}

extension HTTPURLResponse {
  /// Whether a response with this status has no body. Its `Content-Length` is then that of the confirmed response.
  var hasNoBody: Bool { statusCode == 204 || statusCode == 304 }
}

/// The body of a response, in parts.
///
/// ```swift
/// for try await part in try await web.stream(.url(url)).body { try send(part) }
/// ```
///
/// A body that is in a store can be read several times. One that comes from a server can be read once; a second
/// iteration throws.
public struct ResponseBody: AsyncSequence, Sendable {
  /// A part of the body. It is never empty.
  public typealias Element = Data
  /// The error of the server or the store.
  public typealias Failure = any Error

  /// The number of bytes; `nil` if the server does not state it, or the body's content coding is decoded.
  public let length: Int?
  let open: @Sendable () async throws -> StoredBytes.Parts

  init(length: Int?, open: @escaping @Sendable () async throws -> StoredBytes.Parts) {
    self.length = length
    self.open = open
  }

  /// Creates a body of stored bytes.
  public init(_ bytes: StoredBytes) {
    self.init(length: bytes.range.count) {
      var parts = bytes.makeAsyncIterator()
      return { try await parts.next() }
    }
  }

  /// Creates a body that is read once, for your own origin.
  ///
  /// - Parameters:
  ///   - length: the number of bytes; `nil` if it is unknown.
  ///   - next: returns the next part, or `nil` after the last one. Called by one task at a time.
  public init(length: Int?, next: @escaping @Sendable () async throws -> Data?) {
    let isRead = Locked(false)
    self.init(length: length) {
      let wasRead = isRead.withLock { isRead in
        defer { isRead = true }
        return isRead
      }
      if wasRead {
        throw StorageError.backendFailed.with(
          "the body of the response has been read: send the request again")
      }
      return next
    }
  }

  /// Returns all bytes in memory.
  public func data() async throws -> Data {
    var data = Data()
    for try await part in self { data.append(part) }
    return data
  }

  /// Returns an iterator, which reads the body from its beginning.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// An iterator over the parts of a body.
  public struct Iterator: AsyncIteratorProtocol {
    private let body: ResponseBody
    private var parts: StoredBytes.Parts?
    private var isOver = false

    fileprivate init(_ body: ResponseBody) { self.body = body }

    /// Returns the next part, or `nil` after the last one. Throws if the body ends before its stated length, and then
    /// always `nil`.
    public mutating func next() async throws -> Data? {
      if isOver { return nil }
      do {
        try Task.checkCancellation()
        let open: StoredBytes.Parts
        if let parts { open = parts } else { open = try await body.open() }
        parts = open
        if let part = try await open() { return part }
        (isOver, parts) = (true, nil)
        return nil
      } catch {
        (isOver, parts) = (true, nil)
        throw error
      }
    }
  }
}
