public import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
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
    try await asStorageErrors(for: key) {
      let (temporary, response) = try await downloaded(key.urlRequest)
      defer { unlink(temporary.path) }
      guard let response = response as? HTTPURLResponse else { throw Self.noHTTP(response) }
      // The file is first moved into the target's folder: a rename within a folder is atomic.
      let beside = file.deletingLastPathComponent()
        .appending(path: ".\(file.lastPathComponent).\(UUID().uuidString)")
      do {
        try FileManager.default.moveItem(at: temporary, to: beside)
        guard rename(beside.path, file.path) == 0 else {
          throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
      } catch {
        unlink(beside.path)
        throw StorageError.backendFailed.with(
          "the response arrived, but could not be written to the file", place: file.path, cause: error)
      }
      return response
    }
  }

  /// Returns a temporary file with the body, and the response.
  private func downloaded(_ request: URLRequest) async throws -> (URL, URLResponse) {
    #if canImport(FoundationNetworking)
      try await Stopping.run { continuation, stopping in
        let task = session.downloadTask(with: request) { file, response, error in
          if let file, let response {
            continuation.resume(returning: (file, response))
          } else {
            continuation.resume(throwing: error ?? URLError(.badServerResponse))
          }
        }
        stopping.start(task)
      }
    #else
      try await session.download(for: request)
    #endif
  }

  /// Returns the complete response. Throws `.tooLarge` if its body exceeds the limit.
  package func receive(_ request: URLRequest) async throws -> (Data, URLResponse) {
    #if canImport(FoundationNetworking)
      if ownsSession {
        return try await receiver.receive(request, through: session, limit: bodyLimit ?? .max)
      }
    #endif
    guard let bodyLimit else { return try await session.data(for: request) }
    #if canImport(FoundationNetworking)
      let watch = BodyWatch(limit: bodyLimit, sessionDelegate: session.delegate)
      do {
        let (data, response) = try await session.data(for: request, delegate: watch)
        if data.count > bodyLimit { throw Self.tooLarge(bodyLimit) }
        return (data, response)
      } catch {
        throw watch.isExceeded ? Self.tooLarge(bodyLimit) : error
      }
    #else
      let (bytes, response) = try await session.bytes(for: request)
      var data = Data()
      for try await byte in bytes {
        if data.count == bodyLimit {
          bytes.task.cancel()
          throw Self.tooLarge(bodyLimit)
        }
        data.append(byte)
      }
      return (data, response)
    #endif
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
