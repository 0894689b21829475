public import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSessionStorage {
  /// The default maximum number of bytes of a body in memory: 256 MiB.
  public static let defaultBodyLimit = 256 << 20

  /// Sends the request and writes the body to a file as it arrives, without holding it in memory.
  ///
  /// ```swift
  /// let fields = try await URLSessionStorage().download(forKey: .url(url), to: URL(filePath: "/var/tmp/film.mp4"))
  /// ```
  ///
  /// Once the complete response has arrived, whatever its status, the file replaces an old file of the same name. After
  /// a failure the old file is unchanged. Only the disk limits its size: `bodyLimit` does not apply.
  ///
  /// - Parameters:
  ///   - key: The request.
  ///   - file: The file to write, in a folder that exists.
  /// - Returns: Status and header fields.
  @discardableResult
  public func download(forKey key: Request, to file: URL) async throws -> HTTPURLResponse {
    let file = try NewFile(file)
    let response = try await stream(key)
    try await file.write(response.body)
    return response.httpUrlResponse
  }

  /// Returns the complete response. Throws `.tooLarge` if its body exceeds the limit.
  func receive(_ request: URLRequest) async throws -> (Data, URLResponse) {
    #if canImport(FoundationNetworking)
      if !ownsSession { return try await receiveFromCallersSession(request) }
    #else
      if bodyLimit == nil { return try await session.data(for: request) }
    #endif
    let limit = bodyLimit ?? .max
    let (data, response) = try await receive(request, limit: limit)
    guard let data else { throw Self.tooLarge(limit) }
    return (data, response)
  }

  /// Returns the response of the storage's own session, with `nil` in place of a body that exceeds the limit. The
  /// transfer of that body ends at once.
  private func receive(_ request: URLRequest, limit: Int) async throws -> (Data?, URLResponse) {
    #if canImport(FoundationNetworking)
      return try await receiver.receive(request, through: session, limit: limit)
    #else
      let (bytes, response) = try await session.bytes(for: request)
      var data = Data()
      var isExceeded = Self.states(response, longerThan: limit, request.httpMethod)
      if !isExceeded {
        for try await byte in bytes {
          isExceeded = data.count == limit
          if isExceeded { break }
          data.append(byte)
        }
      }
      if isExceeded { bytes.task.cancel() }
      return (isExceeded ? nil : data, response)
    #endif
  }

  #if canImport(FoundationNetworking)
    private func receiveFromCallersSession(_ request: URLRequest) async throws -> (Data, URLResponse) {
      guard let bodyLimit else { return try await session.data(for: request) }
      let watch = BodyWatch(limit: bodyLimit, sessionDelegate: session.delegate)
      do {
        let (data, response) = try await session.data(for: request, delegate: watch)
        if data.count > bodyLimit { throw Self.tooLarge(bodyLimit) }
        return (data, response)
      } catch {
        throw watch.isExceeded ? Self.tooLarge(bodyLimit) : error
      }
    }
  #endif

  /// Returns whether a response states that its body is longer than a limit. Responses to `HEAD` and with status 304
  /// state the length of a body that they do not have; the length of a body with a content coding is the encoded one.
  static func states(_ response: URLResponse, longerThan limit: Int, _ method: String?) -> Bool {
    guard let response = response as? HTTPURLResponse, method != "HEAD", response.statusCode != 304,
      response.value(forHTTPHeaderField: "Content-Encoding") == nil
    else { return false }
    return response.expectedContentLength > limit
  }

  static func tooLarge(_ limit: Int) -> StorageError {
    .tooLarge.with(
      """
      the body of the response is longer than \(limit) bytes after decoding its content coding: raise bodyLimit, or write it to a \
      file with download(forKey:to:)
      """)
  }

  static func noHTTP(_ response: URLResponse) -> StorageError {
    .backendFailed.with("the response is not an HTTP response: \(type(of: response))")
  }
}
