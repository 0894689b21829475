import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension StorageError {
  /// The server answered, but not with success: the message names the status, the cause is an
  /// ``UnsuccessfulResponse`` with the answer itself.
  public static let httpStatus = StorageError(.init("httpStatus"), "the server did not answer with success")
  /// The text or the request is none that can be sent by HTTP.
  public static let invalidURL = StorageError(.init("invalidURL"), "this is no HTTP or HTTPS URL")
  /// Nothing was sent, since it would have gone past the proxy that was asked for.
  public static let proxyUnsupported = StorageError(
    .init("proxyUnsupported"), "this platform has no proxy of a session's own")
}

/// An answer with a status other than 2xx, for those who want to read what the server says about it.
public struct UnsuccessfulResponse: Error, CustomStringConvertible {
  /// The answer as it came.
  public let response: Response

  /// The status.
  public var description: String { "HTTP status \(response.httpUrlResponse.statusCode)" }
}
