import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension StorageError {
  /// The server answered with an unsuccessful status. The message names the status; the cause is an
  /// ``UnsuccessfulResponse`` with the response.
  public static let httpStatus = StorageError(.init("httpStatus"), "the server answered with an error status")
  /// The text or the request has no valid HTTP URL.
  public static let invalidURL = StorageError(.init("invalidURL"), "the URL is not an HTTP or HTTPS URL")
  /// Nothing was sent, since the request would have bypassed the proxy.
  public static let proxyUnsupported = StorageError(
    .init("proxyUnsupported"), "this platform does not support a proxy per session")
}

/// A response with a status other than 2xx, with the server's fields and body.
///
/// ```swift
/// do {
///   _ = try await web.retrieve(forKey: .url(url))
/// } catch let error as StorageError where error == .httpStatus {
///   print((error.cause as? UnsuccessfulResponse)?.response.httpUrlResponse.statusCode ?? 0)
/// }
/// ```
public struct UnsuccessfulResponse: Error, CustomStringConvertible {
  /// The complete response.
  public let response: Response

  /// The status of the response.
  public var description: String { "HTTP status \(response.httpUrlResponse.statusCode)" }
}
